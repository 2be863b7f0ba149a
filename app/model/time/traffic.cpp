#include "app/model/time/traffic.h"

#include "app/model/access/texture.h"
#include "app/model/device/caches.h"
#include "app/model/time/limits.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace warplens {

std::vector<Extent> neighbours(Extent grid, bool large, bool in_the_middle) {
    const Extent first{in_the_middle ? std::max(0, grid.x / 2 - 1) : 0,
                       in_the_middle ? std::max(0, grid.y / 2 - 1) : 0};
    std::vector<Extent> blocks;
    for (int y = 0; y < std::min(grid.y, large ? 1 : 2); ++y) {
        for (int x = 0; x < std::min(grid.x, 2); ++x) blocks.push_back({first.x + x, first.y + y});
    }
    return blocks;
}

namespace {

/// The addresses that neighbouring blocks access with one instruction. The distances between blocks determine
/// what they share.
struct Window {
    std::vector<std::uint64_t> addresses;  ///< sorted, distinct
    int blocks = 0;
    double repeats = 1;      ///< the number of steps for each step that was examined
    std::int64_t lanes = 0;  ///< active lanes of all requests in the window
};

/// The number of requests of a block that are examined if its steps have equal counts.
constexpr int kMostRequests = 128;

/// For irregular grids some from everywhere.
std::vector<Extent> window_blocks(const Scenario& scenario, Extent grid, bool large) {
    constexpr int kSampled = 4;
    std::vector<Extent> blocks;
    if (scenario.info->irregular) {
        for (int i = 0; i < kSampled; ++i) blocks.push_back(sampled_block(i, grid));
        return blocks;
    }
    // Threads of a typed kernel may do nothing at the edge of its grid.
    return neighbours(grid, large, scenario.typed != nullptr);
}

Window collect_window(const Scenario& scenario, const Params& params, int index, const LaunchShape& shape) {
    const Instruction instruction = scenario.instruction(params, index);
    const int all_steps = steps_of(shape, instruction), warps = warps_per_block(shape);
    // A typed kernel has no known period; steps in a row share what they share.
    const int steps =
        scenario.typed != nullptr ? std::clamp(kMostRequests / warps, 1, all_steps)
        : instruction.step_period == 0
            ? all_steps
            : std::clamp(kMostRequests / warps, std::min(instruction.step_period, all_steps), all_steps);
    Window window{.addresses = {}, .repeats = double(all_steps) / steps};
    const bool large = std::int64_t{shape.block.x} * shape.block.y * steps > 256;
    const std::vector<Extent> blocks = window_blocks(scenario, shape.grid, large);
    window.blocks = int(blocks.size());
    auto& addresses = window.addresses;
    for (const Extent block : blocks) {
        for (int step = 0; step < steps; ++step) {
            for (int warp = 0; warp < warps; ++warp) {
                const WarpAccess access = scenario.warp(params, index, block, warp, step);
                window.lanes += std::popcount(access.active);
                for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
                    const int lane = std::countr_zero(rest);
                    if (access.space == Space::texture) {
                        const LaneTexels texels = texels_of_lane(access, lane);
                        addresses.insert(addresses.end(), texels.all().begin(), texels.all().end());
                    } else {
                        addresses.push_back(access.byte_address[lane]);
                    }
                }
            }
        }
    }
    if (!std::is_sorted(addresses.begin(), addresses.end())) std::sort(addresses.begin(), addresses.end());
    addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
    return window;
}

/// The distinct pieces of memory that contain some addresses, for all sizes of pieces at once.
class Pieces {
public:
    explicit Pieces(const std::vector<std::uint64_t>& sorted) : any_(!sorted.empty()) {
        // Two neighbours lie in different pieces of 2^k bytes if they differ in a bit from k on.
        for (std::size_t i = 1; i < sorted.size(); ++i) ++differ_[std::bit_width(sorted[i] ^ sorted[i - 1])];
    }
    /// @param bytes  a power of two
    double of(int bytes) const {
        std::int64_t pieces = any_ ? 1 : 0;
        for (std::size_t width = std::bit_width(static_cast<unsigned>(bytes)); width < 65; ++width)
            pieces += differ_[width];
        return double(pieces);
    }
    double rows() const { return (of(128) + of(256) + of(512)) / 3; }

private:
    bool any_;
    std::array<std::int64_t, 65> differ_{};
};

/// Sectors of which some bytes are not written. Where a long run of bytes begins or ends inside a sector, a
/// neighbouring block writes the rest of it before the sector leaves the L2.
double partly_written_sectors(const std::vector<std::uint64_t>& sorted, int bytes_per_lane) {
    constexpr std::uint64_t kLongRun = 256;
    const std::uint64_t bytes = bytes_per_lane;
    double partly = 0;
    for (std::size_t i = 0; i < sorted.size();) {
        const std::uint64_t begin = sorted[i];
        std::uint64_t end = begin + bytes;
        for (++i; i < sorted.size() && sorted[i] == end; ++i) end += bytes;
        if (end - begin >= kLongRun) continue;
        const std::uint64_t whole_begin = (begin + kSectorBytes - 1) / kSectorBytes,
                            whole_end = end / kSectorBytes;
        const std::uint64_t touched = (end - 1) / kSectorBytes - begin / kSectorBytes + 1;
        const bool shares = i < sorted.size() && sorted[i] / kSectorBytes == (end - 1) / kSectorBytes;
        const std::uint64_t whole = whole_end > whole_begin ? whole_end - whole_begin : 0;
        // A sector with several runs counts with the last of them.
        partly += double(touched - whole) - (shares ? 1 : 0);
    }
    return partly;
}

/// The traffic of one window.
Traffic of_window(const Window& window, const Instruction& instruction, const DeviceFacts& device) {
    const Pieces pieces(window.addresses);
    Traffic traffic;
    traffic.useful = double(window.lanes) * instruction.bytes_per_lane;
    traffic.sectors = pieces.of(kSectorBytes);
    const double lines = pieces.of(kLineBytes), rows = pieces.rows();
    if (is_load(instruction.op)) {
        traffic.read = pieces.of(device.fetch_bytes) * device.fetch_bytes;
        traffic.read_rows = rows;
        traffic.read_lines = lines;
        traffic.footprint = traffic.read;
    } else {
        // An atomic operation reads first what it changes.
        const double partly = is_atomic(instruction.op)
                                  ? traffic.sectors
                                  : partly_written_sectors(window.addresses, instruction.bytes_per_lane);
        traffic.written = traffic.sectors * kSectorBytes;
        traffic.filled = partly * kSectorBytes;
        traffic.written_rows = rows;
        traffic.filled_rows = traffic.sectors > 0 ? rows * partly / traffic.sectors : 0;
        traffic.written_lines = lines;
        traffic.footprint = traffic.written;
    }
    return traffic;
}

/// The fields that depend on which blocks access the same bytes.
constexpr double Traffic::*kOfDram[] = {&Traffic::read,       &Traffic::filled,        &Traffic::written,
                                        &Traffic::read_rows,  &Traffic::filled_rows,   &Traffic::written_rows,
                                        &Traffic::read_lines, &Traffic::written_lines, &Traffic::footprint};

/// The traffic of a window without what was loaded before, which is added to.
Traffic of_rest(const Window& window, const Instruction& instruction, const LaunchShape& shape,
                const DeviceFacts& device, LoadedBefore& loaded) {
    if (loaded.blocks != window.blocks || loaded.repeats != window.repeats)
        loaded = {{}, window.blocks, window.repeats};
    Window all{.addresses = {}, .blocks = window.blocks, .repeats = window.repeats, .lanes = window.lanes};
    all.addresses.reserve(window.addresses.size() + loaded.addresses.size());
    std::ranges::set_union(window.addresses, loaded.addresses, std::back_inserter(all.addresses));
    Traffic traffic = of_window(all, instruction, device);
    const Traffic known = std::exchange(loaded.traffic, traffic);
    for (double Traffic::*const field : kOfDram) traffic.*field -= known.*field;
    const double resident = double(device.max_threads_per_sm) / (shape.block.x * shape.block.y);
    const bool in_l1 = traffic.sectors * kSectorBytes / window.blocks * resident < double(device.l1_bytes);
    traffic.sectors =
        in_l1 ? traffic.sectors - known.sectors : of_window(window, instruction, device).sectors;
    loaded.addresses = std::move(all.addresses);
    return traffic;
}

void scale_dram(Traffic& traffic, double times) {
    for (double Traffic::*const field : kOfDram) traffic.*field *= times;
}

/// Whether the next block accesses other addresses than the one before.
bool addresses_move(const Scenario& scenario, const Params& params, int index, const LaunchShape& shape) {
    if (scenario.info->irregular || shape.grid.x == 1) return true;
    if (scenario.typed == nullptr)
        return scenario.access(params, index, {1, 0}).byte_address !=
               scenario.access(params, index, {}).byte_address;
    const std::vector<Extent> blocks = neighbours(shape.grid, true, true);
    for (int warp = 0; warp < warps_per_block(shape); ++warp) {
        const WarpAccess here = scenario.warp(params, index, blocks[0], warp, 0),
                         there = scenario.warp(params, index, blocks[1], warp, 0);
        const std::uint32_t both = here.active & there.active;
        const std::size_t lane = std::size_t(std::countr_zero(both));
        if (both != 0) return here.byte_address[lane] != there.byte_address[lane];
    }
    return true;
}

/// Whether neighbouring blocks leave most of each sector to others, which come to it when the L2 no longer
/// has it.
bool is_scattered(const Scenario& scenario, const Window& window, double sectors,
                  const Instruction& instruction) {
    const double used = double(window.addresses.size()) * instruction.bytes_per_lane;
    return scenario.typed != nullptr && used < 0.5 * sectors * kSectorBytes;
}

/// How many times as long DRAM takes because the blocks that run at the same time want few of its partitions.
double partition_queue(const Scenario& scenario, const Params& params, int index, const LaunchShape& shape,
                       const DeviceFacts& device) {
    constexpr double kEven = 1.5;  // a little unevenness is no queue
    const int partitions = limits::dram_partitions(device.cc), warps = warps_per_block(shape);
    const int resident = std::min(device.max_blocks_per_sm,
                                  device.max_threads_per_sm / std::max(1, shape.block.x * shape.block.y));
    const std::int64_t blocks = std::min(std::int64_t{shape.grid.x} * shape.grid.y,
                                         std::int64_t{std::max(1, resident)} * device.sm_count);
    std::vector<std::int64_t> wanted(std::size_t(std::max(1, partitions)));
    std::int64_t all = 0;
    for (int block = 0; block < blocks; ++block) {
        for (int warp = 0; warp < warps; ++warp) {
            const WarpAccess access =
                scenario.warp(params, index, {block % shape.grid.x, block / shape.grid.x}, warp, 0);
            all += std::popcount(access.active);
            for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1)
                ++wanted[access.byte_address[std::countr_zero(rest)] / limits::kPartitionBytes %
                         wanted.size()];
        }
    }
    const double crowd =
        double(std::ranges::max(wanted)) * partitions / double(std::max<std::int64_t>(1, all));
    if (crowd < kEven) return 1;
    return crowd * std::lerp(1, 1 / limits::kShareOfQueue, (crowd - 1) / (partitions - 1));
}

/// The size of the memory that contains an instruction's addresses, in whole pieces [bytes]. 0 if not known.
double memory_of(const Instruction& instruction, const LaunchShape& shape, int piece) {
    const double bytes = instruction.space == Space::texture
                             ? double(shape.texture.x) * shape.texture.y * kTexelBytes
                             : double(shape.buffer_bytes[instruction.buffer]);
    return std::ceil(bytes / piece) * piece;
}

}  // namespace

Traffic& Traffic::operator+=(const Traffic& other) {
    for (double Traffic::*const field : kOfDram) this->*field += other.*field;
    useful += other.useful;
    sectors += other.sectors;
    queued += other.queued;
    return *this;
}

namespace {

Traffic count_traffic(LaunchCounts& launch, int index, LoadedBefore& loaded) {
    const Scenario& scenario = launch.scenario;
    const Params& params = launch.params;
    const DeviceFacts& device = launch.device;
    const LaunchShape& shape = launch.shape;
    const Instruction instruction = scenario.instruction(params, index);
    const Window window = collect_window(scenario, params, index, shape);
    const double windows = double(shape.grid.x) * shape.grid.y / window.blocks * window.repeats;
    const bool shares = scenario.typed != nullptr && is_load(instruction.op) &&
                        instruction.space == Space::global && is_kept(instruction, device);
    Traffic traffic =
        shares ? of_rest(window, instruction, shape, device, loaded) : of_window(window, instruction, device);
    traffic.useful *= windows;
    traffic.sectors *= windows;
    // Blocks whose addresses do not move access the same bytes again.
    scale_dram(traffic, addresses_move(scenario, params, index, shape) ? windows : 1);
    // Bytes that distant blocks need again are still in the L2, so nothing is fetched twice.
    const double memory = memory_of(instruction, shape, std::max(device.fetch_bytes, kSectorBytes));
    if (memory > 0 && traffic.footprint > memory) {
        const double again = is_scattered(scenario, window, traffic.sectors / windows, instruction)
                                 ? (traffic.footprint / memory - 1) * (1 - share_in_l2(memory, device))
                                 : 0;
        scale_dram(traffic, (1 + again) * memory / traffic.footprint);
    }
    if (!has_l2(device) && instruction.space != Space::texture) {
        // Without a cache DRAM serves each request separately, and writes only the bytes that it receives.
        const double moved = double(launch.grid(index).bytes_moved);
        (is_load(instruction.op) ? traffic.read : traffic.written) = moved;
        traffic.filled = traffic.filled_rows = 0;
        traffic.queued = moved * (partition_queue(scenario, params, index, shape, device) - 1);
    }
    return traffic;
}

}  // namespace

bool has_traffic(Space space) {
    return space == Space::global || space == Space::l2 || space == Space::texture;
}

LaunchCounts::LaunchCounts(const Scenario& launched, const Params& with, const DeviceFacts& on,
                           std::span<const Totals> grids)
    : scenario(launched),
      params(with),
      device(on),
      shape(launched.launch(with)),
      instructions(launched.instruction_count(with)),
      grids_(grids.begin(), grids.end()) {
    grids_.resize(static_cast<std::size_t>(instructions));
}

const Totals& LaunchCounts::grid(int index) {
    std::optional<Totals>& grid = grids_[static_cast<std::size_t>(index)];
    if (!grid) grid = count_grid(scenario, params, index, device);
    return *grid;
}

const Traffic& LaunchCounts::traffic(int index) {
    while (std::ssize(traffic_) <= index) {
        const int next = int(traffic_.size());
        const bool any = has_traffic(scenario.instruction(params, next).space);
        Traffic& traffic = traffic_.emplace_back(any ? count_traffic(*this, next, loaded_) : Traffic{});
        const auto arrays = double(shape.buffer_bytes[0]);
        // Several instructions may access the same bytes of a typed kernel's arrays.
        if (scenario.typed != nullptr && arrays > 0)
            traffic.footprint = std::min(traffic.footprint, std::max(0.0, arrays - footprint_));
        footprint_ += traffic.footprint;
    }
    return traffic_[static_cast<std::size_t>(index)];
}

double sectors_past_l1(const Instruction& instruction, const Traffic& traffic, const Totals& grid,
                       const DeviceFacts& device) {
    return is_kept(instruction, device) ? traffic.sectors : double(grid.sectors);
}

Traffic beyond_l2(Traffic all, const DeviceFacts& device, bool cold) {
    const auto l2 = double(device.l2_bytes);
    if (l2 <= 0) return all;
    if (!cold) {
        const double footprint = all.footprint;
        scale_dram(all, 1 - share_in_l2(footprint, device));
        all.footprint = footprint;
        return all;
    }
    // Lines that were written and are still in the L2 at the end: the DRAM sectors written are fewer by 0.27
    // to 0.41 of the L2's lines in nine launches on an H200 (stores and copies of 1 to 4 GB, cold L2). Data
    // that are read occupy a part of that room: a copy of 2 x 16 MiB is already as slow as DRAM.
    constexpr double kKeptShare = 0.3;
    const double lines = all.read_lines + all.written_lines;
    const double kept = lines > 0 ? std::min(1.0, kKeptShare * l2 / (kLineBytes * lines)) : 0;
    for (double Traffic::*const field :
         {&Traffic::filled, &Traffic::written, &Traffic::filled_rows, &Traffic::written_rows})
        all.*field *= 1 - kept;
    return all;
}

WalkTraffic count_walk_traffic(const Totals& grid, const LaunchShape& shape, const DeviceFacts& device) {
    const Missed missed = missed_by_walk(shape, device);
    const double past_l1 = double(grid.bytes_moved) * missed.l1;
    // All that one warp wants lies side by side and far from what others want, so DRAM delivers whole pieces.
    const double requests = double(std::max<std::int64_t>(1, grid.instructions));
    const double piece = has_l2(device) ? std::max(device.fetch_bytes, kSectorBytes) : 1;
    const double whole = std::ceil(double(grid.bytes_moved) / requests / piece) * piece * requests;
    return {past_l1, whole * missed.l1 * missed.l2};
}

}  // namespace warplens
