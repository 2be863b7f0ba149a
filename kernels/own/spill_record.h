#pragma once

namespace warplens {

/// What ptxas reported about one kernel of spill.cu.
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
    {{21, 0, 0}, {21, 0, 0}, {21, 0, 0}, {21, 0, 0}, {21, 0, 0}, {21, 0, 0}, {21, 0, 0}, {21, 0, 0}, {21, 0, 0}, {21, 0, 0}},
    {{24, 112, 208}, {32, 48, 80}, {37, 0, 0}, {37, 0, 0}, {37, 0, 0}, {37, 0, 0}, {37, 0, 0}, {37, 0, 0}, {37, 0, 0}, {37, 0, 0}},
    {{24, 304, 560}, {32, 272, 496}, {40, 224, 416}, {48, 160, 320}, {64, 48, 80}, {69, 0, 0}, {69, 0, 0}, {69, 0, 0}, {69, 0, 0}, {69, 0, 0}},
    {{24, 472, 860}, {32, 408, 764}, {40, 368, 688}, {48, 336, 624}, {64, 272, 496}, {80, 160, 320}, {96, 48, 80}, {101, 0, 0}, {101, 0, 0}, {101, 0, 0}},
    {{24, 648, 1160}, {32, 552, 1032}, {40, 496, 944}, {48, 464, 880}, {64, 400, 752}, {80, 336, 624}, {96, 272, 496}, {128, 48, 80}, {133, 0, 0}, {133, 0, 0}},
    {{24, 816, 1460}, {32, 688, 1300}, {40, 624, 1200}, {48, 592, 1136}, {64, 528, 1008}, {80, 464, 880}, {96, 400, 752}, {128, 272, 496}, {165, 0, 0}, {165, 0, 0}},
};
// clang-format on

}  // namespace warplens
