#pragma once

#include "app/typed/parse/host.h"

#include <algorithm>
#include <set>

namespace warplens::typed {

/// The value of an expression of the host, as far as it is followed.
struct HostValue {
    std::optional<double> number;
    bool whole = true;                         ///< an integer
    std::vector<std::optional<double>> parts;  ///< of dim3 and the like
    int array = -1;                            ///< of a pointer: which allocation
    std::string refers;                        ///< of &name and *name: the variable
    bool is_address = false;                   ///< of &name
    std::int64_t element = 0;                  ///< of a pointer or a type: bytes of an element
    std::int64_t offset = 0;                   ///< of a pointer: how far into its array [bytes]
    std::vector<HostValue> members = {};       ///< of "{a, b}"
};

struct HostVariable {
    HostValue value;
    std::int64_t element = 0;  ///< of a pointer or an array: bytes of an element
    std::int64_t count = 0;    ///< of an array: its elements
};

/// Bytes of a value of a type with this name. 0 if it is none.
int bytes_of_word(std::string_view word);

/// Whether they are integers. Empty if the word is no type of numbers.
inline std::optional<bool> whole_word(std::string_view word) {
    if (bytes_of_word(word) == 0) return std::nullopt;
    return word != "float" && word != "double" && word != "half";
}
/// Converted to a type of integers, or of others.
HostValue converted(HostValue value, std::optional<bool> whole);

/// A dim3 of these numbers.
HostValue dim_of(const std::vector<HostValue>& values);

/// The work of find_launches.
class HostReader {
public:
    HostReader(const std::vector<Token>& tokens, const Declarations& declarations, const Values& values)
        : tokens_(tokens), declarations_(declarations), given_(values) {
        scopes_.emplace_back();
        for (const auto& [name, value] : values) scopes_[0][name].value.number = double(value);
    }
    std::vector<HostLaunch> run();

private:
    bool is(std::string_view text, std::size_t ahead = 0) const {
        return at_ + ahead < end_ && tokens_[at_ + ahead].kind != TokenKind::text &&
               tokens_[at_ + ahead].text == text;
    }
    bool is_name(std::size_t ahead = 0) const {
        return at_ + ahead < end_ && tokens_[at_ + ahead].kind == TokenKind::name;
    }
    bool accept(std::string_view text) {
        if (!is(text)) return false;
        ++at_;
        return true;
    }
    HostVariable* find(std::string_view name) {
        for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
            if (const auto found = scope->find(name); found != scope->end()) return &found->second;
        return nullptr;
    }
    HostVariable& place(std::string_view name) {
        if (HostVariable* known = find(name)) return *known;
        return scopes_.back()[std::string(name)];
    }
    int allocate(std::int64_t bytes) {
        arrays_.push_back(std::max<std::int64_t>(0, bytes));
        return int(arrays_.size()) - 1;
    }

    void read_enumeration(const Declaration& one);
    /// Follows a function with these arguments.
    HostValue call(const Declaration& function, std::vector<HostValue> arguments);
    bool has_launch(const Declaration& one) const;
    void block();
    void statement();
    /// A branch that a known condition leaves out is not followed.
    void choice();
    /// Over a statement, unread.
    void skip();
    /// A launch in a loop whose body comes next is that of the first round.
    void meet_loop();
    /// To the case of this value in the block that begins here, if it has one; its end is left to the block.
    void choose_case(double value);
    /// "const int n = 1 << 20, m = n;", "dim3 grid(n / 16, 4);", "float *a, b[64];"
    bool declaration();
    const Declaration* declared_type(std::string_view word) const;
    /// As its members lie in memory.
    std::int64_t bytes_of_type(const Declaration& declared);
    /// "(a, b)", of which the bracket is next.
    std::vector<HostValue> arguments();
    HostValue expression(int least);
    HostValue unary();
    HostValue postfix();
    /// "[&](int n) { kernel<<<n, 256>>>(a); }": followed once, where it is written.
    void lambda();
    HostValue member(const HostValue& of, std::string_view name);
    /// Behind a cast's type, if one stands here: "(float*)", "<double>". 0 if none does.
    std::size_t cast_end(std::string_view close);
    HostValue named(const std::string& name);
    HostValue size_of();
    bool is_launch() const;
    HostValue called(const std::string& name);
    const Declaration* host_function(std::string_view name) const;
    /// "<float><<<grid, block, shared, stream>>>(arguments)"
    HostValue launch(const std::string& name);
    /// "(k, grid, block, arguments, shared, stream)" of cudaLaunchKernel, whose bracket is next.
    void launch_by_call();
    void add_launch(HostLaunch made, const std::vector<HostValue>& sizes,
                    const std::vector<HostValue>& given);

    const std::vector<Token>& tokens_;
    const Declarations& declarations_;
    const Values& given_;
    std::size_t at_ = 0, end_ = 0;
    std::vector<std::map<std::string, HostVariable, std::less<>>> scopes_;
    std::vector<std::int64_t> arrays_;
    std::vector<HostLaunch> launches_;
    std::set<const Declaration*> called_;
    HostValue result_;
    int depth_ = 0, nested_ = 0, calls_ = 0;
    int perhaps_ = 0;       ///< conditions around here that are not known
    bool guessed_ = false;  ///< a variable was set under one, or a launch's loop was met
    std::int64_t steps_ = 0;
    std::optional<bool> cast_whole_;  ///< whether the type of the last cast is one of integers
};

}  // namespace warplens::typed
