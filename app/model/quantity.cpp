#include "app/model/quantity.h"

#include <algorithm>

namespace warplens {

Better better_of(std::string_view count) {
    constexpr std::string_view kCosts[] = {"requests",     "sectors",    "lines",     "words",
                                           "transactions", "wavefronts", "excessive", "bytes moved"};
    return std::ranges::find(kCosts, count) == std::end(kCosts) ? Better::neither : Better::less;
}

Better better_of(SpeedUnit speed_unit) {
    return speed_unit == SpeedUnit::cycles ? Better::less : Better::more;
}

}  // namespace warplens
