#include "app/pictures/explain.h"

namespace warplens {

Explanation explain_local(const InstructionView&) { return {}; }

}  // namespace warplens
