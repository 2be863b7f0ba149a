#include "app/model/limits.h"

#include <cmath>

namespace warplens::limits {

Limit soft_maximum(std::span<const Limit> limits) {
    Limit longest;
    for (const Limit& limit : limits) {
        if (limit.seconds > longest.seconds) longest = limit;
    }
    if (longest.seconds <= 0) return {};
    double sum = 0;
    for (const Limit& limit : limits) sum += std::pow(limit.seconds / longest.seconds, kSoftness);
    return {longest.seconds * std::pow(sum, 1 / kSoftness), longest.name};
}

}  // namespace warplens::limits
