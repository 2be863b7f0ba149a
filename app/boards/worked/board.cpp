#include "app/boards/list.h"

namespace warplens {

constinit const Board kWorkedBoard{
    {.key = "claims",
     .label = "Claims",
     .tooltip = "Numbers that textbooks and articles give, checked: right, corrected or outdated.",
     .picture = false,
     .wide = true}};

}  // namespace warplens
