#include "app/typed/parse/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warplens::typed {

/// Reads the parameters of a function. @param each  of each: its symbol, and whether it is a reference
void Parser::read_parameters(const EachParameter& each) {
    expect("(", "after the function's name");
    if (is("void") && is(")", 1)) take();
    bool first = true;
    while (!is(")")) {
        if (!first) expect(",", "between parameters");
        first = false;
        bool is_const = false, is_reference = false;
        const std::size_t begin = now_.at;
        const Type type = read_type(&is_const);
        Symbol symbol;
        if (is(",") || is(")") || is("=")) {  // without a name
            symbol.type = type;
            symbol.name = fmt::format("unnamed${}", hidden_++);
            symbol.at = peek().at;
        } else {
            // A declarator without a name: "float*"
            Token name;
            const std::size_t here = now_.at;
            std::size_t behind = here;
            while (tokens_[behind].text == "*" || tokens_[behind].text == "&" ||
                   tokens_[behind].text == "const" || tokens_[behind].text == "__restrict__")
                ++behind;
            if (tokens_[behind].text == "," || tokens_[behind].text == ")") {
                symbol.type = type;
                while (now_.at < behind) {
                    if (is("*")) point_to(symbol.type);
                    if (is("&")) is_reference = true;
                    take();
                }
                symbol.name = fmt::format("unnamed${}", hidden_++);
                symbol.at = peek().at;
            } else {
                symbol.type = read_declarator(type, name, &is_reference);
                symbol.name = name.text;
                symbol.at = name.at;
            }
        }
        if (!is_reference && symbol.type.is_array() && symbol.type.dims.size() > 1 && now_.function == 0) {
            symbol.type.dims.front() = 0;  // a pointer to its rows
            symbol.storage = Storage::global;
        }
        if (!is_reference && symbol.type.is_array() && symbol.type.dims.size() == 1) {  // float a[]
            symbol.type.dims.clear();
            symbol.type.pointer = true;
        }
        symbol.is_const = is_const;
        symbol.read_only =
            is_const &&
            std::any_of(tokens_.begin() + std::ptrdiff_t(begin), tokens_.begin() + std::ptrdiff_t(now_.at),
                        [](const Token& token) { return token.text.starts_with("__restrict"); });
        ExprPtr standard;
        if (accept("=")) standard = read_assignment();
        each(std::move(symbol), is_reference, std::move(standard));
    }
    take();
}

std::optional<int> Parser::distance(const Declaration& declaration, const TemplateArguments& given,
                                    const std::vector<ExprPtr>& arguments, const Scope* of_record) {
    constexpr int kPromotion = 1, kConversion = 2, kOtherPointer = 100;
    const auto between = [&](const Type& has, const Type& wants) -> std::optional<int> {
        if (has == wants) return 0;
        if (has.is_single() && wants.is_single()) {
            const bool promotes = is_floating(has.scalar)
                                      ? has.scalar == Scalar::float32 && wants.scalar == Scalar::float64
                                      : bytes_of(has.scalar) < 4 && wants.scalar == Scalar::int32;
            return promotes ? kPromotion : kConversion;
        }
        if (!(has.pointer && wants.pointer) && !(has.is_array() && (wants.pointer || wants.is_array())))
            return std::nullopt;
        const bool same =
            has.scalar == wants.scalar && has.lanes == wants.lanes && has.record == wants.record;
        const bool any = wants.scalar == Scalar::none && wants.record < 0;  // void*
        return same ? 0 : any ? kConversion : kOtherPointer;
    };
    if (!given.empty() && declaration.parameters == 0) return std::nullopt;
    Scope deduced;
    deduce(declaration, arguments, deduced);
    try {
        Scope bound = bind_template(declaration, given, deduced, false);
        const Elsewhere there(*this);
        if (of_record != nullptr) now_.scopes.push_back(*of_record);
        now_.scopes.push_back(std::move(bound));
        skip_to_parameters(declaration);
        std::size_t index = 0, missing = 0;
        std::optional<int> all = 0;
        read_parameters([&](Symbol symbol, bool, ExprPtr standard) {
            if (index < arguments.size()) {
                const std::optional<int> one = between(arguments[index]->type, symbol.type);
                all = all && one ? std::optional(*all + *one) : std::nullopt;
            }
            ++index;
            if (standard && index > arguments.size()) ++missing;
        });
        return index - missing == arguments.size() ? all : std::nullopt;
    } catch (const SourceError&) {
        return std::nullopt;
    }
}

/// To the '(' of its parameters, or the '{' of a lambda that has none.
void Parser::skip_to_parameters(const Declaration& declaration) {
    now_.at = declaration.begin;
    while (now_.at < (declaration.body != 0 ? declaration.body : declaration.end)) {
        if (is("__launch_bounds__") || is("__attribute__") || is("__align__") || is("alignas") ||
            is("__declspec") || is("decltype") || is("__cluster_dims__") || is("__maxnreg__")) {
            take();
            skip_brackets();
            continue;
        }
        if (is("operator")) {
            take();
            if (is("(")) skip_brackets();
            while (!is("(")) take();
            return;
        }
        if (is("(")) return;
        take();
    }
}

/// The template parameters that the types of arguments decide. Numbers stand in Scope::names as they are.
void Parser::deduce(const Declaration& declaration, const std::vector<ExprPtr>& arguments, Scope& deduced) {
    if (declaration.parameters == 0) return;
    std::vector<std::string_view> names;
    for (std::size_t i = declaration.parameters + 1; i < declaration.begin; ++i)
        if ((tokens_[i].text == "typename" || tokens_[i].text == "class") &&
            tokens_[i + 1].kind == TokenKind::name)
            names.push_back(tokens_[i + 1].text);
    const Elsewhere there(*this);
    skip_to_parameters(declaration);
    take();
    for (const ExprPtr& argument : arguments) {
        std::string_view found;
        bool pointer = false;
        std::string_view size;
        while (!is(",") && !is(")") && peek().kind != TokenKind::end) {
            if (is("<") || is("(")) {
                now_.at = is("<") ? closing_angle(tokens_, now_.at) + 1 : behind_bracket(tokens_, now_.at);
                continue;
            }
            if (is("[") && peek(1).kind == TokenKind::name) size = peek(1).text;
            if (std::ranges::find(names, peek().text) != names.end()) found = peek().text;
            pointer = pointer || is("*");
            take();
        }
        if (!found.empty() && !deduced.types.contains(found)) {
            Type type = argument->type;
            const bool array = type.is_array();
            if (pointer || !size.empty()) {
                if (array) type.dims.clear();
                type.pointer = false;
            } else if (array) {
                type.dims.clear();
                type.pointer = true;
            }
            deduced.types[std::string(found)] = type;
        }
        if (!size.empty() && argument->type.is_array())
            deduced.names[std::string(size)] = argument->type.dims.front();
        if (!accept(",")) break;
    }
}

}  // namespace warplens::typed
