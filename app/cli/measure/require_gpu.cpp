#include "app/cli/measure/require_gpu.h"

#include "app/base/errors.h"

#include <fmt/format.h>

namespace warplens {

GpuInfo require_gpu(std::string_view command, bool cpu) {
    if (cpu) throw NoGpu(fmt::format("{} needs an NVIDIA GPU, and --cpu forbids to use one", command));
    const auto gpus = list_gpus();
    if (const auto* list = std::get_if<std::vector<GpuInfo>>(&gpus); list != nullptr && !list->empty())
        return list->front();
    const auto* none = std::get_if<Unavailable>(&gpus);
    throw NoGpu(fmt::format("{} needs an NVIDIA GPU: {}", command,
                            none != nullptr ? none->reason : "there is none here"));
}

}  // namespace warplens
