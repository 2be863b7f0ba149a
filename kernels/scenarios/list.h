#pragma once

// The folder kernels/scenarios/ contains a header for each scenario: its knobs, presets, launch shape,
// instructions, address formula and facts (kernels/scenario_facts.h); in cuda/<id>.cu stands the kernel as a
// person would write it, which is timed, counted and shown (cuda/scenario_kernel.cuh). Counts and times are
// predicted by the model (app/model/).
//
// THE LIST: the only file that names all scenarios. To add one: write its header, its kernel and
// assets/lessons/<id>.md, then add one include and one name here. Menu, knobs, command line, figures and
// tests follow.
#include "kernels/scenarios/async_copy.h"
#include "kernels/scenarios/atomic_histogram.h"
#include "kernels/scenarios/cache_footprint.h"
#include "kernels/scenarios/cluster_shared.h"
#include "kernels/scenarios/constant_convolution.h"
#include "kernels/scenarios/constant_lookup.h"
#include "kernels/scenarios/global_gather.h"
#include "kernels/scenarios/global_matrix.h"
#include "kernels/scenarios/global_stride.h"
#include "kernels/scenarios/global_struct.h"
#include "kernels/scenarios/host_memory.h"
#include "kernels/scenarios/latency_hiding.h"
#include "kernels/scenarios/local_array.h"
#include "kernels/scenarios/local_spill.h"
#include "kernels/scenarios/matrix_ladder.h"
#include "kernels/scenarios/matrix_multiply.h"
#include "kernels/scenarios/register_shuffle.h"
#include "kernels/scenarios/shared_broadcast.h"
#include "kernels/scenarios/shared_matrix_load.h"
#include "kernels/scenarios/shared_operand_tile.h"
#include "kernels/scenarios/shared_reduction.h"
#include "kernels/scenarios/shared_stride.h"
#include "kernels/scenarios/shared_tile.h"
#include "kernels/scenarios/texture_filter.h"
#include "kernels/scenarios/texture_walk.h"
#include "kernels/scenarios/transpose.h"
#include "kernels/scenarios/vector_add.h"

namespace warplens {

template <class... S>
struct ScenarioList {
    static_assert((names_main_knobs(S::info) && ...), "each scenario names two to four main knobs");
};

/// The scenarios, in the order in which the menu shows them.
using AllScenarios =
    ScenarioList<GlobalStride, GlobalMatrix, GlobalStruct, GlobalGather, VectorAdd, SharedStride,
                 SharedBroadcast, SharedTile, SharedReduction, SharedMatrixLoad, SharedOperandTile, Transpose,
                 MatrixMultiply, MatrixLadder, ConstantLookup, ConstantConvolution, TextureWalk,
                 TextureFilter, LocalArray, LocalSpill, RegisterShuffle, CacheFootprint, LatencyHiding,
                 AsyncCopy, AtomicHistogram, HostMemory, ClusterShared>;

}  // namespace warplens
