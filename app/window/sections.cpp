#include "app/window/frame.h"

#include <algorithm>

namespace warplens {

LayoutMode layout_mode(float width) {
    constexpr float kLeastSide = 270;  // of two columns [points]
    if (width >= kLeastLeft + kLeastRight + kLeastMiddle + 4 * kGap) return LayoutMode::three;
    return width >= kLeastSide + kLeastMiddle + 3 * kGap ? LayoutMode::two : LayoutMode::one;
}

std::vector<Section> switched_sections(LayoutMode mode, const BoardInfo& board, bool card) {
    std::vector<Section> all{Section::set};
    if (mode == LayoutMode::one) all.push_back(Section::picture);
    if (mode == LayoutMode::one && board.instructions) all.push_back(Section::plot);
    if (!board.wide) all.push_back(Section::numbers);
    if (!board.wide || !board.lesson.empty() || card) all.push_back(Section::words);
    return all;
}

void show_section(View& view, Section section) {
    view.section = section;
    if (section == Section::picture || section == Section::plot)
        view.plot_alone = section == Section::plot;
    else
        view.side = section;
}

void next_section(View& view, LayoutMode mode, const BoardInfo& board, bool card, int by) {
    if (mode == LayoutMode::three) return;
    const std::vector<Section> all = switched_sections(mode, board, card);
    const auto at = std::ranges::find(all, mode == LayoutMode::one ? view.section : view.side);
    const int count = int(all.size());
    const int now = at == all.end() ? 0 : int(at - all.begin());
    show_section(view, all[(now + by + count) % count]);
}

}  // namespace warplens
