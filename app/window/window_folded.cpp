// A window that is narrow for its scale: parts take each other's place, and pills switch between them.
#include "app/learn/lessons.h"
#include "app/panels/board_panel.h"
#include "app/panels/controls.h"
#include "app/panels/learn/learn_panel.h"
#include "app/panels/numbers.h"
#include "app/panels/widgets.h"
#include "app/window/keys.h"
#include "app/window/window_session.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

constexpr float kStrip = 32;       // [points]
constexpr float kLeastWide = 260;  // beside a course a table may get less than that [points]

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

/// Pills for the sections. @return  the one that was pressed, else `chosen`.
Section show_switch(const PanelStyle& style, const Frame& frame, const std::vector<Section>& sections,
                    Section chosen) {
    Section now = chosen;
    for (const SectionWords& words : kSections) {
        if (std::ranges::find(sections, words.section) == sections.end()) continue;
        // A course or a quiz takes the place of the words.
        const bool card = words.section == Section::words && frame.learning->has_card();
        if (ui::pill(style, card ? "Learn" : words.label, chosen == words.section)) now = words.section;
        ui::mark(fmt::format("section.{}", words.label));
        ui::tip(style,
                fmt::format("{} {}.", words.tooltip, key_hint(action::Next{action::Next::What::section})));
        ImGui::SameLine(0, style.px(2));
    }
    return now;
}

Section one_of(const std::vector<Section>& sections, Section wanted, Section other) {
    return std::ranges::find(sections, wanted) != sections.end() ? wanted : other;
}

}  // namespace

/// The parts that a switch leads to: all of one column, or those of the side column of two.
std::vector<Section> WindowSession::sections(LayoutMode folded) const {
    const bool wide = state_.board->wide, has_lesson = !wide || !state_.board->lesson.empty();
    std::vector<Section> all{Section::set};
    if (folded == LayoutMode::one) all.push_back(Section::picture);
    if (folded == LayoutMode::one && state_.board->instructions) all.push_back(Section::plot);
    if (!wide) all.push_back(Section::numbers);
    if (has_lesson || learning_.has_card()) all.push_back(Section::words);
    return all;
}

/// Where this is not in view now, it is from now on.
void WindowSession::turn_to(Section section) {
    view_.section = section;
    if (section == Section::set || section == Section::numbers || section == Section::words)
        view_.side = section;
    if (section == Section::picture || section == Section::plot) view_.plot_alone = section == Section::plot;
    window_.keep_awake(2);
}

void WindowSession::turn_section(int by) {
    const LayoutMode folded = mode();
    if (folded == LayoutMode::three) return;
    const std::vector<Section> all = sections(folded);
    const auto at = std::ranges::find(all, folded == LayoutMode::one ? view_.section : view_.side);
    const int count = static_cast<int>(all.size());
    const int now = at == all.end() ? 0 : static_cast<int>(at - all.begin());
    turn_to(all[static_cast<std::size_t>((now + by + count) % count)]);
}

/// One part in a panel that fills a place.
void WindowSession::show_section(const Frame& frame, Section section, const Rect& place, Actions& actions) {
    const ImVec2 at(place.x, place.y), size(place.w, place.h);
    if (section == Section::set) {
        show_knobs(frame, place, actions);
    } else if (section == Section::picture && frame.other != nullptr && !frame.counts_hidden) {
        show_sides(frame, place, actions);
    } else if (section == Section::picture) {
        const bool access = state_.board->instructions;
        const ui::Panel panel(style(), access ? "picture" : "board", at, size, 8);
        if (access)
            show_pictures(style(), frame, view_, pictures_, actions);
        else if (frame.counts_hidden && state_.board->about_scenario)
            show_hidden_part(style(), "This map");
        else if (state_.board->wide && place.w < kLeastWide * window_.scale())
            ui::wrapped("This table needs a wider window, or smaller text: Ctrl+minus.");
        else
            show_board(style(), frame, view_, pictures_, actions);
    } else if (section == Section::plot) {
        const ui::Panel panel(style(), "plot", at, size, 8);
        if (frame.counts_hidden)
            show_hidden_part(style(), "The plot");
        else
            show_plot(style(), frame, view_, curve_, pictures_, actions);
    } else if (section == Section::words && learning_.has_card()) {
        const ui::Panel panel(style(), "learn", at, size);
        show_learn_card(style(), frame, view_, actions);
    } else if (section == Section::numbers) {
        const ui::Panel panel(style(), "numbers", at, size);
        show_numbers(style(), frame, view_, actions);
    } else {
        const bool reading = view_.reading || state_.board->wide;
        const ui::Panel panel(style(), reading ? "reading" : "lesson", at, size);
        if (reading)
            show_reading(style(), frame, view_, pictures_.code, actions);
        else
            show_lesson(style(), frame, view_, pictures_.code, actions);
    }
}

/// A side column with a switch, and what happens beside it.
void WindowSession::show_two(const Frame& before, const Rect& place, Actions& actions) {
    const float s = window_.scale(), gap = kGap * s, strip = kStrip * s;
    const float side = std::clamp(place.w * 0.4f, 270 * s, 340 * s);
    const std::vector<Section> all = sections(LayoutMode::two);
    ImGui::SetCursorScreenPos(ImVec2(place.x, place.y));
    view_.side = show_switch(style(), before, all, one_of(all, view_.side, Section::set));
    show_section(before, view_.side, {place.x, place.y + strip, side, place.h - strip}, actions);

    const Frame frame = make_frame();
    show_middle(frame, {place.x + side + gap, place.y, place.w - side - gap, place.h}, actions);
}

/// One part at a time.
void WindowSession::show_one(const Frame& before, const Rect& place, Actions& actions) {
    const float s = window_.scale(), strip = kStrip * s;
    const std::vector<Section> all = sections(LayoutMode::one);
    ImGui::SetCursorScreenPos(ImVec2(place.x, place.y));
    view_.section = show_switch(style(), before, all, one_of(all, view_.section, Section::picture));
    Rect body{place.x, place.y + strip, place.w, place.h - strip};
    if (view_.section == Section::picture) {
        const float list = 180 * s;  // of boards: beside the switch, else below it
        const bool beside = ImGui::GetItemRectMax().x + 20 * s + list <= place.x + place.w;
        ImGui::SetCursorScreenPos(beside ? ImVec2(place.x + place.w - list, place.y)
                                         : ImVec2(body.x, body.y));
        show_board_strip(style(), before, beside ? list : body.w, actions);
        body.y += beside ? 0 : strip;
        body.h -= beside ? 0 : strip;
    }
    show_section(before, view_.section, body, actions);
}

}  // namespace warplens
