#include "app/boards/list.h"

namespace warplens {

constinit const Board kAccessBoard{
    {.key = "access",
     .label = "Access",
     .tooltip = "What one warp does to memory, and the bandwidth against a parameter.",
     .about_scenario = true,
     .instructions = true}};

}  // namespace warplens
