// The page of recorded requests: the instructions of a file on the left, the worst first, and what the chosen
// one does on the right.
#include "app/figures/request_figure.h"
#include "app/panels/controls.h"
#include "app/panels/numbers.h"
#include "app/panels/screen.h"
#include "app/panels/widgets.h"
#include "app/pictures/access/explain.h"
#include "app/pictures/kit/lit_cell.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

namespace warplens {
namespace {

constexpr const char* kHowTo =
    "Drop a file on the window: rows id,space,op,width,mask,a0..a31 as 'warplens analyze' takes them, or what "
    "NVBit's mem_trace tool prints.";

struct HeadChip {
    const char *label, *name;
    std::string tooltip;
    Action press;
    bool chosen = false;
};

std::vector<HeadChip> chips_of(const Frame& frame) {
    std::vector<HeadChip> chips;
    if (frame.requests.evidence != nullptr) {
        chips.push_back({"bits", "requests.bits",
                         fmt::format("The addresses in binary {}.", key_hint(action::Do::toggle_bits)),
                         action::Do::toggle_bits, frame.state->bits});
        chips.push_back(
            {"Save figure", "requests.save",
             fmt::format("Writes this picture to a file, in the format and size of the dialog Export {}.",
                         key_hint(action::Do::open_export)),
             action::Do::open_export});
        chips.push_back({"Copy command", "requests.copy", "Copy the command that draws this as a figure.",
                         action::Do::copy_requests_command});
    }
    if (frame.requests.list != nullptr)
        chips.push_back({"Close file", "requests.close", "Forget the file.", action::Do::close_requests});
    chips.push_back({"Back", "requests.back",
                     fmt::format("Back to all panels (Esc). The file stays open {}.",
                                 key_hint(action::Toggle{&View::requests})),
                     action::Show{&View::requests, false}});
    return chips;
}

std::string summary_of(const AccessList& list) {
    std::string text = fmt::format("{}, {}", counted(list.rows, "request"),
                                   counted(static_cast<std::int64_t>(list.groups.size()), "instruction"));
    if (list.others > 0)
        text += fmt::format("; {} more with less beyond their ideal", counted(list.others, "request"));
    if (list.skipped > 0)
        text += fmt::format("; {} not counted, such as {}", format_count(list.skipped), list.skipped_opcode);
    return text;
}

void show_head(const Screen& screen) {
    const auto& [style, frame, view, caches, actions, set] = screen;
    const std::vector<HeadChip> chips = chips_of(frame);
    float width = 0;
    for (const HeadChip& chip : chips) width += ui::pill_width(style, chip.label) + style.px(4);
    float room = (ImGui::GetWindowWidth() - width) / style.scale - 40;
    const AccessList* list = frame.requests.list;
    const std::string title =
        elide(list == nullptr ? "Recorded requests" : list->name, FontRole::heading, room, style.fonts);
    ui::text(style, FontRole::heading, title);
    room -= style.fonts.width(title, FontRole::heading) + 14;
    if (list != nullptr && room > 60) {
        const std::string summary = summary_of(*list);
        ImGui::SameLine(0, style.px(14));
        ImGui::AlignTextToFramePadding();
        ui::text_weak(style, elide(summary, FontRole::body, room, style.fonts));
        ui::tip(style, summary);
    }
    ImGui::SameLine(ImGui::GetWindowWidth() - width - style.px(kGap));
    for (const HeadChip& chip : chips) {
        if (ui::chip(style, chip.label, chip.chosen)) actions.add(chip.press);
        ui::mark(style, chip.name, chip.tooltip);
        ImGui::SameLine(0, style.px(4));
    }
    ImGui::NewLine();
}

/// Three lines: the name, what it does, what it costs.
void show_item(const Screen& screen, std::size_t index, float wide) {
    const PanelStyle& style = screen.style;  // names that a lambda can take along
    const Frame& frame = screen.frame;
    const AccessGroup& group = frame.requests.list->groups[index];
    const SectorRules& rules = frame.devices->at(frame.state->device).sector_rules;
    const std::int64_t excess = excess_of(group, rules);
    const float line = ImGui::GetTextLineHeight(), pad = style.px(6);
    const ImVec2 at = ImGui::GetCursorScreenPos(), size(wide, 3 * line + 2 * pad);
    const std::string id = fmt::format("requests.{}", index + 1);
    if (ImGui::InvisibleButton(id.c_str(), size)) screen.actions.add(action::ChooseRequest{index});
    ui::mark(style, id,
             fmt::format("{}\n{}{}\nworst: {}", group.name, group.kernel, group.kernel.empty() ? "" : "\n",
                         request_place(group)));
    if (!ImGui::IsItemVisible()) return;
    const bool chosen = index == frame.requests.chosen;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const ImVec2 end(at.x + size.x, at.y + size.y - style.px(2));
    if (chosen || ImGui::IsItemHovered())
        draw->AddRectFilled(at, end, ui::color(chosen ? style.colors.control_hover : style.colors.control),
                            style.px(4));
    if (chosen)
        draw->AddRectFilled(at, ImVec2(at.x + style.px(3), end.y), ui::color(style.colors.accent),
                            style.px(2));
    const float room = (wide - 2 * pad) / style.scale - 4;
    const auto write = [&](int row, FontRole font, std::string_view text, Color color) {
        const ui::FontScope scope(style, font);
        draw->AddText(ImVec2(at.x + pad + style.px(4), at.y + pad + static_cast<float>(row) * line),
                      ui::color(color), elide(text, font, room, style.fonts).c_str());
    };
    write(0, FontRole::strong,
          fmt::format("{}  {}{}", index + 1, group.name, group.kernel.empty() ? "" : "  in " + group.kernel),
          style.colors.text);
    write(1, FontRole::body, fmt::format("{}, {}", request_kind(group), counted(group.rows, "request")),
          style.colors.text_weak);
    write(2, FontRole::body, request_cost(group, rules), excess > 0 ? style.colors.bad : style.colors.good);
}

void show_list(const Screen& screen, RequestsPage& page, const Rect& place) {
    const RequestsView& requests = screen.frame.requests;
    const ui::Panel panel(screen.style, "requests", ImVec2(place.x, place.y), ImVec2(place.w, place.h), 6);
    const float wide = ImGui::GetContentRegionAvail().x;
    const bool moved = page.scrolled != requests.chosen;
    page.scrolled = requests.chosen;
    const std::size_t count = requests.list->groups.size();
    const float height =
        3 * ImGui::GetTextLineHeight() + 2 * screen.style.px(6) + ImGui::GetStyle().ItemSpacing.y;
    if (moved) {  // what is far away is not drawn, so it cannot scroll itself into view
        const float top = height * static_cast<float>(requests.chosen), view = ImGui::GetWindowHeight();
        if (top < ImGui::GetScrollY() || top + height > ImGui::GetScrollY() + view)
            ImGui::SetScrollY(top - view / 2 + height / 2);
    }
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(count), height);
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
            show_item(screen, static_cast<std::size_t>(i), wide);
}

std::uint64_t key_of(const Screen& screen, Vec2 room) {
    return picture_key(screen.style, screen.frame, screen.view, room, false) * 31 +
           screen.frame.requests.generation;
}

Explanation words_of(const Screen& screen) {
    const InstructionView view = view_of(*screen.frame.requests.evidence, 0);
    return screen.frame.state->bits && has_bits(view) ? explain_bits(view, {}) : explain(view);
}

void show_picture(const Screen& screen, RequestsPage& page, const Rect& place) {
    const PanelStyle& style = screen.style;  // names that a lambda can take along
    const Frame& frame = screen.frame;
    const View& view = screen.view;
    const AccessGroup& group = frame.requests.list->groups[frame.requests.chosen];
    const Evidence& evidence = *frame.requests.evidence;
    const ui::Panel panel(style, "request", ImVec2(place.x, place.y), ImVec2(place.w, place.h), 8);
    const std::string head = fmt::format("{} of {}: {}", frame.requests.chosen + 1,
                                         frame.requests.list->groups.size(), group.name);
    ui::text(style, FontRole::strong,
             elide(head, FontRole::strong, ImGui::GetContentRegionAvail().x / style.scale, style.fonts));
    const std::string place_text =
        fmt::format("{}. Its worst request: {}.", request_kind(group), request_place(group));
    ui::wrapped(style.colors.text_weak, place_text);
    const Explanation words = words_of(screen);
    const float below = view.projector ? verdict_height(style, words) / style.scale : 0;
    Vec2 room = room_here(style, 200);
    room.y = std::max(kLeastRoom.y, room.y - below);
    const Picture& picture =
        shown_picture(page.picture, key_of(screen, room), frame, view, screen.actions, [&] {
            const Style look{.theme = &style.colors,
                             .measure = &style.fonts,
                             .size = room,
                             .hovered_lane = lit_lane(view),
                             .embedded = true,
                             .silent = view.projector};
            const auto cells =
                std::bit_cast<std::array<std::uint32_t, sizeof(Trace) / sizeof(std::uint32_t)>>(
                    evidence.trace);
            State shown = *frame.state;
            shown.player_step = shown.player_percent = -1;
            shown.by_tile = false;
            return for_view(view, with_lit_cells(draw_instruction(evidence, 0, shown, look), cells));
        });
    const Hit* hit = paint(style, frame, picture, "request.picture");
    ui::mark("request.picture");
    if (hit != nullptr && hit->lane >= 0) screen.actions.hover.lane = hit->lane;
    if (view.projector) show_verdict(style, words);
}

/// Arrows choose, as in a list.
void walk(const Screen& screen) {
    const RequestsView& requests = screen.frame.requests;
    if (ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel)) return;
    const auto pressed = [](ImGuiKey key) { return ui::is_key_pressed(key) ? 1 : 0; };
    const int by = pressed(ImGuiKey_DownArrow) + pressed(ImGuiKey_RightArrow) - pressed(ImGuiKey_UpArrow) -
                   pressed(ImGuiKey_LeftArrow);
    if (by == 0) return;
    const auto last = static_cast<int>(requests.list->groups.size()) - 1;
    const int next = std::clamp(static_cast<int>(requests.chosen) + by, 0, last);
    screen.actions.add(action::ChooseRequest{static_cast<std::size_t>(next)});
}

}  // namespace

void show_requests(const Screen& screen, RequestsPage& page) {
    const PanelStyle& style = screen.style;
    const RequestsView& requests = screen.frame.requests;
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const float gap = style.px(kGap), top = style.px(44), bottom = size.y - style.px(30);
    ImGui::SetCursorScreenPos(ImVec2(style.px(14), style.px(8)));
    show_head(screen);
    show_bar_menus(style, screen.frame, screen.view, screen.actions);
    if (requests.evidence == nullptr) {
        const ui::Panel panel(style, "request", ImVec2(gap, top),
                              ImVec2(size.x - 2 * gap, bottom - top - gap));
        ui::wrapped(screen.frame.busy.empty() ? kHowTo : screen.frame.busy);
    } else {
        walk(screen);
        constexpr float kLeastBoth = 620;  // [points]
        const bool list = size.x / style.scale >= kLeastBoth;
        const float wide = list ? std::clamp(size.x * 0.3f, style.px(230), style.px(380)) : 0;
        if (list) show_list(screen, page, {gap, top, wide, bottom - top - gap});
        const float x = list ? wide + 2 * gap : gap;
        show_picture(screen, page, {x, top, size.x - x - gap, bottom - top - gap});
    }
    ImGui::SetCursorScreenPos(ImVec2(style.px(16), bottom + style.px(2)));
    show_status_bar(style, screen.frame, screen.actions);
}

}  // namespace warplens
