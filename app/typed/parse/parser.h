#pragma once

#include "app/typed/parse/declarations.h"
#include "app/typed/tree.h"

#include <deque>
#include <functional>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::typed {

struct MemberUse;

/// Where each argument of a template begins among the tokens; it ends before a comma, a '>' or an end.
using TemplateArguments = std::vector<std::size_t>;

/// What the text leaves open of a kernel: by a launch in the host code, or by comments.
struct Given {
    Values values;                                          ///< names that mean this whatever the text says
    TemplateArguments template_arguments;                   ///< of the kernel
    std::map<std::string, std::size_t, std::less<>> types;  ///< of its template's parameters: their tokens
    int guess = 0;  ///< which of the numbers that template parameters may well be
};

/// Reads a kernel into a tree, and checks names and types on the way. Of everything else in the file it reads
/// what the kernel needs. A function is written once for each place that calls it, as a compiler does that
/// inlines: so references, templates and arrays of the caller are names for what was given.
class Parser {
public:
    /// All must outlive it.
    Parser(const std::vector<Token>& tokens, const Declarations& declarations, const Given& given);

    /// Errors: SourceError for the first thing in it, or in what it needs, that is not in the subset.
    Unit read_kernel(const Declaration& kernel);

    /// The value of an expression outside of functions. In comments `^` is a power. Errors: SourceError.
    std::int64_t read_number();

private:
    /// A value, type or declaration that a template was given.
    struct Scope {
        std::map<std::string, int, std::less<>> names;  ///< symbols
        std::map<std::string, Type, std::less<>> types;
        std::map<std::string, Declaration, std::less<>> lambdas = {};
        std::vector<std::string> order;  ///< of a template's parameters
    };
    /// The place where a record is declared, with what its template was given.
    struct RecordSource {
        const Declaration* declared = nullptr;
        Scope given;
        std::multimap<std::string, Declaration, std::less<>> methods;
    };
    /// What is being read.
    struct State {
        std::size_t at = 0;
        std::vector<Scope> scopes = std::vector<Scope>(1);  ///< the first is that of the file
        int function = -1, loops = 0, switches = 0;
        int result = -1;                     ///< of a function that returns a record: its symbol
        std::shared_ptr<const Expr> object;  ///< of a method: what it belongs to
        bool returns_place = false;          ///< whether the function returns a reference
        ExprPtr place;                       ///< which it returns
        std::size_t half_taken = 0;          ///< of the present token: how many of its signs '>' were taken
    };

    // Tokens.
    const Token& peek(std::size_t ahead = 0) const;
    Token take();
    bool is(std::string_view text, std::size_t ahead = 0) const;
    bool accept(std::string_view text);
    Token expect(std::string_view text, std::string_view where);
    void accept_closing_angle();
    void skip_brackets() { now_.at = behind_bracket(tokens_, now_.at); }
    [[noreturn]] void refuse(const Token& token) const;
    void use(const Declaration& declaration);
    /// Notes which tokens an element was read from.
    ExprPtr marked(ExprPtr expr, std::size_t begin);
    ExprPtr marked_pointer(ExprPtr element, std::size_t argument);

    // Types and names (parse_types.cpp).
    bool at_type();
    bool is_namespace();

    Type read_type(bool* is_const = nullptr, bool* is_reference = nullptr);
    bool read_named_type(Type& type);
    Type read_declarator(Type type, Token& name, bool* is_reference = nullptr);
    Type read_cast_type();
    void point_to(Type& type) const;
    std::vector<int> read_dims();
    int find(std::string_view name);
    const Type* find_type(std::string_view name);
    int declare(Symbol symbol);
    int declare_hidden(const Type& type, std::string_view name, Position at);
    void declare_parts(int symbol);
    std::int64_t constant_of(const Expr& expr, std::string_view what) const;
    void read_file_constant(const Declaration& declaration);
    void read_enumeration(const Declaration& declaration);
    bool read_alias(const Declaration& declaration);

    // Templates and records (parse_records.cpp).
    TemplateArguments read_template_arguments();
    /// Binds template parameters: to what was given, else to what `deduced` knows, else to their defaults.
    Scope bind_template(const Declaration& declaration, const TemplateArguments& given, const Scope& deduced,
                        bool assumes);
    bool is_concept();
    bool kernel_says(std::initializer_list<std::string_view> words) const;
    std::int64_t assumed_number(std::string_view name, bool truth) const;
    /// The declaration for just these arguments of a template. Null if there is none.
    const Declaration* specialized(const Declaration& general, const Scope& bound);
    Type record_type(const Declaration& declaration, const TemplateArguments& arguments);
    Type builtin_record(std::string_view name, Scalar scalar, int members, int align);
    void read_members(int record);
    void place_member(Record& record, std::string name, Type type) const;
    Type type_of_record(int record) const;
    std::string text_of(const Type& type) const;  ///< in C++
    ExprPtr make_member(ExprPtr base, const Token& name);
    ExprPtr member_of(ExprPtr base, std::size_t index, Position at);
    ExprPtr retargeted(ExprPtr chain, std::size_t member) const;
    /// Assigns all members, each for itself.
    int joined_bytes(const Type& record) const;
    std::vector<ExprPtr> joined_pieces(const Expr& element) const;
    ExprPtr assign_record(ExprPtr target, ExprPtr source, Position at);
    static const Expr& root_of(const Expr& place);  ///< the array, pointer or variable that it begins with
    bool is_own(const Expr& place) const;
    bool is_of_data(const Expr& expr) const;
    ExprPtr by_pointer(ExprPtr element, std::vector<ExprPtr>& before);
    ExprPtr bound_place(ExprPtr place, std::vector<ExprPtr>& before);
    std::vector<const Declaration*> methods_of(int record, std::string_view name) const;
    void leave_out(const std::string& what);  ///< says that it is not counted
    void leave_out_call(const Token& name);
    /// An expression that can be written twice: a variable, or an element at a pointer that was put by.
    ExprPtr settled(ExprPtr place, std::vector<ExprPtr>& before);
    ExprPtr in_sequence(std::vector<ExprPtr> before, ExprPtr last) const;
    ExprPtr construct(const Type& type, std::vector<ExprPtr> parts, Position at);
    std::vector<ExprPtr> read_braces(const Type& type);

    // Expressions (parse_expression.cpp).
    ExprPtr read_sequence();
    ExprPtr read_assignment();
    ExprPtr make_assignment(const Token& sign, ExprPtr target, ExprPtr value);
    ExprPtr read_choice();
    ExprPtr read_binary(int least);
    ExprPtr read_unary();
    ExprPtr read_unmarked();

    ExprPtr read_postfix();
    ExprPtr read_primary();
    ExprPtr read_parenthesis();
    ExprPtr make_binary(const Token& sign, ExprPtr a, ExprPtr b);
    /// Notes that an operator computes with halves, if it is of such a type.
    void need_halves(const Type& type, std::string_view sign);
    ExprPtr make_index(ExprPtr base, ExprPtr index, Position at);
    ExprPtr decay(ExprPtr array);
    ExprPtr number(std::int64_t value, Scalar type, Position at) const;
    ExprPtr convert(ExprPtr expr, const Type& type);
    ExprPtr cast_to(ExprPtr expr, const Type& type, Position at);
    ExprPtr variable(int symbol, Position at) const;
    void check_assignable(const Expr& target) const;

    // Names and calls (parse_call.cpp).
    ExprPtr read_name();
    ExprPtr read_call(const Token& name);
    ExprPtr read_builtin(const Token& name);
    std::vector<ExprPtr> read_arguments();
    /// Its symbol, whether it is a reference, and the value that it has if none is given.
    using EachParameter = std::function<void(Symbol, bool, ExprPtr)>;
    void read_parameters(const EachParameter& each);
    /// How far arguments are from a function's parameters: 0 if the types are the same. Empty if it takes
    /// others.
    /// @param given      what its template is given
    /// @param of_record  of a method: the names in its record; may be null
    std::optional<int> distance(const Declaration& declaration, const TemplateArguments& given,
                                const std::vector<ExprPtr>& arguments, const Scope* of_record);
    void skip_to_parameters(const Declaration& declaration);
    void read_initializers(const Declaration& declaration, std::vector<ExprPtr>& initial);
    ExprPtr plain_variable(int symbol, Position at) const;
    ExprPtr call_function(const std::vector<const Declaration*>& named, const Token& name,
                          const TemplateArguments& template_arguments, std::vector<ExprPtr> arguments,
                          std::shared_ptr<const Expr> object, const Scope* of_record);
    ExprPtr call_method(ExprPtr object, const Token& name);
    bool read_lambda();
    ExprPtr call_lambda(const Token& name);
    StmtPtr read_binding();
    ExprPtr call_operator(std::string_view sign, ExprPtr& a, ExprPtr* b, Position at);
    ExprPtr instantiate(const Declaration& declaration, Scope given, std::vector<ExprPtr> arguments,
                        std::shared_ptr<const Expr> object, Position at);
    void deduce(const Declaration& declaration, const std::vector<ExprPtr>& arguments, Scope& deduced);

    // Functions of CUDA (parse_intrinsics.cpp).
    ExprPtr read_intrinsic(const Token& name);
    bool is_texture(const Token& name, Type& element);
    ExprPtr read_atomic(const Token& name, std::vector<ExprPtr> arguments);
    ExprPtr read_vector(const Token& name);
    ExprPtr unknown_value(const Type& type, std::vector<ExprPtr>&& parts, const Token& name);
    ExprPtr nothing(Position at) const;
    ExprPtr synchronize(const Type& group, const Token& name);
    ExprPtr read_group_method(const Type& group, const Token& name);
    bool read_group_function(const Token& name, ExprPtr& made);
    ExprPtr thread_rank(Position at, int of);
    ExprPtr product_of(Builtin x, Position at);
    ExprPtr call_intrinsic(Intrinsic which, Type type, std::vector<ExprPtr> parts, const Token& name) const;
    ExprPtr builtin(Builtin which, Position at) const;
    ExprPtr all_three(Builtin x, Position at);
    ExprPtr times(ExprPtr a, ExprPtr b, Position at);
    ExprPtr plus(ExprPtr a, ExprPtr b, Position at);

    // What other files declare (parse_assumed.cpp).
    bool is_undeclared(std::string_view name);
    bool at_opaque();
    std::size_t local_record() const;
    Type read_opaque();
    std::size_t behind_undeclared_type();
    Type assumed_type(const Token& name);
    Type assumed_record(const std::string& name, const MemberUse& use);
    void assume_members(std::string_view name, const Type& type, bool in_memory);
    ExprPtr foreign_as(ExprPtr& value, const Type& type);
    void assume(std::string sentence);
    ExprPtr assumed_name(const Token& name);
    ExprPtr foreign_call(const Token& name, Type made, std::vector<ExprPtr> arguments);
    ExprPtr known_macro(const Token& name, std::vector<ExprPtr>& arguments);
    StmtPtr read_kernel_loop();

    // Statements (parse_statement.cpp).
    StmtPtr read_statement();
    StmtPtr read_unmarked_statement();
    StmtPtr read_block();
    StmtPtr read_declaration();
    StmtPtr declare_variable(Type type, bool is_const, Storage storage, bool dynamic);
    StmtPtr with_values(StmtPtr declares, std::vector<ExprPtr> values, const std::vector<int>& dims);
    StmtPtr declare_reference(const Token& name);
    StmtPtr in_statement(std::vector<ExprPtr> before, Position at) const;
    StmtPtr read_if();
    StmtPtr read_for();
    StmtPtr read_body();
    StmtPtr read_while();
    StmtPtr read_do();
    StmtPtr read_switch();
    StmtPtr read_return();
    StmtPtr read_assembler();
    bool skip_without_effect();
    void skip_statement();
    bool at_declaration();
    std::vector<std::size_t> cases_from(std::size_t at) const;
    [[noreturn]] void refuse_depth() const;
    ExprPtr read_condition();
    void mark_unread();
    void finish_tree();

    const Given& given_;
    const std::vector<Token>& tokens_;
    const Declarations& declarations_;
    Unit unit_;
    State now_;
    std::map<std::string, int, std::less<>> record_of_;  ///< by its name and what its template was given
    std::deque<RecordSource> record_sources_;            ///< by record
    std::map<int, bool> overlap_;                        ///< by record: whether members lie upon each other
    std::map<std::size_t, Declaration> local_records_;   ///< by the place where they stand
    bool enumerations_read_ = false;
    const Declaration* kernel_ = nullptr;  ///< that is read
    std::set<std::string, std::less<>> assumed_types_;
    std::set<int> foreign_values_;  ///< symbols: what functions of other files return
    std::string_view macro_;        ///< of another file: what it declares is not known

    std::set<const Declaration*> aliases_read_;
    std::vector<std::pair<std::size_t, std::size_t>> argument_tokens_;  ///< of the last call, [begin, end)
    int depth_ = 0, calls_deep_ = 0, types_deep_ = 0, instances_ = 0, hidden_ = 0;
    bool has_bfloat_ = false;  // the kernel names a type of this kind, so its other 16-bit ones are no half
    bool in_comment_ = false;

    /// Reads something else of the file, and goes back.
    class Elsewhere {
    public:
        explicit Elsewhere(Parser& parser) : parser_(parser), outer_(std::move(parser.now_)) {
            parser_.now_ = State{};
            parser_.now_.scopes.front() = std::move(outer_.scopes.front());
        }
        ~Elsewhere() {
            outer_.scopes.front() = std::move(parser_.now_.scopes.front());
            parser_.now_ = std::move(outer_);
        }
        Elsewhere(const Elsewhere&) = delete;
        Elsewhere& operator=(const Elsewhere&) = delete;

    private:
        Parser& parser_;
        State outer_;
    };

    friend std::int64_t evaluate(Source& source, const Unit& unit, std::vector<Token> tokens,
                                 const Values& values);
};

/// Groups of cooperative groups are records without members, of so many threads.
inline constexpr int kGroup = 1'000'000, kBlockGroup = 0, kGridGroup = -1;
/// Likewise things of CUDA's libraries, whose own loads and stores are not counted.
inline constexpr int kOpaque = -2;
inline bool is_group(const Type& type) { return type.record == kGroup; }

bool is_number_type(std::string_view name);  ///< of headers: "real_t", "scalar_t"
StmtPtr statement(StmtKind kind, Position at);

int level_of(std::string_view sign);  ///< how tightly an operator of two binds; 0 if it is none
bool is_comparison(std::string_view sign);
bool is_shift(std::string_view sign);
bool is_of_integers(std::string_view sign);

/// The type that C++ computes in: at least int; the wider one; unsigned before signed.
Scalar common_type(Scalar a, Scalar b);
ExprPtr node(ExprKind kind, Type type, Position at);  ///< without parts

/// The value of an expression in a comment, in which only constants and names with values occur.
/// Errors: SourceError.
std::int64_t evaluate(Source& source, const Unit& unit, std::vector<Token> tokens, const Values& values);

}  // namespace warplens::typed
