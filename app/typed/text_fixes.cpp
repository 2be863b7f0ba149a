#include "app/typed/text_fixes.h"

#include "app/base/parse_number.h"
#include "app/typed/parse/source.h"
#include "app/typed/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <optional>

namespace warplens::typed {
namespace {

using Tokens = std::vector<Token>;

bool is(const Tokens& tokens, std::size_t at, std::string_view text) {
    return at < tokens.size() && tokens[at].kind != TokenKind::end && tokens[at].text == text;
}

/// @param old  lies in the text
TextEdit edit_of(const std::string& text, std::string_view old, std::string instead) {
    return {std::size_t(old.data() - text.data()), old.size(), std::move(instead)};
}

/// Whether a token was written, and not made by the preprocessor or given by it.
bool lies_in(const std::string& text, const Token& token) {
    return !std::less<>()(token.text.data(), text.data()) &&
           !std::less<>()(text.data() + text.size(), token.text.data() + token.text.size());
}

/// The bracket that closes the one at `open`. The end of the tokens if there is none.
std::size_t closing(const Tokens& tokens, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        const std::string_view text = tokens[i].text;
        if (text == "(" || text == "[" || text == "{") ++depth;
        if ((text == ")" || text == "]" || text == "}") && --depth == 0) return i;
    }
    return tokens.size();
}

/// An array that is declared in shared memory, with the brackets of its sizes.
struct SharedArray {
    std::size_t name;
    std::vector<std::pair<std::size_t, std::size_t>> sizes;
};

std::vector<SharedArray> shared_arrays(const Tokens& tokens) {
    std::vector<SharedArray> arrays;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (!is(tokens, i, "__shared__")) continue;
        for (++i; i + 1 < tokens.size() && !is(tokens, i, ";"); ++i) {
            if (tokens[i].kind != TokenKind::name || !is(tokens, i + 1, "[")) continue;
            SharedArray array{i, {}};
            for (; is(tokens, i + 1, "["); i = array.sizes.back().second)
                array.sizes.emplace_back(i + 1, std::min(closing(tokens, i + 1), tokens.size() - 1));
            arrays.push_back(array);
        }
    }
    return arrays;
}

/// The text of the tokens behind `open` and before `close`.
std::string_view between(const Tokens& tokens, std::size_t open, std::size_t close) {
    const char* first = tokens[open + 1].text.data();
    const std::string_view last = tokens[close - 1].text;
    return {first, std::size_t(last.data() + last.size() - first)};
}

/// "33" for "32" and 1, "TILE + 1" for "TILE" and 1.
std::string longer(std::string_view size, int by) {
    if (const auto number = parse_number<int>(size)) return std::to_string(*number + by);
    const bool sum =
        size.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789 *+") ==
        std::string_view::npos;
    return fmt::format("{}{}{} + {}", sum ? "" : "(", size, sum ? "" : ")", by);
}

/// The widths in `y * width + x`, wherever an array of one size "height * width" is indexed. Empty if it is
/// used in another way somewhere.
std::vector<std::string_view> row_widths(const Tokens& tokens, const SharedArray& array) {
    const auto [open, close] = array.sizes.front();
    if (close != open + 4 || !is(tokens, open + 2, "*")) return {};
    const std::string_view name = tokens[array.name].text, width = tokens[open + 3].text;
    std::vector<std::string_view> widths{width};
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].text != name || i == array.name) continue;
        if (!is(tokens, i + 1, "[")) return {};
        const std::size_t last = std::min(closing(tokens, i + 1), tokens.size() - 1), found = widths.size();
        for (std::size_t k = i + 2, depth = 0; k < last; ++k) {
            if (is(tokens, k, "(")) ++depth;
            if (is(tokens, k, ")")) --depth;
            if (depth == 0 && is(tokens, k, "*") && is(tokens, k + 1, width))
                widths.push_back(tokens[k + 1].text);
        }
        if (widths.size() != found + 1) return {};
    }
    return widths;
}

void add_pads(std::vector<TextFix>& fixes, const std::string& text, const Tokens& tokens) {
    for (const SharedArray& array : shared_arrays(tokens)) {
        const std::string name(tokens[array.name].text);
        const auto [open, close] = array.sizes.back();
        if (close <= open + 1) continue;
        const std::string_view last = between(tokens, open, close);
        const std::vector<std::string_view> widths =
            array.sizes.size() == 1 ? row_widths(tokens, array) : std::vector{last};
        for (const int by : {1, 2, 4, 8}) {  // elements: a bank has 4 bytes, a request of 16 bytes takes 4
            std::vector<TextEdit> edits;
            for (const std::string_view width : widths) {
                const std::string wider = longer(width, by);
                const bool factor = array.sizes.size() == 1 && wider.find(' ') != std::string::npos;
                edits.push_back(edit_of(text, width, factor ? fmt::format("({})", wider) : wider));
            }
            if (edits.empty()) break;
            const std::string shape =
                array.sizes.size() > 1
                    ? fmt::format("[{}][{}]",
                                  between(tokens, array.sizes[array.sizes.size() - 2].first,
                                          array.sizes[array.sizes.size() - 2].second),
                                  edits.front().instead)
                    : fmt::format("rows of {}", edits.front().instead);
            fixes.push_back({fmt::format("Pad {} to {}", name, shape), name, std::move(edits)});
        }
    }
}

/// Whether a name belongs to what the threads of a warp do together, so that they cannot be renamed.
bool is_of_warp(std::string_view name) {
    return std::ranges::any_of(
        std::initializer_list<std::string_view>{"shfl", "ballot", "warp", "rank", "partition", "__any",
                                                "__all", "__match", "__reduce", "activemask"},
        [&](std::string_view one) { return name.find(one) != std::string_view::npos; });
}

void add_exchange(std::vector<TextFix>& fixes, const std::string& text, const Tokens& tokens,
                  const Source& source, const Scenario& scenario, const Params& params) {
    const auto launched = typed_launch(scenario, params);
    const Launch& launch = launched->launch();
    if (launch.block_x != launch.block_y || launch.block_x < 2 || launch.block_z > 1) return;
    for (const auto& [name, macro] : source.macros)
        for (const Token& token : macro.body)
            if (lies_in(text, token) && (token.text == "threadIdx" || is_of_warp(token.text))) return;
    TextFix fix{"Exchange threadIdx.x and threadIdx.y", "threadIdx", {}};
    bool x = false, y = false, ours = false;
    std::size_t end = 0;  // of the kernel that is read; tokens before it belong to it
    for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
        if (is(tokens, i, "__global__")) {
            ours = false;
            std::size_t body = i;
            for (; body < tokens.size() && !is(tokens, body, "{") && !is(tokens, body, ";"); ++body)
                ours |= is(tokens, body, scenario.typed->kernel()) && is(tokens, body + 1, "(");
            end = closing(tokens, body);
        }
        const bool here = ours && i < end;
        if (here && tokens[i].kind == TokenKind::name && is_of_warp(tokens[i].text)) return;
        if (!is(tokens, i, "threadIdx") || !is(tokens, i + 1, ".")) continue;
        if (i >= end) return;  // a function that this kernel may call
        if (!here) continue;
        x |= is(tokens, i + 2, "x");
        y |= is(tokens, i + 2, "y");
        fix.edits.push_back(edit_of(text, tokens[i + 2].text, is(tokens, i + 2, "x") ? "y" : "x"));
    }
    if (x && y) fixes.push_back(std::move(fix));
}

/// An element at an index "4 * i + component", or "i * 4 + component".
struct NextElement {
    std::size_t name = 0, close = 0;  ///< tokens
    int component = 0;
    std::string_view place;  ///< "i"
};

std::optional<NextElement> next_element(const Tokens& tokens, std::size_t name, std::string_view factor) {
    NextElement one{.name = name, .close = std::min(closing(tokens, name + 1), tokens.size() - 1)};
    std::size_t first = name + 2, last = one.close;  // [first, last) is the index
    if (last > first + 2 && is(tokens, last - 2, "+")) {
        const auto component = parse_number<int>(tokens[last - 1].text);
        if (!component) return std::nullopt;
        one.component = *component;
        last -= 2;
    }
    if (last < first + 3) return std::nullopt;
    if (is(tokens, first, factor) && is(tokens, first + 1, "*"))
        first += 2;
    else if (is(tokens, last - 1, factor) && is(tokens, last - 2, "*"))
        last -= 2;
    else
        return std::nullopt;
    const bool whole = last == first + 1 || (is(tokens, first, "(") && closing(tokens, first) == last - 1);
    if (!whole) return std::nullopt;
    one.place = between(tokens, first - 1, last);
    return one;
}

/// Whether elements may be loaded before the first of them: between them nothing is stored, no branch parts
/// them, and what their index consists of does not change.
bool may_come_together(const Tokens& tokens, const NextElement& first, const NextElement& last) {
    std::size_t begin = first.name;  // of the statement
    while (begin > 0 && !is(tokens, begin, ";") && !is(tokens, begin, "{") && !is(tokens, begin, "}"))
        --begin;
    bool stored = false;
    for (std::size_t i = begin + 1; i < last.close; ++i) {
        for (const std::string_view no : {"{", "}", "?", "&&", "||", "for", "if", "while", "else", "do",
                                          "case", "return", "++", "--", "__syncthreads"})
            if (is(tokens, i, no)) return false;
        const bool changes = i + 1 < last.close && tokens[i + 1].text.ends_with('=');
        if (changes && i > first.name && first.place.find(tokens[i].text) != std::string_view::npos)
            return false;
        stored = stored || (changes && is(tokens, i, "]"));
        if (stored && is(tokens, i, ";")) return false;  // what is stored last comes behind all loads
    }
    return true;
}

/// `const float4 in4 = reinterpret_cast<const float4*>(in)[i];` for in[4 * i], in[4 * i + 1] and so on.
void add_joins(std::vector<TextFix>& fixes, const std::string& text, const Tokens& tokens) {
    for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
        if (!is(tokens, i, "const") || !is(tokens, i + 2, "*")) continue;
        const std::string_view type = tokens[i + 1].text;
        if (type != "float" && type != "int") continue;
        std::size_t declared = i + 3;
        while (is(tokens, declared, "const") || is(tokens, declared, "__restrict__")) ++declared;
        if (declared + 1 >= tokens.size()) return;
        const std::string_view name = tokens[declared].text;
        for (const std::string_view lanes : {"4", "2"}) {
            const int count = lanes.front() - '0';
            std::vector<NextElement> all;  // the next of the first place
            std::size_t used = 0;
            for (std::size_t at = declared + 1; at + 1 < tokens.size(); ++at) {
                if (!is(tokens, at, name) || !is(tokens, at + 1, "[")) continue;
                const auto one = next_element(tokens, at, lanes);
                if (!one || (!all.empty() && one->place != all.front().place)) continue;
                all.push_back(*one);
                used |= std::size_t{1} << unsigned(one->component & 31);
            }
            const std::string vector = fmt::format("{}{}", name, lanes);
            if (used != (std::size_t{1} << unsigned(count)) - 1 ||
                !may_come_together(tokens, all.front(), all.back()) ||
                std::ranges::any_of(tokens, [&](const Token& token) { return token.text == vector; }))
                continue;
            std::size_t begin = all.front().name;
            while (!is(tokens, begin - 1, ";") && !is(tokens, begin - 1, "{") && !is(tokens, begin - 1, "}"))
                --begin;
            TextFix fix{.what = fmt::format("Load {} as {}{}", name, type, lanes),
                        .part = std::string(name),
                        .edits = {},
                        .joins = true};
            fix.edits.push_back(
                edit_of(text, tokens[begin].text.substr(0, 0),
                        fmt::format("const {0}{1} {2} = reinterpret_cast<const {0}{1}*>({3})[{4}]; ", type,
                                    lanes, vector, name, all.front().place)));
            for (const NextElement& one : all) {
                const std::string_view whole = between(tokens, one.name - 1, one.close + 1);
                fix.edits.push_back(
                    edit_of(text, whole, fmt::format("{}.{}", vector, "xyzw"[std::size_t(one.component)])));
            }
            fixes.push_back(std::move(fix));
            break;
        }
    }
}

}  // namespace

std::vector<TextFix> text_fixes(const Scenario& scenario, const Params& params) {
    std::vector<TextFix> fixes;
    if (scenario.typed == nullptr) return fixes;
    const std::string& text = scenario.typed->text();
    // As it is written: no name stands for something else.
    const std::vector<std::string_view> names = read_source(text, {}).defined;
    const Source source = read_source(text, names);
    Tokens tokens = source.tokens;
    std::erase_if(tokens, [&](const Token& token) { return !lies_in(text, token); });
    add_pads(fixes, text, tokens);
    add_joins(fixes, text, tokens);
    add_exchange(fixes, text, tokens, read_source(text, {}), scenario, params);
    return fixes;
}

std::string edited(const std::string& text, std::vector<TextEdit> edits) {
    std::ranges::sort(edits, std::greater<>(), &TextEdit::at);
    std::string changed = text;
    for (const TextEdit& edit : edits) changed.replace(edit.at, edit.bytes, edit.instead);
    return changed;
}

}  // namespace warplens::typed
