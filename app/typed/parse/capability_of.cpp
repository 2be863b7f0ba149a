#include "app/typed/parse/capability_of.h"

#include <utility>

namespace warplens::typed {

int capability_of(std::string_view function) {
    constexpr std::pair<std::string_view, int> kBegin[] = {{"__shfl", 30},
                                                           {"tiled_partition", 30},
                                                           {"coalesced_threads", 30},
                                                           {"__syncwarp", 30},
                                                           {"__activemask", 30},
                                                           {"__match_", 70},
                                                           {"__reduce_", 80},
                                                           {"__pipeline_", 70},
                                                           {"__nanosleep", 70},
                                                           {"__ldg", 35},
                                                           {"__funnelshift", 32},
                                                           {"__dp4a", 61},
                                                           {"__dp2a", 61},
                                                           {"__ballot", 20},
                                                           {"__any", 12},
                                                           {"__all", 12},
                                                           {"__syncthreads_", 20},
                                                           {"__threadfence_system", 20},
                                                           {"surf", 20},
                                                           {"clock64", 20},
                                                           {"globaltimer", 30},
                                                           {"printf", 20},
                                                           {"assert", 20},
                                                           {"cudaGridDependencySynchronize", 90},
                                                           {"cudaTriggerProgrammaticLaunchCompletion", 90},
                                                           {"this_cluster", 90},
                                                           {"__cluster_dims__", 90}};
    int least = 0;
    for (const auto& [begin, cc] : kBegin)
        if (function.starts_with(begin)) least = cc;
    const bool with_mask = function.starts_with("__any_s") || function.starts_with("__all_s") ||
                           function.starts_with("__ballot_s");
    return with_mask ? 30 : least;
}

int capability_of_atomic(std::string_view function, const Type& type, bool shared, bool bfloat) {
    if (function.ends_with("_system") || function.ends_with("_block")) return 60;
    const bool adds = function == "atomicAdd";
    const int first = shared ? 12 : 11;
    switch (type.scalar) {
        case Scalar::float64:
            return 60;
        case Scalar::float32:
            return type.lanes > 1 ? 90 : adds ? 20 : first;
        case Scalar::float16:
            return bfloat ? 80 : type.lanes > 1 ? 60 : 70;
        case Scalar::int16:
        case Scalar::uint16:
            return 70;
        case Scalar::int64:
        case Scalar::uint64:
            if (!adds && function != "atomicExch" && function != "atomicCAS") return 35;
            return shared ? 20 : 12;
        default:
            return first;
    }
}

}  // namespace warplens::typed
