#include "app/model/time/limiter.h"

namespace warplens {
namespace {

struct LimiterFacts {
    Limiter limiter = Limiter::none;
    std::string_view name;
    std::optional<Memory> memory = {};
    std::string_view meaning = {};
    bool wait = false;
};

const LimiterFacts& facts_of(Limiter limiter) {
    using enum Memory;
    static constexpr LimiterFacts kFacts[] = {
        {Limiter::none, ""},
        {Limiter::dram, "DRAM", dram,
         "Bytes to and from DRAM: what is fetched, written, and read because it was written in part."},
        {Limiter::dram_rows, "DRAM rows", dram,
         "Before DRAM can read or write, it opens a row. Neighbours share an opening; accesses far apart pay "
         "for one each, so large strides get slower although no more bytes are transferred."},
        {Limiter::way_to_dram, "the way to DRAM", dram,
         "32 bytes in each clock between an SM and DRAM, without an L2."},
        {Limiter::one_partition, "few partitions of DRAM", dram,
         "Before compute capability 2.0 each 256 bytes of addresses belong to another partition of DRAM, with "
         "a controller of its own. Blocks that run together queue where their addresses are 2 KiB apart."},
        {Limiter::block_launch,
         "block launch overhead",
         {},
         "One work distributor starts the blocks of all SMs. If threads do little, it takes longer than "
         "memory."},
        {Limiter::bytes_in_flight,
         "bytes in flight",
         {},
         "An SM holds a limited number of warps, and each waits for its loads and stores. More bytes per "
         "thread would help.",
         true},
        {Limiter::l2, "the L2", l2},
        {Limiter::l2_sectors, "L2 sectors", l2, "32-byte sectors between the SMs and the L2."},
        {Limiter::costly_l2_sectors, "costly L2 sectors", l2,
         "The L2 is busy longer than the bytes of its sectors take: they are written in part or to per-thread "
         "arrays, missed, or added to by atomic operations."},
        {Limiter::l2_requests, "requests to the L2", l2,
         "Each line that a load misses in the L1 is a request of its own, whatever it needs of it. Lanes that "
         "are far apart make many."},
        {Limiter::one_sector, "stores to one sector", l2,
         "All warps store to the same sector, and the L2 takes them one after the other."},
        {Limiter::atomics, "atomics of one place", l2,
         "The L2 adds to a word for one lane after the other, and what lies in 256 neighbouring bytes waits as "
         "well."},
        {Limiter::equal_lanes,
         "looking for equal lanes",
         {},
         "__match_any_sync and __reduce_add_sync take one distinct value of the warp after the other."},
        {Limiter::rounds,
         "rounds of the blocks",
         {},
         "In each round a block waits for all its threads, reads its tile and begins the next copies, however "
         "much is on its way. Other blocks do so meanwhile.",
         true},
        {Limiter::narrow_copies, "narrow copies", shared,
         "An asynchronous copy of 4 or 8 bytes a lane keeps the SM busy as long as one of 16."},
        {Limiter::l1, "the L1", l1, "Lines that an SM's L1 looks up and delivers."},
        {Limiter::read_only_cache, "the read-only cache", texture,
         "Lines that an SM's texture cache looks up and delivers for loads of data that the kernel only reads."},
        {Limiter::bank_conflicts, "bank conflicts", shared,
         "Wavefronts of shared memory, many of them more than the ideal."},
        {Limiter::shared_bandwidth, "shared memory bandwidth", shared,
         "Wavefronts of shared memory, few or none of them more than the ideal."},
        {Limiter::texture_unit, "the texture unit", texture, "It serves four lanes at a time."},
        {Limiter::constant_requests, "serialized constant requests", constant},
        {Limiter::issue, "issued instructions", {}, "At most four instructions per clock and SM."},
        {Limiter::multiply_adds, "multiply-adds"},
        {Limiter::dependent_multiply_adds, "dependent multiply-adds", {}, {}, true},
        {Limiter::too_few_blocks, "too few blocks", {}, {}, true},
        {Limiter::launch, "the launch itself", {}, "The kernel is so short that launching it takes longer."},
        {Limiter::spills_to_l1, "spills to the L1", l1},
        {Limiter::spills_past_l1, "spills past the L1", l2,
         "Each SM's own way to the L2, which all stores of spills take and, where the L1 is too small, loads."},
        {Limiter::spills_past_l2, "spills past the L2", dram,
         "Spills that the L2 misses, at an SM's share of the bandwidth of DRAM."},
        {Limiter::spills_to_dram, "spills to DRAM", dram, "Without an L2 each of them goes there."},
        {Limiter::l1_latency, "L1 latency", l1, {}, true},
        {Limiter::l2_latency, "L2 latency", l2, {}, true},
        {Limiter::far_l2_latency, "the far half of the L2", l2, {}, true},
        {Limiter::dram_latency, "DRAM latency", dram, {}, true},
        {Limiter::shared_latency, "shared memory latency", shared, {}, true},
        {Limiter::cluster_latency, "the way to another SM", other_shared, {}, true},
        {Limiter::texture_latency, "texture latency", texture, {}, true},
        {Limiter::constant_latency, "constant L1 latency", constant, {}, true},
        {Limiter::constant_words, "distinct words, one after the other", constant},
        {Limiter::constant_misses, "lines that the constant L1 cannot hold", constant},
        {Limiter::shuffle_latency, "shuffle latency", registers, {}, true},
        {Limiter::link, "the link to the host", host, "Bytes between GPU and host, by PCI Express."},
        {Limiter::host_copies, "copies of pageable memory", host,
         "The driver copies pageable memory to pinned memory of its own, from which the GPU copies it."},
        {Limiter::page_faults, "page faults", host,
         "A warp that touches a page of the host waits until the driver has moved it."},
    };
    // A new limiter without its facts does not compile.
    static_assert([] {
        int next = 0;
        for (const LimiterFacts& facts : kFacts)
            if (facts.limiter != Limiter(next++)) return false;
        return next == int(Limiter::page_faults) + 1;
    }());
    return kFacts[int(limiter)];
}

}  // namespace

std::string_view limiter_name(Limiter limiter) { return facts_of(limiter).name; }
std::string_view limiter_meaning(Limiter limiter) { return facts_of(limiter).meaning; }
bool is_wait(Limiter limiter) { return facts_of(limiter).wait; }

std::optional<Memory> memory_of(Limiter limiter, const DeviceFacts& device) {
    const std::optional<Memory> memory = facts_of(limiter).memory;
    if (memory == Memory::texture) return texture_memory(device);
    return memory == Memory::l2 && !has_l2(device) ? Memory::dram : memory;
}

Limiter sectors_past_sm(const DeviceFacts& device) {
    return has_l2(device) ? Limiter::l2_sectors : Limiter::way_to_dram;
}

Limiter cache_of_sm(const DeviceFacts& device) {
    return has_read_only_cache(device) && texture_memory(device) == Memory::texture ? Limiter::read_only_cache
                                                                                    : Limiter::l1;
}

Limiter latency_of(const CacheLevel& level) {
    if (level.memory == Memory::dram) return Limiter::dram_latency;
    if (level.memory == Memory::l1) return Limiter::l1_latency;
    return level.part == CacheLevel::Part::far_half ? Limiter::far_l2_latency : Limiter::l2_latency;
}

}  // namespace warplens
