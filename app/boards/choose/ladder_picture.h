#pragma once

#include "app/model/device/spaces.h"
#include "app/pictures/kit/canvas.h"

#include <string>
#include <vector>

namespace warplens {

enum class RungState {
    open,    ///< a piece of data may still live there
    chosen,  ///< it should live there
    out,     ///< an answer rules it out
    absent,  ///< this GPU has none
};

/// One memory.
struct LadderRung {
    std::string name;
    std::string who;      ///< who can reach it
    std::string facts;    ///< sizes and cycles, with the marks of their kinds; may be empty
    std::string why;      ///< out, absent: the reason
    std::string tooltip;  ///< all about it
    std::string link;     ///< where a click leads; empty: nowhere
    Closeness closeness = Closeness::board;
    RungState state = RungState::open;
};

/// The memories as rungs, nearest to the arithmetic at the top, and how high a piece of data can live.
struct LadderView {
    std::string gpu;                ///< "NVIDIA H200, compute capability 9.0"
    std::vector<std::string> said;  ///< the answers so far
    std::string question;           ///< the next one, or where the data should live
    std::vector<LadderRung> rungs;
};

/// Rungs that are still possible are lit in the colour of their distance, the one that was chosen is filled;
/// those that are ruled out are outlines with the reason beside them.
Picture draw_ladder(const LadderView& view, const Style& style);

}  // namespace warplens
