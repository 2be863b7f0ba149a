#pragma once

namespace warplens {

/// The report of ptxas about one kernel of local_spill.cu.
struct SpillRecord {
    int registers;    ///< per thread
    int frame_bytes;  ///< local memory per thread: cudaFuncAttributes::localSizeBytes
    int load_bytes;   ///< bytes of all its spill loads; each load counts once, however often it is executed
};

/// The budgets of registers and the numbers of live values for which there is a kernel.
inline constexpr int kSpillRegisters[] = {24, 32, 40, 48, 64, 80, 96, 128, 168, 255};
inline constexpr int kSpillLiveValues[] = {16, 32, 64, 96, 128, 160};

// Recorded from the output of ptxas -v, not computed. tests/commands/spill_table.sh compares it with the
// installed compiler, and with --record writes it anew.
// clang-format off
inline constexpr const char* kSpillCompiler = "nvcc 13.0, sm_90";
inline constexpr SpillRecord kSpillRecords[6][10] = {
    {{24, 0, 0}, {22, 0, 0}, {22, 0, 0}, {22, 0, 0}, {22, 0, 0}, {22, 0, 0}, {22, 0, 0}, {22, 0, 0}, {22, 0, 0}, {22, 0, 0}},
    {{24, 96, 92}, {32, 32, 32}, {38, 0, 0}, {38, 0, 0}, {38, 0, 0}, {38, 0, 0}, {38, 0, 0}, {38, 0, 0}, {38, 0, 0}, {38, 0, 0}},
    {{24, 240, 240}, {32, 208, 208}, {40, 176, 176}, {48, 144, 144}, {64, 32, 32}, {70, 0, 0}, {70, 0, 0}, {70, 0, 0}, {70, 0, 0}, {70, 0, 0}},
    {{24, 368, 368}, {32, 336, 336}, {40, 304, 304}, {48, 272, 272}, {64, 208, 208}, {80, 144, 144}, {96, 32, 32}, {104, 0, 0}, {104, 0, 0}, {104, 0, 0}},
    {{24, 496, 496}, {32, 464, 464}, {40, 432, 432}, {48, 400, 400}, {64, 336, 336}, {80, 272, 272}, {96, 208, 208}, {128, 32, 32}, {136, 0, 0}, {136, 0, 0}},
    {{24, 624, 624}, {32, 592, 592}, {40, 560, 560}, {48, 528, 528}, {64, 464, 464}, {80, 400, 400}, {96, 336, 336}, {128, 208, 208}, {166, 0, 0}, {166, 0, 0}},
};
// clang-format on

}  // namespace warplens
