#include "app/base/system.h"
#include "app/panels/controls.h"
#include "app/panels/learn/learn_panel.h"
#include "app/panels/screen.h"
#include "app/panels/widgets.h"
#include "app/pictures/kit/canvas.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <iterator>
#include <span>

namespace warplens {
namespace {

struct Entry {
    ThemeName theme;
    const char* label;
    const char* meaning;
};
constexpr Entry kThemes[] = {
    {ThemeName::dark, "Dark", "for the desk and the night"},
    {ThemeName::light, "Light", "for slides and projectors"},
    {ThemeName::high_contrast, "High contrast", "white on black, for bright rooms and weak eyes"},
    {ThemeName::print, "Print",
     "greys and patterns instead of colours: for paper, and for eyes that see none"},
};

struct PaletteEntry {
    PaletteName palette;
    const char* label;
    const char* meaning;
};
constexpr PaletteEntry kPalettes[] = {
    {PaletteName::okabe_ito, "Okabe-Ito",
     "cividis for lanes, viridis for counts, blue to vermilion for wavefronts"},
    {PaletteName::tol, "Tol", "Paul Tol's vibrant and iridescent colours: warmer, and stronger in plots"},
    {PaletteName::plasma, "Plasma", "plasma, magma and inferno: more of light and dark, for weak projectors"},
};

/// A piece of the theme itself: its panel with text, a lane and the colours of model and measured.
void show_sample(const PanelStyle& style, const ThemeChoice& look) {
    const Theme& t = theme(look);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float w = style.px(44), h = ImGui::GetTextLineHeight() * 1.3f;
    ImGui::Dummy(ImVec2(w, h));
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(at, ImVec2(at.x + w, at.y + h), ui::color(t.panel), style.px(3));
    ui::add_rect(draw, at, ImVec2(at.x + w, at.y + h), ui::color(t.outline), style.px(3), 1);
    const Color parts[] = {t.text, t.series[kSeriesMeasured], t.series[kSeriesModel]};
    for (int i = 0; i < 3; ++i) {
        const float x = at.x + w * (0.25f + 0.25f * float(i));
        draw->AddCircleFilled(ImVec2(x, at.y + h / 2), style.px(4), ui::color(parts[i]));
    }
}

/// A palette's lanes over its wavefronts, from the first to the last.
void show_bands(const PanelStyle& style, const ThemeChoice& look) {
    constexpr int kSteps = 16;
    const Theme& t = theme(look);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float w = style.px(44), h = ImGui::GetTextLineHeight() * 1.3f, step = w / kSteps;
    ImGui::Dummy(ImVec2(w, h));
    ImDrawList* draw = ImGui::GetWindowDrawList();
    for (int i = 0; i < kSteps; ++i) {
        const float x = at.x + step * float(i), along = float(i) / (kSteps - 1);
        draw->AddRectFilled(ImVec2(x, at.y), ImVec2(x + step, at.y + h * 0.5f),
                            ui::color(lane_color(t, 2 * i + 1)));
        draw->AddRectFilled(ImVec2(x, at.y + h * 0.5f), ImVec2(x + step, at.y + h),
                            ui::color(ramp_color(wavefront_ramp(t), along)));
    }
}

void show_themes(const PanelStyle& style, const ThemeChoice& look, Actions& actions) {
    for (const Entry& entry : kThemes) {
        show_sample(style, {entry.theme, look.palette});
        ImGui::SameLine(0, style.px(8));
        if (ImGui::RadioButton(entry.label, look.theme == entry.theme))
            actions.add(action::set(&View::look, {entry.theme, look.palette}));
        ui::mark(style, fmt::format("theme.{}", theme_key(entry.theme)), entry.meaning);
    }
}

void show_palettes(const PanelStyle& style, const ThemeChoice& look, Actions& actions) {
    const bool grey = look.theme == ThemeName::print;
    ImGui::Dummy(ImVec2(0, style.px(2)));
    ui::text_weak(style, grey ? "Palette: print has greys" : "Palette");
    ImGui::BeginDisabled(grey);
    for (const PaletteEntry& entry : kPalettes) {
        show_bands(style, {grey ? ThemeName::light : look.theme, entry.palette});
        ImGui::SameLine(0, style.px(8));
        if (ImGui::RadioButton(entry.label, look.palette == entry.palette))
            actions.add(action::set(&View::look, {look.theme, entry.palette}));
        ui::mark(style, fmt::format("palette.{}", palette_key(entry.palette)), entry.meaning);
    }
    ImGui::EndDisabled();
}

constexpr SpaceEntry kSpaces[] = {
    {Space::global, "Global", "global memory"},
    {Space::shared, "Shared", "shared memory"},
    {Space::constant, "Constant", "constant memory"},
    {Space::texture, "Texture", "texture"},
    {Space::local, "Local", "local memory"},
    {Space::registers, "Registers", "register"},
    {Space::l2, "L2", "L2"},
    {Space::cluster, "Clusters", "cluster"},
};

/// A button of the bar, or a line of its menu.
struct BarItem {
    const char* label;
    const char* name;  ///< ui::mark
    std::string tooltip;
    Action press;
    bool chosen = false;
    bool repeated = false;  ///< pressed several times: a menu stays open
    bool enabled = true;
};

/// The buttons of the bar; the last ones go into the menu where there is no room for them.
std::vector<BarItem> bar_items(const Frame& frame) {
    const bool comparing = frame.state->compared.has_value();
    return {
        {"Learn", "learn",
         fmt::format("Guided courses, and a quiz for a class {}.", key_hint(action::Show{&View::learn_menu})),
         action::Show{&View::learn_menu}},
        {"My kernel", "kernel",
         fmt::format("Your kernels: type or paste CUDA, and the pictures follow. A new one {}.",
                     key_hint(action::Do::new_kernel)),
         action::Do::my_kernel},
        {"A|B", "compare",
         fmt::format("{} {}.",
                     comparing ? "Stop comparing; what is set stays"
                               : "Compare: what is set now is kept as A, what you set next is B beside it",
                     key_hint(action::Do::compare)),
         action::Do::compare, comparing},
        {"Export", "export",
         fmt::format("Write what you see as a picture or as numbers {}.", key_hint(action::Do::open_export)),
         action::Do::open_export}};
}

/// The lines of the menu alone, for which there are keys.
std::vector<BarItem> menu_items(const Frame& frame) {
    const auto with_key = [](const char* what, const Action& press) {
        return fmt::format("{} {}.", what, key_hint(press));
    };
    return {
        {"Undo", "undo", "Take the last change back (Ctrl+Z).", action::Do::undo, false, false,
         frame.can_undo},
        {"Redo", "redo", "Do again what was taken back (Ctrl+Shift+Z or Ctrl+Y).", action::Do::redo, false,
         false, frame.can_redo},
        {"Reset all parameters", "reset",
         with_key("Bring all parameters of this scenario back to their defaults", action::Do::reset_all),
         action::Do::reset_all, false, false, frame.state->params != frame.state->scenario->info->defaults},
        {"What would fix it?", "fixes.menu",
         with_key("All smallest changes after which the accesses are ideal", action::Toggle{&View::fixes}),
         action::Toggle{&View::fixes}},
        {"Copy", "copy", "Copy the picture, its data, the command that makes it, or a link.",
         action::Show{&View::copy_menu}},
        {"Start page", "start",
         with_key("The start page: all scenarios as pictures", action::Toggle{&View::start_page}),
         action::Toggle{&View::start_page}},
        {"Demos", "demo",
         with_key("A talk of your own: record what is set as stops with notes, play it",
                  action::Show{&View::demo_menu}),
         action::Show{&View::demo_menu}},
        {"Projector mode", "projector",
         with_key("Large type and few panels, for a class", action::Do::projector), action::Do::projector},
        {"Open", "open", "A kernel, a recording, a figure, a demo; dropping it on the window does the same",
         action::Do::choose_files},
        {"Recordings", "recordings",
         with_key("Times that were taken on other GPUs, or at another time, beside the model",
                  action::Show{&View::recordings}),
         action::Show{&View::recordings}},
        {"Theme", "theme", with_key("Dark, light, high contrast, print; palettes", action::Do::toggle_theme),
         action::Show{&View::theme_menu}},
        {"Smaller", "scale.down", "Smaller text and pictures (Ctrl+minus). Ctrl+0: as at first.",
         action::Scale{1 / 1.1f}, false, true},
        {"Larger", "scale.up", "Larger text and pictures, for projectors (Ctrl+plus).", action::Scale{1.1f},
         false, true},
        {"Keys, words, manual", "help", with_key("Keys, words and manual", action::Toggle{&View::help}),
         action::Toggle{&View::help}}};
}

/// "Shared memory" of a scenario, as it stands before its title.
const SpaceEntry& space_of(const Scenario& scenario) {
    const Space home = home_space(scenario);
    return *std::ranges::find(kSpaces, home, &SpaceEntry::space);
}

/// The scenarios by memory space. @return  the one that was chosen, or null
const Scenario* list_scenarios(const PanelStyle& style, const Scenario* now) {
    const Scenario* chosen = nullptr;
    for (const SpaceEntry& entry : kSpaces) {
        ui::text_weak(style, entry.label);
        ui::term_tip(style, entry.term);
        for (const Scenario& scenario : all_scenarios()) {
            if (home_space(scenario) != entry.space) continue;
            const std::string label = fmt::format("   {}", scenario.info->title);
            if (ui::entry(label.c_str(), &scenario == now)) chosen = &scenario;
            ui::mark(style, fmt::format("scenario.{}", scenario.info->id), scenario.info->summary);
            if (&scenario == now && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
        }
    }
    return chosen;
}

constexpr float kAroundTitle = 24;  ///< in the box that opens the list, beside its arrow [points]

/// Room for the longest title of a scenario, so that the buttons beside it keep their places [pixels].
float room_for_titles(const PanelStyle& style) {
    const ui::FontScope strong(style, FontRole::strong);
    float widest = 0;
    for (const Scenario& scenario : all_scenarios())
        widest = std::max(widest, ImGui::CalcTextSize(std::string(scenario.info->title).c_str()).x);
    return widest + ImGui::GetFrameHeight() + style.px(kAroundTitle + 8);
}

/// The place where one is: the memory space and the scenario, which opens the list of all.
/// A text with an error has no name yet, and that of what is still shown would be another's.
/// @param room  for both [pixels]
void show_place(const Screen& screen, float room) {
    const auto& [style, frame, view, memory, actions] = screen;
    const Scenario& scenario = *frame.state->scenario;
    const std::string name(shows_last_good(screen) ? "My kernel" : scenario.info->title);
    const SpaceEntry& space = space_of(scenario);
    const std::string before = fmt::format("{} ›", space.label);
    const ui::FontScope strong(style, FontRole::strong);
    const float around = ImGui::GetFrameHeight() + style.px(kAroundTitle), gap = style.px(6);
    const float title = ImGui::CalcTextSize(name.c_str()).x + around;
    {
        const ui::FontScope body(style, FontRole::body);
        const float width = ImGui::CalcTextSize(before.c_str()).x + gap;
        if (width + title <= room) {
            ImGui::AlignTextToFramePadding();
            ui::text_weak(style, before);
            ui::term_tip(style, space.term);
            ImGui::SameLine(0, gap);
            room -= width;
        }
    }
    const float width = std::max(style.px(60), std::min(title, room));
    const std::string shown = elide(name, FontRole::strong, (width - around) / style.scale + 8, style.fonts);
    ImGui::SetNextItemWidth(width);
    const bool open = ImGui::BeginCombo("##scenario", shown.c_str(), ImGuiComboFlags_HeightLargest);
    ui::mark("scenario");
    if (!open) return ui::tip(style, fmt::format("{}\n{}", scenario.info->title, scenario.info->summary));
    {
        const ui::FontScope body(style, FontRole::body);
        if (const Scenario* chosen = list_scenarios(style, &scenario)) actions.add(action::GoTo{chosen});
    }
    ImGui::EndCombo();
}

void show_menu(const PanelStyle& style, std::span<const BarItem> folded, const Frame& frame, float end,
               Actions& actions) {
    if (ui::chip(style, "Menu", false)) ImGui::OpenPopup("menu");
    ui::mark("menu");
    const float top = ImGui::GetItemRectMax().y + style.px(4);
    ImGui::SetNextWindowPos(ImVec2(end, top), ImGuiCond_Always, ImVec2(1, 0));
    // In a window that is low for its scale the menu scrolls; what mends that scale comes first there.
    ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0),
                                        ImVec2(FLT_MAX, ImGui::GetIO().DisplaySize.y - top - style.px(4)));
    if (!ImGui::BeginPopup("menu")) return;
    std::vector<BarItem> all(folded.begin(), folded.end());
    std::ranges::move(menu_items(frame), std::back_inserter(all));
    if (kHasPaths)
        std::erase_if(all,
                      [](const BarItem& item) { return item.press == Action(action::Do::choose_files); });
    constexpr float kHigh = 480;  // that holds all lines [points]
    if (ImGui::GetIO().DisplaySize.y < style.px(kHigh))
        std::stable_partition(all.begin(), all.end(), [](const BarItem& item) { return item.repeated; });
    for (const BarItem& item : all) {
        ImGui::BeginDisabled(!item.enabled);
        if (ImGui::Selectable(item.label, item.chosen,
                              item.repeated ? ImGuiSelectableFlags_DontClosePopups : 0))
            actions.add(item.press);
        ImGui::EndDisabled();
        ui::mark(style, item.name, item.tooltip);
    }
    ImGui::EndPopup();
}

struct CopyItem {
    action::Do act;
    const char *label, *keys, *name, *tooltip;
};
constexpr CopyItem kItems[] = {
    {action::Do::copy_picture, "Picture", "", "copy.picture",
     "The picture as PNG, as the export dialog is set: for slides and documents."},
    {action::Do::copy_data, "Data", "Ctrl+C", "copy.data", "The numbers behind it as CSV: for spreadsheets."},
    {action::Do::copy_command, "Command", "Ctrl+Shift+C", "copy.command",
     "The command line that makes exactly this figure."},
    {action::Do::copy_link, "Link", "", "copy.link",
     "The place in this program with everything that is set: warplens 'LINK' opens it."},
};

void show_copy_menu(const PanelStyle& style, const View& view, Actions& actions) {
    const ui::BarMenu menu(style, "copy", view, &View::copy_menu, actions, ImVec2(10, 8));
    if (!menu) return;
    for (const CopyItem& item : kItems) {
        if (ImGui::MenuItem(item.label, item.keys)) actions.add(item.act);
        ui::mark(style, item.name, item.tooltip);
    }
}

void show_theme_menu(const PanelStyle& style, const View& view, Actions& actions) {
    const ui::BarMenu menu(style, "themes", view, &View::theme_menu, actions, ImVec2(14, 12));
    if (!menu) return;
    show_themes(style, view.look, actions);
    show_palettes(style, view.look, actions);
    bool motion = view.motion;
    ImGui::Checkbox("motion", &motion);
    actions.set(view, &View::motion, motion);
    ui::mark(style, "motion",
             "Cells, bars and curves glide to their new places. Off also where the desktop's "
             "settings ask for no animations.");
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + style.px(260));
    ui::text_weak(style,
                  "Ctrl+T: dark or light. Colours are told apart by eyes of all kinds, and each has a mark "
                  "or a pattern beside it.");
    ImGui::PopTextWrapPos();
}

}  // namespace

std::span<const SpaceEntry> space_entries() { return kSpaces; }

void show_top_bar(const Screen& screen) {
    const auto& [style, frame, view, memory, actions] = screen;
    constexpr const char* kFindTip =
        "Scenarios, boards, parameters, presets, courses, words: whatever you type.";
    constexpr float kBetween = 2, kFind = 12;  // [points]
    std::vector<BarItem> items = bar_items(frame);
    const float end = ImGui::GetWindowWidth() - style.px(12);
    float room = end - ImGui::GetCursorPosX() - ui::pill_width(style, "Menu") - style.px(kBetween);
    float title = style.px(28);
    {
        const ui::FontScope heading(style, FontRole::heading);
        title += ImGui::CalcTextSize("Warplens").x;
    }
    const float place = room_for_titles(style);
    // First the place, then buttons, then what leads everywhere, then the name of the program.
    std::size_t shown = 0;
    float buttons = 0;
    while (shown < items.size()) {
        const float next = ui::pill_width(style, items[shown].label) + style.px(kBetween);
        if (place + buttons + next > room) break;
        buttons += next;
        ++shown;
    }
    const bool all = shown == items.size();
    float find = 0;
    std::string find_label;
    for (const std::string& label : {std::string("Find anything   Ctrl+K"), std::string("Find")}) {
        const float width = ui::pill_width(style, label) + style.px(kFind);
        if (!find_label.empty() || !all || place + buttons + width > room) continue;
        find_label = label;
        find = width;
    }
    if (find == 0)  // like the buttons it goes into the menu
        items.insert(items.begin() + std::ptrdiff_t(shown),
                     {"Find anything", "find", kFindTip, action::Toggle{&View::finder}});
    const bool named = all && place + buttons + find + title <= room;
    if (named) {
        ui::text(style, FontRole::heading, "Warplens");
        if (ImGui::IsItemClicked()) actions.add(action::Show{&View::start_page});
        ui::mark(style, "title", "The start page.");
        ImGui::SameLine(0, style.px(28));
        room -= title;
    }
    show_place(screen, room - buttons - find - style.px(8));
    ImGui::SameLine(end - ui::pill_width(style, "Menu") - style.px(kBetween) - buttons - find);
    if (find > 0) {
        if (ui::chip(style, find_label.c_str(), false)) actions.add(action::Toggle{&View::finder});
        ui::mark(style, "find", kFindTip);
        ImGui::SameLine(0, style.px(kFind));
    }
    for (const BarItem& item : std::span(items).first(shown)) {
        if (ui::pill(style, item.label, item.chosen)) actions.add(item.press);
        ui::mark(style, item.name, item.tooltip);
        ImGui::SameLine(0, style.px(kBetween));
    }
    show_menu(style, std::span(items).subspan(shown), frame, end, actions);
    show_bar_menus(screen);
}

void show_bar_menus(const Screen& screen) {
    const auto& [style, frame, view, memory, actions] = screen;
    show_copy_menu(style, view, actions);
    show_learn_menu(screen);
    show_demo_menu(style, *frame.learning, view, actions);
    show_recordings_menu(style, frame, view, actions);
    show_theme_menu(style, view, actions);
}

}  // namespace warplens
