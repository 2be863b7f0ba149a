#pragma once

// The folder kernels/ contains the experiments: what a scenario is, the scenarios, and the CUDA code that
// executes, traces and times them. The files directly in it are plain C++ that host and device share;
// scenarios/ has for each scenario a header and the kernel that a person would write, and the list; timing/
// how times and counters are taken, trace/ the kernel that computes the colours of the pictures, cuda/
// buffers, textures, launches and error checks. It includes nothing from app/ and knows no OpenGL and no
// window, because tests, the command line and the window all use it.

#include "kernels/params.h"
#include "kernels/warp_access.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace warplens {

/// A size in x and y, for the threads of a block or the blocks of a grid.
struct Extent {
    int x = 1;
    int y = 1;
    friend bool operator==(const Extent&, const Extent&) = default;
};

inline constexpr int kMaxBuffers = 3;

/// Host memory, by how a GPU gets at it.
enum class HostKind : int {
    none,
    pageable,  ///< malloc: the driver copies it by way of a buffer of its own
    pinned,    ///< cudaHostAlloc: stays where it is, so that the GPU copies it by itself
    mapped,    ///< The same, and kernels read it where it is (zero-copy).
    managed,   ///< cudaMallocManaged: its pages move to whoever touches them
};

/// The indices that a step computes: compute capability 1.x has no instruction for two of them.
enum class StepIndex { shift, product, remainder };

/// How a scenario is launched.
struct LaunchShape {
    Extent grid;    ///< [blocks]
    Extent block;   ///< [threads]; lanes are numbered x first
    int steps = 1;  ///< how often each thread executes an instruction that does not say itself
    std::int64_t shared_bytes = 0;  ///< shared memory per block [bytes]
    /// Global memory that the grid may access: input, output, second input [bytes]
    std::int64_t buffer_bytes[kMaxBuffers] = {0, 0, 0};
    /// A texture of 4-byte texels; the width is a multiple of 4, and 0 if there is no texture [texels].
    Extent texture = {0, 0};
    /// Buffer 0 is a copy of this, or this itself if it is mapped or managed.
    HostKind host = HostKind::none;
    std::int64_t left_free = 0;      ///< of the GPU's memory, while it runs; 0 for all of it [bytes]
    int border = 0;                  ///< a `Border`: what the texture gives outside its edges
    int local_bytes = 0;             ///< per-thread array [bytes]
    int cluster = 1;                 ///< blocks in x that form a cluster; above 1 only for CC 9.0 and later
    int layers = 1;                  ///< blocks in z: grid.y counts the rows of all layers
    bool cooperative = false;        ///< Blocks wait for each other, so all must be there at once.
    bool barrier_each_step = false;  ///< The block waits after every step, not only between phases.
    StepIndex step_index = StepIndex::shift;
    /// One pixel per thread, x first; further rows of blocks draw it again. 0 if the scenario draws no image.
    Extent image = {0, 0};

    /// The memory of the GPU that a buffer needs [bytes].
    constexpr std::int64_t device_bytes(int buffer) const {
        return buffer == 0 && host >= HostKind::mapped ? 0 : buffer_bytes[buffer];
    }
};

/// One thread of a launch at one step.
struct ThreadId {
    int block_x = 0, block_y = 0;
    int x = 0, y = 0;  ///< inside the block
    int step = 0;
};

/// The access of one thread in one instruction.
struct LaneAccess {
    std::uint64_t byte_address = 0;  ///< As in WarpAccess; in range even if the lane is not active.
    bool active = true;
    LaneTexel texel = {};  ///< texture only
};

/// Registers: how lanes with equal values find each other. Each distinct value of the warp takes a turn.
enum class ByValue {
    no,
    match,   ///< `__match_any_sync`
    reduce,  ///< `__reduce_add_sync` among lanes that match
};

/// One load or store in a scenario's kernel.
struct Instruction {
    std::string_view label;  ///< a few words, for example "load in, by rows"
    /// What it reads or writes: "in". Empty if the label's verb says it all.
    std::string_view object = {};
    std::string_view code = {};  ///< the line of CUDA C++ that it stands for
    Space space = Space::global;
    Op op = Op::load;
    int bytes_per_lane = 4;  ///< bytes of one element [bytes]
    int buffer = 0;          ///< global memory: 0 in, 1 out, 2 second input
    /// The phase that it belongs to. A barrier of the block stands between phases; all steps of a phase run
    /// before the next phase.
    int phase = 0;
    /// How often it is executed; 0 means LaunchShape::steps. All instructions of a phase have the same number
    /// of steps.
    int steps = 0;
    /// For whole blocks, the counts of step s + step_period equal those of step s, so only that many steps
    /// are counted. 0 if no period is known.
    int step_period = 0;
    /// How many accesses of the source nvcc joins in one execution of this instruction: a picture of step s
    /// shows execution s / joined.
    int joined = 1;
    int ranks_away = 0;   ///< cluster: how many ranks after its own block the target block stands
    bool linear = false;  ///< texture: each lane gets 2 x 2 texels; the upper left one is its own
    /// No request of a warp's lanes. constant: the value is an operand of arithmetic, which the hardware
    /// reads once for the warp. shared: an asynchronous copy writes it.
    bool operand = false;
    /// TMA does it for the block, and one thread has it begun: a lane stands for a chunk of 16 bytes.
    bool bulk = false;
    ByValue by_value = ByValue::no;
    // Kernels that a person typed (app/typed/) have these:
    /// Where its array begins in the buffer; pictures count from there [bytes].
    std::int64_t array_begin = 0;
    int intervals = 0;           ///< between how many barriers a warp executes it
    bool place_unknown = false;  ///< an atomic operation in global memory whose place follows from data
    bool chooses = false;        ///< what it loads chooses addresses, so that others wait for it
    int under_way = 0;  ///< how many of its executions a warp has under way at once, as nvcc unrolls its loop
    int vector_bytes = 0;  ///< of the vector of which it loads a component; 0 if it loads all [bytes]
    bool remade = false;   ///< an atomic operation of which nvcc may make others, so that its counts are
                           ///< approximate and no hardware counter is expected of it
    /// The kernel may write what it loads, or does not promise to leave it alone (`const
    /// __restrict__`), so that no read-only cache may keep it.
    bool may_change = false;
    /// The assembler adds it: its number is recorded, and the ideal is to do without it.
    bool by_assembler = false;
};

inline constexpr int kMaxInstructions = 8;  ///< of a listed scenario
inline constexpr int kMaxPictured = 64;     ///< of a kernel that a person typed (app/typed/)

constexpr int steps_of(const LaunchShape& shape, const Instruction& instruction) {
    return instruction.steps > 0 ? instruction.steps : shape.steps;
}

/// Which execution of an instruction the pictures of a step show: the last one, if it has fewer.
constexpr int pictured_step(const LaunchShape& shape, const Instruction& instruction, int step) {
    const int last = steps_of(shape, instruction) - 1, own = step / instruction.joined;
    return own < last ? own : last;
}

/// The quantity that is measured for a scenario and shown in the plot.
enum class SpeedUnit {
    gb_per_s,  ///< requested bytes per second [10^9 bytes/s]; larger is better
    /// Cycles of one request (of all instructions, once each) when each waits for the one before; smaller is
    /// better.
    cycles,
    gflop_per_s,  ///< floating-point operations per second, an FMA counts 2 [10^9/s]; larger is better
    /// Sectors that a warp fetches, on average over some of them; smaller is better. They are counted, not
    /// measured: only plots have them (ScenarioInfo::plots_sectors).
    sectors,
};

/// How the time of a scenario's kernel is predicted (app/model/time/).
enum class TimeModel {
    accesses,   ///< from its accesses, in the scenario's order, and its arithmetic
    ladder,     ///< like `accesses`, but its machine code is known
    in_flight,  ///< from the bytes that its warps keep on their way
    spills,     ///< from the registers that it has and the accesses that the assembler adds
    host,       ///< from what crosses the link to the host before its kernel, or while it runs
    walk,       ///< It reads the same bytes repeatedly, so the cache that holds them decides.
};

/// How much of its memory a kernel has on its way that reads it from one end to the other
/// (TimeModel::in_flight). All blocks stay until everything is read.
struct Streaming {
    int warp_bytes = 0;              ///< what a warp waits for at once [bytes]
    int loads = 1;                   ///< how many loads or copies of a thread bring that
    int stages = 1;                  ///< how often as much is on its way at once
    int rounds = 1;                  ///< how often each warp waits for as much
    bool barriers = false;           ///< the threads of a block wait for each other in each round
    int narrow_copies = 0;           ///< how many of the loads are cp.async of less than 16 bytes
    std::string_view waits_at = {};  ///< the instruction at which threads wait for what is on its way
    bool in_registers = false;       ///< what is on its way takes registers, free when it is stored
};

constexpr unsigned space_bit(Space space) { return 1u << static_cast<unsigned>(space); }

/// A setting worth looking at. It is a button in the window and a figure in the gallery.
struct Preset {
    std::string_view name;  ///< a few words; with '-' for ' ' they are part of a file name
    /// As --set takes them: "stride=2,op=load". All other knobs have their defaults.
    std::string_view settings;
};

/// How a scenario describes itself.
struct ScenarioInfo {
    std::string_view id;       ///< in kebab-case, as on the command line and in the name of the lesson file
    std::string_view title;    ///< as in the menu
    std::string_view formula;  ///< the address formula, as a person would write it
    std::string_view summary;  ///< one sentence
    unsigned spaces;           ///< `space_bit`s of the memory spaces under which the menu lists it
    std::span<const Knob> knobs;
    Params defaults = {};
    std::span<const Preset> presets = {};
    /// The keys of the two to four knobs that matter most, the first one first: "padding,width,walk". The
    /// window folds the others. Empty for a kernel that a person typed.
    std::string_view main_knobs = {};
    /// The key of the knob that is the x axis of the bandwidth plot at first. Empty for the first such knob.
    std::string_view first_axis = {};
    /// The key of the board that shows its subject, where that is not the requests of a warp: the window
    /// opens it with the scenario.
    std::string_view board = {};
    TimeModel time = TimeModel::accesses;
    SpeedUnit (*speed_unit)(const Params&) = nullptr;  ///< Null if it is always gb_per_s.
    /// Floating-point operations of the whole grid. Null if none are counted.
    double (*flop)(const Params&) = nullptr;
    int least_cc = 0;  ///< The compute capability that it needs, as major * 10 + minor. 0 if any will do.
    int (*cc_of)(const Params&) = nullptr;  ///< the same of a setting. Null if all settings need the same.
    /// The compute capability from which the model knows what a setting does, where GPUs before it can do it
    /// in another way. Null if it knows all.
    int (*modelled_from)(const Params&) = nullptr;
    std::string_view needed_by = {};  ///< The name in a typed kernel's text that needs it. Empty for others.
    /// Registers of a thread, as nvcc 13.0 compiles the kernel for sm_90. Null where every GPU has enough. A
    /// test compares with assets/kernels.
    int (*registers)(const Params&) = nullptr;
    /// Tells apart the kernels of settings that have the same instructions. Null if every choice counts.
    int (*instance)(const Params&) = nullptr;
    /// The law about neighbouring blocks does not hold, so grids are counted from samples.
    bool irregular = false;
    /// It takes the same time at every setting, so what its plot shows is the sectors.
    bool plots_sectors = false;
    std::string_view earlier_title = {};  ///< by which somebody may look for it
    bool multiplies = false;              ///< It multiplies square matrices, as cuBLAS does.
    double (*tail_us)(const Params&) =
        nullptr;  ///< What follows when the blocks are done [us]; null if nothing.
    Streaming (*streaming)(const Params&) = nullptr;  ///< Not null with TimeModel::in_flight.
    bool judged_whole = false;  ///< The verdict is on all accesses together, not on the worst of them.
    /// Why the counters of a setting cannot be foretold; empty if they can. Null if those of all can.
    std::string_view (*not_counted)(const Params&) = nullptr;
};

constexpr SpeedUnit speed_unit_of(const ScenarioInfo& info, const Params& p) {
    return info.speed_unit == nullptr ? SpeedUnit::gb_per_s : info.speed_unit(p);
}

/// Whether its main knobs are two to four, and each is one of its knobs.
constexpr bool names_main_knobs(const ScenarioInfo& info) {
    std::string_view rest = info.main_knobs;
    int count = 0;
    while (!rest.empty()) {
        const std::size_t end = rest.find(',');
        bool known = false;
        for (const Knob& knob : info.knobs) known = known || knob.key == rest.substr(0, end);
        if (!known) return false;
        ++count;
        rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    }
    return count >= 2 && count <= 4;
}

// A scenario is a struct without data, listed in scenarios/list.h:
//
//   static constexpr ScenarioInfo info;
//   static constexpr LaunchShape launch(const Params&);
//   static constexpr int instruction_count(const Params&);                 // 1 to kMaxInstructions
//   static constexpr Instruction instruction(const Params&, int index);
//   WARPLENS_HD static constexpr LaneAccess access(const Params&, int index, const ThreadId&);
//   static KernelCode code(const Params&);      // these three are explained in kernels/scenario_facts.h
//   static constexpr Sharing sharing;
//   static constexpr std::span<const QuizSource> quiz;
//
// A law that a test checks for every scenario: going one block further in x (or in y) moves the addresses of
// all lanes of an instruction by one constant, and in blocks that lie wholly inside all lanes are active that
// the mask allows. It lets the model count a whole grid from a few blocks. For `irregular` scenarios only the
// second half holds, and the model counts some blocks for all.

/// Whether the mask lets a thread take part. Lanes are numbered x first, and the mask applies to every warp.
WARPLENS_HD constexpr bool lane_in_mask(const Params& p, int thread_in_block) {
    return (static_cast<std::uint32_t>(p.mask) >> (thread_in_block % kWarpLanes) & 1u) != 0;
}

}  // namespace warplens
