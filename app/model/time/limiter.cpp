#include "app/model/time/limiter.h"

namespace warplens {
namespace {

struct LimiterFacts {
    std::string_view name;
    std::optional<Memory> memory = {};
    std::string_view meaning = {};
};

LimiterFacts facts_of(Limiter limiter) {
    using enum Memory;
    switch (limiter) {
        case Limiter::none:
            return {};
        case Limiter::dram:
            return {
                "DRAM", dram,
                "Bytes to and from DRAM: what is fetched, written, and read because it was written in part."};
        case Limiter::dram_rows:
            return {
                "DRAM rows", dram,
                "Before DRAM can read or write, it opens a row. Neighbours share an opening; accesses far apart pay "
                "for one each, so large strides get slower although no more bytes are transferred."};
        case Limiter::way_to_dram:
            return {"the way to DRAM", dram, "32 bytes in each clock between an SM and DRAM, without an L2."};
        case Limiter::block_launch:
            return {
                "block launch overhead",
                {},
                "One work distributor starts the blocks of all SMs. If threads do little, it takes longer than "
                "memory."};
        case Limiter::bytes_in_flight:
            return {
                "bytes in flight",
                {},
                "An SM holds a limited number of warps, and each waits for its loads and stores. More bytes per "
                "thread would help."};
        case Limiter::l2:
            return {"the L2", l2};
        case Limiter::l2_sectors:
            return {"L2 sectors", l2,
                    "32-byte sectors between the SMs and the L2, and lines that are written only in part."};
        case Limiter::l2_requests:
            return {
                "requests to the L2", l2,
                "Each line that a load misses in the L1 is a request of its own, whatever it needs of it. Lanes that "
                "are far apart make many."};
        case Limiter::one_sector:
            return {"stores to one sector", l2,
                    "All warps store to the same sector, and the L2 takes them one after the other."};
        case Limiter::l1:
            return {"the L1", l1, "Lines that an SM's L1 looks up and delivers."};
        case Limiter::bank_conflicts:
            return {"bank conflicts", shared,
                    "Wavefronts of shared memory, many of them more than the ideal."};
        case Limiter::shared_bandwidth:
            return {"shared memory bandwidth", shared,
                    "Wavefronts of shared memory, few or none of them more than the ideal."};
        case Limiter::texture_unit:
            return {"the texture unit", texture, "It serves four lanes at a time."};
        case Limiter::constant_requests:
            return {"serialized constant requests", constant};
        case Limiter::issue:
            return {"issued instructions", {}, "Four instructions per clock and SM."};
        case Limiter::multiply_adds:
            return {"multiply-adds"};
        case Limiter::dependent_multiply_adds:
            return {"dependent multiply-adds"};
        case Limiter::too_few_blocks:
            return {"too few blocks"};
        case Limiter::launch:
            return {"the launch itself", {}, "The kernel is so short that launching it takes longer."};
        case Limiter::spills_to_l1:
            return {"spills to the L1", l1};
        case Limiter::spills_past_l1:
            return {"spills past the L1", l2};
        case Limiter::spills_past_l2:
            return {"spills past the L2", dram};
        case Limiter::l1_latency:
            return {"L1 latency", l1};
        case Limiter::l2_latency:
            return {"L2 latency", l2};
        case Limiter::far_l2_latency:
            return {"the far half of the L2", l2};
        case Limiter::dram_latency:
            return {"DRAM latency", dram};
        case Limiter::shared_latency:
            return {"shared memory latency", shared};
        case Limiter::cluster_latency:
            return {"the way to another SM", other_shared};
        case Limiter::texture_latency:
            return {"texture latency", texture};
        case Limiter::constant_latency:
            return {"constant L1 latency", constant};
        case Limiter::constant_words:
            return {"distinct words, one after the other", constant};
        case Limiter::constant_misses:
            return {"lines that the constant L1 cannot hold", constant};
        case Limiter::shuffle_latency:
            return {"shuffle latency", registers};
    }
    return {};
}

}  // namespace

std::string_view limiter_name(Limiter limiter) { return facts_of(limiter).name; }
std::string_view limiter_meaning(Limiter limiter) { return facts_of(limiter).meaning; }

std::optional<Memory> memory_of(Limiter limiter, const DeviceFacts& device) {
    const std::optional<Memory> memory = facts_of(limiter).memory;
    if (memory == Memory::texture) return texture_memory(device);
    return memory == Memory::l2 && !has_l2(device) ? Memory::dram : memory;
}

Limiter sectors_past_sm(const DeviceFacts& device) {
    return has_l2(device) ? Limiter::l2_sectors : Limiter::way_to_dram;
}

Limiter latency_of(const CacheLevel& level) {
    if (level.memory == Memory::dram) return Limiter::dram_latency;
    if (level.memory == Memory::l1) return Limiter::l1_latency;
    return level.part == CacheLevel::Part::far_half ? Limiter::far_l2_latency : Limiter::l2_latency;
}

}  // namespace warplens
