#include "app/pictures/explain.h"

namespace warplens {

Explanation explain_texture(const InstructionView&) { return {}; }

}  // namespace warplens
