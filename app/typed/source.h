#pragma once

// The folder app/typed/ contains kernels that a person types: the subset of CUDA C++ in which they are
// written, and an interpreter that executes them a warp at a time for the addresses of their loads and
// stores. Values in memory are not computed, so that only integers which follow from thread indices,
// parameters and `index` arrays choose addresses and branches. No text reaches a compiler from here: for a
// GPU the checked tree is written as instructions (lower.h), and these as PTX (ptx.h).

#include "app/base/errors.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::typed {

/// A place in a text, both counted from 1; columns are bytes.
struct Position {
    int line = 1, column = 1;
    friend auto operator<=>(const Position&, const Position&) = default;
};

/// The fault of a typed kernel, in one sentence: "line 7, column 5: not in the subset: 'cudaMalloc'".
class SourceError : public UsageError {
public:
    SourceError(Position at, const std::string& sentence);
    Position position() const { return at_; }

private:
    Position at_;
};

enum class TokenKind { name, number, text, sign, end };

struct Token {
    TokenKind kind = TokenKind::end;
    std::string_view text;  ///< as it is written; lies in the text that was read
    Position at;
};

/// A comment that declares something: "// knob stride = 1 in 0..64".
struct Directive {
    std::string_view word;  ///< knob, let, launch, in, out, inout, index
    std::string_view rest;  ///< what follows the word
    Position at;            ///< where the rest begins
};

struct Source {
    std::vector<Token> tokens;  ///< without comments and preprocessor lines; macros stand for what they mean
    std::vector<Directive> directives;
    std::map<std::string_view, std::vector<Token>> macros;  ///< object-like ones
    std::vector<std::string_view> defined;  ///< all of their names, also of those that are replaced
};

/// Append a token, or what its macro stands for. Errors: SourceError for macros that refer to each other.
void append_expanded(const Source& source, const Token& token, std::vector<Token>& out, int depth = 0);

inline constexpr std::size_t kMostSourceBytes = 64 * 1024;

/// Split a text into tokens. The text must outlive the answer.
/// @param replaced  macros whose definition does not count, because a knob has their name: they stay names
/// Errors: SourceError for what is no token, for macros with parameters, and for a text above the limits.
Source read_source(std::string_view text, const std::vector<std::string_view>& replaced);

/// A text without blanks and tabs at its ends.
std::string_view trimmed(std::string_view text);

/// The tokens of a directive's rest. Errors: SourceError.
std::vector<Token> read_tokens(std::string_view text, Position first);

}  // namespace warplens::typed
