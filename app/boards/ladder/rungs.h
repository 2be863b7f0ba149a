#pragma once

#include "app/boards/board.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// One kernel of the matrix product, on the way from the first attempt to the library.
struct Rung {
    std::string_view name;      ///< a few words: "coalesced"
    std::string_view scenario;  ///< its id
    std::string_view settings;  ///< as --set takes them, without the size: "variant=naive"
    std::string_view change;    ///< what it does that the rung before did not, in a few words
};

/// All rungs, the slowest kernel first.
std::span<const Rung> all_rungs();

/// All that is known of one rung. Per multiply-add means per multiplication and addition of one lane; a
/// wavefront and an instruction serve the 32 lanes of a warp, so these are per warp-wide multiply-add.
struct RungFacts {
    const Rung* rung = nullptr;          ///< never null
    const Scenario* scenario = nullptr;  ///< never null
    Params params;
    double shared_bytes = 0;  ///< that lanes load from and store to shared memory [bytes per multiply-add]
    double global_bytes = 0;  ///< the same for global memory [bytes per multiply-add]
    double wavefronts = 0;    ///< of the banks [per warp-wide multiply-add]
    int registers = 0;        ///< of a thread, as recorded for compute capability 9.0; 0 if not known
    int warps = 0;            ///< resident on an SM at once; 0 if the registers are not known
    Prediction prediction;
    std::optional<double> recorded;  ///< on the chosen GPU [GFLOP/s]
    std::optional<double> measured;  ///< here and now, of the present setting alone [GFLOP/s]

    /// Measured, else recorded, else predicted [GFLOP/s]; 0 if nothing is known.
    double best() const { return measured ? *measured : recorded.value_or(prediction.value); }
    /// A click leads there.
    std::string link() const;
};

/// The ladder for one size of the matrices on one GPU. Rungs whose scenario has no such size are left out.
struct RungsView {
    const DeviceFacts* device = nullptr;  ///< never null
    int matrix = 0;                       ///< rows and columns of the matrices
    std::vector<RungFacts> rungs;
    int present = -1;               ///< index of the rung that is set; -1 if none is
    double peak = 0;                ///< FP32 [GFLOP/s]; 0 if not known
    std::optional<double> library;  ///< cuBLAS, recorded on the chosen GPU [GFLOP/s]
    std::string where;              ///< where the recorded values come from; empty if there are none
};

RungsView climb_rungs(const BoardInput& input);

/// Three digits, as every number of the ladder has them: "0.0664", "8.25", "66.9".
std::string few_digits(double value);

/// How a speed compares with another: "104 %", "1.3 %". Empty if that is not known.
std::string share_text(double speed, std::optional<double> of);

/// The fastest rung and what it takes; why the present one is no faster.
Explanation explain_rungs(const RungsView& view);

/// A row for each rung: name and change, a bar, numbers. A click sets a rung up.
Picture draw_rungs(const RungsView& view, const Style& style);

}  // namespace warplens
