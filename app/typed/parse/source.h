#pragma once

// The folder app/typed/ contains kernels that a person types or pastes: the CUDA C++ in which they are
// written, and an executor (warp/) that follows them a warp at a time for the addresses of their loads and
// stores. Values in memory are not computed, so that only integers which follow from thread indices,
// parameters and `index` arrays choose addresses and branches. For a GPU, what a kernel needs is written as a
// text for NVIDIA's compiler (cuda_text.h), and compiled only when a person asks for a measurement.

#include "app/base/errors.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warplens::typed {

/// Values of names, whatever the text says of them.
using Values = std::map<std::string, std::int64_t, std::less<>>;
/// Numbers that a text does not say, with what they are taken to be, in the order in which they are met.
using AssumedNumbers = std::vector<std::pair<std::string, std::int64_t>>;

/// A place in a text, both counted from 1; columns are bytes.
struct Position {
    int line = 1, column = 1;
    friend auto operator<=>(const Position&, const Position&) = default;
};

/// The fault of a typed kernel, in one sentence: "line 7, column 5: not in the subset: 'cudaMalloc'".
class SourceError : public UsageError {
public:
    enum class Kind {
        wrong,
        too_much,  ///< nothing is wrong but how long it takes
        out_of_bounds,
        no_thread,  ///< nothing is wrong but the sizes, with which no thread loads or stores anything
        no_access  ///< nothing is wrong: the kernel neither loads nor stores anything, so there is no picture
    };
    SourceError(Position at, const std::string& sentence, Kind kind = Kind::wrong);
    Position position() const { return at_; }
    Kind kind() const { return kind_; }

private:
    Position at_;
    Kind kind_ = Kind::wrong;
};

enum class TokenKind { name, number, text, sign, end };

struct Token {
    TokenKind kind = TokenKind::end;
    std::string_view text;  ///< as it is written; lies in the text that was read, or in Source::made
    Position at;            ///< of what a macro stands for: where the macro was used
};

/// A comment that declares something: "// knob stride = 1 in 0..64".
struct Directive {
    std::string_view word;  ///< knob, let, launch, in, out, inout, index, kernel
    std::string_view rest;  ///< what follows the word
    Position at;            ///< where the rest begins
};

/// "#define NAME body" or "#define NAME(a, b, ...) body".
struct Macro {
    bool has_parameters = false, variadic = false;
    std::vector<std::string_view> parameters;
    std::vector<Token> body;
};

/// A text as the preprocessor leaves it.
struct Source {
    std::vector<Token> tokens;  ///< without comments; macros stand for what they mean
    std::vector<Directive> directives;
    std::map<std::string_view, Macro> macros;    ///< at the end of the text
    std::vector<std::string_view> defined;       ///< all of their names, also of those that are replaced
    std::map<std::size_t, std::string> unrolls;  ///< "unroll 4", of a #pragma: by the token behind it
    std::deque<std::string> made;                ///< texts of tokens that macros put together
};

/// What tokens stand for. Errors: SourceError for macros that grow beyond all limits.
std::vector<Token> expanded(Source& source, const std::vector<Token>& tokens);

inline constexpr std::size_t kMostSourceBytes = 256 * 1024;

/// Split a text into tokens. The text must outlive the answer.
/// @param replaced  macros whose definition does not count, because a knob has their name: they stay names
/// Errors: SourceError for a text above the limits, and for comments, texts and conditions that do not end.
Source read_source(std::string_view text, const std::vector<std::string_view>& replaced);

/// A text without blanks and tabs at its ends.
std::string_view trimmed(std::string_view text);

/// The tokens of a directive's rest, and an end. Errors: SourceError.
std::vector<Token> read_tokens(std::string_view text, Position first);

/// Whether tokens can be an expression: no two names or numbers stand side by side.
bool is_expression(const std::vector<Token>& tokens, std::size_t first);

}  // namespace warplens::typed
