#include "app/pictures/explain.h"

namespace warplens {

Explanation explain_registers(const InstructionView&) { return {}; }

}  // namespace warplens
