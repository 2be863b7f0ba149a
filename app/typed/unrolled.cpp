#include "app/typed/unrolled.h"

#include <algorithm>
#include <charconv>

namespace warplens::typed {
namespace {

// nvcc 13.0 at -O3 for sm_90, as the machine code of assets/timed/kernels.cu has it: loops with few rounds
// are written out, others in so many rounds at once; where they store, which may change what is loaded next,
// in fewer. It finds registers for so many values.
constexpr std::int64_t kWrittenOut = 32, kOfSums = 16, kOfStores = 4, kValues = 16;

/// By how much a loop's counter grows in a round, where that is a constant.
std::optional<std::int64_t> step_of(const Unit& unit, const Stmt& loop) {
    if (!loop.step || loop.step->parts.empty()) return std::nullopt;
    if (loop.step->kind == ExprKind::step) return 1;
    if (loop.step->kind != ExprKind::assign || (loop.step->sign != "+" && loop.step->sign != "-"))
        return std::nullopt;
    return fold(unit, *loop.step->parts[1]);
}

/// The rounds of a loop, if the compiler knows them.
std::optional<std::int64_t> rounds_of(const Unit& unit, const Stmt& loop) {
    const std::optional<std::int64_t> by = step_of(unit, loop);
    if (!loop.init || loop.init->symbol < 0 || !unit.symbol(loop.init->symbol).counter || !by || *by <= 0)
        return std::nullopt;
    const auto from = fold(unit, *loop.init->condition), to = fold(unit, *loop.condition->parts[1]);
    const Sign sign = loop.condition->sign;
    const bool last = sign == "<=" || sign == ">=";
    return (std::max(*from, *to) - std::min(*from, *to) + last + *by - 1) / *by;
}

bool waits(const Stmt& stmt);
bool waits(const Expr& expr) {
    const auto which = static_cast<Intrinsic>(expr.value);
    if (expr.kind == ExprKind::intrinsic && which >= Intrinsic::sync_threads && which <= Intrinsic::fence)
        return true;
    return std::ranges::any_of(expr.parts, [](const ExprPtr& part) { return waits(*part); });
}
bool waits(const Stmt& stmt) {
    return (stmt.condition && waits(*stmt.condition)) ||
           std::ranges::any_of(stmt.body, [](const StmtPtr& part) { return part && waits(*part); });
}

class Finder {
public:
    Finder(const Unit& unit, const std::map<std::size_t, std::string>& unrolls)
        : unit_(unit), unrolls_(unrolls) {}

    void meet(const Stmt& stmt) {
        for (const StmtPtr& part : stmt.body)
            if (part) meet(*part);
        if (stmt.kind != StmtKind::loop) return;
        std::vector<const Expr*> loads;
        bool stores = false;
        visit_accesses(unit_, *stmt.body.front(), [&](const Expr& element, bool load, bool store, AccessBy) {
            if (load) loads.push_back(site_of(element));
            stores = stores || store;
        });
        const std::int64_t rounds = unrolled(stmt, stores),
                           most = std::max<std::int64_t>(1, kValues / std::max<std::size_t>(1, loads.size()));
        for (const Expr* load : loads) found.emplace(load, int(std::min(rounds, most)));
    }
    std::map<const Expr*, int> found;

private:
    std::int64_t unrolled(const Stmt& loop, bool stores) const {
        if (const auto pragma = unrolls_.find(loop.begin); loop.end > 0 && pragma != unrolls_.end()) {
            const std::string& text = pragma->second;
            int times = kWrittenOut;
            const std::size_t digit = text.find_first_of("0123456789");
            if (digit != std::string::npos)
                std::from_chars(text.data() + digit, text.data() + text.size(), times);
            return times;
        }
        if (waits(*loop.body.front())) return 1;
        if (const auto rounds = rounds_of(unit_, loop); rounds && *rounds <= kWrittenOut) return *rounds;
        if (!step_of(unit_, loop)) return 1;
        return stores ? kOfStores : kOfSums;
    }

    const Unit& unit_;
    const std::map<std::size_t, std::string>& unrolls_;
};

}  // namespace

std::map<const Expr*, int> rounds_under_way(const Unit& unit,
                                            const std::map<std::size_t, std::string>& unrolls) {
    Finder finder(unit, unrolls);
    for (const Function& function : unit.functions)
        if (function.body) finder.meet(*function.body);
    return finder.found;
}

}  // namespace warplens::typed
