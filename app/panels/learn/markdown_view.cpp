#include "app/panels/learn/markdown_view.h"

#include "app/experiment/link.h"
#include "app/learn/glossary.h"
#include "app/learn/manual.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

constexpr float kLongestLine = 600;   ///< longer ones lose the reader on the way back [points]
constexpr float kIndent = 15;         ///< of a list [points]
constexpr float kLineHeight = 1.27f;  ///< of the font's own
constexpr ImGuiID kCopied = 1;        ///< in the storage of the window: the address that was copied last
constexpr float kSlant = 0.2f;        ///< there is no italic font: letters of emphasis are sheared

/// Draws blocks one below the other from where the cursor is.
class MarkdownView {
public:
    MarkdownView(const PanelStyle& style, Color text, Actions& actions, float width)
        : style_(style), text_(text), actions_(actions), draw_(ImGui::GetWindowDrawList()) {
        const ImVec2 start = ImGui::GetCursorScreenPos();
        left_ = std::floor(start.x);
        top_ = y_ = std::floor(start.y);
        const float room = width > 0 ? width : ImGui::GetContentRegionAvail().x;
        width_ = std::max(style.px(60), std::min(room, style.px(kLongestLine)));
    }

    void show(const Block& block);
    void finish() {
        ImGui::SetCursorScreenPos(ImVec2(left_, top_));
        ImGui::Dummy(ImVec2(1, y_ - top_));
    }

private:
    FontRole role(const Block& block, const Run& run) const {
        if (block.kind == BlockKind::heading) return block.level == 1 ? FontRole::heading : FontRole::strong;
        if (run.code || block.kind == BlockKind::code) return FontRole::mono;
        return run.strong ? FontRole::strong : FontRole::body;
    }
    float measure(FontRole role, std::string_view text) const {
        return style_.fonts.width(text, role) * style_.scale;
    }
    float line_height(FontRole role) const { return std::round(style_.fonts.imgui_size(role) * kLineHeight); }
    ImVec2 place(const Fragment& fragment) const {
        return {block_left_ + fragment.x, y_ + block_line_ * float(fragment.line)};
    }
    void leave_room(const Block& block);
    void show_rule();
    void show_code(const Block& block);
    void draw_marker(const Block& block);
    void visit_link(const Fragment& fragment, int id);
    void visit_term(const Fragment& fragment);
    void draw_fragment(const Block& block, const Fragment& fragment);
    void draw_text(FontRole role, ImVec2 at, Color color, std::string_view text, bool slanted);
    void draw_dots(float x, float y, float width);

    const PanelStyle& style_;
    Color text_;  ///< of what is no link
    Actions& actions_;
    ImDrawList* draw_;
    float left_ = 0, top_ = 0, width_ = 0, y_ = 0;  // [pixels]
    float block_left_ = 0, block_line_ = 0;         ///< of the block that is being drawn [pixels]
    const Run* hovered_ = nullptr;                  ///< the link or the term under the mouse, of this block
    int block_ = 0;
};

/// Space before a block, by what it is and what stood before it.
void MarkdownView::leave_room(const Block& block) {
    if (block_++ == 0) return;
    const bool item = block.depth > 0 && block.kind == BlockKind::paragraph;
    y_ += std::round(style_.px(block.kind == BlockKind::heading ? 14.0f : item ? 5.0f : 8.0f));
}

void MarkdownView::show(const Block& block) {
    leave_room(block);
    const float indent = style_.px(kIndent) * float(block.depth);
    block_left_ = left_ + indent;
    if (block.kind == BlockKind::rule) return show_rule();
    if (block.kind == BlockKind::code) return show_code(block);
    block_line_ = line_height(role(block, block.kind == BlockKind::heading ? block.runs.front() : Run{}));
    const std::vector<Fragment> fragments =
        lay_out(block, width_ - indent,
                [&](const Run& run, std::string_view text) { return measure(role(block, run), text); });
    hovered_ = nullptr;
    ImGui::PushID(block_);
    int id = 0;
    for (const Fragment& fragment : fragments) {
        if (!fragment.run->link.empty()) visit_link(fragment, id++);
        if (fragment.run->term != nullptr) visit_term(fragment);
    }
    ImGui::PopID();
    if (!block.marker.empty()) draw_marker(block);
    if (block.quote)
        draw_->AddRectFilled(
            ImVec2(block_left_ - style_.px(10), y_),
            ImVec2(block_left_ - style_.px(8), y_ + block_line_ * float(fragments.back().line + 1)),
            ui::color(style_.colors.outline));
    for (const Fragment& fragment : fragments) draw_fragment(block, fragment);
    if (!fragments.empty()) y_ += block_line_ * float(fragments.back().line + 1);
}

void MarkdownView::show_rule() {
    draw_->AddRectFilled(ImVec2(block_left_, y_), ImVec2(left_ + width_, y_ + std::max(1.0f, style_.px(1))),
                         ui::color(style_.colors.grid));
    y_ += style_.px(1);
}

/// As it was written, on a ground of its own; what is too long goes on in the next line.
void MarkdownView::show_code(const Block& block) {
    const float pad = std::round(style_.px(8));
    const Run& code = block.runs.front();
    block_line_ = std::round(style_.fonts.imgui_size(FontRole::mono) * 1.15f);
    const float room = left_ + width_ - block_left_ - 2 * pad, letter = measure(FontRole::mono, "0");
    const auto columns = std::size_t(std::max(1.0f, room / letter));
    std::vector<std::string_view> lines;
    for (std::string_view rest = code.text; !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        std::string_view line = rest.substr(0, end);
        do {
            lines.push_back(line.substr(0, columns));
            line.remove_prefix(lines.back().size());
        } while (!line.empty());
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    const float height = block_line_ * float(lines.size()) + 2 * pad;
    draw_->AddRectFilled(ImVec2(block_left_, y_), ImVec2(left_ + width_, y_ + height),
                         ui::color(style_.colors.control), style_.px(4));
    for (std::size_t i = 0; i < lines.size(); ++i)
        draw_text(FontRole::mono, ImVec2(block_left_ + pad, y_ + pad + block_line_ * float(i)), text_,
                  lines[i], false);
    y_ += height;
}

void MarkdownView::draw_marker(const Block& block) {
    if (block.marker != "-") {
        const float width = measure(FontRole::body, block.marker);
        draw_text(FontRole::body, ImVec2(block_left_ - width - style_.px(4), y_), style_.colors.text_weak,
                  block.marker, false);
        return;
    }
    const float middle = y_ + style_.fonts.baseline(FontRole::body) - style_.px(4.5f);
    draw_->AddCircleFilled(ImVec2(block_left_ - style_.px(8), middle), style_.px(2.2f),
                           ui::color(style_.colors.text_weak));
}

void MarkdownView::visit_link(const Fragment& fragment, int id) {
    const std::string& link = fragment.run->link;
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const int address = int(std::hash<std::string>()(link));
    ImGui::SetCursorScreenPos(place(fragment));
    ImGui::PushID(id);
    const bool clicked = ui::press_area("link", ImVec2(fragment.width, block_line_));
    ImGui::PopID();
    ui::mark(fmt::format("link.{}", link));
    const bool out = leads_out(link), in_manual = link.starts_with(kManualLink);
    if (clicked && in_manual)
        actions_.add(action::ShowHelp{HelpPage::manual, link.substr(kManualLink.size())});
    else if (clicked && !out)
        actions_.add(action::FollowLink{link});
    if (clicked && out) {
        ImGui::SetClipboardText(link.c_str());
        storage.SetInt(kCopied, address);
    }
    if (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible)
        ui::add_rect(draw_, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                     ui::color(style_.colors.highlight), style_.px(3));
    if (!ImGui::IsItemHovered()) return;
    hovered_ = fragment.run;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (!in_manual)
        ui::tip(style_, out && storage.GetInt(kCopied) == address ? fmt::format("Copied: {}", link)
                                                                  : describe_link(link));
}

void MarkdownView::visit_term(const Fragment& fragment) {
    ImGui::SetCursorScreenPos(place(fragment));
    ImGui::Dummy(ImVec2(fragment.width, block_line_));
    ui::mark(fmt::format("term.{}", fragment.run->term->term));
    ui::term_tip(style_, *fragment.run->term);
    if (ImGui::IsItemHovered()) hovered_ = fragment.run;
}

void MarkdownView::draw_text(FontRole role, ImVec2 at, Color color, std::string_view text, bool slanted) {
    const int first = draw_->VtxBuffer.Size;
    draw_->AddText(style_.fonts.font(role), style_.fonts.imgui_size(role), at,
                   ImGui::GetColorU32(ui::color(color)), text.data(), text.data() + text.size());
    if (!slanted) return;
    const float baseline = at.y + style_.fonts.baseline(role);
    for (int i = first; i < draw_->VtxBuffer.Size; ++i) {
        ImDrawVert& corner = draw_->VtxBuffer[i];
        corner.pos.x += (baseline - corner.pos.y) * kSlant;
    }
}

void MarkdownView::draw_dots(float x, float y, float width) {
    const float dot = std::max(1.0f, std::round(style_.px(1))), step = std::round(style_.px(3));
    const ImU32 color = ImGui::GetColorU32(ui::color(style_.colors.text_weak));
    for (float at = 0; at + dot <= width; at += step)
        draw_->AddRectFilled(ImVec2(std::round(x + at), y), ImVec2(std::round(x + at) + dot, y + dot), color);
}

void MarkdownView::draw_fragment(const Block& block, const Fragment& fragment) {
    const Run& run = *fragment.run;
    const FontRole font = role(block, run);
    const bool heading = block.kind == BlockKind::heading;
    const ImVec2 at = place(fragment);
    // All fonts of a line stand on one baseline.
    const float baseline =
        std::round(at.y + style_.fonts.baseline(heading ? font : FontRole::body) + style_.px(1));
    const ImVec2 text_at(at.x, baseline - style_.fonts.baseline(font));
    if (run.code && !heading)
        draw_->AddRectFilled(ImVec2(at.x - style_.px(2.5f), baseline - style_.px(13)),
                             ImVec2(at.x + fragment.width + style_.px(2.5f), baseline + style_.px(4.5f)),
                             ui::color(style_.colors.control), style_.px(3));
    const bool link = !run.link.empty();
    draw_text(font, text_at, link ? style_.colors.accent : text_, fragment.text, run.emphasis);
    const float below = baseline + std::round(style_.px(2));
    if (link)
        draw_->AddRectFilled(
            ImVec2(at.x, below),
            ImVec2(at.x + fragment.width,
                   below + std::max(1.0f, std::round(style_.px(hovered_ == &run ? 2.0f : 1.0f)))),
            ui::color(style_.colors.accent));
    if (run.term != nullptr) draw_dots(at.x, below + std::round(style_.px(1)), fragment.width);
}

void show_blocks(const PanelStyle& style, Color text, std::span<const Block> blocks, Actions& actions,
                 float width) {
    MarkdownView view(style, text, actions, width);
    for (const Block& block : blocks) view.show(block);
    view.finish();
}

/// A part of a run without spaces.
struct TextPiece {
    const Run* run = nullptr;
    std::size_t begin = 0, end = 0;
    bool space = false;    ///< one or several stand before it
    bool newline = false;  ///< a line break stands before it
    std::string_view text() const { return std::string_view(run->text).substr(begin, end - begin); }
};

std::vector<TextPiece> pieces_of(const Block& block) {
    std::vector<TextPiece> pieces;
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
    void add_word(std::span<const TextPiece> word) {
        float need = 0;
        for (const TextPiece& piece : word) need += measure_(*piece.run, piece.text());
        const TextPiece& first = word.front();
        const float space = x_ > 0 && first.space ? measure_(*first.run, " ") : 0;
        if (first.newline || (x_ > 0 && first.space && x_ + space + need > width_)) {
            next_line();
        } else {
            x_ += space;
        }
        for (const TextPiece& piece : word) add_piece(piece);
    }
    std::vector<Fragment> take() { return std::move(fragments_); }

private:
    void next_line() {
        ++line_;
        x_ = 0;
    }
    void add_piece(TextPiece piece) {
        for (;;) {
            const float need = measure_(*piece.run, piece.text());
            if (x_ + need <= width_) return put(piece, need);
            const std::size_t part = fitting(*piece.run, piece.text(), width_ - x_, measure_);
            TextPiece head = piece;
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
    void put(const TextPiece& piece, float need) {
        Fragment* last = fragments_.empty() ? nullptr : &fragments_.back();
        if (last != nullptr && last->run == piece.run && last->line == line_) {
            const std::size_t begin = last->text.data() - piece.run->text.data();
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

void show_sentence(const PanelStyle& style, std::string_view text, Color color, bool strong,
                   Actions& actions) {
    if (text.empty()) return;
    Block block;
    block.runs.push_back({.text = std::string(text), .strong = strong, .link = {}});
    mark_terms({&block, 1});
    show_blocks(style, color, {&block, 1}, actions, 0);
}

void show_markdown(const PanelStyle& style, std::span<const Block> blocks, Actions& actions, float width) {
    show_blocks(style, style.colors.text, blocks, actions, width);
}

std::vector<Fragment> lay_out(const Block& block, float width, const MeasureRun& measure) {
    const std::vector<TextPiece> pieces = pieces_of(block);
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
