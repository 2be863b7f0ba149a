#pragma once

#include "app/typed/machine.h"
#include "app/typed/parse/host.h"
#include "kernels/scenario.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::typed {

/// "// knob stride = 1 in 0..64 "elements"": a number that a person changes. It stands for the macro,
/// constant, template parameter or parameter of the kernel with its name.
struct TypedKnob {
    std::string name;
    std::string unit;
    bool power = false;    ///< "in 2^10..2^26": only powers of two
    bool assumed = false;  ///< the text does not say what it is
    bool remedy = false;   ///< "remedy" stands at the end: it changes how the work is done, not which
    std::int64_t initial = 0, least = 0, most = 0;
    Position at;
};

inline constexpr std::size_t kMostKnobs = 8;

/// One load or store of the text.
struct TypedAccess {
    const Expr* site = nullptr;
    int memory = 0;
    bool store = false;
    bool atomic = false;  ///< a part of an atomic operation
    int bytes = 4;        ///< of each lane [bytes]
    std::string label;    ///< "load tile"
    std::string code;     ///< the line of the text
    int interval = 0;     ///< how many barriers of the block stand before its first execution
    int phase = 0;  ///< accesses of a phase are executed equally often, and no barrier stands between them
    int steps = 0;  ///< how often a warp executes it at most
    int intervals = 0;  ///< and between how many barriers
};

/// How much of a grid may be executed.
inline constexpr int kMostRanges = 96'000;
struct Patience {
    int ranges = kMostRanges;            ///< most ranges of blocks
    std::int64_t requests = 16'000'000;  ///< most loads and stores of warps in all of them
    std::int64_t steps = 50'000'000;     ///< most steps of warps: some seconds
    std::function<bool()> go_on = {};    ///< asked before each range; null: always
};

/// A program with values for its knobs: everything that a launch does.
class TypedLaunch {
public:
    const Bound& bound() const { return bound_; }
    const Launch& launch() const { return bound_.launch; }
    const std::vector<Memory>& memories() const { return bound_.memories; }
    const std::vector<TypedAccess>& accesses() const { return accesses_; }
    std::int64_t shared_bytes() const { return shared_bytes_; }
    std::int64_t local_bytes() const { return local_bytes_; }
    std::int64_t global_bytes() const { return global_bytes_; }
    int barriers() const { return barriers_; }
    int never_executed() const { return never_executed_; }  ///< loads and stores that no block reaches
    const std::string& race() const { return race_; }       ///< see race_sentence; empty if there is none
    /// Whether conditions or indices that follow from values in memory were assumed.
    bool assumes() const { return assumes_; }
    /// What cannot be executed on a GPU from here, "structs"; empty if everything can.
    std::string_view only_counted() const { return unit_.only_counted; }
    // The parts that its text was made of
    const Unit& unit() const { return unit_; }
    const std::vector<Token>& tokens() const { return source_.tokens; }
    const std::map<std::size_t, std::string>& unrolls() const { return source_.unrolls; }
    const Declarations& declarations() const { return declarations_; }
    /// Numbers that names of the text stand for here, whatever it says.
    const std::map<std::string, std::int64_t, std::less<>>& given() const { return given_; }
    /// The assumptions about the launch, each one sentence.
    const std::vector<std::string>& warnings() const { return warnings_; }

    /// One block, which the caller holds. The last few that were executed are kept. Errors: SourceError.
    std::shared_ptr<const BlockTrace> block(int x, int y) const;
    /// Keep none: they are executed again when they are asked for.
    void forget_blocks() const;
    /// Call visit(trace) for ranges that together are the whole grid, each once.
    /// @return  false if patience ended before, if visit returned false, or if a trace is not whole
    template <class Visit>
    bool visit_ranges(const Patience& patience, Visit&& visit) const {
        bool whole = true;
        const auto execute = [&](const BlockRange& range) -> std::optional<Work> {
            const BlockTrace trace = run_blocks(bound_, range);
            whole = whole && trace.whole;
            if (!visit(trace)) return std::nullopt;
            return trace.work;
        };
        return execute_ranges(patience, execute) && whole;
    }
    /// The same with execute(range), which may throw RangeCut. It says what work it was, or nothing to end.
    template <class Execute>
    bool execute_ranges(const Patience& patience, Execute&& execute) const;
    /// Which of accesses() a request is.
    int access_of(const Request& request) const;
    /// One execution of an access by a warp, as the memory system sees it. Without an active lane if the warp
    /// does not execute it that often. Errors: SourceError for what the block does wrong.
    WarpAccess request(int access, Extent block, int warp, int step) const;
    int most_steps() const;  ///< of all accesses

private:
    friend class TypedProgram;
    TypedLaunch() = default;
    std::vector<std::shared_ptr<const BlockTrace>> first_traces();
    void find_accesses(std::string_view text, const std::vector<std::shared_ptr<const BlockTrace>>& traces);

    std::string text_;  ///< the tree refers to it
    Source source_;
    Declarations declarations_;
    std::vector<HostLaunch> host_;
    std::map<std::string, std::int64_t, std::less<>> given_;
    Unit unit_;
    Bound bound_;
    std::vector<TypedAccess> accesses_;
    std::vector<std::string> warnings_;
    std::string race_;
    std::int64_t shared_bytes_ = 0, local_bytes_ = 0, global_bytes_ = 0;
    int barriers_ = 0, never_executed_ = 0;
    mutable bool assumes_ = false;
    struct Kept;
    std::shared_ptr<Kept> kept_;

    struct Indexed;
    std::shared_ptr<const Indexed> indexed(int x, int y) const;
    std::shared_ptr<const Indexed> keep(BlockTrace trace) const;
};

/// A text in the subset.
class TypedProgram {
public:
    /// Errors: SourceError for the first thing that is wrong with it at the knobs' initial values.
    /// @param kernel  which of its kernels; empty: the one with most to say
    TypedProgram(std::string text, std::string name, std::string kernel = {});

    const std::string& text() const { return text_; }
    const std::string& name() const { return name_; }                     ///< of the file, or "your kernel"
    const std::string& kernel() const { return kernel_; }                 ///< the name of its kernel
    const std::vector<std::string>& kernels() const { return kernels_; }  ///< of the text, in its order
    const std::vector<TypedKnob>& knobs() const { return knobs_; }

    /// With values for the knobs, in their order. The last few are kept. Errors: SourceError.
    std::shared_ptr<const TypedLaunch> launch(const std::vector<std::int64_t>& values) const;
    /// Keep none of them, because other programs are looked at.
    void forget_launches() const;

private:
    std::shared_ptr<const TypedLaunch> make(const std::vector<std::int64_t>& values) const;
    std::shared_ptr<const TypedLaunch> make(const std::vector<std::int64_t>& values,
                                            std::vector<std::pair<std::string, std::int64_t>>* assumed) const;
    static void try_launches(TypedLaunch& launch, const HostLaunch* host,
                             const std::map<std::string, std::int64_t, std::less<>>& knobs, bool room,
                             bool last, std::optional<SourceError>& first,
                             std::vector<std::pair<std::string, std::int64_t>>& found);
    void choose_kernel();

    std::string text_, name_, kernel_;
    std::vector<std::string> kernels_;
    bool chosen_ = false;             ///< whether the text, or who opened it, says which one
    bool host_knows_assumed_ = true;  ///< whether host code computes with assumed numbers

    std::vector<TypedKnob> knobs_;
    struct Kept;
    std::shared_ptr<Kept> kept_;
};

template <class Execute>
bool TypedLaunch::execute_ranges(const Patience& patience, Execute&& execute) const {
    std::vector<BlockRange> waiting;
    for (int z = bound_.launch.grid_z; z-- > 0;)
        waiting.push_back({0, z * bound_.launch.grid_y, bound_.launch.grid_x, bound_.launch.grid_y});
    std::int64_t tries = 0;
    Work sum;

    // If ranges are cut again and again until single blocks are left, all the rest are taken singly.
    constexpr int kOften = 48;
    int cuts = 0, alone = 0;
    while (!waiting.empty()) {
        const BlockRange range = waiting.back();
        waiting.pop_back();
        if (tries++ >= patience.ranges || sum.requests > patience.requests || sum.steps > patience.steps)
            return false;
        if (patience.go_on && !patience.go_on()) return false;
        // Where all that are left are single blocks like those before, it is known early.
        constexpr int kEnough = 64;
        if (alone >= kEnough && sum.steps / tries * std::int64_t(waiting.size()) > 4 * patience.steps)
            return false;
        alone = range.is_single() ? alone + 1 : 0;
        try {
            const std::optional<Work> work = execute(range);
            if (!work) return false;
            sum += *work;
            if (!range.is_single()) cuts = 0;
        } catch (const RangeCut& cut) {
            const bool singly = ++cuts > kOften && range.blocks() <= patience.ranges;
            for (auto part = cut.parts.rbegin(); part != cut.parts.rend(); ++part) {
                if (singly)
                    for (int y = part->height; y-- > 0;)
                        for (int x = part->width; x-- > 0;) waiting.push_back({part->x + x, part->y + y});
                else
                    waiting.push_back(*part);
            }
        }
    }
    return true;
}

}  // namespace warplens::typed
