#include "app/typed/parse/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warplens::typed {

/// Cases go on until `break`: each begins with the lanes of those before it that did not leave.
StmtPtr Parser::read_switch() {
    const Position at = take().at;
    expect("(", "after switch");
    now_.scopes.emplace_back();
    ExprPtr of = convert(decay(read_sequence()), {Scalar::int64});
    expect(")", "after switch (value");
    StmtPtr all = statement(StmtKind::block, at);
    const auto add = [&](StmtPtr& to, ExprPtr expr) {
        StmtPtr one = statement(StmtKind::expression, at);
        one->condition = std::move(expr);
        to->body.push_back(std::move(one));
    };
    const Token equals{TokenKind::sign, "=", at};
    const int value = declare_hidden({Scalar::int64}, "switch", at),
              goes_on = declare_hidden({Scalar::boolean}, "case", at);
    add(all, make_assignment(equals, variable(value, at), std::move(of)));
    add(all, make_assignment(equals, variable(goes_on, at), number(0, Scalar::boolean, at)));
    StmtPtr loop = statement(StmtKind::loop, at), body = statement(StmtKind::block, at);
    loop->check_first = false;
    loop->condition = number(0, Scalar::boolean, at);
    expect("{", "after switch (value)");
    ++now_.switches;
    StmtPtr branch;
    std::size_t standard = 0;
    while (!is("}")) {
        if (is("case") || is("default")) {
            ExprPtr truth;
            const bool is_default = is("default");
            if (is_default && standard == 0) standard = now_.at;
            take();
            truth = is_default ? number(1, Scalar::boolean, at)
                               : make_binary({TokenKind::sign, "==", at}, variable(value, at), read_choice());
            expect(":", "after a case");
            if (is_default && !is("case") && !is_last_case())
                throw SourceError(at, "not in the subset: a default before other cases");
            add(body, make_assignment(
                          equals, variable(goes_on, at),
                          make_binary({TokenKind::sign, "||", at}, variable(goes_on, at), std::move(truth))));
            branch = statement(StmtKind::branch, at);
            branch->condition = variable(goes_on, at);
            branch->body.push_back(statement(StmtKind::block, at));
            body->body.push_back(std::move(branch));
            continue;
        }
        if (body->body.empty()) refuse(peek());
        StmtPtr one = read_statement();
        body->body.back()->body[0]->body.push_back(std::move(one));
    }
    take();
    --now_.switches;
    now_.scopes.pop_back();
    loop->body.push_back(std::move(body));
    all->body.push_back(std::move(loop));
    return all;
}

/// Whether no case follows in this switch.
bool Parser::is_last_case() const {
    int open = 0;
    for (std::size_t i = now_.at; i < tokens_.size(); ++i) {
        if (tokens_[i].text == "{") ++open;
        if (tokens_[i].text == "}" && --open < 0) return true;
        if (open == 0 && tokens_[i].text == "case") return false;
    }
    return true;
}

}  // namespace warplens::typed
