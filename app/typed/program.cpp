#include "app/typed/program.h"

#include "app/typed/counts.h"
#include "app/typed/hazards.h"
#include "app/typed/parser.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

namespace warplens::typed {
namespace {

using Values = std::map<std::string, std::int64_t, std::less<>>;

constexpr std::size_t kMostKept = 16;
/// Of all that is kept of the same kind. A request takes 300 bytes, and a block may have 120,000.
constexpr std::int64_t kMostKeptRequests = 60'000;

/// "64", or "2^6" (which sets `power`).
std::int64_t read_integer(std::string_view text, Position at, bool* power) {
    text = trimmed(text);
    const bool is_power = text.starts_with("2^");
    if (is_power) text.remove_prefix(2);
    std::int64_t value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec != std::errc() || result.ptr != text.data() + text.size() ||
        (is_power && (value < 0 || value > 30)))
        throw SourceError(at, fmt::format("expected a number, found {}", in_quotes(text)));
    if (power != nullptr) *power = *power || is_power;
    return is_power ? std::int64_t{1} << value : value;
}

/// "stride = 1 in 0..64 "elements""
TypedKnob read_knob(const Directive& directive) {
    const std::string_view rest = directive.rest;
    const std::size_t equals = rest.find('='), in = rest.find(" in "), dots = rest.find("..");
    if (equals == std::string_view::npos || in == std::string_view::npos || dots == std::string_view::npos ||
        in < equals || dots < in)
        throw SourceError(directive.at,
                          "expected '// knob stride = 1 in 0..64', perhaps with \"elements\" behind it");
    TypedKnob knob;
    knob.at = directive.at;
    knob.name = trimmed(rest.substr(0, equals));
    const bool word = !knob.name.empty() && std::ranges::all_of(knob.name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
    if (!word || knob.name.size() > 32)
        throw SourceError(directive.at, "a knob needs a name of at most 32 letters");
    std::string_view last = trimmed(rest.substr(dots + 2));
    if (constexpr std::string_view kRemedy = "remedy"; last.ends_with(kRemedy)) {
        knob.remedy = true;
        last.remove_suffix(kRemedy.size());
    }
    if (const std::size_t quote = last.find('"'); quote != std::string_view::npos) {
        const std::size_t end = last.find('"', quote + 1);
        if (end == std::string_view::npos)
            throw SourceError(directive.at, "the unit's second quote is missing");
        knob.unit = printable(std::string(last.substr(quote + 1, end - quote - 1)), 40);
        last = last.substr(0, quote);
    }
    knob.least = read_integer(rest.substr(in + 4, dots - in - 4), directive.at, &knob.power);
    knob.most = read_integer(last, directive.at, &knob.power);
    bool initial_power = false;
    knob.initial = read_integer(rest.substr(equals + 1, in - equals - 1), directive.at, &initial_power);
    constexpr std::int64_t kFar = 1 << 30;
    const auto power_of_two = [](std::int64_t value) { return value > 0 && (value & (value - 1)) == 0; };
    if (knob.least > knob.most || knob.initial < knob.least || knob.initial > knob.most || knob.most > kFar ||
        knob.least < -kFar)
        throw SourceError(directive.at, fmt::format("{} has to lie in its range of {} to {}", knob.name,
                                                    knob.least, knob.most));
    if (knob.power && (!power_of_two(knob.least) || !power_of_two(knob.most) || !power_of_two(knob.initial)))
        throw SourceError(directive.at, "a knob 'in 2^a..2^b' takes powers of two only");
    return knob;
}

/// Tokens up to a comma, a bracket that was not opened, or the end.
std::vector<Token> take_expression(const std::vector<Token>& tokens, std::size_t& at) {
    std::vector<Token> out;
    int open = 0;
    for (; tokens[at].kind != TokenKind::end; ++at) {
        const std::string_view text = tokens[at].text;
        if (text == "(" || text == "[") ++open;
        if (text == ")" || text == "]") --open;
        if (open < 0 || (open == 0 && text == ",")) break;
        // "block=" begins the next value
        if (open == 0 && tokens[at].kind == TokenKind::name && tokens[at + 1].text == "=" && !out.empty())
            break;
        out.push_back(tokens[at]);
    }
    if (out.empty()) throw SourceError(tokens[at].at, "expected a number");
    out.push_back({TokenKind::end, {}, tokens[at].at});
    return out;
}

/// Take a closing bracket.
void close(const std::vector<Token>& tokens, std::size_t& at, std::string_view bracket) {
    if (tokens[at].text != bracket) throw SourceError(tokens[at].at, fmt::format("expected '{}'", bracket));
    ++at;
}

/// Whether the parentheses that begin here hold several values: "(a, b)".
bool is_tuple(const std::vector<Token>& tokens, std::size_t at) {
    if (tokens[at].text != "(") return false;
    int open = 0;
    for (; tokens[at].kind != TokenKind::end; ++at) {
        if (tokens[at].text == "(") ++open;
        if (tokens[at].text == ")" && --open == 0) return false;
        if (tokens[at].text == "," && open == 1) return true;
    }
    return false;
}

/// The loads and stores that stand in a text: where, and whether it is a store.
using Sites = std::set<std::pair<const Expr*, bool>>;

/// Whether an element is in a register: of an array of the thread, at an index that the compiler knows.
bool is_in_register(const Unit& unit, const Expr& element) {
    const Expr* base = &element;
    bool known = true;
    for (; base->kind == ExprKind::index; base = base->parts[0].get())
        known = known && compiler_knows(unit, *base->parts[1]);
    return known && base->kind == ExprKind::variable && unit.symbol(base->symbol).storage == Storage::local;
}

void add_sites(const Unit& unit, const Expr& expr, Sites& sites, bool store = false) {
    if (expr.kind == ExprKind::index && !expr.type.is_array() && !is_in_register(unit, expr))
        sites.emplace(&expr, store);
    for (std::size_t i = 0; i < expr.parts.size(); ++i) {
        const Expr& part = *expr.parts[i];
        const bool target = i == 0 && (expr.kind == ExprKind::assign || expr.kind == ExprKind::step);
        add_sites(unit, part, sites, target);
        if (target && expr.sign != "=") add_sites(unit, part, sites);
        if (expr.kind == ExprKind::address) sites.erase({&part, false});  // computed, and nothing loaded
    }
}
void add_sites(const Unit& unit, const Stmt& stmt, Sites& sites) {
    if (stmt.condition) add_sites(unit, *stmt.condition, sites);
    if (stmt.step) add_sites(unit, *stmt.step, sites);
    if (stmt.init) add_sites(unit, *stmt.init, sites);
    for (const StmtPtr& part : stmt.body)
        if (part) add_sites(unit, *part, sites);
}

std::string kind_word(const TypedAccess& access) { return access.store ? "store" : "load"; }

}  // namespace

/// A range of blocks with what each warp executes, by access.
struct TypedLaunch::Indexed {
    BlockTrace trace;
    std::vector<std::vector<std::vector<std::uint32_t>>> executions;  ///< [warp][access]: indices of requests

    bool contains(int x, int y) const {
        const BlockRange& range = trace.range;
        return x >= range.x && x < range.x + range.width && y >= range.y && y < range.y + range.height;
    }
};

struct TypedLaunch::Kept {
    std::mutex mutex;
    std::deque<std::shared_ptr<const BlockTrace>> blocks;
    std::deque<std::shared_ptr<const Indexed>> ranges;
};

struct TypedProgram::Kept {
    std::mutex mutex;
    std::deque<std::pair<std::vector<std::int64_t>, std::shared_ptr<const TypedLaunch>>> launches;
};

namespace {

/// Never the newest alone, however large it is.
bool is_too_much(const auto& kept, const auto& requests_of) {
    if (kept.size() < 2) return false;
    std::int64_t requests = 0;
    for (const auto& one : kept) requests += requests_of(one);
    return kept.size() > kMostKept || requests > kMostKeptRequests;
}

/// One block of a range.
BlockTrace block_of(const BlockTrace& range, int x, int y) {
    BlockTrace trace = range;
    for (std::vector<Request>& warp : trace.warps) {
        for (Request& request : warp) {
            const std::int64_t moved =
                request.per_x * (x - range.range.x) + request.per_y * (y - range.range.y);
            for (std::int64_t& at : request.address) at += moved;
            request.per_x = request.per_y = 0;
        }
    }
    trace.range = {x, y, 1, 1};
    return trace;
}

}  // namespace

/// What tells which loads and stores there are: the whole grid where few ranges are all of it, else some
/// blocks, and those beside in which a load or store of the text is executed that they leave out.
std::vector<std::shared_ptr<const BlockTrace>> TypedLaunch::first_traces() {
    Sites unseen;
    for (const Function& function : unit_.functions)
        if (function.body) add_sites(unit_, *function.body, unseen);
    const auto see = [&](const BlockTrace& trace) {
        bool any = false;
        for (const std::vector<Request>& warp : trace.warps)
            for (const Request& request : warp) any = unseen.erase({request.site, request.store}) > 0 || any;
        return any;
    };
    const Patience few{.ranges = 12, .requests = 100'000, .steps = 2'000'000};
    std::vector<std::shared_ptr<const BlockTrace>> traces;
    const bool all = visit_ranges(few, [&](const BlockTrace& trace) {
        traces.push_back(std::make_shared<const BlockTrace>(trace));
        return true;
    });
    // The first block is looked at for races, so it comes first.
    std::ranges::stable_sort(traces, {},
                             [](const auto& one) { return std::pair(one->range.y, one->range.x); });
    if (all) {
        for (const auto& trace : traces) see(*trace);
        never_executed_ = static_cast<int>(unseen.size());
        return traces;
    }
    traces.clear();
    const int right = bound_.launch.grid_x - 1, bottom = bound_.launch.grid_y - 1;
    const std::set<std::pair<int, int>> corners{
        {0, 0}, {right, 0}, {0, bottom}, {right, bottom}, {right / 2, bottom / 2}};
    for (const auto& [x, y] : corners) traces.push_back(block(x, y));
    for (const auto& trace : traces) see(*trace);
    if (unseen.empty()) return traces;
    const Patience search{.ranges = 4096, .requests = 1'000'000, .steps = 20'000'000};
    visit_ranges(search, [&](const BlockTrace& trace) {
        if (see(trace)) traces.push_back(block(trace.range.x, trace.range.y));
        return !unseen.empty();
    });
    never_executed_ = static_cast<int>(unseen.size());
    return traces;
}

std::shared_ptr<const BlockTrace> TypedLaunch::block(int x, int y) const {
    std::shared_ptr<const Indexed> range;
    {
        const std::scoped_lock lock(kept_->mutex);
        for (const auto& one : kept_->blocks)
            if (one->range.x == x && one->range.y == y) return one;
        const auto found =
            std::ranges::find_if(kept_->ranges, [&](const auto& one) { return one->contains(x, y); });
        if (found != kept_->ranges.end()) range = *found;
    }
    // Copied from a range, it is soon there again.
    if (range != nullptr) return std::make_shared<const BlockTrace>(block_of(range->trace, x, y));
    auto trace = std::make_shared<const BlockTrace>(run_blocks(bound_, {x, y, 1, 1}));
    const std::scoped_lock lock(kept_->mutex);
    kept_->blocks.push_back(trace);
    while (is_too_much(kept_->blocks, [](const auto& one) { return one->requests; }))
        kept_->blocks.pop_front();
    return trace;
}

void TypedLaunch::forget_blocks() const {
    const std::scoped_lock lock(kept_->mutex);
    kept_->blocks.clear();
    kept_->ranges.clear();
}

std::shared_ptr<const TypedLaunch::Indexed> TypedLaunch::keep(BlockTrace trace) const {
    auto indexed = std::make_shared<Indexed>();
    indexed->executions.resize(trace.warps.size());
    for (std::size_t warp = 0; warp < trace.warps.size(); ++warp) {
        auto& all = indexed->executions[warp];
        all.resize(accesses_.size());
        for (std::size_t i = 0; i < trace.warps[warp].size(); ++i)
            if (const int access = access_of(trace.warps[warp][i]); access >= 0)
                all[static_cast<std::size_t>(access)].push_back(static_cast<std::uint32_t>(i));
    }
    indexed->trace = std::move(trace);
    const std::scoped_lock lock(kept_->mutex);
    // A block of it is not kept twice.
    std::erase_if(kept_->blocks,
                  [&](const auto& one) { return indexed->contains(one->range.x, one->range.y); });
    kept_->ranges.push_back(indexed);
    // The first one may be the whole grid, so it goes last.
    while (is_too_much(kept_->ranges, [](const auto& one) { return one->trace.requests; }))
        kept_->ranges.erase(kept_->ranges.begin() + (kept_->ranges.size() > 2 ? 1 : 0));
    return indexed;
}

std::shared_ptr<const TypedLaunch::Indexed> TypedLaunch::indexed(int x, int y) const {
    {
        const std::scoped_lock lock(kept_->mutex);
        for (const auto& one : kept_->ranges)
            if (one->contains(x, y)) return one;
    }
    return keep(*block(x, y));
}

WarpAccess TypedLaunch::request(int access, Extent block, int warp, int step) const {
    const std::shared_ptr<const Indexed> range = indexed(block.x, block.y);
    const TypedAccess& what = accesses_[static_cast<std::size_t>(access)];
    const auto& executions =
        range->executions[static_cast<std::size_t>(warp)][static_cast<std::size_t>(access)];
    if (static_cast<std::size_t>(step) >= executions.size()) {
        const Memory& memory = memories()[static_cast<std::size_t>(what.memory)];
        return {.active = 0,
                .bytes_per_lane = what.bytes,
                .space = space_of(memory.storage),
                .op = what.store ? Op::store : Op::load};
    }
    return warp_access(
        *this, range->trace.warps[static_cast<std::size_t>(warp)][executions[static_cast<std::size_t>(step)]],
        block.x - range->trace.range.x, block.y - range->trace.range.y);
}

int TypedLaunch::most_steps() const {
    int most = 1;
    for (const TypedAccess& access : accesses_) most = std::max(most, access.steps);
    return most;
}

int TypedLaunch::access_of(const Request& request) const {
    for (std::size_t i = 0; i < accesses_.size(); ++i) {
        const TypedAccess& one = accesses_[i];
        if (one.site == request.site && one.memory == request.memory && one.store == request.store)
            return static_cast<int>(i);
    }
    return -1;
}

void TypedLaunch::find_accesses(std::string_view text,
                                const std::vector<std::shared_ptr<const BlockTrace>>& traces) {
    struct Seen {
        TypedAccess access;
        int interval = 0;
    };
    std::vector<Seen> all;
    for (const std::shared_ptr<const BlockTrace>& trace : traces) {
        for (const std::vector<Request>& warp : trace->warps) {
            std::map<std::size_t, int> executed;
            for (const Request& request : warp) {
                auto found = std::ranges::find_if(all, [&](const Seen& one) {
                    return one.access.site == request.site && one.access.memory == request.memory &&
                           one.access.store == request.store;
                });
                if (found == all.end()) {
                    const Memory& memory = bound_.memories[static_cast<std::size_t>(request.memory)];
                    TypedAccess access{
                        request.site, request.memory, request.store, request.bytes, {}, {}, 0, 0, 0};
                    access.label = fmt::format("{} {}", kind_word(access), memory.name);
                    access.code = line_of(text, request.site->at);
                    all.push_back({std::move(access), request.interval});
                    found = all.end() - 1;
                }
                const auto index = static_cast<std::size_t>(found - all.begin());
                found->access.steps = std::max(found->access.steps, ++executed[index]);
            }
        }
    }
    // As they are executed.
    std::ranges::stable_sort(all, {}, &Seen::interval);
    constexpr std::size_t kMost = kMaxPictured;
    if (all.empty()) throw SourceError(bound_.kernel->at, "this kernel neither loads nor stores anything");
    if (all.size() > kMost)
        throw SourceError(
            all[kMost].access.site->at,
            fmt::format("this is the {}th load or store; a kernel may have {}", kMost + 1, kMost));
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i > 0) {
            const bool same =
                all[i].interval == all[i - 1].interval && all[i].access.steps == all[i - 1].access.steps;
            all[i].access.phase = all[i - 1].access.phase + (same ? 0 : 1);
        }
        all[i].access.interval = all[i].interval;
        accesses_.push_back(all[i].access);
    }
    // Two accesses of one array are told apart by their lines, or else by their columns.
    for (TypedAccess& one : accesses_) {
        const auto same = [&](const TypedAccess& other) {
            return other.memory == one.memory && other.store == one.store;
        };
        const auto same_line = [&](const TypedAccess& other) {
            return same(other) && other.site->at.line == one.site->at.line;
        };
        if (std::ranges::count_if(accesses_, same) < 2) continue;
        one.label += fmt::format(", line {}", one.site->at.line);
        if (std::ranges::count_if(accesses_, same_line) > 1)
            one.label += fmt::format(", column {}", one.site->at.column);
    }
}

TypedProgram::TypedProgram(std::string text, std::string name)
    : text_(std::move(text)), name_(std::move(name)), kept_(std::make_shared<Kept>()) {
    const Source source = read_source(text_, {});
    for (const Directive& directive : source.directives) {
        if (directive.word != "knob") continue;
        TypedKnob knob = read_knob(directive);
        if (std::ranges::find(knobs_, knob.name, &TypedKnob::name) != knobs_.end())
            throw SourceError(directive.at, fmt::format("there are two knobs {}", in_quotes(knob.name)));
        if (knobs_.size() == kMostKnobs)
            throw SourceError(directive.at, fmt::format("a kernel may have {} knobs", kMostKnobs));
        knobs_.push_back(std::move(knob));
    }
    std::vector<std::int64_t> values;
    for (const TypedKnob& knob : knobs_) values.push_back(knob.initial);
    kernel_ = launch(values)->bound_.kernel->name;
}

std::shared_ptr<const TypedLaunch> TypedProgram::launch(const std::vector<std::int64_t>& values) const {
    {
        const std::scoped_lock lock(kept_->mutex);
        for (const auto& [known, launch] : kept_->launches)
            if (known == values) return launch;
    }
    std::shared_ptr<const TypedLaunch> made = make(values);
    const std::scoped_lock lock(kept_->mutex);
    if (kept_->launches.size() >= kMostKept) kept_->launches.pop_front();
    kept_->launches.emplace_back(values, made);
    return made;
}

void TypedProgram::forget_launches() const {
    const std::scoped_lock lock(kept_->mutex);
    kept_->launches.clear();
}

namespace {

/// Fills in what a launch needs beside the tree.
class Binder {
public:
    Binder(const Source& source, Unit& unit, Values values, std::vector<std::string>& warnings)
        : source_(source), unit_(unit), values_(std::move(values)), warnings_(warnings) {
        bound_.unit = &unit;
        bound_.memory_of.assign(unit.symbols.size(), -1);
        bound_.values.assign(unit.symbols.size(), 0);
        bound_.has_value.assign(unit.symbols.size(), false);
    }

    Bound bind(std::int64_t& shared, std::int64_t& local, std::int64_t& global) {
        choose_kernel();
        for (const Directive& directive : source_.directives)
            if (directive.word == "let") read_let(directive);
        bind_parameters();
        read_launch();
        for (const Directive& directive : source_.directives)
            if (directive.word == "in" || directive.word == "out" || directive.word == "inout" ||
                directive.word == "index")
                read_array(directive);
        place_memories(shared, local, global);
        return std::move(bound_);
    }

private:
    std::int64_t number(std::vector<Token> tokens) const {
        return evaluate(source_, unit_, std::move(tokens), values_);
    }

    void choose_kernel() {
        for (const Function& function : unit_.functions)
            if (function.kernel && bound_.kernel == nullptr) bound_.kernel = &function;
        if (bound_.kernel == nullptr)
            throw SourceError({}, "there is no kernel: expected '__global__ void name(...)'");
    }

    /// "n = rows * columns"
    void read_let(const Directive& directive) {
        const std::vector<Token> tokens = read_tokens(directive.rest, directive.at);
        if (tokens.size() < 3 || tokens[0].kind != TokenKind::name || tokens[1].text != "=")
            throw SourceError(directive.at, "expected '// let n = rows * 32'");
        values_[std::string(tokens[0].text)] = number({tokens.begin() + 2, tokens.end()});
    }

    void bind_parameters() {
        for (const int parameter : bound_.kernel->parameters) {
            const auto index = static_cast<std::size_t>(parameter);
            const Symbol& symbol = unit_.symbol(parameter);
            if (symbol.type.pointer || !symbol.type.is_integer()) continue;
            const auto value = values_.find(symbol.name);
            constexpr std::int64_t kAssumed = 1024;
            if (value == values_.end()) {
                warnings_.push_back(fmt::format("{} = {} is assumed; say what it is with '// let {} = ...'",
                                                symbol.name, kAssumed, symbol.name));
                values_[symbol.name] = kAssumed;
            }
            bound_.values[index] = wrap(values_[symbol.name], symbol.type.scalar);
            bound_.has_value[index] = true;
        }
    }

    void read_launch() {
        Launch& launch = bound_.launch;
        launch = {1024, 1, 256, 1, 1};
        const auto found =
            std::ranges::find(source_.directives, std::string_view("launch"), &Directive::word);
        if (found == source_.directives.end()) {
            if (const auto n = values_.find("n"); n != values_.end() && n->second > 0 && n->second <= 1 << 30)
                launch.grid_x = static_cast<int>((n->second + 255) / 256);
            warnings_.push_back(fmt::format(
                "{} blocks of 256 threads are assumed; say it with '// launch grid=... block=...'",
                launch.grid_x));
            return;
        }
        const std::vector<Token> tokens = read_tokens(found->rest, found->at);
        for (std::size_t at = 0; tokens[at].kind != TokenKind::end;) {
            const Token name = tokens[at];
            if (name.text == ",") {
                ++at;
                continue;
            }
            if (name.kind != TokenKind::name || tokens[at + 1].text != "=")
                throw SourceError(name.at, "expected '// launch grid=(n+255)/256 block=256 shared=0'");
            at += 2;
            std::vector<std::int64_t> sizes;
            const Position where = tokens[at].at;
            if (is_tuple(tokens, at)) {
                do {
                    ++at;
                    sizes.push_back(number(take_expression(tokens, at)));
                } while (tokens[at].text == ",");
                close(tokens, at, ")");
            } else {
                sizes.push_back(number(take_expression(tokens, at)));
            }
            if (name.text == "shared") {
                dynamic_bytes_ = sizes.front();
                if (dynamic_bytes_ < 0 || dynamic_bytes_ > 232'448)
                    throw SourceError(where, "shared memory of a block has at most 227 KiB");
                continue;
            }
            if (name.text != "grid" && name.text != "block")
                throw SourceError(name.at, fmt::format("a launch has grid, block and shared, not {}",
                                                       in_quotes(name.text)));
            const bool grid = name.text == "grid";
            const std::int64_t x = sizes[0], y = sizes.size() > 1 ? sizes[1] : 1,
                               z = sizes.size() > 2 ? sizes[2] : 1;
            if (grid && z != 1) throw SourceError(where, "not in the subset: a third dimension of grids");
            const std::int64_t most_x = grid ? 2'147'483'647 : 1024, most_y = grid ? 65'535 : 1024;
            if (x < 1 || y < 1 || z < 1 || x > most_x || y > most_y || z > 64 || sizes.size() > 3 ||
                (!grid && x * y * z > 1024))
                throw SourceError(
                    where, fmt::format("a {} of ({}) cannot be launched", name.text, fmt::join(sizes, ", ")));
            if (!grid) launch.block_z = static_cast<int>(z);
            (grid ? launch.grid_x : launch.block_x) = static_cast<int>(x);
            (grid ? launch.grid_y : launch.block_y) = static_cast<int>(y);
        }
    }

    /// "float[n*stride] random": of the parameter before the comment, or that is named first, or that is
    /// called "in", "out" or "index" as the comment begins.
    void read_array(const Directive& directive) {
        const std::vector<Token> tokens = read_tokens(directive.rest, directive.at);
        std::size_t at = 0;
        const Symbol* symbol = nullptr;
        for (const int parameter : bound_.kernel->parameters) {
            const Symbol& one = unit_.symbol(parameter);
            if (!one.type.pointer) continue;
            if (one.name == tokens[0].text) {
                symbol = &one;
                at = 1;
                break;
            }
            if (one.at.line == directive.at.line) symbol = &one;  // the last one before the comment
        }
        for (const int parameter : bound_.kernel->parameters) {
            const Symbol& one = unit_.symbol(parameter);
            if (symbol == nullptr && one.type.pointer && one.name == directive.word) symbol = &one;
        }
        if (symbol == nullptr)
            throw SourceError(directive.at,
                              "this says nothing about a parameter: write it behind one, or its name first");
        while (tokens[at].kind == TokenKind::name) ++at;  // the type stands in the parameter already
        Declared declared;
        if (tokens[at].text == "[") {
            ++at;
            const std::int64_t elements = number(take_expression(tokens, at));
            if (elements < 1 || elements > std::int64_t{1} << 40)
                throw SourceError(directive.at, fmt::format("an array of {} elements cannot be", elements));
            declared.bytes = elements * symbol->type.element_bytes();
            close(tokens, at, "]");
        }
        const std::string_view word = at < tokens.size() ? tokens[at].text : std::string_view();
        if (directive.word == "index") {
            const std::pair<std::string_view, Content> kContents[] = {{"sequential", Content::sequential},
                                                                      {"reversed", Content::reversed},
                                                                      {"permuted", Content::permuted},
                                                                      {"random", Content::random}};
            for (const auto& [name, content] : kContents)
                if (word == name) declared.content = content;
            if (declared.content == Content::unknown || declared.bytes == 0 ||
                !Type{symbol->type.scalar, symbol->type.lanes}.is_integer())
                throw SourceError(
                    directive.at,
                    "expected '// index int[n] permuted': sequential, reversed, permuted or random");
            if (declared.bytes / symbol->type.element_bytes() > 1 << 30)
                throw SourceError(directive.at, "an index array has at most 2^30 elements");
        }
        declared_[symbol] = declared;
    }

    /// Where in its memory each array begins. Arrays of the launch lie 256 bytes aligned in one buffer.
    void place_memories(std::int64_t& shared, std::int64_t& local, std::int64_t& global) {
        const auto add = [&](std::size_t index, Memory memory) {
            bound_.memory_of[index] = static_cast<int>(bound_.memories.size());
            bound_.memories.push_back(std::move(memory));
        };
        const auto aligned = [](std::int64_t at, std::int64_t to) { return (at + to - 1) / to * to; };
        std::int64_t constant = 0;
        for (const int parameter : bound_.kernel->parameters) {
            const Symbol& symbol = unit_.symbol(parameter);
            if (!symbol.type.pointer) continue;
            const Declared declared = declared_.contains(&symbol) ? declared_[&symbol] : Declared{};
            global = aligned(global, 256);
            add(static_cast<std::size_t>(parameter),
                {symbol.name, Storage::global, symbol.type.scalar, global, declared.bytes, declared.content});
            constexpr std::int64_t kUnknownBytes = std::int64_t{1}
                                                   << 40;  // further apart than any index leads
            global += declared.bytes > 0 ? declared.bytes : kUnknownBytes;
        }
        for (std::size_t i = 0; i < unit_.symbols.size(); ++i) {
            const Symbol& symbol = unit_.symbols[i];
            const std::int64_t bytes = symbol.type.elements() * symbol.type.element_bytes();
            if (symbol.storage == Storage::shared) {
                if (symbol.dynamic) continue;
                shared = aligned(shared, 16);
                add(i, {symbol.name, Storage::shared, symbol.type.scalar, shared, bytes, Content::unknown});
                shared += bytes;
            } else if (symbol.storage == Storage::constant) {
                constant = aligned(constant, 16);
                add(i,
                    {symbol.name, Storage::constant, symbol.type.scalar, constant, bytes, Content::unknown});
                constant += bytes;
            } else if (symbol.storage == Storage::local) {
                local = aligned(local, 16);
                add(i, {symbol.name, Storage::local, symbol.type.scalar, local, bytes, Content::unknown});
                local += bytes;
            }
        }
        shared = aligned(shared, 16);
        for (std::size_t i = 0; i < unit_.symbols.size();
             ++i) {  // all dynamic arrays begin at the same place
            const Symbol& symbol = unit_.symbols[i];
            if (!symbol.dynamic) continue;
            if (dynamic_bytes_ == 0)
                throw SourceError(
                    symbol.at,
                    "say how large dynamic shared memory is: '// launch grid=... block=... shared=4096'");
            add(i,
                {symbol.name, Storage::shared, symbol.type.scalar, shared, dynamic_bytes_, Content::unknown});
        }
        shared += dynamic_bytes_;
        if (shared > 232'448)
            throw SourceError(
                bound_.kernel->at,
                fmt::format("a block has at most 227 KiB of shared memory, this is {}", shared));
        if (constant > 65'536) throw SourceError({}, "constant memory has 64 KiB");
    }

    struct Declared {
        std::int64_t bytes = 0;
        Content content = Content::unknown;
    };

    const Source& source_;
    Unit& unit_;
    Values values_;
    std::vector<std::string>& warnings_;
    Bound bound_;
    std::map<const Symbol*, Declared> declared_;
    std::int64_t dynamic_bytes_ = 0;
};

}  // namespace

std::shared_ptr<const TypedLaunch> TypedProgram::make(const std::vector<std::int64_t>& values) const {
    std::shared_ptr<TypedLaunch> launch(new TypedLaunch);
    launch->text_ = text_;
    launch->kept_ = std::make_shared<TypedLaunch::Kept>();
    std::vector<std::string_view> names;
    Values known;
    for (std::size_t i = 0; i < knobs_.size(); ++i) {
        names.push_back(knobs_[i].name);
        known[knobs_[i].name] = values.at(i);
    }
    launch->source_ = read_source(launch->text_, names);
    launch->unit_ = Parser(launch->source_, known).read_file();
    launch->bound_ = Binder(launch->source_, launch->unit_, known, launch->warnings_)
                         .bind(launch->shared_bytes_, launch->local_bytes_, launch->global_bytes_);
    const auto traces = launch->first_traces();
    launch->find_accesses(launch->text_, traces);
    for (const std::shared_ptr<const BlockTrace>& trace : traces)
        if (!trace->range.is_single()) launch->keep(*trace);
    const std::shared_ptr<const BlockTrace> first = launch->block(0, 0);
    for (const std::vector<Request>& warp : first->warps)
        for (const Request& request : warp) launch->barriers_ = std::max(launch->barriers_, request.interval);
    launch->race_ = race_sentence(*launch, report_hazards(*launch, *first));
    return launch;
}

}  // namespace warplens::typed
