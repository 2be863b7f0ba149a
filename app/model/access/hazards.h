#pragma once

#include "app/base/in_steps.h"
#include "app/model/catalogue.h"
#include "kernels/kernel_order.h"
#include "kernels/scenario_facts.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace warplens {

/// The fault if two accesses to the same bytes are made in the other order. Named as in a textbook: the
/// access that comes first in the program is named last.
enum class HazardKind {
    read_after_write,   ///< the load may come too early and get what was there before
    write_after_read,   ///< the store may come too early, and the load gets the new value
    write_after_write,  ///< which value stays is not defined
    uninitialized,      ///< no thread has stored what a load of shared memory gets, whoever runs first
};
inline constexpr int kHazardKinds = 4;

/// Which barriers of a kernel are left out: bit i for the barrier with number i, in the order of its lines.
using LeftOut = std::uint32_t;

/// The barriers among the lines of a kernel.
int count_barriers(const KernelOrder& order);
/// The number of the barrier that a line is.
int barrier_number(const KernelOrder& order, int line);

/// A line as it is executed once more.
struct Execution {
    int line = 0;
    int round = 0;       ///< of the loop; 0 outside
    int first_step = 0;  ///< of the instruction
    int position = 0;    ///< its first place in the order of all executions; each step has one of its own
    /// How many barriers stand before it that make a warp, a block or a cluster wait, by Waits. What makes a
    /// block wait makes its warps wait, too.
    std::array<int, 3> barriers{};
    bool published = false, counted = false;  ///< as in Touch; a block's first thread counts, so it knows
};

/// The lines of a kernel one after the other, without barriers.
/// @param most_rounds  of the loop
std::vector<Execution> unroll(const KernelOrder& order, LeftOut left_out, int most_rounds);

/// The fewest rounds of a kernel's loop that show all hazards of all rounds: the addresses repeat after
/// `period` rounds, so whatever two rounds do to each other, two of the first 2 * period rounds do as well.
int rounds_that_show_all(const KernelOrder& order);

/// The bytes of the words in which hazards are looked for.
inline constexpr std::int64_t kTouchedBytes = 4;

/// A thread's access to one word.
struct Touch {
    int word = 0;             ///< index of the word of kTouchedBytes
    std::uint8_t bytes = 15;  ///< bit i is set if byte i of the word is accessed
    bool store = false;
    bool atomic = false;  ///< a store that no other atomic operation comes into
    bool bulk = false;  ///< a store that goes on by itself: its own thread does not know when it ends either
    int thread = 0;     ///< blocks of a cluster one after the other, each rounded up to whole warps
    int line = 0;       ///< of the kernel's order
    int position = 0;
    std::array<int, 3> barriers{};  ///< as in Execution
    // Blocks of a grid that add to a counter, one after the other
    bool published = false;  ///< a fence stands between it and the block's addition
    bool counted = false;    ///< it comes after the block's addition
};

/// Two threads that access the same byte, at least one of them with a store and not both by atomic
/// operations, and nothing makes one of them wait for the other. Executions of the same lines by the same
/// threads are one hazard.
struct Hazard {
    HazardKind kind = HazardKind::read_after_write;
    int word = 0;
    int first_thread = 0, first_line = 0;    ///< first in the order of the program
    int second_thread = 0, second_line = 0;  ///< of an uninitialized load: the same
    int interval = 0;  ///< barriers of the block before the first access, where it happens for the first time

    friend auto operator<=>(const Hazard&, const Hazard&) = default;
};

/// Calls `visit` with each hazard once, by rising word.
///
/// Two accesses are ordered if a barrier stands between them for which both threads wait: of their warp, of
/// their block, of their cluster or grid. So are they if the first one was published before its block added
/// to a counter, and the other one's block added later and knows. Nothing else orders them. From compute
/// capability 7.0 on the lanes of a warp advance independently of one another; __syncwarp() orders their
/// accesses, shuffles and votes do not. Sources: CUDA C++ Programming Guide, "Independent Thread Scheduling"
/// and "Synchronization Functions"; NVIDIA's compute-sanitizer reports the same (tests/racecheck/).
/// Exposed for tests; with_hazards does it word by word.
/// @param touches  by rising position.
/// @return  false if there is too much to compare, and some may be missing
bool visit_hazards(std::span<const Touch> touches, int threads_per_block,
                   const std::function<void(const Hazard&)>& visit);

/// Calls `visit` with each thread and line that loads bytes which no thread can have stored, whoever runs
/// first: once for each word, by rising word. An atomic operation loads, too. No launch clears shared memory;
/// NVIDIA's initcheck asks the same of global memory.
/// @param touches  as above, and none may be missing
void visit_uninitialized(std::span<const Touch> touches, int threads_per_block,
                         const std::function<void(const Hazard&)>& visit);

/// The hazards between two lines of the code.
struct LinePair {
    HazardKind kind = HazardKind::read_after_write;
    int first_line = 0, second_line = 0;
    std::int64_t hazards = 0;
    std::int64_t words = 0;
    std::int64_t within_warps = 0;  ///< hazards between two lanes of one warp
    Hazard example;                 ///< between two warps, if there is one
};

/// The accesses to a word of the memory that the block shares.
struct WordState {
    bool loaded = false, stored = false;
    std::uint8_t kinds = 0;  ///< bits 1 << HazardKind
    std::int64_t hazards = 0;
    Hazard example;
};

/// The words of a memory. Only those that are accessed have a state of their own: an array in global memory
/// may have a million words of which a few thousand are.
class WordStates {
public:
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    /// @return  of a word that nobody accesses an empty one
    const WordState& operator[](int word) const;
    std::span<const WordState> accessed() const { return states_; }

    /// There are at least so many words.
    void grow(std::size_t size) { size_ = std::max(size_, size); }
    /// Adds a word behind those that are accessed so far.
    WordState& add(int word);

private:
    std::size_t size_ = 0;
    std::vector<int> words_;         ///< rising
    std::vector<WordState> states_;  ///< one for each of them
};

/// The hazards of a block in which some barriers are left out.
struct HazardReport {
    KernelOrder order;
    LeftOut left_out = 0;
    Extent block;                     ///< index of the block in the grid
    int threads_per_block = 0;        ///< rounded up to whole warps
    std::vector<Extent> blocks = {};  ///< whose threads are compared, if these are several of the grid
    Space space =
        Space::shared;  ///< where the words are: shared memory, of the block that is asked, or global
    std::int64_t first_word = 0;  ///< of `words`, in global memory; 0 in shared memory
    WordStates words;
    std::optional<SharedRegion> region = {};  ///< of the words, if they are of one array in global memory
    std::array<std::int64_t, kHazardKinds> counts{};  ///< hazards of each kind
    std::int64_t thread_pairs = 0;                    ///< pairs of threads with at least one hazard
    std::int64_t within_warps = 0;                    ///< hazards between lanes of one warp
    bool all_found =
        true;  ///< false: there are too many accesses to compare all, and there may be more hazards
    bool in_order = false;  ///< of blocks of a typed kernel: a counter or grid.sync() puts some in order
    /// How these blocks add to their counter; hazards are those of this order.
    enum class Counted { not_at_all, from_the_first, from_the_last } counted = Counted::not_at_all;
    bool every_block = false;     ///< all blocks of a typed kernel were looked at: no other one has hazards
    std::vector<LinePair> pairs;  ///< by number of hazards between warps, then within them; most first

    std::int64_t total() const { return counts[0] + counts[1] + counts[2] + counts[3]; }
    std::string_view at_least() const { return all_found ? "" : "at least "; }  ///< stands before counts
    std::int64_t words_affected() const;
    bool is_left_out(int barrier) const { return (left_out >> barrier & 1u) != 0; }
};

/// Blocks of a grid whose threads are compared: all of a small one, else the first ones and the last one.
std::vector<Extent> compared_blocks(Extent grid, int warps);

/// Whether a line accesses memory that only the threads of a block share.
bool is_of_block(const Scenario& scenario, const Params& params, const KernelOrder& order, int line);

/// The hazards of a listed scenario's blocks in the words of global memory where they meet
/// (KernelOrder::of_grid). No words if they meet nowhere.
HazardReport report_grid_hazards(const Scenario& scenario, const Params& params, LeftOut left_out);

/// The hazards of one block of a launch, or of the grid where its blocks meet and share nothing else. In
/// shared memory all blocks have the same, but for those at the edge of a matrix that is no multiple of the
/// tile.
HazardReport report_hazards(const Scenario& scenario, const Params& params, Extent block, LeftOut left_out);

/// Adds one thread's access, word by word.
/// @param touch  of which words and bytes are set here
void add_touches(std::vector<Touch>& all, std::uint64_t byte_address, int bytes, Touch touch);

/// A report whose order, block and threads are known, filled in.
/// @param touches  by rising position; with all_found none is missing, so that loads of what none stores tell
/// @param blocks   whose threads are followed
InSteps<HazardReport> with_hazards(HazardReport report, std::vector<Touch> touches, std::int64_t shared_bytes,
                                   int blocks);

/// The accesses of a block to the memory that its threads share, by rising position. Exposed for tests.
/// @param first_word  out: see HazardReport.
std::vector<Touch> block_touches(const Scenario& scenario, const Params& params, Extent block,
                                 std::span<const Execution> executions, std::int64_t& first_word);

}  // namespace warplens
