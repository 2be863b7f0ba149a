#include "app/typed/parse/declarations.h"

#include <algorithm>
#include <array>

namespace warplens::typed {
namespace {

bool is_sign(const Token& token, std::string_view text) {
    return token.kind == TokenKind::sign && token.text == text;
}
bool is_word(const Token& token, std::string_view text) {
    return token.kind == TokenKind::name && token.text == text;
}

/// Words with parentheses of their own before a name.
bool is_attribute(const Token& token) {
    constexpr std::array<std::string_view, 8> kWords{"__launch_bounds__", "__align__",  "alignas",
                                                     "__attribute__",     "__declspec", "decltype",
                                                     "__cluster_dims__",  "__maxnreg__"};
    return token.kind == TokenKind::name && std::ranges::find(kWords, token.text) != kWords.end();
}

bool begins_declaration(const Token& token) {
    constexpr std::array<std::string_view, 13> kWords{
        "__global__", "__device__", "__constant__", "__shared__", "template",  "void",  "static",
        "inline",     "struct",     "typedef",      "using",      "namespace", "extern"};
    return token.kind == TokenKind::name && std::ranges::find(kWords, token.text) != kWords.end();
}

class Scanner {
public:
    explicit Scanner(const std::vector<Token>& tokens) : tokens_(tokens) {}

    Declarations scan() {
        while (tokens_[at_].kind != TokenKind::end) step();
        for (std::size_t i = 0; i < result_.all.size(); ++i) result_.by_name.emplace(result_.all[i].name, i);
        return std::move(result_);
    }

private:
    const Token& token(std::size_t ahead = 0) const {
        return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
    }
    void skip_to(std::string_view sign) {
        while (token().kind != TokenKind::end && !is_sign(token(), sign)) ++at_;
        if (token().kind != TokenKind::end) ++at_;
    }

    void step() {
        if (is_sign(token(), ";") || is_sign(token(), "}")) {
            ++at_;
        } else if (is_word(token(), "namespace") ||
                   (is_word(token(), "inline") && is_word(token(1), "namespace"))) {
            while (token().kind != TokenKind::end && !is_sign(token(), "{") && !is_sign(token(), ";")) ++at_;
            if (token().kind != TokenKind::end) ++at_;
        } else if (is_word(token(), "extern") && token(1).kind == TokenKind::text) {
            at_ += is_sign(token(2), "{") ? 3 : 2;
        } else if (is_word(token(), "using") && is_word(token(1), "namespace")) {
            skip_to(";");
        } else {
            read();
        }
    }

    void read() {
        Declaration found;
        while (is_word(token(), "template")) {
            ++at_;
            if (!is_sign(token(), "<")) return skip_to(";");
            found.parameters = at_;
            at_ = closing_angle(tokens_, at_);
            if (token().kind == TokenKind::end) return;
            ++at_;
        }
        found.begin = at_;
        const std::size_t open = find_extent(found);
        classify(found, open);
        if (!found.name.empty()) result_.all.push_back(std::move(found));
    }

    /// Goes to its end. @return  the place of the '(' of a function's parameters; 0 if it has none
    std::size_t find_extent(Declaration& found) {
        std::size_t open = 0;
        bool assigned = false, record = false;
        for (; token().kind != TokenKind::end; ++at_) {
            if (is_attribute(token()) && is_sign(token(1), "(")) {
                at_ = behind_bracket(tokens_, at_ + 1) - 1;
                continue;
            }
            record = record || is_word(token(), "struct") || is_word(token(), "class") ||
                     is_word(token(), "union") || is_word(token(), "enum");
            if (is_word(token(), "operator")) {  // its sign is a part of its name
                ++at_;
                const bool call = is_sign(token(), "(") && is_sign(token(1), ")");
                const bool index = is_sign(token(), "[") && is_sign(token(1), "]");
                if (call || index) ++at_;
                continue;
            }
            assigned = assigned || is_sign(token(), "=");
            if (is_sign(token(), "=") && is_sign(token(1), ";"))
                throw SourceError(token(1).at, "expected a value between '=' and ';'");
            if (is_sign(token(), "(")) {
                if (open == 0 && !assigned) open = at_;
                at_ = behind_bracket(tokens_, at_) - 1;
                if (begins_declaration(token(1))) {  // what stood here was a macro of some other file
                    ++at_;
                    break;
                }
            } else if (is_sign(token(), "[")) {
                at_ = behind_bracket(tokens_, at_) - 1;
            } else if (is_sign(token(), ";")) {
                ++at_;
                break;
            } else if (is_sign(token(), "{")) {
                const bool function = open != 0 && !assigned;
                if (function) found.body = at_;
                at_ = behind_bracket(tokens_, at_) - 1;
                if (!function) continue;
                ++at_;
                break;
            } else if (is_sign(token(), "}")) {
                break;
            }
        }
        at_ = std::min(at_, tokens_.size() - 1);
        found.end = at_;
        return record && found.body == 0 ? 0 : open;
    }

    void classify(Declaration& found, std::size_t open) {
        const auto has = [&](std::string_view word, std::size_t end) {
            for (std::size_t i = found.begin; i < end; ++i)
                if (is_word(tokens_[i], word)) return true;
            return false;
        };
        const auto name_at = [&](std::size_t i) {
            found.name = tokens_[i].text;
            found.at = tokens_[i].at;
        };
        const Token& first = tokens_[found.begin];
        if (is_word(first, "using")) {
            found.what = Declares::alias;
            return name_at(found.begin + 1);
        }
        if (open != 0) return classify_function(found, open, has("__global__", open));
        const bool is_typedef = is_word(first, "typedef");
        std::size_t word = found.begin;
        while (word < found.end && !is_word(tokens_[word], "struct") && !is_word(tokens_[word], "class") &&
               !is_word(tokens_[word], "enum") && !is_word(tokens_[word], "union") &&
               !is_sign(tokens_[word], "=") && !is_sign(tokens_[word], "{"))
            ++word;
        std::size_t brace = word;
        while (brace < found.end && !is_sign(tokens_[brace], "{") && !is_sign(tokens_[brace], ";") &&
               !is_sign(tokens_[brace], "="))
            ++brace;
        const bool has_body = brace < found.end && is_sign(tokens_[brace], "{");
        const bool is_type = word < brace && has_body && tokens_[word].kind == TokenKind::name;
        if (is_type) {
            found.what = is_word(tokens_[word], "enum") ? Declares::enumeration : Declares::record;
            found.body = brace;
            std::size_t name = word + 1;
            while (name < brace) {
                if (is_attribute(tokens_[name])) {
                    name = behind_bracket(tokens_, name + 1);
                } else if (is_word(tokens_[name], "class") || is_word(tokens_[name], "struct")) {
                    ++name;  // enum class
                } else {
                    break;
                }
            }
            if (name < brace && tokens_[name].kind == TokenKind::name) {
                name_at(name);
                if (is_sign(tokens_[name + 1], "<")) found.special = name + 1;
            } else if (found.what == Declares::enumeration)
                found.name = "enum";  // its values are found all the same
            if (is_typedef) add_typedef_names(found, behind_bracket(tokens_, brace));
            return;
        }
        if (is_typedef) {
            found.what = Declares::alias;
            for (std::size_t i = found.begin; i + 1 < found.end; ++i)
                if (tokens_[i].kind == TokenKind::name && !is_attribute(tokens_[i])) name_at(i);
            return;
        }
        found.what = Declares::constant;
        found.device = has("__device__", found.end) || has("__constant__", found.end);
        for (std::size_t i = found.begin; i < found.end; ++i) {
            if (is_sign(tokens_[i], "=") || is_sign(tokens_[i], "[") || is_sign(tokens_[i], ";") ||
                is_sign(tokens_[i], ",") || is_sign(tokens_[i], "{"))
                break;
            if (tokens_[i].kind == TokenKind::name) name_at(i);
        }
    }

    /// "typedef struct { ... } A, B;": the record under its other names.
    void add_typedef_names(Declaration& found, std::size_t from) {
        for (std::size_t i = from; i < found.end; ++i) {
            if (tokens_[i].kind != TokenKind::name || is_attribute(tokens_[i])) continue;
            if (tokens_[i].text == found.name) continue;
            if (!found.name.empty()) result_.all.push_back(found);
            found.name = tokens_[i].text;
            found.at = tokens_[i].at;
        }
    }

    void classify_function(Declaration& found, std::size_t open, bool kernel) {
        found.what = Declares::function;
        found.kernel = kernel;
        std::size_t name = open - 1;
        for (std::size_t i = found.begin; i < open; ++i) {
            if (is_word(tokens_[i], "__device__")) found.device = true;
            if (!is_word(tokens_[i], "operator")) continue;
            found.name = "operator";
            for (std::size_t k = i + 1; k < open; ++k) found.name += tokens_[k].text;
            found.at = tokens_[i].at;
            return;
        }
        if (is_sign(tokens_[name], ">"))  // a specialization: f<float>(...)
            while (name > found.begin && !is_sign(tokens_[name], "<")) --name;
        if (name > found.begin && is_sign(tokens_[name], "<")) found.special = name--;
        if (tokens_[name].kind != TokenKind::name) return;
        found.name = tokens_[name].text;
        found.at = tokens_[name].at;
    }

    const std::vector<Token>& tokens_;
    std::size_t at_ = 0;
    Declarations result_;
};

}  // namespace

std::size_t behind_bracket(const std::vector<Token>& tokens, std::size_t open) {
    int depth = 0;
    for (std::size_t at = open; at < tokens.size() && tokens[at].kind != TokenKind::end; ++at) {
        if (tokens[at].kind != TokenKind::sign) continue;
        const char c = tokens[at].text.size() == 1 ? tokens[at].text[0] : ' ';
        if (c == '(' || c == '[' || c == '{') ++depth;
        if ((c == ')' || c == ']' || c == '}') && --depth == 0) return at + 1;
    }
    return tokens.size() - 1;
}

std::size_t closing_angle(const std::vector<Token>& tokens, std::size_t open) {
    int depth = 0;
    for (std::size_t at = open; at < tokens.size() && tokens[at].kind != TokenKind::end; ++at) {
        if (is_sign(tokens[at], "(") || is_sign(tokens[at], "[")) at = behind_bracket(tokens, at) - 1;
        if (is_sign(tokens[at], "<")) ++depth;
        const int closes = is_sign(tokens[at], ">")     ? 1
                           : is_sign(tokens[at], ">>")  ? 2
                           : is_sign(tokens[at], ">>>") ? 3
                                                        : 0;
        depth -= closes;
        if (closes > 0 && depth <= 0) return at;
        if (is_sign(tokens[at], ";") || is_sign(tokens[at], "{")) break;
    }
    return tokens.size() - 1;
}

Declarations find_declarations(const std::vector<Token>& tokens) { return Scanner(tokens).scan(); }

std::vector<const Declaration*> Declarations::named(std::string_view name) const {
    std::vector<const Declaration*> found;
    const auto [begin, end] = by_name.equal_range(name);
    for (auto one = begin; one != end; ++one) found.push_back(&all[one->second]);
    return found;
}

const Declaration* Declarations::find(std::string_view name, Declares what) const {
    for (const Declaration* one : named(name))
        if (one->what == what && one->special == 0) return one;
    return nullptr;
}

std::vector<const Declaration*> Declarations::kernels() const {
    std::vector<const Declaration*> found;
    for (const Declaration& one : all)
        if (one.kernel && one.body != 0) found.push_back(&one);
    return found;
}

}  // namespace warplens::typed
