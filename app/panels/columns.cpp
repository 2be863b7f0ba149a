// The window's parts beside and below each other.

#include "app/gl/tab_walk.h"
#include "app/learn/learning.h"
#include "app/panels/board_panel.h"
#include "app/panels/compare_panel.h"
#include "app/panels/controls.h"
#include "app/panels/learn/learn_panel.h"
#include "app/panels/numbers.h"
#include "app/panels/screen.h"
#include "app/panels/widgets.h"
#include "app/window/frame.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

constexpr float kStrip = 32;     // [points]
constexpr float kDimmed = 0.4f;  ///< opacity of what is said of an earlier text

struct SectionWords {
    Section section;
    const char* label;
    const char* tooltip;
};
constexpr SectionWords kSections[] = {
    {Section::set, "Set", "Scenario, parameters and device"},
    {Section::picture, "Picture", "What one warp does, or another board"},
    {Section::plot, "Plot", "The speed against any parameter"},
    {Section::numbers, "Numbers", "What it costs, number by number"},
    {Section::words, "Why", "The reason, the code, a lesson"},
};

/// Pills for the sections that a switch leads to.
/// @param field  the one that is shown. If it is no longer among them, `usual` is.
/// @return  the section to show: what was pressed is shown in the next frame
Section show_switch(const Screen& screen, Section View::*field, Section usual) {
    const Frame& frame = screen.frame;
    const bool card = frame.learning->has_card();
    const std::vector<Section> sections = switched_sections(frame.mode, *frame.state->board, card);
    const auto leads_to = [&](Section section) {
        return std::ranges::find(sections, section) != sections.end();
    };
    const Section shown = leads_to(screen.view.*field) ? screen.view.*field : usual;
    screen.actions.set(screen.view, field, shown);
    for (const SectionWords& words : kSections) {
        if (!leads_to(words.section)) continue;
        // A course or a quiz takes the place of the words.
        const char* label = card && words.section == Section::words ? "Learn##section" : words.label;
        if (ui::pill(screen.style, label, shown == words.section))
            screen.actions.add(action::set(field, words.section));
        ui::mark(screen.style, fmt::format("section.{}", words.label),
                 fmt::format("{} {}.", words.tooltip, key_hint(action::Next{action::Next::What::section})));
        ImGui::SameLine(0, screen.style.px(2));
    }
    return shown;
}

/// A bar between two panels that a drag moves.
/// @param size  the field that it changes, by `sign` a pixel
/// @param now   its value, within the range that the window allows
template <class Owner>
void splitter(const Screen& screen, const char* id, const Rect& place, float Owner::*size, float now,
              float sign, float least, float most) {
    ui::begin_line_at(ImVec2(place.x, place.y));
    ui::press_area(id, ImVec2(place.w, place.h));
    ui::mark(id);
    const bool upright = place.h > place.w;
    if (ImGui::IsItemHovered() || ImGui::IsItemActive())
        ImGui::SetMouseCursor(upright ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
    ImVec2 moved = ImGui::IsItemActive() ? ImGui::GetIO().MouseDelta : ImVec2(0, 0);
    if (!ImGui::IsItemActive()) {
        constexpr float kStep = 16;  // of an arrow key [points]
        const float step = screen.style.px(kStep);
        moved = upright ? ImVec2(step * float(ui::take_arrows(ImGuiKey_LeftArrow, ImGuiKey_RightArrow)), 0)
                        : ImVec2(0, step * float(ui::take_arrows(ImGuiKey_UpArrow, ImGuiKey_DownArrow)));
    }
    if (moved.x == 0 && moved.y == 0) return;
    screen.actions.set(screen.view, size,
                       std::clamp(now + (upright ? moved.x : moved.y) * sign, least, std::max(least, most)));
}

/// Dims what the panel has so far, because it is of an earlier text.
void dim_last_good(const Screen& screen) {
    if (!shows_last_good(screen)) return;
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    ImGui::GetWindowDrawList()->AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y),
                                              ui::color(with_alpha(screen.style.colors.panel, 0.65f)));
}

/// The scenario's or the board's knobs.
void show_knobs(const Screen& screen, const Rect& place) {
    const ui::Panel panel(screen.style, "controls", ImVec2(place.x, place.y), ImVec2(place.w, place.h));
    State changed = *screen.frame.state;
    if (show_controls(screen.style, screen.frame, changed, screen.view, screen.actions))
        screen.actions.add(action::Change{changed});
    show_grid_map(screen);
    dim_last_good(screen);
}

/// A and B of a comparison side by side, or above each other where there is little room.
void show_sides(const Screen& screen, const Rect& place) {
    const auto& [style, frame, view, memory, actions] = screen;
    const float gap = style.px(kGap);
    float top = place.y;
    const BoardInfo& board = *frame.state->board;
    const bool has_choice = frame.evidence->report.instructions.size() > 1;
    if ((board.instructions && (has_choice || !view.projector)) || board.played_knob() != nullptr) {
        ui::begin_line_at(ImVec2(place.x + style.px(4), top));
        ImGui::PushStyleColor(ImGuiCol_ChildBg, IM_COL32_BLACK_TRANS);
        // As high as it was in the last frame, because its pills may need two lines.
        float* head = ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID("sides-head"), style.px(30));
        ui::begin_child("sides-head", ImVec2(place.w, *head), false, ImGuiWindowFlags_NoScrollbar);
        if (board.instructions)
            show_picture_head(style, frame, view, actions);
        else
            show_board_head(style, frame, view, actions);
        const float needed =
            std::max(style.px(30), ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y + 1);
        ImGui::EndChild();
        ImGui::PopStyleColor();
        if (needed != *head) actions.redraw(0);
        top += *head + gap / 2;
        *head = needed;
    }
    const float height = place.y + place.h - top;
    // In projector mode the whole width is needed for numbers that can be read from the back row; but half
    // the height would hide rows of a tile, which half the width does not.
    const auto& rows = frame.evidence->report.instructions;
    const bool tile =
        board.instructions && view.focus >= 0 &&
        rows[std::min(std::size_t(view.focus), rows.size() - 1)].instruction.space == Space::shared;
    const bool beside = (!view.projector || tile) && place.w >= 1.15f * height;
    const ImVec2 size(beside ? (place.w - gap) / 2 : place.w, beside ? height : (height - gap) / 2);
    const float inside = view.projector ? 4 : 8;  // [points]
    const SideNames names = side_names(*frame.other->state, *frame.state, *frame.devices);
    {
        const ui::Panel panel(style, "side-a", ImVec2(place.x, top), size, inside);
        show_side(style, *frame.other, view, names.a, memory.a, actions);
    }
    const ImVec2 second = beside ? ImVec2(place.x + size.x + gap, top) : ImVec2(place.x, top + size.y + gap);
    const ui::Panel panel(style, "side-b", second, size, inside);
    show_side(style, frame, view, names.b, memory.b, actions);
}

/// Says how what a text leaves open is taken. A click leads to the parameters that change it.
void show_assumed(const Screen& screen) {
    const auto& [style, frame, view, memory, actions] = screen;
    const std::vector<std::string>& all = frame.evidence->report.warnings;
    if (view.projector || all.empty()) return;
    std::string whole;
    for (const std::string& one : all) whole += printable(one) + '\n';
    const std::string more = all.size() > 1 ? fmt::format(" (and {} more)", all.size() - 1) : "",
                      first = printable(all.front());
    const float room =
        ImGui::GetContentRegionAvail().x / style.scale - 2 - style.fonts.width(more, FontRole::body);
    const std::string line = elide(first, FontRole::body, room, style.fonts) + more;
    const ImVec2 at = ImGui::GetCursorPos(), size = ImGui::CalcTextSize(line.c_str());
    if (ui::press_area("##assumed", size)) {
        actions.set(view, &View::more_knobs, true);
        actions.add(action::ShowSection{Section::set});
    }
    ui::mark(style, "assumed", whole + "Click: all parameters.");
    ImGui::SetCursorPos(at);
    ui::text_weak(style, line);
}

void show_picture_part(const Screen& screen, const Rect& place) {
    const auto& [style, frame, view, memory, actions] = screen;
    constexpr float kLeastWide = 260;  // beside a course a table may get less than that [points]
    if (frame.other != nullptr && !frame.counts_hidden) return show_sides(screen, place);
    const BoardInfo& board = *frame.state->board;
    const ui::Panel panel(style, board.instructions ? "picture" : "board", ImVec2(place.x, place.y),
                          ImVec2(place.w, place.h), 8);
    if (!view.projector) show_headline(style, frame, actions);
    show_assumed(screen);
    if (board.instructions)
        show_pictures(style, frame, view, memory.b, actions);
    else if (hides_board(frame))
        show_hidden_board(style, frame);
    else if (board.wide && place.w < style.px(kLeastWide))
        ui::wrapped("This table needs a wider window, or smaller text: Ctrl+minus.");
    else
        show_board(style, frame, view, memory.b, actions);
    if (!shows_last_good(screen)) return;
    dim_last_good(screen);
    // The text's error stands above the text. This covers the headline, of which no piece is left beside it.
    const Scenario& last = *frame.state->scenario;
    const std::string words =
        last.typed != nullptr
            ? "The text has an error: this is the picture of the last one that was understood."
            : fmt::format("The text has an error: this is still {}.", last.info->title);
    const ui::FontScope strong(style, FontRole::strong);
    const float wide = std::min(place.w - style.px(32), ImGui::CalcTextSize(words.c_str()).x),
                pad = style.px(8);
    const float high = ImGui::CalcTextSize(words.c_str(), nullptr, false, wide).y;
    const ImVec2 at(place.x + (place.w - wide) / 2, place.y + style.px(12));
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(place.x + pad, at.y - pad / 2),
                                              ImVec2(place.x + place.w - pad, at.y + high + pad / 2),
                                              ui::color(style.colors.control), style.px(6));
    ui::begin_line_at(at);
    ui::wrapped(style.colors.bad, words, wide + 1);
    ui::mark("last_good");
}

/// A switch at the right end of the strip: the plot in place of the picture, where both have no room.
void show_plot_switch(const Screen& screen, const Rect& place) {
    const float x = place.x + place.w - ui::pill_width(screen.style, "Plot");
    ui::begin_line_at(ImVec2(x, place.y));
    const bool plot = screen.view.plot_alone;
    if (ui::chip(screen.style, "Plot", plot))
        screen.actions.add(action::ShowSection{plot ? Section::picture : Section::plot});
    ui::mark(screen.style, "section.Plot", "Bandwidth against a parameter, in place of the picture.");
}

/// Whether the editor of kernels stands below the picture.
bool types_kernel(const Screen& screen) {
    const View& view = screen.view;
    return view.reading && view.reading_code &&
           (view.editing || screen.frame.state->scenario->typed != nullptr);
}

/// @param open  whether it has its axes, or is a strip
void show_plot_part(const Screen& screen, const Rect& place, bool open) {
    const auto& [style, frame, view, memory, actions] = screen;
    const ui::Panel panel(style, "plot", ImVec2(place.x, place.y), ImVec2(place.w, place.h), 8);
    if (frame.counts_hidden)
        show_hidden_part(style, "The plot");
    else
        (open ? show_plot : show_plot_strip)(style, frame, view, memory.b, actions);
    dim_last_good(screen);
}

void show_reading_panel(const Screen& screen, const Rect& place) {
    const auto& [style, frame, view, memory, actions] = screen;
    const ui::Panel panel(style, "reading", ImVec2(place.x, place.y), ImVec2(place.w, place.h));
    show_reading(screen);
}

/// The height of the text of a kernel below its picture: what it needs, at most two fifths of both. Not each
/// line that is typed moves the picture.
float text_height(const PanelStyle& style, std::string_view text, float both) {
    constexpr float kAround = 140, kLine = 17, kMost = 0.4f;  // [points], share
    constexpr int kAtOnce = 4;
    float needed = kAround + kLine * kAtOnce;
    int lines = 0;
    for (std::size_t at = text.find('\n'); at != text.npos && style.px(needed) < kMost * both;
         at = text.find('\n', at + 1))
        if (++lines % kAtOnce == 0) needed += kLine * kAtOnce;
    return std::min(style.px(needed), kMost * both);
}

/// The strip of boards, and below it the chosen one: pictures and plot of the scenario, or one of the maps.
void show_middle(const Screen& screen, const Rect& place) {
    const auto& [style, frame, view, memory, actions] = screen;
    // Height of picture and plot, one below the other; of two pictures and a plot [points].
    const float for_both = frame.other != nullptr ? 760.0f : 470.0f;
    const float gap = style.px(kGap), strip = style.px(32);
    const BoardInfo& board = *frame.state->board;
    const bool three = frame.mode == LayoutMode::three;
    const bool has_lesson = !board.wide || !board.lesson.empty();
    // A course's card stands at the right, where the words do.
    const bool reading =
        view.reading && has_lesson && (types_kernel(screen) || (three && !frame.learning->has_card()));
    const bool low = board.instructions && !reading && place.h < style.px(for_both);
    const bool switched = (board.wide && has_lesson && three) || low;
    ui::begin_line_at(ImVec2(place.x, place.y));
    show_board_strip(style, frame, place.w - (switched ? style.px(80) : 0), actions);
    if (low) {
        show_plot_switch(screen, place);
    } else if (switched) {
        ui::begin_line_at(ImVec2(place.x, place.y));
        show_lesson_switch(style, view, place.x + place.w, actions);
    }
    const float top = place.y + strip, height = place.h - strip, bottom = place.y + place.h;
    if (low || (!board.instructions && !reading)) {
        const Section alone = low && view.plot_alone ? Section::plot : Section::picture;
        return show_part(screen, alone, {place.x, top, place.w, height});
    }
    const bool open = reading || view.plot_open || frame.heatmap != nullptr || frame.fit != nullptr;
    const auto share_of = reading ? &View::reading_share : static_cast<float View::*>(&View::plot_share);
    const float share = view.*share_of;
    // Until a person moves the bar, a low window gives the plot the height that it can be read at.
    constexpr float kLeastPicture = 276, kHighPlot = 440;  // of the panels [points]
    const bool untouched =
        !reading && share == Arrangement{}.plot_share && height * share < style.px(kHighPlot);
    const float least = untouched ? std::min(readable_plot_height(style, frame, memory.b, place.w),
                                             height - style.px(kLeastPicture))
                                  : 0.0f;
    float below = open ? std::max(height * share, least) : style.px(kPlotStrip);
    if (types_kernel(screen) && share == View::kReadingShare)
        below = text_height(style, frame.typing->text(), height);
    show_part(screen, Section::picture, {place.x, top, place.w, height - below - gap});
    const Rect under{place.x, bottom - below, place.w, below};
    if (reading && types_kernel(screen))
        show_reading_panel(screen, under);  // beside a course, too
    else if (reading)
        show_part(screen, Section::words, under);
    else
        show_plot_part(screen, under, open);
    splitter(screen, "split.plot", {place.x, bottom - below - gap, place.w, gap}, share_of,
             open ? share : below / height, -1 / height, 0.2f, 0.7f);
    // Dragged up the strip opens, and dragged down the plot becomes one.
    if (!reading && ImGui::IsItemActive() && ImGui::GetIO().MouseDelta.y != 0)
        actions.set(view, &View::plot_open, (bottom - ImGui::GetIO().MousePos.y) / height > 0.18f);
}

/// A course or a quiz needs its room; the numbers get what is left, and scroll if that is little. In a low
/// window they give way: what they count stands in the picture, too.
void show_right_with_card(const Screen& screen, const Rect& place) {
    const auto& [style, frame, view, memory, actions] = screen;
    constexpr float kCard = 500, kLeastNumbers = 84, kLow = 420;  // [points]
    const float room = place.h / style.scale;
    float top = place.y;
    if (!frame.state->board->wide && room > kLow) {
        const float height = frame.counts_hidden ? 64
                                                 : std::clamp(room - kCard, kLeastNumbers,
                                                              std::max(230.0f, memory.numbers.height));
        show_part(screen, Section::numbers, {place.x, top, place.w, style.px(height)});
        top += style.px(height + kGap);
    }
    show_part(screen, Section::words, {place.x, top, place.w, place.y + place.h - top});
}

/// The right column: the numbers, and below them why, code and lesson. A lesson needs the room more than the
/// table does.
void show_right(const Screen& screen, const Rect& place) {
    const auto& [style, frame, view, memory, actions] = screen;
    if (frame.learning->has_card()) return show_right_with_card(screen, place);
    const bool lesson = view.tab != 0;  // or code
    constexpr float kGuess = 400;       // what is asked before the numbers [points]
    const float wanted = frame.counts_hidden ? kGuess : memory.numbers.height;
    const float numbers_h = std::min(place.h * (lesson ? 0.4f : 0.62f), style.px(wanted));
    show_part(screen, Section::numbers, {place.x, place.y, place.w, numbers_h});
    const float lesson_y = place.y + numbers_h + style.px(kGap);
    const ui::Panel panel(style, "lesson", ImVec2(place.x, lesson_y),
                          ImVec2(place.w, place.y + place.h - lesson_y));
    ImGui::PushStyleVar(ImGuiStyleVar_Alpha, !lesson && shows_last_good(screen) ? kDimmed : 1.0f);
    show_lesson(screen);
    ImGui::PopStyleVar();
}

/// Three columns: what I set, what happens, what it means. @param place  of all columns [pixels]
void show_three_columns(const Screen& screen, const Rect& place) {
    const View& view = screen.view;
    const float s = screen.style.scale, gap = kGap * s;
    const float most = place.w / s - 2 * kGap - kLeastMiddle;  // what the side columns may have together
    const float left_points = std::clamp(view.left, kLeastLeft, std::max(kLeastLeft, most - kLeastRight)),
                right_points = std::clamp(view.right, kLeastRight, std::max(kLeastRight, most - left_points)),
                left = left_points * s, right = right_points * s;
    show_knobs(screen, {place.x, place.y, left, place.h});
    const float middle_x = place.x + left + gap, middle_w = place.w - left - right - 2 * gap;
    // A course or a quiz stays in sight, whatever the middle shows.
    const bool card = screen.frame.learning->has_card(), wide = screen.frame.state->board->wide && !card;
    // A lesson that would have no room below the picture takes the place of picture and numbers.
    const bool cramped = view.reading && !wide && !card && middle_w < 440 * s;
    const float with_right = middle_w + right + gap;
    if (cramped && types_kernel(screen))  // the picture follows what is typed, so both are needed
        show_middle(screen, {middle_x, place.y, with_right, place.h});
    else if (cramped)
        show_part(screen, Section::words, {middle_x, place.y, with_right, place.h});
    else
        show_middle(screen, {middle_x, place.y, wide ? with_right : middle_w, place.h});
    splitter(screen, "split.left", {middle_x - gap, place.y, gap, place.h}, &View::left, left_points, 1 / s,
             kLeastLeft, most - right_points);
    if (wide || cramped) return;
    const float right_x = middle_x + middle_w + gap;
    show_right(screen, {right_x, place.y, right, place.h});
    splitter(screen, "split.right", {right_x - gap, place.y, gap, place.h}, &View::right, right_points,
             -1 / s, kLeastRight, most - left_points);
}

/// A window with room for two columns, or for one: parts take each other's place, and pills switch between
/// them.
void show_two_columns(const Screen& screen, const Rect& place) {
    const float s = screen.style.scale, gap = kGap * s, strip = kStrip * s;
    const float side = std::clamp(place.w * 0.4f, 270 * s, 340 * s);
    ui::begin_line_at(ImVec2(place.x, place.y));
    const Section shown = show_switch(screen, &View::side, Section::set);
    show_part(screen, shown, {place.x, place.y + strip, side, place.h - strip});
    show_middle(screen, {place.x + side + gap, place.y, place.w - side - gap, place.h});
}

void show_one_column(const Screen& screen, const Rect& place) {
    const float s = screen.style.scale, strip = kStrip * s;
    ui::begin_line_at(ImVec2(place.x, place.y));
    const Section shown = show_switch(screen, &View::section, Section::picture);
    Rect body{place.x, place.y + strip, place.w, place.h - strip};
    if (shown == Section::picture) {
        const float list = 180 * s;  // of boards: beside the switch, else below it
        const bool beside = ImGui::GetItemRectMax().x + 20 * s + list <= place.x + place.w;
        ui::begin_line_at(beside ? ImVec2(place.x + place.w - list, place.y) : ImVec2(body.x, body.y));
        show_board_strip(screen.style, screen.frame, beside ? list : body.w, screen.actions);
        body.y += beside ? 0 : strip;
        body.h -= beside ? 0 : strip;
    }
    show_part(screen, shown, body);
}

}  // namespace

bool shows_last_good(const Screen& screen) {
    return screen.view.editing && screen.frame.state->board->about_scenario &&
           screen.frame.typing != nullptr && screen.frame.typing->problem().has_value();
}

void show_columns(const Screen& screen) {
    const float s = screen.style.scale, gap = kGap * s;
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    // A window that is low for its scale has other uses for its height.
    const bool low = size.y < 400 * s, has_status = size.y >= 320 * s;
    const float top = (low ? 36 : 46) * s + gap / 2, status = has_status ? 30 * s : 4 * s;
    ui::begin_line_at(ImVec2(16 * s, (low ? 5 : 9) * s));
    show_top_bar(screen);
    const Rect place{gap, top, size.x - 2 * gap, size.y - status - gap / 2 - top};
    const LayoutMode mode = screen.frame.mode;
    const auto show = mode == LayoutMode::three ? show_three_columns
                      : mode == LayoutMode::two ? show_two_columns
                                                : show_one_column;
    show(screen, place);
    if (!has_status) return;
    ui::begin_line_at(ImVec2(16 * s, size.y - status + 4 * s));
    show_status_bar(screen.style, screen.frame, screen.actions);
}

void show_part(const Screen& screen, Section section, const Rect& place) {
    const auto& [style, frame, view, memory, actions] = screen;
    const ImVec2 at(place.x, place.y), size(place.w, place.h);
    if (section == Section::set) {
        show_knobs(screen, place);
    } else if (section == Section::picture) {
        show_picture_part(screen, place);
    } else if (section == Section::plot) {
        show_plot_part(screen, place, true);
    } else if (section == Section::numbers) {
        const ui::Panel panel(style, "numbers", at, size);
        ImGui::PushStyleVar(ImGuiStyleVar_Alpha, shows_last_good(screen) ? kDimmed : 1.0f);
        show_numbers(screen);
        ImGui::PopStyleVar();
    } else if (frame.learning->has_card()) {
        const ui::Panel panel(style, "learn", at, size);
        show_learn_card(screen);
    } else {
        const bool reading = view.reading || frame.state->board->wide;
        const ui::Panel panel(style, reading ? "reading" : "lesson", at, size);
        if (reading)
            show_reading(screen);
        else
            show_lesson(screen);
    }
}

}  // namespace warplens
