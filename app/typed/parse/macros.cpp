#include "app/typed/parse/macros.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

namespace warplens::typed {
namespace {

/// Whether an expression of the preprocessor holds. Names that no macro has are 0.
class Condition {
public:
    explicit Condition(const std::vector<Token>& tokens) : tokens_(tokens) {}
    bool holds() { return tokens_.empty() || binary(0) != 0; }

private:
    std::string_view text() const { return at_ < tokens_.size() ? tokens_[at_].text : std::string_view(); }
    std::int64_t unary() {
        const Token token = at_ < tokens_.size() ? tokens_[at_++] : Token{};
        if (token.text == "!") return unary() == 0;
        if (token.text == "-") return -unary();
        if (token.text == "+") return unary();
        if (token.text == "(") {
            const std::int64_t inside = binary(0);
            if (text() == ")") ++at_;
            return inside;
        }
        std::int64_t value = 0;
        const bool hex = token.text.starts_with("0x") || token.text.starts_with("0X");
        const std::string_view digits = token.text.substr(hex ? 2 : 0);
        if (token.kind == TokenKind::number)
            std::from_chars(digits.data(), digits.data() + digits.size(), value, hex ? 16 : 10);
        if (token.kind == TokenKind::name && text() == "(")  // a function that only compilers know
            for (int open = 0; at_ < tokens_.size();) {
                open += text() == "(" ? 1 : text() == ")" ? -1 : 0;
                ++at_;
                if (open == 0) break;
            }
        return value;
    }
    std::int64_t binary(int least) {
        constexpr std::pair<std::string_view, int> kLevels[] = {
            {"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5}, {"==", 6}, {"!=", 6}, {"<", 7},  {">", 7},
            {"<=", 7}, {">=", 7}, {"<<", 8}, {">>", 8}, {"+", 9}, {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};
        std::int64_t left = unary();
        while (true) {
            const std::string_view sign = text();
            const auto level = std::ranges::find(kLevels, sign, [](const auto& one) { return one.first; });
            if (level == std::end(kLevels) || level->second <= least) {
                if (sign != "?" || least > 0) return left;
                ++at_;
                const std::int64_t yes = binary(0);
                if (text() == ":") ++at_;
                const std::int64_t no = binary(0);
                return left != 0 ? yes : no;
            }
            ++at_;
            const std::int64_t right = binary(level->second);
            const auto a = static_cast<std::uint64_t>(left), b = static_cast<std::uint64_t>(right);
            const bool whole = right != 0 && right != -1, in_bits = right >= 0 && right < 63;
            left = sign == "||"   ? left != 0 || right != 0
                   : sign == "&&" ? left != 0 && right != 0
                   : sign == "|"  ? left | right
                   : sign == "^"  ? left ^ right
                   : sign == "&"  ? left & right
                   : sign == "==" ? left == right
                   : sign == "!=" ? left != right
                   : sign == "<"  ? left < right
                   : sign == ">"  ? left > right
                   : sign == "<=" ? left <= right
                   : sign == ">=" ? left >= right
                   : sign == "<<" ? std::int64_t(in_bits ? a << b : 0)
                   : sign == ">>" ? std::int64_t(in_bits ? left >> right : 0)
                   : sign == "+"  ? std::int64_t(a + b)
                   : sign == "-"  ? std::int64_t(a - b)
                   : sign == "*"  ? std::int64_t(a * b)
                   : sign == "/"  ? (whole ? left / right : 0)
                                  : (whole ? left % right : 0);
        }
    }

    const std::vector<Token>& tokens_;
    std::size_t at_ = 0;
};

/// Replaces macros in tokens.
class Expander {
public:
    explicit Expander(Source& source) : source_(source) {}

    std::vector<Token> expand(const std::vector<Token>& tokens) {
        std::vector<Token> out;
        expand(tokens, nullptr, out);
        return out;
    }

private:
    using Arguments = std::vector<std::vector<Token>>;

    /// @param at  where all of it stands; null: each where it is
    void expand(const std::vector<Token>& tokens, const Position* at, std::vector<Token>& out) {
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            Token token = tokens[i];
            if (at != nullptr) token.at = *at;
            if (++made_ > kMostTokens) throw SourceError(token.at, "macros make too long a text");
            const auto macro =
                token.kind == TokenKind::name ? source_.macros.find(token.text) : source_.macros.end();
            const bool known = macro != source_.macros.end() && !active_.contains(token.text);
            const bool called = i + 1 < tokens.size() && tokens[i + 1].text == "(";
            if (!known || (macro->second.has_parameters && !called)) {
                out.push_back(token);
                continue;
            }
            Arguments arguments;
            if (macro->second.has_parameters) i = read_arguments(tokens, i + 1, arguments);
            const std::vector<Token> body = substituted(macro->second, arguments);
            active_.insert(token.text);
            expand(body, &token.at, out);
            active_.erase(token.text);
        }
    }

    /// @return  the place of the closing parenthesis
    static std::size_t read_arguments(const std::vector<Token>& tokens, std::size_t at, Arguments& out) {
        int open = 0;
        out.emplace_back();
        for (; at < tokens.size(); ++at) {
            const std::string_view text = tokens[at].kind == TokenKind::text ? "" : tokens[at].text;
            if (text == "(" && ++open == 1) continue;
            if (text == ")" && --open == 0) break;
            if (text == "," && open == 1)
                out.emplace_back();
            else
                out.back().push_back(tokens[at]);
        }
        return at;
    }

    std::vector<Token> substituted(const Macro& macro, const Arguments& arguments) {
        if (!macro.has_parameters) return macro.body;
        std::vector<Token> out;
        const auto argument = [&](const Token& token) -> std::optional<std::vector<Token>> {
            if (token.kind != TokenKind::name) return std::nullopt;
            for (std::size_t k = 0; k < macro.parameters.size(); ++k)
                if (macro.parameters[k] == token.text)
                    return k < arguments.size() ? arguments[k] : std::vector<Token>{};
            if (!macro.variadic || token.text != "__VA_ARGS__") return std::nullopt;
            std::vector<Token> rest;
            for (std::size_t k = macro.parameters.size(); k < arguments.size(); ++k) {
                if (k > macro.parameters.size()) rest.push_back({TokenKind::sign, ",", token.at});
                rest.insert(rest.end(), arguments[k].begin(), arguments[k].end());
            }
            return rest;
        };
        const std::vector<Token>& body = macro.body;
        for (std::size_t i = 0; i < body.size(); ++i) {
            if (body[i].text == "#" && i + 1 < body.size() && argument(body[i + 1])) {
                std::string text = "\"";
                const std::vector<Token> parts = *argument(body[i + 1]);
                for (const Token& part : parts) text += part.text;
                out.push_back({TokenKind::text, source_.made.emplace_back(text + '"'), body[i++].at});
                continue;
            }
            const bool pasted =
                (i + 1 < body.size() && body[i + 1].text == "##") || (i > 0 && body[i - 1].text == "##");
            if (body[i].text == "##") {
                if (i + 1 >= body.size()) break;
                const auto right = argument(body[++i]);
                std::vector<Token> more = right ? *right : std::vector<Token>{body[i]};
                if (!out.empty() && !more.empty() && out.back().text != ",") {
                    out.back().text =
                        source_.made.emplace_back(std::string(out.back().text) + std::string(more[0].text));
                    more.erase(more.begin());
                }
                out.insert(out.end(), more.begin(), more.end());
                continue;
            }
            if (const auto given = argument(body[i])) {
                if (pasted)
                    out.insert(out.end(), given->begin(), given->end());
                else
                    expand(*given, nullptr, out);
                continue;
            }
            out.push_back(body[i]);
        }
        return out;
    }

    Source& source_;
    std::set<std::string_view> active_;
    std::size_t made_ = 0;
};

}  // namespace

bool holds_condition(const std::vector<Token>& tokens) { return Condition(tokens).holds(); }

std::vector<Token> expanded(Source& source, const std::vector<Token>& tokens) {
    return Expander(source).expand(tokens);
}

}  // namespace warplens::typed
