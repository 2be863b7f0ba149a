#pragma once

// The folder app/model/ contains the truth about scenarios and GPUs: what is counted from addresses, and
// what is predicted. It is pure C++ without CUDA, OpenGL, files or settings of a session. access/ counts
// what one warp and the grid request, device/ describes GPUs, time/ predicts, counters/ says what
// hardware counters will show, claims/ checks published numbers, fix/ searches for the smallest change that
// helps. The files directly in it are used by all of these: the catalogue of scenarios, and what kind of
// number a number is.

#include "app/base/in_steps.h"
#include "kernels/launch_setting.h"
#include "kernels/scenario_facts.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// A kernel as functions of its knobs, for code that does not know its type.
class ScenarioModel {
public:
    virtual ~ScenarioModel() = default;
    virtual LaunchShape launch(const Params&) const = 0;
    virtual int instruction_count(const Params&) const = 0;
    virtual Instruction instruction(const Params&, int index) const = 0;
    virtual LaneAccess access(const Params&, int index, const ThreadId&) const = 0;
    virtual WarpAccess warp(const Params&, int index, Extent block, int warp_in_block, int step) const = 0;
    /// The lines that access shared memory, and barriers. Of a typed kernel in the order of a block's first
    /// executions.
    virtual KernelOrder order(const Params&) const = 0;
};

struct DeviceFacts;
struct HazardReport;
struct Totals;

/// Warp-wide instructions that compute, beside loads, stores and what their addresses take.
struct Arithmetic {
    double instructions = 0;  ///< of all kinds
    double special = 0;       ///< those of the units for special functions and conversions
    double doubles = 0;       ///< those of double precision

    Arithmetic& operator+=(const Arithmetic& other) {
        instructions += other.instructions;
        special += other.special;
        doubles += other.doubles;
        return *this;
    }
    friend Arithmetic operator+(Arithmetic one, const Arithmetic& other) { return one += other; }
    friend Arithmetic operator*(const Arithmetic& one, double times) {
        return {one.instructions * times, one.special * times, one.doubles * times};
    }
};

/// A request that a warp makes alike in some neighbouring blocks: only its addresses move from block to
/// block.
struct RepeatedRequest {
    Extent first = {}, blocks = {};  ///< the first of these blocks, and how many there are in x and y
    int instruction = 0, warp_in_block = 0, step = 0;
    int interval = 0;                   ///< how many barriers the warp had passed
    WarpAccess access = {};             ///< in the first block
    std::int64_t per_x = 0, per_y = 0;  ///< how far all addresses move to the next block [bytes]

    /// In the block that lies so many behind the first.
    WarpAccess in_block(int x, int y) const {
        WarpAccess moved = access;
        for (std::uint64_t& address : moved.byte_address)
            address += static_cast<std::uint64_t>(x * per_x + y * per_y);
        return moved;
    }
};

/// A kernel that a person typed (app/typed/) says more. The law about neighbouring blocks
/// (kernels/scenario.h) need not hold for it, so that it counts its grids itself.
class TypedKernel : public ScenarioModel {
public:
    /// The first executions of each access by a warp, so many, are kept for blocks of which not all are.
    static constexpr int kFirstExecutions = 128;
    virtual const std::string& text() const = 0;  ///< what the person typed
    /// The line of the text, from 1, in which an instruction stands. 0 if there is none.
    virtual int line_of(const Params&, int index) const = 0;
    /// Whether the launch has arrays whose values may choose addresses.
    virtual bool has_index_arrays(const Params&) const = 0;
    /// Bring launched_warps and launched_steps up to date with the other values.
    virtual void settle(Params&) const = 0;
    /// The fault of the launch, with line and column, as one sentence. Empty if it has none.
    virtual std::string problem(const Params&) const = 0;
    /// The first access outside an array, which is counted as if the array went on, as one sentence. Empty if
    /// there is none.
    virtual std::string out_of_bounds(const Params&) const = 0;
    /// The first race, in shared memory or between blocks, as one sentence. Empty if there is none, and where
    /// an access is out of bounds, which is worse.
    virtual std::string race(const Params&) const = 0;
    /// Look for it, so that race() is there at once. The kernel must live as long.
    virtual InSteps<bool> look_for_race(Params) const = 0;
    /// Assumptions about the launch that the text does not state, each one sentence.
    virtual std::vector<std::string> warnings(const Params&) const = 0;
    /// Loads and stores of the text that no thread executes. Their warps may still pass them.
    virtual int never_executed(const Params&) const = 0;
    /// Whether lanes of a warp part where nvcc may let them come together late; see BlockTrace::parted.
    virtual bool lanes_part(const Params&) const = 0;
    /// The whole grid.
    /// @param exact  set to false if some blocks stand for all, because too many do something of
    ///              their own to execute all within the time that a change of a knob may take
    virtual Totals count_grid(const Params&, int index, const DeviceFacts&, bool& exact) const = 0;
    /// The same of block (0, 0), however long it takes.
    virtual Totals count_first_block(const Params&, int index, const DeviceFacts&) const = 0;
    /// The same blocks as count_grid.
    virtual Arithmetic arithmetic(const Params&, const DeviceFacts&) const = 0;
    /// Execute what a change of a knob may execute: whatever is asked of these params is there then. The
    /// kernel must live as long. @return  whether it can be launched
    virtual InSteps<bool> count_first(Params, DeviceFacts) const = 0;
    /// Execute all blocks, however long it takes, so that count_grid is exact from then on, unless there are
    /// too many. The kernel must live as long. @return  whether something changed
    virtual InSteps<bool> count_all(Params, DeviceFacts) const = 0;
    /// Call visit(request) for all requests with an active lane, block range by block range, so that each
    /// block of the grid is in one range. @return  false if visit returned false, or if too many blocks do
    /// something of their own to execute all within the time that a change of a knob may take
    virtual InSteps<bool> visit_grid(Params, std::function<bool(const RepeatedRequest&)> visit) const = 0;
    virtual HazardReport hazards(const Params&, Extent block) const = 0;
    /// Of this block if it has any, else of the first one that has; see HazardReport::every_block.
    virtual HazardReport first_hazards(const Params&, Extent block) const = 0;
    /// In global memory, between the threads of all blocks; see typed::report_grid_hazards.
    virtual HazardReport grid_hazards(const Params&) const = 0;
    virtual const std::string& file() const = 0;    ///< the name of its file; empty if it has none
    virtual const std::string& kernel() const = 0;  ///< the name of the kernel that is shown
    virtual const std::vector<std::string>& kernels() const = 0;  ///< of all in the text, in its order
};

inline constexpr ScenarioFacts kNoFacts{};

/// One row of the catalogue, or a kernel that a person typed.
struct Scenario {
    const ScenarioInfo* info;
    const ScenarioModel* kernel;
    const TypedKernel* typed = nullptr;  ///< the same kernel, if it was typed
    const ScenarioFacts* facts = &kNoFacts;

    LaunchShape launch(const Params& p) const { return kernel->launch(p); }
    int instruction_count(const Params& p) const { return kernel->instruction_count(p); }
    Instruction instruction(const Params& p, int index) const { return kernel->instruction(p, index); }
    LaneAccess access(const Params& p, int index, const ThreadId& thread) const {
        return kernel->access(p, index, thread);
    }
    /// All lanes of one warp at once. `block` and `warp_in_block` must lie inside the launch.
    WarpAccess warp(const Params& p, int index, Extent block, int warp_in_block, int step) const {
        return kernel->warp(p, index, block, warp_in_block, step);
    }
    bool in(Space space) const { return (info->spaces & space_bit(space)) != 0; }
};

/// The space that a scenario is most about, among those under which it is listed.
Space home_space(const Scenario& scenario);

/// All scenarios, in the order of kernels/scenarios/list.h.
std::span<const Scenario> all_scenarios();

/// Whether both are the same scenario, or kernels that were typed alike, whatever their files are called.
bool same_kernel(const Scenario& a, const Scenario& b);

/// Whether a scenario does the same, whatever is pictured of it.
bool same_work(const Scenario& scenario, const Params& a, const Params& b);

/// Its place in the list. Empty for a kernel that was typed.
std::optional<std::size_t> index_of(const Scenario& scenario);

/// The scenario with this id. Null if there is none.
const Scenario* find_scenario(std::string_view id);

/// The knob with this key or alias, where '-' and '_' are equivalent. Null if the scenario has no such knob.
const Knob* find_knob(const Scenario& scenario, std::string_view key);

/// Whether a knob can be the axis of a plot: it must have more than one value but no more than 65,536, an
/// order, and must change numbers of the plotted quantity. Masks, knobs that only choose what is shown, and
/// knobs that switch between bandwidth and latency cannot.
bool can_be_axis(const Scenario& scenario, const Knob& knob);

/// All values of a knob that can be an axis, in order.
std::vector<int> axis_values(const Knob& knob, const Params& params);

/// Read a knob's value as a person writes it: a number, the name of a choice, 2^k for a power, 0x… for a
/// mask.
/// @return  the field's value. Empty if the text is no legal value for this knob under these params.
std::optional<int> parse_knob(const Knob& knob, const Params& params, std::string_view text);

/// The name of the choice with this value. Empty if no choice has it.
std::string_view choice_name(std::span<const Choice> choices, int value);

/// Write a knob's value so that parse_knob reads it back.
std::string format_knob(const Knob& knob, const Params& params);

/// The knobs that are not at their defaults, as a command line would set them: "stride=8, op=load". Empty if
/// all are at their defaults.
std::string describe_settings(const Scenario& scenario, const Params& params,
                              std::string_view separator = ", ");

/// The knobs with this role, in their order.
std::vector<const Knob*> knobs_of(const Scenario& scenario, KnobRole role);

/// The params with one knob set, and those that depend on it in their ranges.
Params with_knob(const Scenario& scenario, Params params, const Knob& knob, int value);

/// The knob with its widest range, regardless of other knobs.
inline Knob without_limit(Knob knob) {
    knob.limit = nullptr;
    return knob;
}

/// One "key=value" of a list such as "a=1,b=2". Without '=' the value is empty.
struct KnobText {
    std::string_view key, value;
};
/// Takes the first item off a list that is not empty, and the separator behind it.
KnobText take_knob_text(std::string_view& list, std::string_view separator = ",");

/// The values that a knob accepts, for messages: "0 to 64 elements", "one of load, store", "a power of two
/// from 2^10 to 2^29".
std::string describe_range(const Knob& knob, const Params& params);

/// The defaults, changed by a preset's settings.
Params preset_params(const Scenario& scenario, const Preset& preset);

/// Bring every knob whose range depends on others back into its range.
void clamp_knobs(const Scenario& scenario, Params& params);

/// The same for one of many settings that are looked up in what was measured. Of a typed kernel each declared
/// knob is brought into its own range and nothing is executed: none of them limits another one.
void clamp_to_look_up(const Scenario& scenario, Params& params);

/// How a setting is measured: the whole grid, or the pictured request.
Measured how_measured(const Scenario& scenario, const Params& params);

/// Warps of one block.
int warps_per_block(const LaunchShape& shape);

/// The position of a warp in the grid. Warps are numbered block by block (x first), within a block by thread.
struct WarpPlace {
    Extent block;  ///< block index
    int warp_in_block = 0;
};
WarpPlace place_of_warp(const LaunchShape& shape, std::int64_t warp);

/// Identifies the kernel that a setting launches, without CUDA: equal for settings with the same instructions
/// and the same ScenarioInfo::instance, or the same choices.
std::string kernel_key(const Scenario& scenario, const Params& params);

/// Settings that launch each kernel of a scenario at least once: the defaults, the presets, and one setting
/// for each key that some combination of choices, with any value of one further knob, has.
std::vector<Params> kernel_settings(const Scenario& scenario);

}  // namespace warplens
