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
    const std::size_t begin = now_.at;
    ++now_.switches;
    StmtPtr branch;
    std::size_t standard = 0;
    while (!is("}")) {
        if (is("case") || is("default")) {
            ExprPtr truth;
            const bool is_default = is("default");
            if (is_default && standard == 0) standard = now_.at;
            take();
            const auto is_value = [&] {
                return make_binary({TokenKind::sign, "==", at}, variable(value, at), read_choice());
            };
            truth = is_default ? number(1, Scalar::boolean, at) : is_value();
            expect(":", "after a case");
            if (is_default && !cases_from(now_.at).empty()) {  // for none of the others
                ExprPtr others = number(0, Scalar::boolean, at);
                const std::size_t behind = now_.at;
                for (const std::size_t one : cases_from(begin)) {
                    now_.at = one;
                    others = make_binary({TokenKind::sign, "||", at}, std::move(others), is_value());
                }
                now_.at = behind;
                truth = make_binary({TokenKind::sign, "==", at}, std::move(others),
                                    number(0, Scalar::boolean, at));
            }
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

/// The places behind the words `case` of a switch, from some place of it on.
std::vector<std::size_t> Parser::cases_from(std::size_t at) const {
    std::vector<std::size_t> cases;
    for (int open = 0; at < tokens_.size(); ++at) {
        if (tokens_[at].text == "{") ++open;
        if (tokens_[at].text == "}" && --open < 0) break;
        if (open == 0 && tokens_[at].text == "case") cases.push_back(at + 1);
    }
    return cases;
}

}  // namespace warplens::typed
