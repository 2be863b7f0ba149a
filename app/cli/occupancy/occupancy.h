#pragma once

#include "app/cli/command.h"
#include "app/experiment/kernel_table.h"
#include "app/model/device/occupancy.h"
#include "kernels/cuda/gpu.h"
#include "kernels/timing/timed.h"

#include <functional>
#include <istream>
#include <ostream>
#include <string>

namespace warplens {

/// One launch, a file of launches, or the kernels of this program.
struct OccupancyCommand {
    std::string path;             ///< of a CSV file; "-" for standard input; empty if there is no file
    std::string cc;               ///< of the one launch: "9.0"
    OccupancyInput input;         ///< the one launch
    std::optional<int> carveout;  ///< as typed [percent]
    std::string arguments;        ///< as typed: bytes, or "none"; empty for 0
    bool kernels = false;         ///< ask the GPU about the kernels instead
    bool json = false;
    bool cpu = false;         ///< without the GPU the driver cannot be asked, so this is an error
    std::string output_path;  ///< empty for standard output
};

/// Occupancy of every launch in a CSV file with the columns cc, block, regs and smem_dyn.
/// @param name  of the input, for messages.
/// @return      the whole CSV answer: cc,block,regs,smem_dyn,blocks,limiter.
/// Errors: UsageError at the first malformed row.
std::string occupancy_rows(std::istream& input, const std::string& name);

/// Occupancy of one launch: a table, or JSON.
/// Errors: UsageError for a compute capability that is not in the table, or one that has no such option.
std::string occupancy_of_launch(const OccupancyCommand& command);

/// Asks for the kernels of a setting: TimedKernels::resources, or something predictable in tests.
using AskResources =
    std::function<std::variant<std::vector<KernelResources>, Unavailable>(std::string_view, const Params&)>;

/// The kernels of all scenarios, each asked for at the settings that lead to it.
struct KernelSurvey {
    KernelTable table;
    std::vector<std::string> left_out;  ///< "cluster-shared: needs compute capability 9.0, …", each once
};
KernelSurvey survey_kernels(const GpuInfo& gpu, const AskResources& ask);

/// The model's occupancy of a kernel on a GPU of that compute capability. Empty if it has no
/// rules for it.
std::optional<Occupancy> model_of_kernel(ComputeCapability cc, const KernelResources& kernel);

/// A row for each kernel: what it takes, how many blocks the driver puts onto an SM, and how many the model.
/// @param differing  is set to the number of kernels for which the two differ
std::string survey_text(const KernelSurvey& survey, int& differing);

/// `warplens occupancy`.
/// @param input  what "-" reads.
/// Errors: UsageError; NoGpu for --kernels without one; Failure when the driver and the model differ.
void run_occupancy(const OccupancyCommand& command, std::istream& input, std::ostream& out);

}  // namespace warplens
