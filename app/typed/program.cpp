#include "app/typed/program.h"

#include "app/typed/bind.h"
#include "app/typed/kept_blocks.h"
#include "app/typed/parse/parser.h"
#include "app/typed/unrolled.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace warplens::typed {
namespace {

constexpr std::size_t kMostLaunches = 16;

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
        throw SourceError(directive.at, "'// knob' needs a name of at most 32 letters");
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
        throw SourceError(directive.at, "'// knob' with 'in 2^a..2^b' takes powers of two only");
    return knob;
}

/// Sectors and words of one bank that the first block asks for beyond the least that would do: how much there
/// is to say of a kernel.
InSteps<std::int64_t> excess_of(std::shared_ptr<const TypedLaunch> launch) {
    std::int64_t excess = 0;
    StepClock clock;
    auto execution = launch->block_in_steps(0, 0);
    while (execution.step()) co_yield 0;
    const std::shared_ptr<const BlockTrace> block = execution.take();
    for (const Requests& warp : block->warps) {
        for (const Request& one : warp) {
            if (clock.is_up()) co_yield 0;
            const bool shared = launch->memories()[std::size_t(one.memory)].storage == Storage::shared;
            std::set<std::int64_t> units;  // sectors, or words
            std::map<std::int64_t, int> of_bank;
            for (std::size_t l = 0; l < kWarpLanes; ++l) {
                if ((one.active >> l & 1u) == 0) continue;
                if (units.insert(one.address(l) / (shared ? 4 : 32)).second && shared)
                    ++of_bank[one.address(l) / 4 % 32];
            }
            const std::int64_t bytes = std::int64_t{std::popcount(one.active)} * one.bytes;
            std::int64_t most = 1;
            for (const auto& [bank, words] : of_bank) most = std::max<std::int64_t>(most, words);
            excess += shared ? std::max<std::int64_t>(0, most - std::max(1, one.bytes / 4))
                             : std::max<std::int64_t>(0, std::int64_t(units.size()) - (bytes + 31) / 32);
        }
    }
    co_return excess;
}

std::string_view kind_word(const TypedAccess& access) {
    return access.atomic ? "add to" : access.store ? "store" : "load";
}

/// Atomic operations of shared memory are loops of compare and swap, but for those of 32-bit integers; those
/// by which the lanes of a warp change one integer nvcc may do once, with what it adds up in registers.
bool may_be_remade(const Request& request, const std::vector<Memory>& memories) {
    if (!request.atomic) return false;
    const bool integer = request.site->type.is_integer();
    if (memories[request.memory].storage == Storage::shared && (!integer || request.bytes != 4)) return true;
    return integer && request.apart == nullptr && request.step == 0 && std::popcount(request.active) > 1;
}

}  // namespace

struct TypedProgram::Kept {
    std::mutex mutex;
    std::deque<std::pair<std::vector<std::int64_t>, std::shared_ptr<const TypedLaunch>>> launches;
};

int TypedLaunch::most_steps() const {
    int most = 1;
    for (const TypedAccess& access : accesses_) most = std::max(most, access.steps);
    return most;
}

int TypedLaunch::access_of(const Request& request) const {
    for (std::size_t i = 0; i < accesses_.size(); ++i) {
        const TypedAccess& one = accesses_[i];
        if (one.site == request.site && one.memory == request.memory && one.store == request.store)
            return int(i);
    }
    return -1;
}

InSteps<bool> TypedLaunch::find_accesses(const std::vector<std::shared_ptr<const BlockTrace>>& traces) {
    StepClock clock;
    struct Seen {
        TypedAccess access;
        int interval = 0;
    };
    std::vector<Seen> all;
    const std::map<const Expr*, int> under_way = rounds_under_way(unit_, source_.unrolls);
    for (const std::shared_ptr<const BlockTrace>& trace : traces) {
        for (const Requests& warp : trace->warps) {
            if (clock.is_up()) co_yield 0;
            struct Executed {
                int steps = 0, intervals = 0, last = -1;
            };
            std::vector<Executed> executed;
            for (const Request& request : warp) {
                auto found = std::ranges::find_if(all, [&](const Seen& one) {
                    return one.access.site == request.site && one.access.memory == request.memory &&
                           one.access.store == request.store;
                });
                if (found == all.end()) {
                    const Memory& memory = bound_.memories[request.memory];
                    TypedAccess access{.site = request.site,
                                       .memory = request.memory,
                                       .store = request.store,
                                       .atomic = request.atomic,
                                       .bytes = request.bytes};
                    access.label = fmt::format("{} {}", kind_word(access), memory.name);
                    access.code = line_of(text_, request.site->at);
                    if (const auto at = under_way.find(request.site); at != under_way.end())
                        access.under_way = at->second;
                    const Type& element = request.site->parts[0]->type;
                    if ((element.lanes == 2 || element.lanes == 4) && request.bytes < element.element_bytes())
                        access.vector_bytes = element.element_bytes();
                    all.push_back({std::move(access), request.interval});
                    found = all.end() - 1;
                }
                found->access.remade = found->access.remade || may_be_remade(request, bound_.memories);
                const std::size_t index = found - all.begin();
                if (executed.size() <= index) executed.resize(index + 1);
                Executed& of = executed[index];
                of.intervals += of.last != request.interval;
                of.last = request.interval;
                found->access.steps = std::max(found->access.steps, ++of.steps);
                found->access.intervals = std::max(found->access.intervals, of.intervals);
            }
        }
    }
    // As they are executed.
    std::ranges::stable_sort(all, {}, &Seen::interval);
    constexpr std::size_t kMost = kMaxPictured;
    if (all.empty())
        throw SourceError(
            bound_.kernel->at,
            "no thread reaches a load or a store with these sizes; say others with '// let n = ...'",
            SourceError::Kind::no_thread);
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
    co_return true;
}

InSteps<TypedProgram> TypedProgram::read(std::string text, std::string name, std::string kernel) {
    TypedProgram program;
    program.text_ = std::move(text);
    program.name_ = std::move(name);
    program.kernel_ = std::move(kernel);
    program.kept_ = std::make_shared<Kept>();
    program.read_head();
    auto choice = program.choose_kernel();
    while (choice.step()) co_yield 0;
    co_return std::move(program);
}

/// Its knobs, and which kernels it has.
void TypedProgram::read_head() {
    const Source source = read_source(text_, {});
    for (const Directive& directive : source.directives) {
        if (directive.word != "knob") continue;
        TypedKnob knob = read_knob(directive);
        if (std::ranges::find(knobs_, knob.name, &TypedKnob::name) != knobs_.end())
            throw SourceError(directive.at, fmt::format("there are two lines '// knob {}'", knob.name));
        if (knobs_.size() == kMostKnobs)
            throw SourceError(directive.at, fmt::format("a kernel may have {} lines '// knob'", kMostKnobs));
        knobs_.push_back(std::move(knob));
    }
    const Declarations declarations = find_declarations(source.tokens);
    for (const Declaration* one : declarations.kernels())
        if (std::ranges::find(kernels_, one->name) == kernels_.end()) kernels_.push_back(one->name);
    if (kernels_.empty()) throw SourceError({}, "there is no kernel: expected '__global__ void name(...)'");
    if (!kernel_.empty() && std::ranges::find(kernels_, kernel_) == kernels_.end())
        throw UsageError(fmt::format("there is no kernel {} in this text; it has {}", in_quotes(kernel_),
                                     fmt::join(kernels_, ", ")));
    for (const Directive& directive : source.directives)
        if (directive.word == "kernel" && kernel_.empty() &&
            std::ranges::find(kernels_, directive.rest) != kernels_.end())
            kernel_ = directive.rest;
}

/// The one with most to say of those that are understood; if none is, the first one says why.
InSteps<bool> TypedProgram::choose_kernel() {
    chosen_ = !kernel_.empty();
    std::vector<std::int64_t> initial;
    for (const TypedKnob& knob : knobs_) initial.push_back(knob.initial);
    const std::vector<std::string> names = kernel_.empty() ? kernels_ : std::vector<std::string>{kernel_};
    std::pair<std::int64_t, std::size_t> most;
    std::string best;
    std::optional<SourceError> first;
    AssumedNumbers assumed_of_best;
    constexpr std::size_t kMostTried = 12;
    for (std::size_t i = 0; i < names.size() && i < kMostTried; ++i) {
        kernel_ = names[i];
        try {
            auto making = make(initial);
            while (making.step()) co_yield 0;
            const auto launch = making.take();
            auto counting = excess_of(launch);
            while (counting.step()) co_yield 0;
            const std::pair say{counting.take(), launch->accesses().size()};
            if (best.empty() || say > most) {
                most = say;
                best = kernel_;
                assumed_of_best = launch->assumed();
            }
        } catch (const SourceError& error) {
            if (!first || first->kind() == SourceError::Kind::no_access) first = error;
        }
    }
    if (best.empty()) throw SourceError(*first);
    kernel_ = best;
    for (const auto& [name, value] : assumed_of_best) {
        if (knobs_.size() == kMostKnobs) break;
        TypedKnob knob{.name = name, .assumed = true, .initial = value};
        knob.power = value > 64 && (value & (value - 1)) == 0;
        knob.least = knob.power ? 1 : 0;
        knob.most =
            knob.power ? std::max<std::int64_t>(1 << 22, value) : std::max<std::int64_t>(64, 4 * value);
        knobs_.push_back(std::move(knob));
    }
    std::vector<std::int64_t> values;
    for (const TypedKnob& knob : knobs_) values.push_back(knob.initial);
    for (const bool knows : {true, false}) {
        host_knows_assumed_ = knows;
        try {
            auto first_launch = launch_in_steps(values);
            while (first_launch.step()) co_yield 0;
            break;
        } catch (const SourceError&) {
            // Perhaps the host code makes arrays by assumed numbers that are too small for the kernel's
            // tiles.
            if (!knows) throw;
        }
    }
    co_return true;
}

std::shared_ptr<const TypedLaunch> TypedProgram::launch(const std::vector<std::int64_t>& values) const {
    return launch_in_steps(values).done();
}

InSteps<std::shared_ptr<const TypedLaunch>> TypedProgram::launch_in_steps(
    std::vector<std::int64_t> values) const {
    {
        const std::scoped_lock lock(kept_->mutex);
        for (const auto& [known, launch] : kept_->launches)
            if (known == values) co_return launch;
    }
    auto making = make(values);
    while (making.step()) co_yield 0;
    std::shared_ptr<const TypedLaunch> made = making.take();
    const std::scoped_lock lock(kept_->mutex);
    if (kept_->launches.size() >= kMostLaunches) kept_->launches.pop_front();
    kept_->launches.emplace_back(values, made);
    co_return std::move(made);
}

void TypedProgram::forget_launches() const {
    const std::scoped_lock lock(kept_->mutex);
    kept_->launches.clear();
}

/// Launches it, if any launch that can be assumed does nothing wrong: then it has accesses. At last, a kernel
/// that leaves its arrays, whose sizes only the host code says, is pictured all the same.
InSteps<bool> TypedProgram::try_launches(TypedLaunch& launch, const HostLaunch* host, const Values& knobs,
                                         bool room, bool last, std::optional<SourceError>& first) {
    const bool declares = std::ranges::any_of(launch.source_.directives, [](const Directive& one) {
        return one.word == "in" || one.word == "out" || one.word == "inout" || one.word == "index";
    });
    bool bounds = true;
    for (int tried = 0, blocks = 1, sizes = 1;; ++tried) {
        if (tried >= BoundLaunch::kMostBlocks * sizes || !bounds) {
            const bool outside = first && first->kind() == SourceError::Kind::out_of_bounds;
            if (!bounds || !last || declares || !outside) co_return false;
            bounds = false;
            tried = 0;
        }
        if (tried % BoundLaunch::kMostBlocks >= blocks) continue;
        BoundLaunch bound;
        try {
            bound = bind_launch(launch.source_, launch.unit_, host, knobs, tried, room);
        } catch (const SourceError& error) {
            if (!first) first = error;
            co_return false;
        }
        blocks = bound.blocks;
        sizes = bound.assumed.empty() && !bound.assumes_launch ? 1 : BoundLaunch::kSizes;
        launch.bound_ = std::move(bound.bound);
        if (!bound.assumed.empty()) launch.bound_.most_steps = kAssumedSteps;
        launch.shared_bytes_ = bound.shared_bytes;
        launch.local_bytes_ = bound.local_bytes;
        launch.global_bytes_ = bound.global_bytes;
        launch.warnings_ = std::move(bound.warnings);
        for (Memory& memory : launch.bound_.memories)
            if (!bounds) memory.bytes = 0;
        launch.accesses_.clear();
        launch.forget_blocks();
        bool any = false;
        visit_accesses(launch.unit_, [&](const Expr&, bool, bool, AccessBy) { any = true; });
        if (!any) {
            const Launch& shape = launch.launch();
            first = SourceError(
                launch.bound_.kernel->at,
                fmt::format("{} neither loads nor stores anything{}: {} blocks of {} threads make no "
                            "request to memory",
                            launch.bound_.kernel->name,
                            launch.unit_.leaves_out ? " but what is left out" : "",
                            std::int64_t{shape.grid_x} * shape.rows(), shape.threads()),
                SourceError::Kind::no_access);
            co_return false;
        }
        try {
            auto first_block = launch.block_in_steps(0, 0);
            while (first_block.step()) co_yield 0;
            const auto drawn = [&] {
                return std::ranges::count(launch.block(0, 0)->marks, OrderMark::Kind::ticket,
                                          &OrderMark::kind);
            };
            const bool tickets = drawn() == 1;
            if (!tickets && drawn() > 0) {
                launch.bound_.tickets = false;
                launch.forget_blocks();
            }
            auto execution = launch.first_traces();
            while (execution.step()) co_yield 0;
            const auto traces = execution.take();
            auto finding = launch.find_accesses(traces);
            while (finding.step()) co_yield 0;
            for (const std::shared_ptr<const BlockTrace>& trace : traces)
                if (!trace->range.is_single()) launch.keep(trace);
            std::set<int> unknown, parted;  // lines
            for (const std::shared_ptr<const BlockTrace>& trace : traces) {
                for (const Position& at : trace->assumed) unknown.insert(at.line);
                for (const Position& at : trace->parted) parted.insert(at.line);
            }
            launch.lanes_part_ = !parted.empty();
            launch.barriers_ = 0;
            for (const Requests& warp : traces.front()->warps)
                for (const Request& one : warp) launch.barriers_ = std::max(launch.barriers_, one.interval);
            const auto lines = [](const std::set<int>& all) {
                return fmt::format("line{} {}", all.size() == 1 ? "" : "s", fmt::join(all, ", "));
            };
            if (!parted.empty())
                launch.warnings_.push_back(
                    lines(parted) +
                    ": lanes of a warp part here; if nvcc lets them come together later than "
                    "the text says, the warp makes more requests");
            launch.assumes_ = launch.unit_.leaves_out || !unknown.empty() || tickets;
            if (tickets)
                launch.warnings_.push_back(
                    "blocks are taken to add to their counter in the order of their numbers, from 0");
            if (std::ranges::any_of(traces, [](const auto& trace) { return !trace->whole; }))
                launch.warnings_.push_back(fmt::format(
                    "pictures and hazards are of the first {} loads and stores of a block; counts are of all",
                    kMostRequests));
            if (!unknown.empty())
                launch.warnings_.push_back(
                    lines(unknown) +
                    ": what follows from values that are not known is assumed: both ways are counted, "
                    "addresses are any of the array, and no race is looked for there, nor in "
                    "global memory; '// index int[n] permuted' says what an array contains");
        } catch (const SourceError& error) {
            if (!first) first = error;
            // A size that takes too long does so with other blocks, too. If it is not assumed, there is no
            // other.
            const bool too_much = error.kind() == SourceError::Kind::too_much;
            if (too_much && launch.bound_.most_steps == kMostSteps) co_return false;
            if (too_much) tried += BoundLaunch::kMostBlocks - 1 - tried % BoundLaunch::kMostBlocks;
            launch.accesses_.clear();
            continue;
        }
        launch.out_of_bounds_ = bounds
                                    ? bound.out_of_bounds
                                    : fmt::format("{}; it is counted as if the array went on", first->what());
        if (!launch.out_of_bounds_.empty()) {
            launch.unit_.only_counted = "accesses out of bounds";
            launch.kept_->race.emplace();  // none is looked for
        }
        launch.assumed_ = launch.unit_.assumed_numbers;
        launch.assumed_.insert(launch.assumed_.end(), bound.assumed.begin(), bound.assumed.end());
        co_return true;
    }
}

InSteps<std::shared_ptr<const TypedLaunch>> TypedProgram::make(std::vector<std::int64_t> values) const {
    std::shared_ptr<TypedLaunch> launch(new TypedLaunch);
    launch->text_ = text_;
    launch->kept_ = std::make_shared<TypedLaunch::Kept>();
    std::vector<std::string_view> names;
    Given given;
    Values of_host;
    for (std::size_t i = 0; i < values.size(); ++i) {
        names.push_back(knobs_[i].name);
        given.values[knobs_[i].name] = values[i];
        if (host_knows_assumed_ || !knobs_[i].assumed) of_host[knobs_[i].name] = values[i];
    }
    const Values knobs = given.values;
    launch->source_ = read_source(launch->text_, names);
    launch->declarations_ = find_declarations(launch->source_.tokens);
    read_lets(launch->source_, given.values, given.types);
    if (host_knows_assumed_) of_host = given.values;
    launch->host_ = find_launches(launch->source_.tokens, launch->declarations_, of_host);
    const HostLaunch* host = nullptr;
    for (const HostLaunch& one : launch->host_)
        if (one.kernel == kernel_ && (host == nullptr || one.known() > host->known())) host = &one;
    if (host != nullptr) {
        std::vector<Token>& tokens = launch->source_.tokens;
        for (const std::vector<Token>& argument : host->template_arguments) {
            given.template_arguments.push_back(tokens.size());
            tokens.insert(tokens.end(), argument.begin(), argument.end());
            tokens.push_back({TokenKind::end, {}, host->at});
        }
    }
    const Declaration* kernel = nullptr;
    for (const Declaration* one : launch->declarations_.kernels())
        if (one->name == kernel_ && kernel == nullptr) kernel = one;
    if (kernel == nullptr) throw SourceError({}, "there is no kernel: expected '__global__ void name(...)'");
    std::optional<SourceError> first;
    // Other numbers for template parameters of which nothing says what they are; then pointers into arrays.
    constexpr int kGuesses = 5;
    for (int guess = 0, guesses = 1; guess < guesses; ++guess) {
        given.guess = guess % kGuesses;
        try {
            co_yield 0;
            launch->unit_ = Parser(launch->source_.tokens, launch->declarations_, given).read_kernel(*kernel);
        } catch (const SourceError& error) {
            if (!first) first = error;
            if (guess == 0) guesses = kGuesses;
            continue;
        }
        if (guess == 0) guesses = launch->unit_.assumed_numbers.empty() ? 2 : 2 * kGuesses;
        auto tries = try_launches(*launch, host, knobs, guess + 1 >= guesses || guess >= kGuesses,
                                  guess + 1 >= guesses, first);
        while (tries.step()) co_yield 0;
        if (!tries.take()) {
            // What the host code reads from a file, or another function sets, is not what it begins with.
            const bool others = host != nullptr && guess + 1 >= guesses && first &&
                                first->kind() == SourceError::Kind::no_thread;
            if (!others) continue;
            host = nullptr;
            guess = -1;
            continue;
        }
        first.reset();
        break;
    }
    if (first) throw SourceError(*first);
    launch->given_ = given.values;
    launch->given_.insert(launch->unit_.assumed_numbers.begin(), launch->unit_.assumed_numbers.end());
    AssumedNumbers numbers;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (knobs_[i].assumed) numbers.emplace_back(knobs_[i].name, values[i]);
    numbers.insert(numbers.end(), launch->assumed_.begin(), launch->assumed_.end());
    for (auto one = numbers.rbegin(); one != numbers.rend(); ++one)
        launch->warnings_.insert(launch->warnings_.begin(),
                                 fmt::format("{} = {} is assumed; say what it is with '// let {} = ...'",
                                             one->first, one->second, one->first));
    if (kernels_.size() > 1 && !chosen_)
        launch->warnings_.push_back(
            fmt::format("of the kernels {} this is {}; '// kernel NAME' shows another one",
                        fmt::join(kernels_, ", "), kernel_));
    auto ready = launch->execute_first({0, 0});
    while (ready.step()) co_yield 0;
    co_return std::move(launch);
}

}  // namespace warplens::typed
