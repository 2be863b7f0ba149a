#include "app/model/bandwidth.h"

#include "app/model/caches.h"
#include "app/model/traffic.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace warplens {
namespace {

// What DRAM gives of its datasheet peak, once enough bytes are in flight. Fitted to no single point: measured
// on an H200 over strides 2 to 24 (reads 0.92 to 0.97, isolated writes with their fill reads 0.86 to 0.88);
// published copies of other GPUs lie between 0.84 and 0.94.
constexpr double kReadShare = 0.95;
constexpr double kWriteShare = 0.87;

// Threads that move one element each are short of bytes in flight: an SM starts, runs and ends warps only so
// fast. Measured on an H200 at stride 1: 21.4 cycles per warp with one global instruction, 26.4 with two.
constexpr double kCyclesPerWarp = 16.4;
constexpr double kCyclesPerRequest = 5.0;

// Sectors between an SM and the L2, per clock. Measured L2 bandwidth divided by SMs and clock: A100 29 to 35,
// H100 PCIe 35, H200 38 bytes per clock.
constexpr double kL2BytesPerClock = 32;

// What the L1 gives its SM. Measured 126 on V100, A100 and H100, 59 to 64 on T4 and L40
// (te42kyfo/gpu-benches, Jia et al.); the smaller chips of a generation have half.
double l1_bytes_per_clock(ComputeCapability cc) {
    const bool half = cc == ComputeCapability{7, 5} || (cc.major == 8 && cc.minor > 0);
    return half ? 64 : 128;
}

// A private array's lanes never meet in a bank, whatever word each wants, but every line must be looked up:
// four lines per clock, as gpu-benches' gpu-strides counted on A100 and H200.
constexpr double kTagsPerClock = 4;

// The texture unit takes a group of four lanes per clock (four texels per clock and SM on every GPU since
// Maxwell, NVIDIA's tuning guides and white papers).
constexpr double kTextureRequestsPerClock = 1;

// Words of the constant bank that differ are served one after the other: measured on an H200 as 11 cycles
// for each further word of a dependent load. A uniform load costs nothing here.
constexpr double kCyclesPerConstantWord = 11;

// Values that stay in registers: four schedulers, each one instruction of a warp per clock.
constexpr double kIssuedPerClock = 4;

// Limits act together near the point where they meet; a power mean of this order is their soft maximum.
constexpr double kSoftness = 6;

/// Seconds that each limit alone would take.
struct Limit {
    double seconds;
    std::string_view name;
};

/// @return  useful bytes per second [10^9 bytes/s] under all limits together, the longest of which is named.
double speed_under(std::span<const Limit> limits, double useful_bytes, std::string_view& limiter) {
    double longest = 0, sum = 0;
    for (const Limit& limit : limits) {
        if (limit.seconds > longest) {
            longest = limit.seconds;
            limiter = limit.name;
        }
    }
    if (longest <= 0) return 0;
    for (const Limit& limit : limits) sum += std::pow(limit.seconds / longest, kSoftness);
    return useful_bytes / (longest * std::pow(sum, 1 / kSoftness)) * 1e-9;
}

/// What a launch asks of each part of the machine.
struct Demand {
    double read = 0, written = 0;  ///< DRAM [bytes]
    double l2_sectors = 0;         ///< between the SMs and the L2
    double l1_wavefronts = 0;      ///< trips through the L1, of 128 bytes each
    double wavefronts = 0;         ///< shared memory
    double texture_requests = 0;   ///< groups of four lanes
    double constant_words = 0;     ///< further words of requests that are not uniform
    double requests = 0;           ///< that leave the registers for more than the L1
    double kept = 0;               ///< values of a warp kept in registers
    double useful_bytes = 0;       ///< asked for by lanes beyond the SM
    double inside_bytes = 0;       ///< asked for inside it; in shared memory words that leave a bank
    double footprint = 0;          ///< distinct DRAM bytes
    bool leaves_sm = false;        ///< global memory or a texture is touched
};

/// Private arrays live in the L1 as long as those of all resident threads fit; else they are written back to
/// the L2, and from there to DRAM.
void add_local(Demand& demand, const Totals& grid, const LaunchShape& shape, const DeviceFacts& device) {
    const double threads = double(shape.grid.x) * shape.grid.y * shape.block.x * shape.block.y;
    const double resident = std::min<double>(threads, double(device.sm_count) * device.max_threads_per_sm);
    const double bytes = resident * shape.local_bytes, sms = std::max(1, device.sm_count);
    const double missed =
        1 - share_that_hits(bytes / sms, double(std::max<std::int64_t>(device.l1_bytes, 1)));
    const double beyond =
        missed * (1 - share_that_hits(bytes, double(std::max<std::int64_t>(device.l2_bytes, 1))));
    demand.l1_wavefronts += std::max(double(grid.instructions), double(grid.lines) / kTagsPerClock);
    demand.l2_sectors += missed * double(grid.sectors);
    demand.read += beyond * double(grid.sectors) * kSectorBytes;
    demand.inside_bytes += double(grid.bytes_used);
}

void add_instruction(Demand& demand, const Scenario& scenario, const Params& params, int index,
                     const LaunchShape& shape, const DeviceFacts& device) {
    const Totals grid = count_grid(scenario, params, index, device);
    const Instruction instruction = scenario.instruction(params, index);
    switch (instruction.space) {
        case Space::shared:
        case Space::cluster:
            demand.requests += double(grid.requests);
            demand.wavefronts += double(grid.wavefronts);
            demand.inside_bytes += double(grid.bytes_used);
            return;
        case Space::local:
            return add_local(demand, grid, shape, device);
        case Space::constant:
            demand.constant_words += double(grid.requests - grid.instructions);
            demand.inside_bytes += double(grid.bytes_used);
            return;
        case Space::registers:
            demand.kept += double(grid.instructions);
            demand.inside_bytes += double(grid.instructions) * kWarpLanes * instruction.bytes_per_lane;
            return;
        case Space::texture:
            demand.texture_requests += double(grid.requests);
            break;
        case Space::global:
        case Space::l2:
            break;
    }
    const Traffic traffic = count_traffic(scenario, params, index, shape, device);
    demand.leaves_sm = true;
    demand.requests += double(instruction.space == Space::texture ? grid.instructions : grid.requests);
    // What a block and its neighbours load twice comes from the L1 the second time; stores pass through.
    demand.l2_sectors += is_load(instruction.op) ? traffic.sectors : double(grid.sectors);
    demand.l1_wavefronts += is_load(instruction.op) ? double(grid.lines) : 0;
    demand.read += traffic.read;
    demand.written += traffic.written;
    demand.useful_bytes += traffic.useful;
    demand.footprint += traffic.footprint;
}

/// Bytes per clock that an SM can have at most of what a launch uses of it.
double inside_width(const Demand& demand, const DeviceFacts& device) {
    if (demand.wavefronts > 0)
        return double(device.bank_rules.banks) * (device.bank_rules.wide_banks ? 8 : 4);
    if (demand.l1_wavefronts > 0 || demand.kept <= 0) return l1_bytes_per_clock(device.cc);
    return kIssuedPerClock * kWarpLanes * 4;
}

/// The same bytes over and over: each cache answers for what it holds.
Prediction predict_walk(const LaunchShape& shape, double useful_bytes, const DeviceFacts& device) {
    const double footprint = static_cast<double>(shape.buffer_bytes[0]);
    Prediction result{
        .peak = device.peak_gb_per_s, .useful_bytes = useful_bytes, .footprint_bytes = footprint};
    const double sm_hz = device.sm_count * device.clock_mhz * 1e6;
    const auto l1 = static_cast<double>(device.l1_bytes), l2 = static_cast<double>(device.l2_bytes);
    result.fits_l2 = footprint < l2;
    if (device.peak_gb_per_s <= 0 || sm_hz <= 0) return result;
    // One column of blocks: each of them reads everything. Several: no block reads a byte twice.
    const double in_l1 = l1 > 0 && shape.grid.x == 1 ? share_that_hits(footprint, l1) : 0;
    const double in_l2 = l2 > 0 ? share_that_hits(footprint, l2) : 0;
    const double to_l2 = useful_bytes * (1 - in_l1);
    result.dram_bytes = to_l2 * (1 - in_l2);
    const Limit limits[] = {{useful_bytes / (sm_hz * l1_bytes_per_clock(device.cc)), "the L1"},
                            {to_l2 / (sm_hz * kL2BytesPerClock), "the L2"},
                            {result.dram_bytes / (kReadShare * device.peak_gb_per_s * 1e9), "DRAM"}};
    result.value = speed_under(limits, useful_bytes, result.limiter);
    return result;
}

}  // namespace

Prediction predict_bandwidth(const Scenario& scenario, const Params& params, const DeviceFacts& device) {
    const LaunchShape shape = scenario.launch(params);
    if (scenario.info->kernel == Kernel::chase) {
        return predict_walk(shape, double(count_grid(scenario, params, 0, device).bytes_used), device);
    }
    Demand demand;
    for (int k = 0; k < scenario.instruction_count(params); ++k)
        add_instruction(demand, scenario, params, k, shape, device);
    const double sm_hz = device.sm_count * device.clock_mhz * 1e6;
    Prediction result{
        .peak = demand.leaves_sm ? device.peak_gb_per_s : sm_hz * inside_width(demand, device) * 1e-9,
        .shared_memory = !demand.leaves_sm,
        .fits_l2 = demand.leaves_sm && demand.footprint < double(device.l2_bytes),
        .useful_bytes = demand.leaves_sm ? demand.useful_bytes : demand.inside_bytes,
        .dram_bytes = demand.read + demand.written,
        .footprint_bytes = demand.footprint};
    if (sm_hz <= 0 || device.peak_gb_per_s <= 0) return result;
    const double warps = double(shape.grid.x) * shape.grid.y * warps_per_block(shape);
    const double in_flight =
        demand.leaves_sm ? warps * kCyclesPerWarp + demand.requests * kCyclesPerRequest : 0;
    const Limit limits[] = {
        {(demand.read / kReadShare + demand.written / kWriteShare) / (device.peak_gb_per_s * 1e9), "DRAM"},
        {in_flight / sm_hz, "bytes in flight"},
        {demand.l2_sectors * kSectorBytes / (sm_hz * kL2BytesPerClock), "L2 sectors"},
        {demand.wavefronts / sm_hz, "the banks"},
        {demand.l1_wavefronts * kLineBytes / (sm_hz * l1_bytes_per_clock(device.cc)), "the L1"},
        {demand.texture_requests / (sm_hz * kTextureRequestsPerClock), "the texture unit"},
        {demand.constant_words * kCyclesPerConstantWord / sm_hz, "passes through the constant cache"},
        {demand.kept / (sm_hz * kIssuedPerClock), "issued instructions"},
    };
    result.value = speed_under(limits, result.useful_bytes, result.limiter);
    return result;
}

}  // namespace warplens
