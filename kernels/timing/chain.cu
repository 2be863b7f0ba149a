// Measures how many cycles a request takes when each waits for the one before: the latency, and what the
// access pattern adds to it.
//
// Launch shape: one block of one warp. In a cluster there is one such block per rank; one of them works and
// the others wait, so that their shared memory exists. The warp executes the pictured warp's requests in
// order, 8 x 64 times, after 8 iterations that warm up the caches. It accesses what they say and, at the end,
// writes two clock readings to global memory.
//
// Each address depends on the value that the lane loaded last: it is `address | (loaded & zero)`, with a zero
// that the compiler cannot know. That costs one logic operation between two loads, which is part of the
// measured time. Where a store and a load alternate, each store waits for the value that the load before it
// has read, so addresses need not depend on it; after the store the warp synchronises, because the load reads
// what another lane stored.
//
// Why the compiler cannot remove a load: the next one needs its value, and every bit of it contributes to a
// sum that the kernel pretends to need.
#include "kernels/cuda/access.cuh"
#include "kernels/cuda/launch.cuh"
#include "kernels/loop_shape.h"
#include "kernels/timing/microbenchmarks.cuh"

#include <array>
#include <cstddef>

namespace warplens {
namespace {

/// The kinds of requests that a chain can have; an element of T each.
template <Space kOf, Op kDo, class T>
struct Link {
    static constexpr Space kSpace = kOf;
    static constexpr Op kOp = kDo;
    using Element = T;
};
/// Takes the place of the second request of a chain of one.
struct NoLink {};

template <class L>
inline constexpr bool is_store = false;
template <Space kOf, class T>
inline constexpr bool is_store<Link<kOf, Op::store, T>> = true;

/// The addresses of a request, by lane: for shared memory in the block's window, for constant memory in the
/// table, for global memory in the address space, for an exchange the lane whose value is taken.
struct Addresses {
    std::uint64_t of_lane[kWarpLanes];
    std::uint32_t active;
};

/// The arguments of a launch.
struct ChainOrders {
    Addresses links[2];
    std::uint32_t rank;        ///< of the block that works
    std::uint32_t ranks_away;  ///< see Instruction::ranks_away
    unsigned shared_bytes;
    std::uint32_t never;  ///< kNever, which the compiler must not know
};

/// The value that a lane passes from one access to the next.
struct Chain {
    std::uint32_t zero;
    std::uint32_t value;  ///< the value that was loaded last
    std::uint32_t sum;    ///< the sum of every bit that was loaded
};

/// The address of a request for one lane: its low half, which the chain depends on, and its high half.
struct Address {
    std::uint32_t low = 0, high = 0;
    bool active = false;
};

/// The whole constant bank.
struct ConstantTable {
    static constexpr std::uint32_t kWords = 64 * 1024 / 4;
    alignas(16) std::uint32_t words[kWords];
};
constexpr ConstantTable filled_constants() {
    ConstantTable table{};
    for (std::uint32_t i = 0; i < ConstantTable::kWords; ++i) table.words[i] = filled_word(i);
    return table;
}
__constant__ ConstantTable constants = filled_constants();

__device__ std::uint64_t join(std::uint32_t low, std::uint32_t high) {
    std::uint64_t both;
    asm("mov.b64 %0, {%1, %2};" : "=l"(both) : "r"(low), "r"(high));
    return both;
}

__device__ std::uint32_t first_word(std::uint32_t v) { return v; }
__device__ std::uint32_t first_word(uint2 v) { return v.x; }
__device__ std::uint32_t first_word(uint4 v) { return v.x; }

template <class L>
__device__ Address address_of(const ChainOrders& orders, int index, std::uint32_t shared) {
    const std::uint64_t at = orders.links[index].of_lane[threadIdx.x];
    Address address{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at >> 32),
                    (orders.links[index].active >> threadIdx.x & 1u) != 0};
    if constexpr (L::kSpace == Space::shared) address.low += shared;
    if constexpr (L::kSpace == Space::cluster)
        address.low =
            peer_address(shared + address.low, (rank_in_cluster() + orders.ranks_away) % blocks_of_cluster());
    return address;
}

template <class L>
__device__ auto follow_load(std::uint32_t low, std::uint32_t high) {
    using T = typename L::Element;
    if constexpr (L::kSpace == Space::global) return load_global<T>(join(low, high));
    if constexpr (L::kSpace == Space::l2) return load_global_past_l1<T>(join(low, high));
    if constexpr (L::kSpace == Space::shared) return load_volatile_shared<T>(low);
    if constexpr (L::kSpace == Space::cluster) return load_peer<T>(low);
    if constexpr (L::kSpace == Space::constant)
        return *reinterpret_cast<const T*>(reinterpret_cast<const unsigned char*>(&constants) + low);
}

/// Execute a request once. All lanes must call it.
/// @tparam kAll      whether every lane is active in every request, so that no branches are needed
/// @tparam kThrough  whether values go through memory, so that each store waits for the load before
template <class L, bool kAll, bool kThrough>
__device__ void follow(const Address& address, Chain& chain) {
    using T = typename L::Element;
    const std::uint32_t low = kThrough ? address.low : address.low | (chain.value & chain.zero);
    if constexpr (L::kSpace == Space::registers) {
        const std::uint32_t moved = __shfl_sync(kAllLanes, chain.value, int(address.low));
        if (kAll || address.active) chain.value = moved;
    } else if constexpr (is_store<L>) {
        const T value = unfold<T>(chain.value);
        if (kAll || address.active) {
            if constexpr (L::kSpace == Space::global)
                store_global(join(low, address.high), value);
            else
                store_volatile_shared(low, value);
        }
        __syncwarp();
    } else if (kAll || address.active) {
        const T loaded = follow_load<L>(low, address.high);
        chain.value = first_word(loaded);
        chain.sum ^= fold(loaded);
    }
}

template <class First, class Second, bool kAll>
__device__ void follow_both(const Address& first, const Address& second, Chain& chain) {
    follow<First, kAll, is_store<First>>(first, chain);
    if constexpr (!std::is_same_v<Second, NoLink>) follow<Second, kAll, is_store<First>>(second, chain);
    if constexpr (is_store<First>) __syncwarp();  // The next iteration stores where other lanes have loaded.
}

/// Warm up, then execute the chain between two clock readings.
template <class First, class Second, bool kAll>
__device__ ClockPair time_links(const Address& first, const Address& second, Chain& chain) {
#pragma unroll 1
    for (int i = 0; i < kChainUnroll; ++i) follow_both<First, Second, kAll>(first, second, chain);
    __syncwarp();
    const long long begin = clock64();
    chain.value ^= static_cast<std::uint32_t>(begin);  // nothing starts before the clock has been read
#pragma unroll 1
    for (int turn = 0; turn < kChainTurns; ++turn) {
#pragma unroll
        for (int i = 0; i < kChainUnroll; ++i) follow_both<First, Second, kAll>(first, second, chain);
    }
    __syncwarp();
    return {begin, clock64()};
}

template <class First, class Second>
__device__ void run_chain(const ChainOrders& orders, std::uint32_t shared, ClockPair* clocks,
                          std::uint32_t* sink) {
    const Address first = address_of<First>(orders, 0, shared);
    Address second{.active = true};
    if constexpr (!std::is_same_v<Second, NoLink>) second = address_of<Second>(orders, 1, shared);
    Chain chain{orders.never + 1, threadIdx.x, 0};
    const ClockPair pair = __all_sync(kAllLanes, first.active && second.active) != 0
                               ? time_links<First, Second, true>(first, second, chain)
                               : time_links<First, Second, false>(first, second, chain);
    if ((chain.sum ^ chain.value) >> 1 == orders.never) *sink = chain.sum;
    if (threadIdx.x == 0) clocks[0] = pair;
}

template <class First, class Second>
__global__ void __launch_bounds__(kWarpLanes)
    chain(const __grid_constant__ ChainOrders orders, ClockPair* clocks, std::uint32_t* sink) {
    extern __shared__ uint4 shared_words[];
    fill_shared(shared_words, orders.shared_bytes);
    const auto shared = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared_words));
    if constexpr (First::kSpace == Space::cluster) {
        cluster_barrier();
        if (rank_in_cluster() == orders.rank) run_chain<First, Second>(orders, shared, clocks, sink);
        cluster_barrier();
    } else {
        run_chain<First, Second>(orders, shared, clocks, sink);
    }
}

/// A kernel, and the requests for which it is built.
struct BuiltChain {
    struct {
        Space space;
        Op op;
        int bytes;
    } links[2];
    int count;
    void (*kernel)(ChainOrders, ClockPair*, std::uint32_t*);
};

template <Space kSpace, class T>
constexpr BuiltChain one_load() {
    return {{{kSpace, Op::load, sizeof(T)}, {}}, 1, &chain<Link<kSpace, Op::load, T>, NoLink>};
}
template <Space kSpace>
constexpr BuiltChain store_and_load() {
    using T = std::uint32_t;
    return {{{kSpace, Op::store, sizeof(T)}, {kSpace, Op::load, sizeof(T)}},
            2,
            &chain<Link<kSpace, Op::store, T>, Link<kSpace, Op::load, T>>};
}

/// Loads past the L1 have Space::l2 here.
Space space_of(const Instruction& one) {
    return one.code.find("__ldcg") != std::string_view::npos ? Space::l2 : one.space;
}

const BuiltChain* chain_for(const std::vector<PicturedRequest>& requests) {
    static const std::array kBuilt{one_load<Space::constant, std::uint32_t>(),
                                   one_load<Space::registers, std::uint32_t>(),
                                   store_and_load<Space::shared>(),
                                   store_and_load<Space::global>(),
                                   one_load<Space::shared, std::uint32_t>(),
                                   one_load<Space::shared, uint2>(),
                                   one_load<Space::shared, uint4>(),
                                   one_load<Space::cluster, std::uint32_t>(),
                                   one_load<Space::cluster, uint2>(),
                                   one_load<Space::cluster, uint4>(),
                                   one_load<Space::l2, std::uint32_t>(),
                                   one_load<Space::l2, uint2>(),
                                   one_load<Space::l2, uint4>()};
    for (const BuiltChain& built : kBuilt) {
        bool fits = static_cast<std::size_t>(built.count) == requests.size();
        for (std::size_t i = 0; fits && i < requests.size(); ++i) {
            const Instruction& one = requests[i].instruction;
            fits = built.links[i].space == space_of(one) && built.links[i].op == one.op &&
                   built.links[i].bytes == one.bytes_per_lane;
        }
        if (fits) return &built;
    }
    return nullptr;
}

/// The address that the kernel takes: see Addresses.
std::uint64_t absolute(const Instruction& one, std::uint64_t at, const KernelMemory& memory) {
    if (one.space == Space::global) return reinterpret_cast<std::uint64_t>(memory.buffer[one.buffer]) + at;
    return one.space == Space::registers ? at / 4 : at;
}

}  // namespace

std::optional<Unavailable> launch_chain(const LaunchSetting& setting, const KernelMemory& memory,
                                        cudaStream_t stream) {
    const BuiltChain* built = chain_for(setting.pictured);
    if (built == nullptr)
        return Unavailable{"no chain of these requests was built for " + std::string(setting.info->id)};
    const int cluster =
        setting.pictured.front().instruction.space == Space::cluster ? setting.shape.cluster : 1;
    ChainOrders orders{
        .links = {},
        .rank = static_cast<std::uint32_t>(setting.pictured_rank),
        .ranks_away = static_cast<std::uint32_t>(setting.pictured.front().instruction.ranks_away),
        .shared_bytes = static_cast<unsigned>(shared_bytes_of(setting.shape)),
        .never = kNever};
    for (std::size_t i = 0; i < setting.pictured.size(); ++i) {
        const PicturedRequest& request = setting.pictured[i];
        orders.links[i].active = request.active;
        for (int lane = 0; lane < kWarpLanes; ++lane)
            orders.links[i].of_lane[lane] = absolute(request.instruction, request.byte_address[lane], memory);
    }
    const LaunchSize size{.grid = dim3(static_cast<unsigned>(cluster)),
                          .block = dim3(kWarpLanes),
                          .shared = shared_bytes_of(setting.shape),
                          .cluster = cluster};
    return launch_kernel(built->kernel, size, stream, orders, memory.clocks, memory.sink);
}

}  // namespace warplens
