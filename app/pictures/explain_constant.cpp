#include "app/pictures/explain.h"

namespace warplens {

Explanation explain_constant(const InstructionView&) { return {}; }

}  // namespace warplens
