#pragma once

#include "app/pictures/kit/palette.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// The kind of a piece of source text, which determines its colour.
enum class CodeTone {
    plain,
    keyword,  ///< of C++, including types that are part of the language
    cuda,     ///< names that CUDA adds: __shared__, threadIdx, __syncthreads()
    number,
    text,  ///< a string literal
    comment,
};
inline constexpr CodeTone kCodeTones[] = {CodeTone::plain,  CodeTone::keyword, CodeTone::cuda,
                                          CodeTone::number, CodeTone::text,    CodeTone::comment};

/// The colour of a tone, with a contrast of at least 4.5 to 1 on the theme's panel.
Color code_color(const Theme& theme, CodeTone tone);

struct CodeToken {
    std::string_view text;  ///< a part of the line
    CodeTone tone = CodeTone::plain;
    bool word = false;  ///< whether it is an identifier or a keyword
};

/// Cuts one line of C++ into tokens, for any text: joined together they are the line again, including spaces.
/// Comments and strings end with their line, because our sources have no longer ones.
std::vector<CodeToken> code_tokens(std::string_view line);

/// The lines of a text, without their line breaks. The last one need not have one.
std::vector<std::string_view> lines_of_code(std::string_view text);

/// Something that a source text defines outside of functions: a function, a type, a variable. Lines count
/// from 0.
struct Definition {
    std::string name;
    std::size_t first = 0;                         ///< the first line of the comment before it
    std::size_t head = 0;                          ///< the first line of the definition itself
    std::size_t body = 0;                          ///< the first line behind its template head
    std::size_t last = 0;                          ///< the line of its closing brace or semicolon
    std::vector<std::string> template_parameters;  ///< for example "class T", "int kTile"
    std::vector<std::string> parameters;           ///< the names of a function's parameters
};

/// Everything that a text defines, in its order; an overloaded function several times. Made for our own
/// sources, formatted by clang-format; macros must not hide braces.
std::vector<Definition> definitions_in(std::string_view text);

}  // namespace warplens
