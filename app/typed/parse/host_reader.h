#pragma once

#include "app/typed/parse/host.h"
#include "app/typed/tree.h"

#include <algorithm>
#include <set>

namespace warplens::typed {

/// A variable of the host, or a member of one.
struct HostPlace {
    int variable = -1;
    std::vector<std::size_t> path = {};  ///< which member of which member
    bool element = false;                ///< one of its elements, which are not followed
};

/// The value of an expression of the host, as far as it is followed.
struct HostValue {
    std::optional<double> number = {};
    Scalar scalar = Scalar::int32;
    int array = -1;                       ///< of a pointer: which allocation
    HostPlace place = {};                 ///< to assign it
    HostPlace points = {};                ///< of &name
    std::int64_t element = 0;             ///< of a pointer: bytes of an element
    std::int64_t offset = 0;              ///< of a pointer: how far into its array [bytes]
    std::vector<HostValue> members = {};  ///< of "{a, b}", of a dim3, of a record
    const Declaration* record = nullptr;
    bool axes = false;  ///< the members are x, y, z

    bool known() const { return number || array >= 0 || points.variable >= 0 || !members.empty(); }
    bool is(double value) const { return number && *number == value; }
};

/// Bytes of a value of a type with this name. 0 if it is none.
int bytes_of_word(std::string_view word);

/// A type as its words say it one by one.
struct HostType {
    std::int64_t bytes = 0;  ///< 0 if that is not known
    Scalar scalar = Scalar::none;
    bool add(std::string_view word);  ///< whether it is one of a type
};

struct HostVariable {
    HostValue value = {};
    HostType type = {};  ///< of its elements, or of what it points to
    bool pointer = false, fixed = false;
    std::int64_t count = 0, first = 0;  ///< of an array: its elements, and its first extent; -1 if not known
    int extents = 0;
};

/// Whether a function of CUDA or C leaves the variables whose addresses it is given as they were, or sets
/// them as they are followed.
bool leaves(std::string_view name);
bool assigns(std::string_view sign);  ///< as "+=" does

/// Converted to this type, if it is one of numbers.
HostValue converted(HostValue value, Scalar scalar);

/// A dim3 of these numbers.
HostValue dim_of(const std::vector<HostValue>& values);

/// The work of find_launches.
class HostReader {
public:
    HostReader(const std::vector<Token>& tokens, const Declarations& declarations, const Values& values)
        : tokens_(tokens), declarations_(declarations), given_(values) {
        scopes_.emplace_back();
        for (const auto& [name, value] : values) declare(name, {});
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
        const int index = find_index(name);
        return index < 0 ? nullptr : &variables_[index];
    }
    int find_index(std::string_view name) const {
        for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
            if (const auto found = scope->find(name); found != scope->end()) return found->second;
        return -1;
    }
    int declare(std::string_view name, HostVariable variable);
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
    /// Walks a loop, of which the text behind its word is next, as long as its conditions are known. What its
    /// other rounds may set is not known behind it, and a launch in it is that of the first round.
    void loop(std::string_view word);
    HostValue value_at(std::size_t begin, std::size_t end);
    /// Whether the tokens of a loop may set what is known of variables that are older than this one.
    bool may_set(std::size_t begin, std::size_t end, int variable) {
        asked_ = false;
        asks_ = variable;
        forget(begin, end);
        asks_.reset();
        return asked_;
    }
    /// Forgets all that these tokens may set.
    void forget(std::size_t begin, std::size_t end);
    void forget(const HostPlace& place);
    /// All that the functions of the file may set.
    void forget_globals();
    void forget_all(const std::vector<HostValue>& arguments, bool references);
    HostValue* at_place(const HostPlace& place);
    HostValue assign(const HostValue& to, HostValue value);
    /// An operand that may not be evaluated.
    HostValue perhaps(int least, std::optional<bool> evaluated);
    HostValue pointed(const HostValue& of);
    std::optional<std::size_t> member_index(const Declaration& record, std::string_view name) const;
    /// From the case of this value in the block that begins here, or from its default.
    void choose_case(std::optional<double> value);
    /// "const int n = 1 << 20, m = n;", "dim3 grid(n / 16, 4);", "float *a, b[64];"
    bool declaration();
    const Declaration* declared_type(std::string_view word) const;
    /// As its members lie in memory.
    std::int64_t bytes_of_type(const Declaration& declared);
    HostType type_of(const Declaration& declared);
    bool constructs(const Declaration& record) const;  ///< whether it has a constructor
    /// "(a, b)", of which the bracket is next.
    std::vector<HostValue> arguments();
    HostValue expression(int least);
    HostValue unary();
    HostValue postfix();
    /// "[&](int n) { kernel<<<n, 256>>>(a); }": followed once, where it is written.
    void lambda();
    HostValue member(HostValue of, std::string_view name);
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
    enum class Flow { on, broken, continued, returned };
    std::vector<std::map<std::string, int, std::less<>>> scopes_;
    std::deque<HostVariable> variables_;  ///< those of scopes that ended, too: pointers may lead to them
    std::vector<std::int64_t> arrays_;
    std::vector<HostLaunch> launches_;
    std::set<const Declaration*> called_;
    HostValue result_;
    int depth_ = 0, nested_ = 0, calls_ = 0;
    Flow flow_ = Flow::on;
    bool maybe_result_ = false;  ///< result_ is that of a return that may not happen
    bool forgets_ = false;
    std::optional<int> asks_;  ///< see may_set
    bool asked_ = false;
    bool unsure_ = false;                                 ///< a break may happen
    int call_base_ = 0, loop_base_ = 0, break_base_ = 0;  ///< perhaps_ outside of what they leave
    int unevaluated_ = 0;
    int perhaps_ = 0;       ///< conditions around here that are not known
    bool guessed_ = false;  ///< a variable was set under one
    std::int64_t steps_ = 0, rounds_ = 0;
    Scalar cast_ = Scalar::none;  ///< the type of the last cast, if it is one of numbers
};

}  // namespace warplens::typed
