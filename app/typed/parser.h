#pragma once

#include "app/typed/tree.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::typed {

/// Reads tokens into a tree, and checks names and types on the way.
class Parser {
public:
    /// @param values  numbers that names of the text have whatever the text says: knobs
    Parser(const Source& source, const std::map<std::string, std::int64_t, std::less<>>& values);

    /// A whole file. Errors: SourceError for the first thing that is not in the subset.
    Unit read_file();

private:
    // Tokens.
    const Token& peek(std::size_t ahead = 0) const;
    Token take();
    bool is(std::string_view text, std::size_t ahead = 0) const;
    bool accept(std::string_view text);
    Token expect(std::string_view text, std::string_view where);
    [[noreturn]] void refuse(const Token& token) const;

    // Types and names (parse_types.cpp).
    bool at_type() const;
    Type read_type(bool* is_const = nullptr);
    Type read_declarator(Type type, Token& name);
    std::vector<int> read_dims();
    int find(std::string_view name) const;
    int declare(Symbol symbol);
    std::int64_t constant_of(const Expr& expr, std::string_view what) const;

    // Expressions (parse_expression.cpp).
    ExprPtr read_sequence();
    ExprPtr read_assignment();
    ExprPtr read_choice();
    ExprPtr read_binary(int least);
    ExprPtr read_unary();
    ExprPtr read_postfix();
    ExprPtr read_primary();
    ExprPtr read_parenthesis();
    ExprPtr make_binary(const Token& sign, ExprPtr a, ExprPtr b) const;
    ExprPtr make_index(ExprPtr base, ExprPtr index, Position at) const;
    ExprPtr make_member(ExprPtr base, const Token& name) const;
    ExprPtr decay(ExprPtr array) const;
    ExprPtr number(std::int64_t value, Scalar type, Position at) const;
    ExprPtr convert(ExprPtr expr, const Type& type) const;
    void check_assignable(const Expr& target) const;

    // Names and calls (parse_call.cpp).
    ExprPtr read_name();
    ExprPtr read_call(const Token& name);
    ExprPtr read_builtin(const Token& name);
    std::vector<ExprPtr> read_arguments();

    // Statements (parse_statement.cpp).
    StmtPtr read_statement();
    StmtPtr read_block();
    StmtPtr read_declaration();
    StmtPtr declare_variable(Type type, bool is_const, Storage storage, bool dynamic);
    StmtPtr read_if();
    StmtPtr read_for();
    StmtPtr read_while();
    StmtPtr read_do();
    void read_function(bool kernel);
    void read_template();
    void read_parameter(Function& function);
    void read_constant();
    void read_alias();
    ExprPtr read_condition();

    struct Scope {
        std::map<std::string, int, std::less<>> names;
    };

    const std::map<std::string, std::int64_t, std::less<>>& values_;
    const std::vector<Token>& tokens_;
    std::size_t at_ = 0;
    Unit unit_;
    std::vector<Scope> scopes_;
    std::map<std::string, Type, std::less<>> aliases_;
    int function_ = -1;  ///< that is being read
    int loops_ = 0;
    int depth_ = 0;
};

/// The type that C++ computes in: at least int; the wider one; unsigned before signed.
Scalar common_type(Scalar a, Scalar b);
ExprPtr node(ExprKind kind, Type type, Position at);  ///< without parts

/// Reads one expression out of tokens in which only constants and names with values occur.
/// Errors: SourceError.
std::int64_t evaluate(const Source& source, const Unit& unit, std::vector<Token> tokens,
                      const std::map<std::string, std::int64_t, std::less<>>& values);

}  // namespace warplens::typed
