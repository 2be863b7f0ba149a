#include "app/panels/learn/markdown_view.h"

#include <algorithm>

namespace warplens {
namespace {

/// A part of a run without spaces.
struct Piece {
    const Run* run = nullptr;
    std::size_t begin = 0, end = 0;
    bool space = false;    ///< one or several stand before it
    bool newline = false;  ///< a line break stands before it
    std::string_view text() const { return std::string_view(run->text).substr(begin, end - begin); }
};

std::vector<Piece> pieces_of(const Block& block) {
    std::vector<Piece> pieces;
    bool space = false, newline = false;
    for (const Run& run : block.runs) {
        const std::string_view text = run.text;
        for (std::size_t at = 0; at < text.size();) {
            if (text[at] == ' ' || text[at] == '\n') {
                space = true;
                newline = newline || text[at] == '\n';
                ++at;
                continue;
            }
            const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
            pieces.push_back({&run, at, end, space, newline});
            space = newline = false;
            at = end;
        }
    }
    return pieces;
}

/// How many bytes of a text fit a width; at least one letter.
std::size_t fitting(const Run& run, std::string_view text, float width, const MeasureRun& measure) {
    std::size_t fits = 0;
    for (std::size_t next = 1; next <= text.size(); ++next) {
        const bool inside_letter =
            next < text.size() && (static_cast<unsigned char>(text[next]) & 0xc0) == 0x80;
        if (inside_letter) continue;
        if (fits > 0 && measure(run, text.substr(0, next)) > width) break;
        fits = next;
    }
    return fits;
}

class Lines {
public:
    Lines(float width, const MeasureRun& measure) : width_(width), measure_(measure) {}

    /// Pieces that no space parts: they stay on one line if they fit one at all.
    void add_word(std::span<const Piece> word) {
        float need = 0;
        for (const Piece& piece : word) need += measure_(*piece.run, piece.text());
        const Piece& first = word.front();
        const float space = x_ > 0 && first.space ? measure_(*first.run, " ") : 0;
        if (first.newline || (x_ > 0 && first.space && x_ + space + need > width_)) {
            next_line();
        } else {
            x_ += space;
        }
        for (const Piece& piece : word) add_piece(piece);
    }
    std::vector<Fragment> take() { return std::move(fragments_); }

private:
    void next_line() {
        ++line_;
        x_ = 0;
    }
    void add_piece(Piece piece) {
        for (;;) {
            const float need = measure_(*piece.run, piece.text());
            if (x_ + need <= width_) return put(piece, need);
            const std::size_t part = fitting(*piece.run, piece.text(), width_ - x_, measure_);
            Piece head = piece;
            head.end = piece.begin + part;
            const float head_width = measure_(*head.run, head.text());
            if (x_ > 0 && x_ + head_width > width_) {  // not even one letter
                next_line();
                continue;
            }
            put(head, head_width);
            if (head.end == piece.end) return;
            next_line();
            piece.begin = head.end;
        }
    }
    /// Neighbours of one run make one fragment, so that what is drawn behind or below them has no gaps.
    void put(const Piece& piece, float need) {
        Fragment* last = fragments_.empty() ? nullptr : &fragments_.back();
        if (last != nullptr && last->run == piece.run && last->line == line_) {
            const auto begin = static_cast<std::size_t>(last->text.data() - piece.run->text.data());
            last->text = std::string_view(piece.run->text).substr(begin, piece.end - begin);
            last->width = x_ + need - last->x;
        } else {
            fragments_.push_back({piece.run, piece.text(), line_, x_, need});
        }
        x_ += need;
    }

    float width_;
    const MeasureRun& measure_;
    std::vector<Fragment> fragments_;
    float x_ = 0;
    int line_ = 0;
};

}  // namespace

std::vector<Fragment> lay_out(const Block& block, float width, const MeasureRun& measure) {
    const std::vector<Piece> pieces = pieces_of(block);
    Lines lines(width, measure);
    for (std::size_t begin = 0; begin < pieces.size();) {
        std::size_t end = begin + 1;
        while (end < pieces.size() && !pieces[end].space) ++end;
        lines.add_word(std::span(pieces).subspan(begin, end - begin));
        begin = end;
    }
    return lines.take();
}

}  // namespace warplens
