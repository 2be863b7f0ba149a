#pragma once

#include "app/base/in_steps.h"
#include "app/typed/tree.h"
#include "kernels/typed/content.h"
#include "kernels/warp_access.h"

#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace warplens::typed {

/// An array of the kernel's, or of its launch.
struct Memory {
    std::string name;
    Storage storage = Storage::global;
    Scalar scalar = Scalar::float32;
    std::int64_t begin = 0;  ///< in its buffer, in shared or in constant memory [bytes]
    std::int64_t bytes = 0;  ///< 0 if the size is not known: then nothing is out of bounds

    Content content = Content::unknown;  ///< if a kernel may choose addresses by it
    bool read_only = false;              ///< a parameter declared `const __restrict__`
    std::int64_t before = 0;             ///< of the array in front of `begin`: "f(a + 4)" [bytes]
    /// Pointers that lie in it: those of element i point into a memory, to the i-th part of it.
    struct Pointers {
        std::int64_t offset = 0;  ///< of the pointer in the element [bytes]
        int memory = -1;
        std::int64_t element = 8, pitch = 0;  ///< the size of an element, and of such a part [bytes]
    };
    std::vector<Pointers> pointers = {};
};

/// Blocks of a grid that are executed at once, because they do the same at addresses that move evenly.
struct BlockRange {
    int x = 0, y = 0;
    int width = 1, height = 1;

    bool is_single() const { return width == 1 && height == 1; }
    std::int64_t blocks() const { return std::int64_t{width} * height; }
};

struct Launch {
    int grid_x = 1, grid_y = 1, grid_z = 1;
    int block_x = 1, block_y = 1, block_z = 1;

    /// Blocks above each other: those of the next z follow those of one.
    int rows() const { return grid_y * grid_z; }
    int threads() const { return block_x * block_y * block_z; }
    int warps() const { return (threads() + kWarpLanes - 1) / kWarpLanes; }
};

/// One executed load or store of a warp.
struct Request {
    const Expr* site = nullptr;  ///< the element in the text
    int memory = 0;
    bool store = false;
    std::int16_t bytes = 4;             ///< of each lane [bytes]
    int interval = 0;                   ///< how many barriers of the block the warp had passed
    int warp_interval = 0;              ///< the same with those of the warp
    bool atomic = false;                ///< loads, too, and no other access comes between
    bool assumed = false;               ///< whether it is made, or where, follows from values in memory
    std::uint32_t active = 0;           ///< lanes
    std::int64_t per_x = 0, per_y = 0;  ///< how far all addresses move with the block [bytes]
    /// The addresses of lanes, in the first block of the range, in its memory [bytes].
    std::int64_t address(std::size_t lane) const {
        return begin + (apart == nullptr ? std::int64_t(lane) * step : (*apart)[lane]);
    }
    std::int64_t begin = 0, step = 0;
    std::shared_ptr<const std::array<std::int64_t, kWarpLanes>> apart = {};  ///< null if they are even
};

/// The requests of a warp in the order in which it makes them. Rounds of a loop that do the same, some bytes
/// further in each, are stored once.
class Requests {
public:
    void add(const Request& request);
    /// @param round      the requests of the first one
    /// @param per_round  how far the addresses of each move [bytes]
    /// @param intervals  barriers in each round; of the warp as well
    void add_rounds(std::vector<Request> round, std::vector<std::int64_t> per_round, std::int64_t count,
                    int intervals, int warp_intervals);
    void append(Requests more);
    /// Makes them those of one block of the range, so many blocks behind the first.
    void move_to_block(std::int64_t x, std::int64_t y);

    std::size_t size() const { return size_; }
    std::size_t stored() const;  ///< how many take memory
    Request operator[](std::size_t i) const;

    class Iterator {
    public:
        Request operator*() const { return of_->runs_[run_].at(round_, i_); }
        Iterator& operator++();
        friend bool operator==(const Iterator&, const Iterator&) = default;

    private:
        friend class Requests;
        const Requests* of_ = nullptr;
        std::size_t run_ = 0, i_ = 0;
        std::int64_t round_ = 0;
    };
    Iterator begin() const;
    Iterator end() const;

private:
    struct Run {
        std::vector<Request> round;
        std::vector<std::int64_t> per_round;  ///< [bytes]; not used if there is one round
        std::int64_t count = 1;
        int intervals = 0, warp_intervals = 0;
        std::size_t before = 0;  ///< requests of the runs in front of it

        Request at(std::int64_t which, std::size_t i) const;
    };
    std::vector<Run> runs_;
    std::size_t size_ = 0;
};

/// A warp orders its accesses and those of other blocks.
struct OrderMark {
    enum class Kind {
        fence,   ///< __threadfence()
        ticket,  ///< a thread of each block adds 1 to a counter, and gets how many blocks have come before
        grid,    ///< grid.sync()
    };
    Kind kind = Kind::fence;
    std::uint32_t active = 0;             ///< lanes
    int interval = 0, warp_interval = 0;  ///< as of a request
    int warp = 0;
    int requests = 0;  ///< of the warp, before it
};

/// The work that blocks took: loads and stores of warps, and their operations and statements.
struct Work {
    std::int64_t requests = 0, steps = 0;

    Work& operator+=(const Work& other) {
        requests += other.requests;
        steps += other.steps;
        return *this;
    }
};

/// The accesses of a block's warps.
struct BlockTrace {
    BlockRange range;
    std::vector<Requests> warps;
    std::vector<OrderMark> marks;  ///< by warp, then as they are executed
    bool whole = true;             ///< false if they are kMostRequests, and there are more
    Work work;
    std::set<Position> assumed = {};  ///< conditions and indices that follow from values in memory
    /// Loops that some lanes of a warp leave by `continue` or `break`, branches that they come to behind
    /// another test than others, and any where lanes part beside real numbers that become integers. That all
    /// come together again behind it is what the text says; nvcc may do it later.
    std::set<Position> parted = {};

    std::int64_t stored() const {  ///< requests that take memory
        std::int64_t all = 0;
        for (const Requests& warp : warps) all += std::int64_t(warp.stored());
        return all;
    }
};

/// Most steps of a block's warps; where sizes are assumed, fewer are as good. Most loads and stores of a
/// block that are pictured.
inline constexpr std::int64_t kMostSteps = 8'000'000, kAssumedSteps = 800'000, kMostRequests = 250'000;

/// A kernel with everything that its addresses follow from.
struct Bound {
    const Unit* unit = nullptr;
    const Function* kernel = nullptr;
    Launch launch;
    std::vector<Memory> memories;      ///< those of the launch and of the text
    std::vector<int> memory_of;        ///< by symbol: its memory; -1 if it has none
    std::vector<std::int64_t> values;  ///< by symbol: what a parameter of the kernel is
    std::vector<bool> has_value;       ///< by symbol
    std::int64_t most_steps = kMostSteps;
    bool tickets = true;      ///< one ticket of each block may be known
    bool last_first = false;  ///< blocks draw their tickets from the last one on
    bool leaps = true;        ///< rounds of loops at once, where they do the same
};

/// The range has to be cut, because its blocks do not do the same.
struct RangeCut {
    std::vector<BlockRange> parts;  ///< in the order of the blocks
};

/// Execute the blocks of a range, a warp or a part of one in each step.
/// @param bound      has to outlive it
/// @param most_each  so many requests that a warp makes with an access are kept, the first ones
/// Errors: SourceError for what the kernel does wrong: out of bounds, misaligned, a barrier that not all
/// reach, a branch or an address by an unknown value, too many steps. Throws RangeCut.
InSteps<BlockTrace> run_blocks(const Bound& bound, BlockRange range, std::int64_t most_each = kMostRequests);

/// The line of the text in which a place lies, without its comment and without blanks at its ends.
std::string_view line_of(std::string_view text, Position at);

}  // namespace warplens::typed
