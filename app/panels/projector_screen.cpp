// Projector mode: large type, thick lines, one picture with what it means, few knobs.
#include "app/learn/learning.h"
#include "app/panels/controls.h"
#include "app/panels/overlays.h"
#include "app/panels/screen.h"
#include "app/panels/widgets.h"
#include "app/window/sections.h"

#include <algorithm>
#include <cmath>

namespace warplens {

float projector_scale(Vec2 size) {
    // The window has about so many points in projector mode, however many pixels.
    constexpr float kWidth = 960, kHeight = 560;
    const float fits = std::clamp(std::min(size.x / kWidth, size.y / kHeight), 0.75f, 6.0f);
    return std::floor(fits * 20) / 20;
}

void show_projector(const Screen& screen) {
    const auto& [style, frame, view, caches, actions, set] = screen;
    constexpr float kCard = 330;  // of a course or a quiz, at the right [points]
    const float gap = style.px(kGap), top = style.px(42);
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    ImGui::SetCursorScreenPos(ImVec2(style.px(14), style.px(8)));
    show_projector_head(style, frame, actions);
    show_bar_menus(style, frame, view, actions);
    const float card = frame.learning->has_card() ? style.px(kCard) + gap : 0, wide = size.x - 2 * gap - card;
    float bottom = size.y - gap;
    if (frame.state->board->about_scenario) {
        State changed = *frame.state;
        const float height = style.px(76);
        bool turned = false;
        {
            const ui::Panel panel(style, "knobs", ImVec2(gap, bottom - height), ImVec2(wide, height), 8);
            turned = show_main_knobs(style, frame, changed, view, actions);
        }
        if (turned) set(changed);
        bottom -= height + gap;
    }
    const Explanation words = frame.counts_hidden ? Explanation{} : spoken(frame, view);
    if (!words.verdict.empty()) {
        const ui::FontScope heading(style, FontRole::heading);
        const float room = wide - 2 * gap - style.px(8);
        const float height =
            std::min(ImGui::CalcTextSize(words.verdict.c_str(), nullptr, false, room).y, 0.2f * size.y) +
            style.px(26);
        const ui::Panel panel(style, "verdict", ImVec2(gap, bottom - height), ImVec2(wide, height));
        ui::wrapped(words.good ? style.colors.good : style.colors.bad, words.verdict);
        ui::mark("verdict");
        bottom -= height + gap;
    }
    show_part(screen, Section::picture, {gap, top, wide, bottom - top});
    if (card > 0)
        show_part(screen, Section::words, {size.x - card, top, style.px(kCard), size.y - gap - top});
}

}  // namespace warplens
