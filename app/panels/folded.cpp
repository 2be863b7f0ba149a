// A window that is narrow for its scale: parts take each other's place, and pills switch between them.
#include "app/learn/learning.h"
#include "app/panels/board_panel.h"
#include "app/panels/screen.h"
#include "app/panels/widgets.h"
#include "app/window/keys.h"
#include "app/window/sections.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

constexpr float kStrip = 32;  // [points]

struct SectionWords {
    Section section;
    const char* label;
    const char* tooltip;
};
constexpr SectionWords kSections[] = {
    {Section::set, "Set", "Scenario, parameters and device"},
    {Section::picture, "Picture", "What one warp does, or another board"},
    {Section::plot, "Plot", "The same against any parameter"},
    {Section::numbers, "Numbers", "What it costs, number by number"},
    {Section::words, "Why", "The reason, the code, a lesson"},
};

/// Pills for the sections that a switch leads to.
/// @param chosen  the one that is shown; becomes the one that was pressed, or `usual` where it is no longer
///                among them
void show_switch(const Screen& screen, Section& chosen, Section usual) {
    const Frame& frame = screen.frame;
    const bool card = frame.learning->has_card();
    const std::vector<Section> sections = switched_sections(frame.mode, *frame.state->board, card);
    const auto leads_to = [&](Section section) {
        return std::ranges::find(sections, section) != sections.end();
    };
    if (!leads_to(chosen)) chosen = usual;
    const Section before = chosen;
    for (const SectionWords& words : kSections) {
        if (!leads_to(words.section)) continue;
        // A course or a quiz takes the place of the words.
        const char* label = card && words.section == Section::words ? "Learn" : words.label;
        if (ui::pill(screen.style, label, before == words.section)) chosen = words.section;
        ui::mark(fmt::format("section.{}", words.label));
        ui::tip(screen.style,
                fmt::format("{} {}.", words.tooltip, key_hint(action::Next{action::Next::What::section})));
        ImGui::SameLine(0, screen.style.px(2));
    }
}

}  // namespace

void show_two_columns(const Screen& screen, const Rect& place) {
    const float s = screen.style.scale, gap = kGap * s, strip = kStrip * s;
    const float side = std::clamp(place.w * 0.4f, 270 * s, 340 * s);
    ImGui::SetCursorScreenPos(ImVec2(place.x, place.y));
    show_switch(screen, screen.view.side, Section::set);
    show_part(screen, screen.view.side, {place.x, place.y + strip, side, place.h - strip});
    show_middle(screen, {place.x + side + gap, place.y, place.w - side - gap, place.h});
}

void show_one_column(const Screen& screen, const Rect& place) {
    const float s = screen.style.scale, strip = kStrip * s;
    ImGui::SetCursorScreenPos(ImVec2(place.x, place.y));
    show_switch(screen, screen.view.section, Section::picture);
    Rect body{place.x, place.y + strip, place.w, place.h - strip};
    if (screen.view.section == Section::picture) {
        const float list = 180 * s;  // of boards: beside the switch, else below it
        const bool beside = ImGui::GetItemRectMax().x + 20 * s + list <= place.x + place.w;
        ImGui::SetCursorScreenPos(beside ? ImVec2(place.x + place.w - list, place.y)
                                         : ImVec2(body.x, body.y));
        show_board_strip(screen.style, screen.frame, beside ? list : body.w, screen.actions);
        body.y += beside ? 0 : strip;
        body.h -= beside ? 0 : strip;
    }
    show_part(screen, screen.view.section, body);
}

}  // namespace warplens
