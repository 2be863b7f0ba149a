#include "app/panels/board_panel.h"
#include "app/panels/widgets.h"

namespace warplens {

void show_claims(const Frame&, View&, Wishes&) { ui::text("Worked numbers"); }

}  // namespace warplens
