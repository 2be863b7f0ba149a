#include "app/pictures/explain.h"

namespace warplens {

Explanation explain_cluster(const InstructionView&) { return {}; }

}  // namespace warplens
