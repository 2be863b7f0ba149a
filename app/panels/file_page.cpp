#include "app/panels/file_page.h"

#include "app/panels/controls.h"
#include "app/panels/numbers.h"
#include "app/panels/widgets.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

void show_item(const Screen& screen, const PageList& list, std::size_t index, float wide) {
    const PanelStyle& style = screen.style;  // a name that a lambda can take along
    const PageItem item = list.item(index);
    const float line = ImGui::GetTextLineHeight(), pad = style.px(6);
    const ImVec2 at = ImGui::GetCursorScreenPos(), size(wide, 3 * line + 2 * pad);
    const std::string id = fmt::format("{}.{}", list.id, index + 1);
    if (ui::press_area(id.c_str(), size)) screen.actions.add(list.choose(index));
    ui::mark(style, id, item.tooltip);
    if (!ImGui::IsItemVisible()) return;
    const bool chosen = index == list.chosen;
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
        draw->AddText(ImVec2(at.x + pad + style.px(4), at.y + pad + float(row) * line), ui::color(color),
                      elide(text, font, room, style.fonts).c_str());
    };
    write(0, FontRole::strong, fmt::format("{}  {}", index + 1, item.name), style.colors.text);
    write(1, FontRole::body, item.what, style.colors.text_weak);
    write(2, FontRole::body, item.cost, item.cost_color);
}

}  // namespace

void add_file_chips(std::vector<HeadChip>& chips, const Screen& screen, Action close) {
    const Frame& frame = screen.frame;
    if (frame.requests.list != nullptr && frame.counters.page != nullptr) {
        const bool counters = screen.view.counters;
        chips.push_back({"Requests", "page.requests", "The recorded requests, with their pictures.",
                         action::Show{&View::counters, false}, !counters});
        chips.push_back({"Counters", "page.counters", "Nsight Compute's counters, beside the requests.",
                         action::Show{&View::counters, true}, counters});
    }
    if (close != Action()) chips.push_back({"Close file", "requests.close", "Forget the file.", close});
    chips.push_back({"Back", "requests.back",
                     fmt::format("Back to all panels (Esc). The file stays open {}.",
                                 key_hint(action::Toggle{&View::requests})),
                     action::Show{&View::requests, false}});
}

void show_page_head(const Screen& screen, const std::string& whole_title, const std::string& summary,
                    const std::vector<HeadChip>& chips) {
    const PanelStyle& style = screen.style;
    ui::begin_line_at(ImVec2(style.px(14), style.px(8)));
    float width = 0;
    for (const HeadChip& chip : chips) width += ui::pill_width(style, chip.label) + style.px(4);
    float room = (ImGui::GetWindowWidth() - width) / style.scale - 40;
    const std::string title = elide(whole_title, FontRole::heading, room, style.fonts);
    ui::text(style, FontRole::heading, title);
    room -= style.fonts.width(title, FontRole::heading) + 14;
    if (!summary.empty() && room > 60) {
        ImGui::SameLine(0, style.px(14));
        ImGui::AlignTextToFramePadding();
        ui::text_weak(style, elide(summary, FontRole::body, room, style.fonts));
        ui::tip(style, summary);
    }
    ImGui::SameLine(ImGui::GetWindowWidth() - width - style.px(kGap));
    for (const HeadChip& chip : chips) {
        if (ui::chip(style, chip.label, chip.chosen)) screen.actions.add(chip.press);
        ui::mark(style, chip.name, chip.tooltip);
        ImGui::SameLine(0, style.px(4));
    }
    ImGui::NewLine();
}

void show_page_list(const Screen& screen, const PageList& list, std::optional<std::size_t>& scrolled,
                    const Rect& place) {
    const ui::Panel panel(screen.style, list.id, ImVec2(place.x, place.y), ImVec2(place.w, place.h), 6);
    const float wide = ImGui::GetContentRegionAvail().x;
    const bool moved = scrolled != list.chosen;
    scrolled = list.chosen;
    const float height =
        3 * ImGui::GetTextLineHeight() + 2 * screen.style.px(6) + ImGui::GetStyle().ItemSpacing.y;
    if (moved) {  // what is far away is not drawn, so it cannot scroll itself into view
        const float top = height * float(list.chosen), view = ImGui::GetWindowHeight();
        if (top < ImGui::GetScrollY() || top + height > ImGui::GetScrollY() + view)
            ImGui::SetScrollY(top - view / 2 + height / 2);
    }
    ImGuiListClipper clipper;
    clipper.Begin(int(list.count), height);
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
            show_item(screen, list, static_cast<std::size_t>(i), wide);
}

void walk_list(const Screen& screen, const PageList& list) {
    if (ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel)) return;
    const auto pressed = [](ImGuiKey key) { return ui::is_key_pressed(key) ? 1 : 0; };
    const int by = pressed(ImGuiKey_DownArrow) + pressed(ImGuiKey_RightArrow) - pressed(ImGuiKey_UpArrow) -
                   pressed(ImGuiKey_LeftArrow);
    if (by == 0) return;
    const int next = std::clamp(int(list.chosen) + by, 0, int(list.count) - 1);
    screen.actions.add(list.choose(static_cast<std::size_t>(next)));
}

Rect page_place(const Screen& screen) {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const float gap = screen.style.px(kGap), top = screen.style.px(44), bottom = size.y - screen.style.px(30);
    return {gap, top, size.x - 2 * gap, bottom - top - gap};
}

void show_list_and_chosen(const Screen& screen, const PageList& list, std::optional<std::size_t>& scrolled,
                          const std::function<void(const Rect&)>& show_chosen) {
    const PanelStyle& style = screen.style;
    constexpr float kLeastBoth = 620;  // [points]
    const float size = ImGui::GetIO().DisplaySize.x, gap = style.px(kGap);
    walk_list(screen, list);
    Rect place = page_place(screen);
    if (size / style.scale >= kLeastBoth) {
        const float wide = std::clamp(size * 0.3f, style.px(230), style.px(380));
        show_page_list(screen, list, scrolled, {place.x, place.y, wide, place.h});
        place.x += wide + gap;
        place.w -= wide + gap;
    }
    show_chosen(place);
}

void show_page_bars(const Screen& screen) {
    const PanelStyle& style = screen.style;
    show_bar_menus(screen);
    ui::begin_line_at(ImVec2(style.px(16), ImGui::GetIO().DisplaySize.y - style.px(28)));
    show_status_bar(style, screen.frame, screen.actions);
}

}  // namespace warplens
