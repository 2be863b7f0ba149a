// Demos: the menu in which a lecturer makes one, and the card with the note of the stop that is shown.

#include "app/base/system.h"
#include "app/experiment/link.h"
#include "app/panels/learn/learn_panel.h"
#include "app/panels/widgets.h"
#include "app/pictures/kit/canvas.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warplens {
namespace {

using EditWhat = action::EditDemo::What;

constexpr float kDemoMenuWidth = 520;  // [points]

/// A text as ImGui edits it, in a field of its own size.
template <std::size_t size>
std::array<char, size> field_of(std::string_view text) {
    std::array<char, size> field{};
    text.copy(field.data(), std::min(text.size(), size - 1));
    return field;
}

void show_title_field(const DemoRun& run, Actions& actions) {
    auto title = field_of<kMostTitleBytes + 1>(run.demo().title);
    ui::fill_width();
    if (ImGui::InputTextWithHint("##title", "title of the demo", title.data(), title.size()))
        actions.add(action::EditDemo{EditWhat::title, 0, title.data()});
    ui::mark("demo.title");
}

void show_stops(const PanelStyle& style, const DemoRun& run, const View& view, Actions& actions) {
    const std::vector<DemoStop>& stops = run.demo().stops;
    constexpr std::size_t kMostShown = 7;
    const float line = ImGui::GetTextLineHeightWithSpacing();
    const float rows = float(std::clamp<std::size_t>(stops.size(), 1, kMostShown));
    ui::begin_child("stops", ImVec2(0, line * rows + style.px(6)));
    if (stops.empty()) ui::text_weak(style, "No stop yet: set the window up, then record it.");
    const float room = ImGui::GetContentRegionAvail().x / style.scale;
    // Rows are as wide as the list, without the half of a space that ImGui adds on both sides.
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, ImGui::GetStyle().ItemSpacing.y));
    for (std::size_t i = 0; i < stops.size(); ++i) {
        const bool here = run.playing() && run.at() == i;
        const std::string label =
            fmt::format("{}{} {}", here ? "→ " : "", i + 1, describe_link(stops[i].link, ""));
        const std::string shown = elide(label, FontRole::body, room, style.fonts);
        ImGui::PushID(int(i));
        if (ImGui::Selectable(shown.c_str(), view.demo_stop == i, ImGuiSelectableFlags_DontClosePopups))
            actions.add(action::set(&View::demo_stop, i));
        ui::mark(style, fmt::format("demo.stop.{}", i),
                 fmt::format("{}\n{}", describe_link(stops[i].link), stops[i].note));
        ImGui::PopID();
    }
    ImGui::PopStyleVar();
    ImGui::EndChild();
}

struct DemoButton {
    const char *label, *name, *tooltip;
    Action press;
    bool enabled = true;
};

void show_buttons_in_line(const PanelStyle& style, std::span<const DemoButton> buttons, Actions& actions) {
    bool first = true;
    for (const DemoButton& button : buttons) {
        if (!std::exchange(first, false)) ui::beside_if_room(style, 4, ui::pill_width(style, button.label));
        ImGui::BeginDisabled(!button.enabled);
        if (ui::chip(style, button.label, false)) actions.add(button.press);
        ImGui::EndDisabled();
        ui::mark(style, button.name, button.tooltip);
    }
}

// ImGui's fields break no lines. So a note is shown with a line end after a space where it has to be broken,
// and such line ends are taken out again.
constexpr std::string_view kBreak = " \n";

std::string broken_into_lines(const PanelStyle& style, std::string_view note, float room) {
    std::string lines;
    for (std::size_t from = 0; from <= note.size();) {
        const std::size_t end = std::min(note.find('\n', from), note.size());
        if (from > 0) lines += '\n';
        bool first = true;
        for (const std::string& line : wrap(note.substr(from, end - from), FontRole::body, room, style.fonts))
            lines += std::string(std::exchange(first, false) ? "" : kBreak) + line;
        from = end + 1;
    }
    return lines;
}

std::string without_breaks(std::string lines) {
    for (std::size_t at; (at = lines.find(kBreak)) != std::string::npos;) lines.erase(at + 1, 1);
    return lines;
}

/// Buttons for the chosen stop, and its note.
void show_chosen_stop(const PanelStyle& style, const DemoRun& run, std::size_t at, Actions& actions) {
    const std::vector<DemoStop>& stops = run.demo().stops;
    const auto edit = [at](EditWhat what) { return action::EditDemo{what, at, {}}; };
    const DemoButton buttons[] = {
        {"Go there", "demo.go", "Shows this stop and plays from here.", action::PlayDemo{int(at)}},
        {"Set to present", "demo.set", "This stop becomes what the window shows now; its note stays.",
         edit(EditWhat::set_again)},
        {"Up", "demo.up", "Before the stop above.", edit(EditWhat::up), at > 0},
        {"Down", "demo.down", "After the stop below.", edit(EditWhat::down), at + 1 < stops.size()},
        {"Remove", "demo.remove", "Takes this stop out of the demo.", edit(EditWhat::remove)}};
    show_buttons_in_line(style, buttons, actions);
    constexpr std::size_t kMostWithBreaks = kMostNoteBytes + kMostNoteBytes / 8;
    const float room = ImGui::GetContentRegionAvail().x / style.scale - 30;
    auto note = field_of<kMostWithBreaks>(broken_into_lines(style, stops[at].note, room));
    const float high = ImGui::GetTextLineHeight() * 5 + 2 * ImGui::GetStyle().FramePadding.y;
    ImGui::PushID(int(at));
    if (ImGui::InputTextMultiline("##note", note.data(), note.size(), ImVec2(-FLT_MIN, high)))
        actions.add(action::EditDemo{EditWhat::note, at, without_breaks(note.data())});
    ui::mark(style, "demo.note", "What you say at this stop.");
    ImGui::PopID();
}

void show_file(const PanelStyle& style, const DemoRun& run, const View& view, Actions& actions) {
    const float buttons = ui::pill_width(style, "Save") + ui::pill_width(style, "Open") + style.px(12);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - buttons);
    std::string path = view.demo_path;
    ui::text_field("##path", "file of the demo, such as talk.json", path);
    actions.set(view, &View::demo_path, path);
    ui::mark("demo.path");
    ImGui::SameLine(0, style.px(6));
    ImGui::BeginDisabled(run.demo().stops.empty());
    if (ui::chip(style, "Save", run.changed())) actions.add(action::SaveDemo{path});
    ImGui::EndDisabled();
    ui::mark(style, "demo.save",
             run.changed() ? "It has changes that are not saved." : "Writes it to this file.");
    ImGui::SameLine(0, style.px(6));
    const bool opens = ui::chip(style, "Open", false);
    if (opens && !kHasPaths)
        actions.add(action::Do::choose_files);
    else if (opens && !path.empty())
        actions.add(action::OpenFile{path});
    ui::mark(style, "demo.open",
             kHasPaths ? "Opens this file; a file can also be dropped on the window."
                       : "Asks for a file; one can also be dropped on the window.");
}

}  // namespace

void show_demo_menu(const PanelStyle& style, const Learning& learning, const View& view, Actions& actions) {
    const ui::BarMenu menu(style, "demo", view, &View::demo_menu, actions, ImVec2(16, 14), kDemoMenuWidth);
    if (!menu) return;
    const DemoRun& run = learning.demo;
    const std::vector<DemoStop>& stops = run.demo().stops;
    show_title_field(run, actions);
    show_stops(style, run, view, actions);
    if (view.demo_stop < stops.size()) show_chosen_stop(style, run, view.demo_stop, actions);
    const std::string record = fmt::format("What is set and shown now becomes a stop {}.",
                                           key_hint(action::EditDemo{EditWhat::record}));
    const DemoButton buttons[] = {
        {"Record this", "demo.record", record.c_str(), action::EditDemo{EditWhat::record}},
        {run.playing() ? "Stop playing" : "Play", "demo.play",
         "PageDown and PageUp, or a clicker, then go through its stops.",
         action::PlayDemo{run.playing() ? -1 : 0}, !stops.empty()},
        {"New", "demo.new", "Forgets this demo and begins an empty one. Its file stays as it is.",
         action::EditDemo{EditWhat::begin_anew}, !stops.empty()}};
    show_buttons_in_line(style, buttons, actions);
    show_file(style, run, view, actions);
    ui::text_weak(style, "Comes with Warplens");
    for (const ShippedDemo& shipped : shipped_demos()) {
        if (ui::chip(style, shipped.demo.title.c_str(), false)) {
            actions.add(action::OpenDemo{shipped.id});
            ImGui::CloseCurrentPopup();
        }
        ui::mark(fmt::format("demo.shipped.{}", shipped.id));
    }
}

void show_demo_card(const PanelStyle& style, const Frame& frame, Actions& actions) {
    const DemoRun& run = frame.learning->demo;
    const std::size_t count = run.demo().stops.size();
    const float end = ui::pill_width(style, "End") + style.px(4);
    const std::string head =
        run.ended() ? std::string("The end") : fmt::format("Stop {} of {}", run.at() + 1, count);
    ImGui::AlignTextToFramePadding();
    ui::text_weak(style, head);
    ui::tip(style, run.demo().title);
    ui::end_of_line(end);
    if (ui::pill(style, "End", false)) actions.add(action::PlayDemo{-1});
    ui::mark(style, "demo.end", "Ends the demo. It stays in the menu, under Demos.");
    using What = action::Next::What;
    const std::string hide =
        fmt::format("The note is yours alone: hide or show it {}.", key_hint(action::Do::toggle_note));
    const std::string own =
        fmt::format("The notes in a window of their own, for the screen that the class does not see {}.",
                    key_hint(action::Do::notes_window));
    const DemoButton buttons[] = {
        {"Back", "demo.back", "The stop before (PageUp).", action::Next{What::stop, -1},
         run.at() > 0 || run.ended()},
        {"Next", "demo.next", "The next stop (PageDown).", action::Next{What::stop, 1}, !run.ended()},
        {"Hide note", "demo.hide", hide.c_str(), action::Do::toggle_note},
        {"Own window", "demo.own_window", own.c_str(), action::Do::notes_window}};
    float in_one_line = 0;
    for (const DemoButton& button : buttons) in_one_line += ui::pill_width(style, button.label) + style.px(4);
    const int lines = in_one_line > ImGui::GetContentRegionAvail().x ? 2 : 1;
    const float footer =
        float(lines) * (ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.y) + style.px(4);
    // Its own window for each stop, so that each note begins at its top.
    ui::begin_child(fmt::format("demo.{}", run.at()).c_str(), ImVec2(0, -footer));
    ui::wrapped(style, FontRole::strong, run.demo().title);
    ImGui::Dummy(ImVec2(0, style.px(2)));
    const std::string& note = run.demo().stops[run.at()].note;
    if (run.ended())
        ui::wrapped("This was the last stop.");
    else if (note.empty())
        ui::wrapped(style.colors.text_weak, "This stop has no note.");
    else
        ui::wrapped(note);
    ui::mark("demo.shown_note");
    ImGui::EndChild();
    show_buttons_in_line(style, buttons, actions);
}

}  // namespace warplens
