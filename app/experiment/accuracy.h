#pragma once

#include "app/experiment/recordings.h"
#include "app/model/time/prediction.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// A recorded setting beside its prediction, in the unit of the scenario's plot.
struct ComparedPoint {
    Params params;
    double measured = 0, predicted = 0;
    Prediction prediction;

    double factor() const { return predicted / measured; }
};

/// Every setting of a scenario that the recording contains, in the order of their texts.
std::vector<ComparedPoint> compare_with_model(const Scenario& scenario, const OpenRecording& recording);

/// How far factors predicted / measured are from 1.
struct Errors {
    std::size_t points = 0;
    /// The errors |factor - 1|, in order: the median, and what nine of ten do not exceed.
    double median = 0, tenth = 0;
    double within = 0;         ///< share of the points whose error is at most kWithin
    double worst = 1;          ///< the factor that is farthest from 1, above or below
    std::size_t worst_at = 0;  ///< its index
};

/// How far the model's predictions are from what was measured, for one scenario on one GPU.
struct Accuracy : Errors {
    static constexpr double kWithin = 0.3;
    const Scenario* scenario = nullptr;  ///< never null
    std::string gpu;
    Params worst_params;
    /// Pairs of settings that differ in one named choice and whose measured speeds differ by more than 10 %:
    /// how many there are, and of how many the model names the faster one.
    std::size_t pairs = 0, ordered = 0;
    Params wrong_order[2];  ///< the pair with the largest measured difference that the model orders wrongly
};

/// The model must reach this: a median of 10 %, 95 % of the points within 30 %, none off by more than a
/// factor of 2, and the order of every pair.
bool meets_goal(const Accuracy& accuracy);

/// A measurement that somebody published of a GPU that no recording of the program is of, beside its
/// prediction: a row of assets/published.json.
struct Published {
    std::string id;
    const DeviceFacts* device = nullptr;  ///< never null
    const Scenario* scenario = nullptr;   ///< never null
    Params params;
    double value = 0;  ///< in the unit of the scenario
    double predicted = 0;
    std::string printed, setting, source;
    bool input = false;  ///< the model takes a number from it, so it is no witness

    double factor() const { return predicted / value; }
};
/// All of them, with the predictions of now.
std::vector<Published> published_beside_model();

/// How far the model is from what was published for the GPUs of one major compute capability.
struct GenerationAccuracy : Errors {
    static constexpr double kWithin = 0.4;
    int major = 0;
    std::string worst_id;
    std::set<std::string> kinds;  ///< see kind_of; those that the witnesses are of
};
/// Measurements that say something of each other: "cache-footprint, cycles".
std::string kind_of(const Scenario& scenario, const Params& params);
/// The witnesses by generation, oldest first, and all of them together as 0.
std::vector<GenerationAccuracy> accuracy_by_generation(const std::vector<Published>& all);

/// How far the model is from kernels as courses show them, compiled by nvcc and timed by events.
struct TimedText {
    std::string kernel;
    double measured = 0, predicted = 0;  ///< [us]
    double factor() const { return predicted / measured; }
};
struct TextAccuracy : Errors {
    static constexpr double kWithin = 0.3;
    std::string gpu;
    std::vector<TimedText> kernels;  ///< of assets/timed/kernels.cu, but those that are not predicted
};
/// With the predictions of now, which takes some seconds.
TextAccuracy accuracy_of_texts();

/// The known error of the model: for compute capability 9 that of the scenario, on the GPUs whose recordings
/// come with the program; for others that of their generation, from what was published, for the kinds that it
/// is of. Of a kernel that a person typed it is that of the kernels of TextAccuracy, on capability 9.
struct KnownError {
    double median = 0;  ///< the largest one of these GPUs, as a share
    double tenth = 0;   ///< what nine of ten settings do not exceed, likewise
    std::string of;  ///< "nine of ten settings on the NVIDIA H200", "all 3 published …"; empty if nothing was
                     ///< compared
    bool meets_goal = true;  ///< on all of them; if not, a prediction is not shown without its error
};

/// From assets/accuracy.json, which `warplens accuracy --json` writes. Errors: none.
const KnownError& known_error(const Scenario& scenario, const Params& params, const DeviceFacts& device);

/// One row for each scenario of which the recording has points, in the order of the list.
std::vector<Accuracy> accuracy_of(const OpenRecording& recording);

}  // namespace warplens
