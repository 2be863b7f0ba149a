#include "app/typed/parse/parser.h"

#include "app/base/text.h"
#include "kernels/warp_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace warplens::typed {

/// "<float, 4>", of which the '<' is next.
TemplateArguments Parser::read_template_arguments() {
    TemplateArguments arguments;
    const std::size_t close = closing_angle(tokens_, now_.at);
    take();
    if (now_.at < close) arguments.push_back(now_.at);
    int open = 0;
    while (now_.at < close) {
        const Token token = take();
        if (token.text == "(" || token.text == "<" || token.text == "[") ++open;
        if (token.text == ")" || token.text == ">" || token.text == "]") --open;
        if (open == 0 && token.text == ",") arguments.push_back(now_.at);
    }
    accept_closing_angle();
    return arguments;
}

/// "Number T" of a template, where T is used as a type.
bool Parser::is_concept() {
    const Declaration* declared = declarations_.find(peek().text, Declares::constant);
    const bool here = declared != nullptr && tokens_[declared->begin].text == "concept";
    if (peek().kind != TokenKind::name || peek(1).kind != TokenKind::name || at_type() ||
        (!here && !is_undeclared(peek().text)))
        return false;
    for (std::size_t i = now_.at + 2; i + 1 < tokens_.size(); ++i)
        if (tokens_[i].text == peek(1).text &&
            (tokens_[i + 1].kind == TokenKind::name || tokens_[i - 1].text == "const"))
            return true;
    return false;
}

/// Whether these words stand side by side in the kernel that is read.
bool Parser::kernel_says(std::initializer_list<std::string_view> words) const {
    if (kernel_ == nullptr) return false;
    const auto end = tokens_.begin() + std::ptrdiff_t(kernel_->end);
    return std::search(tokens_.begin() + std::ptrdiff_t(kernel_->body), end, words.begin(), words.end(),
                       [](const Token& token, std::string_view word) { return token.text == word; }) != end;
}

/// A number that a template parameter may well be, by what it is called.
std::int64_t Parser::assumed_number(std::string_view name, bool truth) const {
    if (truth) return 1;
    constexpr int kOthers[] = {32, 16, 8, 64};
    if (given_.guess > 0) return kOthers[(given_.guess - 1) % 4];

    const bool uses_y = kernel_says({"threadIdx", ".", "y"});
    const std::string lower = lower_case(std::string(name));
    const auto has = [&](std::string_view word) { return lower.find(word) != std::string::npos; };
    if (has("warp") && has("size")) return kWarpLanes;
    // As products of matrices in blocks and tiles name them.
    const bool of_k = lower.ends_with("k"), of_tile = lower.ends_with("m") || lower.ends_with("n");
    if (lower.size() <= 3 && lower.starts_with("b") && (of_k || of_tile)) return of_k ? 8 : 64;
    if (lower.size() <= 3 && lower.starts_with("t") && of_tile) return 8;
    if (lower.starts_with("mma_") && (of_k || of_tile)) return lower.ends_with("n") ? 8 : 16;
    if (has("block_size_") && (of_k || of_tile)) return of_k ? 8 : 64;
    if (has("thread_size_")) return 8;
    if (lower == "_n_" || has("head")) return 64;
    if (lower == "t" || lower == "_t_" || lower == "n") return 64;

    if (has("tile") || has("dim")) return uses_y ? 16 : 32;
    if (has("block") || has("thread") || has("bs") || has("size")) return uses_y ? 16 : 256;
    return 4;
}

Parser::Scope Parser::bind_template(const Declaration& declaration, const TemplateArguments& given,
                                    const Scope& deduced, bool assumes) {
    Scope bound;
    if (declaration.parameters == 0) return bound;
    struct Argument {
        std::optional<Type> type;
        std::optional<std::int64_t> value;
    };
    // An argument means what it means here, and not where the template stands.
    const auto read_argument = [&](std::size_t begin) {
        const State here_at{.at = now_.at, .half_taken = now_.half_taken};
        now_.at = begin;
        now_.half_taken = 0;
        Argument argument;
        if (at_type() && !is("(", 1) && !is("{", 1))
            argument.type = read_cast_type();
        else
            argument.value = constant_of(*read_binary(9), "what a template is given");  // '>' ends it
        now_.at = here_at.at;
        now_.half_taken = here_at.half_taken;
        return argument;
    };
    std::vector<Argument> arguments;
    for (const std::size_t begin : given) {
        try {
            arguments.push_back(read_argument(begin));
        } catch (const SourceError&) {  // what a function of the host was given itself
            if (!assumes) throw;
            arguments.emplace_back();
        }
    }
    const Elsewhere there(*this);
    now_.scopes.emplace_back();
    now_.at = declaration.parameters + 1;
    std::size_t index = 0;
    while (!is(">") && !is(">>") && peek().kind != TokenKind::end) {
        bool of_type = is("typename") || is("class");
        Type type;
        if (of_type) {
            take();
            if (accept("...")) throw SourceError(peek().at, "not in the subset: templates of any length");
        } else if (is_concept()) {
            of_type = true;
            take();
        } else {
            type = read_type();
        }
        const Token name = take();
        if (name.kind != TokenKind::name) {  // without a name: something that is only checked
            while (!is(",") && !is(">") && peek().kind != TokenKind::end) take();
            if (!accept(",")) break;
            ++index;
            continue;
        }
        const std::string key(name.text);
        const auto known = given_.values.find(name.text);
        Scope& own = now_.scopes.back();
        const bool written = index < arguments.size();
        std::optional<Type> as_type;
        std::optional<std::int64_t> as_value;
        if (written) {
            as_type = arguments[index].type;
            as_value = arguments[index].value;
        }
        if (const auto found = deduced.types.find(key); !as_type && found != deduced.types.end())
            as_type = found->second;
        if (const auto found = deduced.names.find(key); !as_value && found != deduced.names.end())
            as_value = found->second;
        const bool has_default = accept("=");
        if (has_default) {
            if (of_type) {
                const Type standard = read_cast_type();
                if (!as_type) as_type = standard;
            } else {
                const ExprPtr standard = read_binary(9);  // '>' ends it
                if (!as_value) as_value = constant_of(*standard, "a template parameter");
            }
        }
        if (!of_type && known != given_.values.end()) as_value = known->second;
        if (of_type) {
            if (!as_type) {
                if (!assumes)
                    throw SourceError(
                        name.at, fmt::format("which type {} is cannot be found out", in_quotes(name.text)));
                const auto said = given_.types.find(name.text);
                as_type =
                    said == given_.types.end() ? Type{Scalar::float32} : read_argument(said->second).type;
                if (!as_type) throw SourceError(name.at, fmt::format("{} has to be a type", name.text));
                if (said == given_.types.end())
                    unit_.assumed.push_back(
                        fmt::format("{} = float is assumed; say what it is with '// let {} = ...'", name.text,
                                    name.text));
            }
            own.types[key] = *as_type;
        } else {
            if (!as_value && !assumes)
                throw SourceError(
                    name.at, fmt::format("which number {} is cannot be found out", in_quotes(name.text)));
            if (!as_value) {
                as_value = assumed_number(name.text, type.scalar == Scalar::boolean);
                unit_.assumed_numbers.emplace_back(name.text, *as_value);
            }
            Symbol symbol{
                .name = key, .type = type.scalar == Scalar::none ? Type{Scalar::int32} : type, .at = name.at};
            symbol.constant = wrap(*as_value, symbol.type.scalar);
            declare(std::move(symbol));
        }
        own.order.push_back(key);
        ++index;
        if (!accept(",")) break;
    }
    bound = std::move(now_.scopes.back());
    now_.scopes.pop_back();
    return bound;
}

const Declaration* Parser::specialized(const Declaration& general, const Scope& bound) {
    for (const Declaration* one : declarations_.named(general.name)) {
        if (one->special == 0 || one->what != general.what) continue;
        if (tokens_[one->parameters + 1].text != ">")
            throw SourceError(one->at, "not in the subset: templates for a part of the types");
        TemplateArguments given;
        {
            const Elsewhere there(*this);
            now_.at = one->special;
            given = read_template_arguments();
        }
        const Scope of = bind_template(general, given, {}, false);
        const auto same = [&](const std::string& name) {
            const auto type = of.types.find(name), other = bound.types.find(name);
            if (type != of.types.end()) return other != bound.types.end() && type->second == other->second;
            const auto number = of.names.find(name), value = bound.names.find(name);
            return number != of.names.end() && value != bound.names.end() &&
                   unit_.symbols[number->second].constant == unit_.symbols[value->second].constant;
        };
        if (!std::ranges::all_of(of.order, same)) continue;
        return one;
    }
    return nullptr;
}

}  // namespace warplens::typed
