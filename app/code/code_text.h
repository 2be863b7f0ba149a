#pragma once

#include "app/pictures/kit/palette.h"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// What a piece of source text is, as far as its colour goes.
enum class CodeTone {
    plain,
    keyword,  ///< of C++, types that are part of the language included
    cuda,     ///< what CUDA adds: __shared__, threadIdx, __syncthreads()
    number,
    text,  ///< in quotes
    comment,
};
inline constexpr CodeTone kCodeTones[] = {CodeTone::plain,  CodeTone::keyword, CodeTone::cuda,
                                          CodeTone::number, CodeTone::text,    CodeTone::comment};

/// The colour of a tone, with a contrast of at least 4.5 to 1 on the theme's panel.
Color code_color(const Theme& theme, CodeTone tone);

struct CodeToken {
    std::string_view text;  ///< part of the line
    CodeTone tone = CodeTone::plain;
    bool word = false;  ///< an identifier or a keyword
};

/// Cuts one line of C++ into tokens. Total: together they are the line again, spaces included.
/// Comments and strings end with their line: our sources have no longer ones.
std::vector<CodeToken> code_tokens(std::string_view line);

/// Lines of a text, without their ends; the last one need not have one.
std::vector<std::string_view> lines_of_code(std::string_view text);

/// Where a function stands in a source text [lines, from 0].
struct CodeRange {
    std::size_t first = 0;  ///< of its comment, or of its template head
    std::size_t last = 0;   ///< of its closing brace
};

/// All functions that have a body, by name; of several with one name the first one in the text.
/// Reads our own sources, clang-formatted; no macros that hide braces.
std::map<std::string, CodeRange, std::less<>> functions_in(std::string_view text);

}  // namespace warplens
