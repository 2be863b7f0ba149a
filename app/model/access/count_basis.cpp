// States what each count is based on, generation by generation. Documented rules count as exact, see
// provenance.h.
#include "app/model/access/report.h"

namespace warplens {
namespace {

constexpr CountBasis kExact{};

CountBasis global_basis(const Instruction& instruction, int major) {
    if (major == 3 || major == 1) return kExact;
    if (major == 2 && is_load(instruction.op)) return kExact;
    if (major == 2)
        return {Provenance::approximate,
                "The CUDA C Programming Guide 4.2, appendix F, describes loads; stores are counted alike."};
    return {
        Provenance::approximate,
        "That CC 5.x and 6.x cut a warp into requests of 8, 4 or 2 lanes is an NVIDIA engineer's answer in "
        "the developer forum; the guides only name the 32-byte sectors."};
}

CountBasis shared_basis(const Instruction& instruction, const DeviceFacts& device) {
    const int major = device.cc.major, bytes = instruction.bytes_per_lane;
    if (major == 1)
        return {Provenance::approximate,
                "Which word a step broadcasts is not documented (CUDA C Programming Guide 4.2, appendix F): "
                "the lowest waiting lane's is taken."};
    if (bytes <= 4) return kExact;
    if (major == 2) {
        return bytes == 8
                   ? kExact
                   : CountBasis{Provenance::approximate,
                                "The CUDA C Programming Guide 4.2, appendix F, says that the majority of "
                                "128-bit accesses need one trip more; it is counted for all."};
    }
    if (major == 3) {
        if (bytes == 8 && device.bank_rules.wide_words) return kExact;
        return {Provenance::approximate,
                "The guides give no rule for this width on CC 3.x: that for 32-bit words is applied to all "
                "words of a lane."};
    }
    return {Provenance::approximate,
            "Groups of wide accesses were measured on CC 7.0 and later, not on this one."};
}

}  // namespace

CountBasis count_basis(const Instruction& instruction, const DeviceFacts& device) {
    const int major = device.cc.major;
    if ((major == 0 || major >= 7) && instruction.space != Space::cluster) return kExact;
    switch (instruction.space) {
        case Space::global:
        case Space::l2:
            return global_basis(instruction, major);
        case Space::shared:
            return shared_basis(instruction, device);
        case Space::cluster:
            return {Provenance::approximate, "How the banks serve remote requests is not documented."};
        case Space::constant:
            return {
                Provenance::approximate,
                "One request for each distinct word was measured on CC 9.0; the guides say that the cost grows "
                "with the number of addresses, on CC 1.x in each half-warp."};
        case Space::texture:
            return {
                Provenance::approximate,
                "Groups of four lanes and sectors of 4 x 2 texels were measured on CC 9.0; this GPU's layout "
                "is not documented."};
        case Space::local:
            return {
                Provenance::approximate,
                "Interleaved words are documented; how this GPU moves them is taken from its global memory, "
                "or from CC 9.0."};
        case Space::registers:
            break;
    }
    return kExact;
}

SectorRules local_rules(const DeviceFacts& device) {
    return device.cc.major >= 1 && device.cc.major <= 2 ? device.sector_rules : SectorRules{};
}

}  // namespace warplens
