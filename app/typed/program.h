#pragma once

#include "app/base/in_steps.h"
#include "app/typed/machine.h"
#include "app/typed/parse/host.h"
#include "app/typed/range_walk.h"
#include "kernels/scenario.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {
struct HazardReport;
}

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
    bool atomic = false;  ///< an atomic operation, which is one access and counts as a store
    bool remade = false;  ///< The compiler may make other operations of this one.
    int bytes = 4;        ///< of each lane [bytes]
    std::string label;    ///< "load tile"
    std::string code;     ///< the line of the text
    int interval = 0;     ///< how many barriers of the block stand before its first execution
    int phase = 0;  ///< accesses of a phase are executed equally often, and no barrier stands between them
    int steps = 0;  ///< how often a warp executes it at most
    int intervals = 0;     ///< and between how many barriers
    int under_way = 0;     ///< see Instruction::under_way
    int vector_bytes = 0;  ///< of the vector of which it loads a component; 0 if it loads all [bytes]
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
    bool lanes_part() const { return lanes_part_; }         ///< see BlockTrace::parted
    /// See TypedKernel.
    const std::string& out_of_bounds() const { return out_of_bounds_; }
    /// See race_sentence; empty if there is none. Looked for when it is first asked for, or before.
    const std::string& race() const;
    InSteps<bool> look_for_race() const;
    /// The reports of that search: as report_first_hazards from block (0, 0) on, and report_grid_hazards.
    std::shared_ptr<const HazardReport> hazards_in_blocks() const;
    std::shared_ptr<const HazardReport> hazards_in_grid() const;
    /// Whether conditions or indices that follow from values in memory were assumed.
    bool assumes() const { return assumes_; }
    /// The numbers that the text does not say, and what they are taken to be.
    const AssumedNumbers& assumed() const { return assumed_; }
    /// What cannot be executed on a GPU from here, "structs"; empty if everything can.
    std::string_view only_counted() const { return unit_.only_counted; }
    // The parts that its text was made of
    const Unit& unit() const { return unit_; }
    const std::vector<Token>& tokens() const { return source_.tokens; }
    const std::map<std::size_t, std::string>& unrolls() const { return source_.unrolls; }
    const Declarations& declarations() const { return declarations_; }
    /// Numbers that names of the text stand for here, whatever it says.
    const Values& given() const { return given_; }
    /// The assumptions about the launch, each one sentence.
    const std::vector<std::string>& warnings() const { return warnings_; }

    /// One block, which the caller holds. The last few that were executed are kept. Errors: SourceError.
    std::shared_ptr<const BlockTrace> block(int x, int y) const;
    InSteps<std::shared_ptr<const BlockTrace>> block_in_steps(int x, int y) const;
    /// Keep none: they are executed again when they are asked for.
    void forget_blocks() const;
    using VisitTrace = std::function<bool(std::shared_ptr<const BlockTrace>)>;
    /// Call visit(trace) for ranges that together are the whole grid, each once, at most one in a step.
    /// @param last_first  see Bound
    /// @return  false if patience ended before, if visit returned false, or if a trace is not whole
    InSteps<bool> visit_ranges(Patience patience, VisitTrace visit, bool last_first = false) const;
    /// Which of accesses() a request is.
    int access_of(const Request& request) const;
    /// One execution of an access by a warp, as the memory system sees it. Without an active lane if the warp
    /// does not execute it that often. Errors: SourceError for what the block does wrong.
    WarpAccess request(int access, Extent block, int warp, int step) const;
    /// Makes TypedKernel::kFirstExecutions ready for request().
    InSteps<bool> execute_first(Extent block) const;
    int most_steps() const;  ///< of all accesses

private:
    friend class TypedProgram;
    TypedLaunch() = default;
    InSteps<std::vector<std::shared_ptr<const BlockTrace>>> first_traces();
    InSteps<bool> find_accesses(const std::vector<std::shared_ptr<const BlockTrace>>& traces);

    std::string text_;  ///< the tree refers to it
    Source source_;
    Declarations declarations_;
    std::vector<HostLaunch> host_;
    Values given_;
    Unit unit_;
    Bound bound_;
    std::vector<TypedAccess> accesses_;
    std::vector<std::string> warnings_;
    std::int64_t shared_bytes_ = 0, local_bytes_ = 0, global_bytes_ = 0;
    int barriers_ = 0, never_executed_ = 0;
    bool lanes_part_ = false;
    std::string out_of_bounds_;
    bool assumes_ = false;
    AssumedNumbers assumed_;
    struct Kept;
    std::shared_ptr<Kept> kept_;

    struct Indexed;
    std::shared_ptr<const Indexed> indexed(Extent block, bool all) const;
    std::shared_ptr<const Indexed> index(std::shared_ptr<const BlockTrace> trace) const;
    std::shared_ptr<const Indexed> keep(std::shared_ptr<const BlockTrace> trace) const;
};

/// A text in the subset.
class TypedProgram {
public:
    /// Errors: SourceError for the first thing that is wrong with it at the knobs' initial values.
    /// @param kernel  which of its kernels; empty: the one with most to say
    static InSteps<TypedProgram> read(std::string text, std::string name, std::string kernel = {});
    TypedProgram(std::string text, std::string name, std::string kernel = {})
        : TypedProgram(read(std::move(text), std::move(name), std::move(kernel)).done()) {}

    const std::string& text() const { return text_; }
    const std::string& name() const { return name_; }                     ///< of the file, or "your kernel"
    const std::string& kernel() const { return kernel_; }                 ///< the name of its kernel
    const std::vector<std::string>& kernels() const { return kernels_; }  ///< of the text, in its order
    const std::vector<TypedKnob>& knobs() const { return knobs_; }

    /// With values for the knobs, in their order. The last few are kept. Errors: SourceError.
    std::shared_ptr<const TypedLaunch> launch(const std::vector<std::int64_t>& values) const;
    InSteps<std::shared_ptr<const TypedLaunch>> launch_in_steps(std::vector<std::int64_t> values) const;
    /// Keep none of them, because other programs are looked at.
    void forget_launches() const;

private:
    TypedProgram() = default;
    void read_head();
    InSteps<bool> choose_kernel();
    InSteps<std::shared_ptr<const TypedLaunch>> make(std::vector<std::int64_t> values) const;
    static InSteps<bool> try_launches(TypedLaunch& launch, const HostLaunch* host, const Values& knobs,
                                      bool room, bool last, std::optional<SourceError>& first);

    std::string text_, name_, kernel_;
    std::vector<std::string> kernels_;
    bool chosen_ = false;             ///< whether the text, or who opened it, says which one
    bool host_knows_assumed_ = true;  ///< whether host code computes with assumed numbers

    std::vector<TypedKnob> knobs_;
    struct Kept;
    std::shared_ptr<Kept> kept_;
};

}  // namespace warplens::typed
