#include "app/learn/markdown.h"

#include <fmt/format.h>
#include <md4c.h>

#include <array>
#include <charconv>
#include <utility>

namespace warplens {
namespace {

std::string utf8(unsigned code) {
    if (code == 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) code = 0xfffd;
    if (code < 0x80) return {static_cast<char>(code)};
    constexpr unsigned kLead[] = {0, 0xc0, 0xe0, 0xf0};  // by the number of bytes that follow
    const unsigned more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    std::string out{static_cast<char>(kLead[more] | code >> 6 * more)};
    for (unsigned left = more; left-- > 0;) out += static_cast<char>(0x80 | (code >> 6 * left & 0x3f));
    return out;
}

/// Decodes "&amp;" and the like, which the parser passes on unchanged. Unknown names stay as they are.
std::string decode_entity(std::string_view entity) {
    struct Name {
        std::string_view name;
        unsigned code;
    };
    static constexpr std::array kNames = std::to_array<Name>({
        {"amp", '&'},      {"lt", '<'},        {"gt", '>'},     {"quot", '"'},    {"apos", '\''},
        {"nbsp", 0xa0},    {"times", 0xd7},    {"micro", 0xb5}, {"plusmn", 0xb1}, {"middot", 0xb7},
        {"ndash", 0x2013}, {"minus", 0x2212},  {"le", 0x2264},  {"ge", 0x2265},   {"larr", 0x2190},
        {"rarr", 0x2192},  {"hellip", 0x2026}, {"sup2", 0xb2},  {"sup3", 0xb3},   {"auml", 0xe4},
    });
    if (entity.size() < 4) return std::string(entity);
    std::string_view body = entity.substr(1, entity.size() - 2);  // without & and ;
    if (body.front() == '#') {
        const bool hex = body.size() > 1 && (body[1] == 'x' || body[1] == 'X');
        body.remove_prefix(hex ? 2 : 1);
        unsigned code = 0;
        std::from_chars(body.data(), body.data() + body.size(), code, hex ? 16 : 10);
        return utf8(code);
    }
    for (const Name& name : kNames) {
        if (name.name == body) return utf8(name.code);
    }
    return std::string(entity);
}

std::string attribute_text(const MD_ATTRIBUTE& attribute) {
    std::string out;
    if (attribute.text == nullptr) return out;
    for (int i = 0; attribute.substr_offsets[i] < attribute.size; ++i) {
        const MD_OFFSET begin = attribute.substr_offsets[i], end = attribute.substr_offsets[i + 1];
        const std::string_view piece(attribute.text + begin, end - begin);
        out += attribute.substr_types[i] == MD_TEXT_ENTITY ? decode_entity(piece) : std::string(piece);
    }
    return out;
}

/// Collects what the parser reports.
class Builder {
public:
    void enter_block(MD_BLOCKTYPE type, void* detail);
    void leave_block(MD_BLOCKTYPE type);
    void enter_span(MD_SPANTYPE type, void* detail);
    void leave_span(MD_SPANTYPE type);
    void add_text(MD_TEXTTYPE type, std::string_view text);
    std::vector<Block> take();

private:
    struct Container {
        bool quote = false, ordered = false;
        unsigned number = 0;  ///< number of the next item
    };
    void open(BlockKind kind, int level = 0);
    void close();
    void append(std::string text);

    std::vector<Block> blocks_;
    bool open_ = false;
    std::vector<Container> containers_;
    std::string marker_;  ///< marker of the item that has begun, until its first block gets it
    int emphasis_ = 0, strong_ = 0, code_ = 0, picture_ = 0;
    std::vector<std::string> links_;
};

void Builder::open(BlockKind kind, int level) {
    close();
    Block block;
    block.kind = kind;
    block.level = level;
    block.depth = int(containers_.size());
    block.quote = !containers_.empty() && containers_.back().quote;
    block.marker = std::exchange(marker_, {});
    blocks_.push_back(std::move(block));
    open_ = true;
}

/// Removes blocks that show nothing; their marker goes to the next block of the item.
void Builder::close() {
    if (!open_) return;
    open_ = false;
    Block& block = blocks_.back();
    if (block.kind == BlockKind::code && !block.runs.empty()) {
        std::string& text = block.runs.front().text;
        while (text.ends_with('\n')) text.pop_back();
        if (text.empty()) block.runs.clear();
    }
    if (block.kind == BlockKind::rule || !block.runs.empty()) return;
    marker_ = std::move(block.marker);
    blocks_.pop_back();
}

void Builder::append(std::string text) {
    if (text.empty() || picture_ > 0) return;  // the window shows live pictures instead
    if (!open_) open(BlockKind::paragraph);    // items of a tight list have no paragraphs
    Run run{std::move(text), emphasis_ > 0, strong_ > 0, code_ > 0, links_.empty() ? "" : links_.back()};
    std::vector<Run>& runs = blocks_.back().runs;
    if (!runs.empty() && runs.back().same_style(run)) {
        runs.back().text += run.text;
    } else {
        runs.push_back(std::move(run));
    }
}

void Builder::enter_block(MD_BLOCKTYPE type, void* detail) {
    close();
    switch (type) {
        case MD_BLOCK_UL:
            containers_.push_back({});
            break;
        case MD_BLOCK_OL:
            containers_.push_back({false, true, static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start});
            break;
        case MD_BLOCK_QUOTE:
            containers_.push_back({true});
            break;
        case MD_BLOCK_LI:
            if (!containers_.empty())
                marker_ = containers_.back().ordered ? fmt::format("{}.", containers_.back().number++) : "-";
            break;
        case MD_BLOCK_H:
            open(BlockKind::heading, int(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level));
            break;
        case MD_BLOCK_CODE:
            open(BlockKind::code);
            break;
        case MD_BLOCK_HR:
            open(BlockKind::rule);
            break;
        case MD_BLOCK_P:
            open(BlockKind::paragraph);
            break;
        default:
            break;
    }
}

void Builder::leave_block(MD_BLOCKTYPE type) {
    close();
    const bool container = type == MD_BLOCK_UL || type == MD_BLOCK_OL || type == MD_BLOCK_QUOTE;
    if (container && !containers_.empty()) containers_.pop_back();
    if (type == MD_BLOCK_LI) marker_.clear();
}

void Builder::enter_span(MD_SPANTYPE type, void* detail) {
    if (type == MD_SPAN_EM) ++emphasis_;
    if (type == MD_SPAN_STRONG) ++strong_;
    if (type == MD_SPAN_CODE) ++code_;
    if (type == MD_SPAN_IMG) ++picture_;
    if (type == MD_SPAN_A) links_.push_back(attribute_text(static_cast<MD_SPAN_A_DETAIL*>(detail)->href));
}

void Builder::leave_span(MD_SPANTYPE type) {
    if (type == MD_SPAN_EM) --emphasis_;
    if (type == MD_SPAN_STRONG) --strong_;
    if (type == MD_SPAN_CODE) --code_;
    if (type == MD_SPAN_IMG) --picture_;
    if (type == MD_SPAN_A && !links_.empty()) links_.pop_back();
}

void Builder::add_text(MD_TEXTTYPE type, std::string_view text) {
    switch (type) {
        case MD_TEXT_NULLCHAR:
            return append(utf8(0));
        case MD_TEXT_BR:
            return append("\n");
        case MD_TEXT_SOFTBR:
            return append(" ");
        case MD_TEXT_ENTITY:
            return append(decode_entity(text));
        default:
            return append(std::string(text));
    }
}

std::vector<Block> Builder::take() {
    close();
    return std::move(blocks_);
}

Builder& builder(void* user) { return *static_cast<Builder*>(user); }

}  // namespace

bool Run::same_style(const Run& other) const {
    return emphasis == other.emphasis && strong == other.strong && code == other.code && link == other.link &&
           term == other.term;
}

std::vector<Block> parse_markdown(std::string_view text) {
    MD_PARSER parser{};
    parser.flags = MD_FLAG_NOHTML | MD_FLAG_COLLAPSEWHITESPACE;
    parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* user) {
        return builder(user).enter_block(type, detail), 0;
    };
    parser.leave_block = [](MD_BLOCKTYPE type, void*, void* user) {
        return builder(user).leave_block(type), 0;
    };
    parser.enter_span = [](MD_SPANTYPE type, void* detail, void* user) {
        return builder(user).enter_span(type, detail), 0;
    };
    parser.leave_span = [](MD_SPANTYPE type, void*, void* user) { return builder(user).leave_span(type), 0; };
    parser.text = [](MD_TEXTTYPE type, const MD_CHAR* bytes, MD_SIZE size, void* user) {
        return builder(user).add_text(type, {bytes, size}), 0;
    };
    Builder built;
    // md4c 0.4.8 looks beyond the end of a last line that is not ended.
    const std::string lines = std::string(text) + '\n';
    md_parse(lines.data(), static_cast<MD_SIZE>(lines.size()), &parser, &built);
    return built.take();
}

std::string plain_text(const Block& block) {
    std::string text;
    for (const Run& run : block.runs) text += run.text;
    return text;
}

}  // namespace warplens
