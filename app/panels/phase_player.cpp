#include "app/panels/board_panel.h"

namespace warplens {

void show_phase_player(const Frame&, const View&, Wishes&) {}

}  // namespace warplens
