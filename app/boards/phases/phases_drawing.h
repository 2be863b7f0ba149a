#pragma once

#include "app/boards/phases/phases_layout.h"

namespace warplens {

/// A picture of tile phases while it is drawn.
struct PhasesCanvas {
    Canvas& canvas;
    const PhasesView& view;
    const PhasesLayout& layout;
    int thread = 0;  ///< the highlighted one: under the mouse, or chosen

    const TileProduct& product() const { return view.product; }
    const PhaseStep& step() const { return view.moment.step; }
    bool loads() const { return step().act == PhaseAct::load; }
    bool multiplies() const { return step().act == PhaseAct::multiply; }
    /// What the highlighted thread touches; only where it loads or multiplies.
    PhaseTouch touch() const { return phase_touch(product(), step(), thread); }
    Color color(int of_thread) const { return thread_color(canvas.theme, of_thread, product().threads()); }
    /// The colour of something that is not used in this step.
    Color weak(Color full) const { return mix(canvas.theme.panel, full, 0.42f); }
};

/// The three matrices, and what shared memory holds.
void draw_phase_matrices(const PhasesCanvas& drawing);
/// Lines between what the highlighted thread reads and where it goes.
void draw_phase_wires(const PhasesCanvas& drawing);
void draw_phase_table(const PhasesCanvas& drawing);
/// The sum of the highlighted thread, term by term.
void draw_phase_sum(const PhasesCanvas& drawing, float x, float width);

/// Where clicks on pictures of phases go: "?board=phases&phases.thread=3".
std::string phases_link(std::string_view settings);

}  // namespace warplens
