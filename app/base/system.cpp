#include "app/base/system.h"

namespace warplens {

const bool kHasPaths = true;
const std::string_view kNoLaunches;

}  // namespace warplens
