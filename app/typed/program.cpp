#include "app/typed/program.h"

#include "app/typed/bind.h"
#include "app/typed/hazards.h"
#include "app/typed/kept_blocks.h"
#include "app/typed/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
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

std::string kind_word(const TypedAccess& access) { return access.store ? "store" : "load"; }

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
                    const Memory& memory = bound_.memories[request.memory];
                    TypedAccess access{
                        request.site, request.memory, request.store, request.bytes, {}, {}, 0, 0, 0};
                    access.label = fmt::format("{} {}", kind_word(access), memory.name);
                    access.code = line_of(text, request.site->at);
                    all.push_back({std::move(access), request.interval});
                    found = all.end() - 1;
                }
                const std::size_t index = found - all.begin();
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
            throw SourceError(directive.at, fmt::format("there are two lines '// knob {}'", knob.name));
        if (knobs_.size() == kMostKnobs)
            throw SourceError(directive.at, fmt::format("a kernel may have {} lines '// knob'", kMostKnobs));
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
    if (kept_->launches.size() >= kMostLaunches) kept_->launches.pop_front();
    kept_->launches.emplace_back(values, made);
    return made;
}

void TypedProgram::forget_launches() const {
    const std::scoped_lock lock(kept_->mutex);
    kept_->launches.clear();
}

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
    BoundLaunch bound = bind_launch(launch->source_, launch->unit_, known);
    launch->bound_ = std::move(bound.bound);
    launch->shared_bytes_ = bound.shared_bytes;
    launch->local_bytes_ = bound.local_bytes;
    launch->global_bytes_ = bound.global_bytes;
    launch->warnings_ = std::move(bound.warnings);
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
