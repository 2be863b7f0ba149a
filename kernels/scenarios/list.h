#pragma once

// THE LIST: the only file that names all scenarios. To add one: write its header and assets/lessons/<id>.md,
// then add one include and one name here. Menu, knobs, command line, figures, kernels and tests follow.
#include "kernels/scenarios/global_stride.h"
#include "kernels/scenarios/shared_stride.h"
#include "kernels/scenarios/shared_tile.h"
#include "kernels/scenarios/texture_filter.h"
#include "kernels/scenarios/transpose.h"

namespace warplens {

template <class... S>
struct ScenarioList {};

/// In the order in which the menu shows them.
using AllScenarios = ScenarioList<GlobalStride, SharedStride, SharedTile, Transpose, TextureFilter>;

}  // namespace warplens
