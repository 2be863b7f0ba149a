// The tour: the window dimmed but for one part, and a card beside it that says what that is.
#include "app/panels/overlays.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace warplens {
namespace {

struct Box4 {
    float left, top, right, bottom;  // [pixels]
};

/// The place that a card points at: all its items that can be seen, together.
std::optional<Box4> part_of(const TourCard& card) {
    std::optional<Box4> part;
    for (const std::string_view name : card.items) {
        const auto found = ui::items().find(name);
        const bool here = found != ui::items().end() && found->second.frame == ImGui::GetFrameCount();
        if (!here || !found->second.visible()) continue;
        const ui::ItemRect& r = found->second;
        part = part ? Box4{std::min(part->left, r.left), std::min(part->top, r.top),
                           std::max(part->right, r.right), std::max(part->bottom, r.bottom)}
                    : Box4{r.left, r.top, r.right, r.bottom};
    }
    return part;
}

/// All but the part is dimmed; the part has a frame.
void draw_dimmed(const PanelStyle& style, const Box4& hole) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->PushClipRectFullScreen();
    const ImU32 dim = IM_COL32(0, 0, 0, luminance(style.colors.page) > 0.5 ? 120 : 170);
    draw->AddRectFilled(ImVec2(0, 0), ImVec2(screen.x, hole.top), dim);
    draw->AddRectFilled(ImVec2(0, hole.bottom), screen, dim);
    draw->AddRectFilled(ImVec2(0, hole.top), ImVec2(hole.left, hole.bottom), dim);
    draw->AddRectFilled(ImVec2(hole.right, hole.top), ImVec2(screen.x, hole.bottom), dim);
    ui::add_rect(draw, ImVec2(hole.left, hole.top), ImVec2(hole.right, hole.bottom),
                 ui::color(style.colors.accent), style.px(6), style.px(3));
    draw->PopClipRect();
}

/// The place of a card: beside the part if there is room, else over it.
struct CardPlace {
    ImVec2 at;
    ImVec2 tip;  ///< of the arrow
    enum class Side { right, left, below, above, over } side = Side::over;
};
CardPlace place_of(const Box4& part, ImVec2 size, float gap) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float x =
        std::clamp((part.left + part.right - size.x) / 2, gap, std::max(gap, screen.x - size.x - gap));
    const float y =
        std::clamp((part.top + part.bottom - size.y) / 2, gap, std::max(gap, screen.y - size.y - gap));
    const float middle_x = (part.left + part.right) / 2, middle_y = (part.top + part.bottom) / 2;
    if (part.right + size.x + 2 * gap <= screen.x)
        return {{part.right + gap, y}, {part.right, middle_y}, CardPlace::Side::right};
    if (part.left - size.x - 2 * gap >= 0)
        return {{part.left - gap - size.x, y}, {part.left, middle_y}, CardPlace::Side::left};
    if (part.bottom + size.y + 2 * gap <= screen.y)
        return {{x, part.bottom + gap}, {middle_x, part.bottom}, CardPlace::Side::below};
    if (part.top - size.y - 2 * gap >= 0)
        return {{x, part.top - gap - size.y}, {middle_x, part.top}, CardPlace::Side::above};
    // At the lower end, so that the beginning of the part stays in view.
    return {{x, std::max(gap, screen.y - size.y - gap)}, {}, CardPlace::Side::over};
}

void draw_arrow(const PanelStyle& style, const CardPlace& place, float gap) {
    const float half = style.px(8);
    const ImVec2 t = place.tip;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const auto arrow = [&](ImVec2 a, ImVec2 b) {
        draw->AddTriangleFilled(t, a, b, ui::color(style.colors.accent));
    };
    switch (place.side) {
        case CardPlace::Side::right:
            return arrow({t.x + gap, t.y - half}, {t.x + gap, t.y + half});
        case CardPlace::Side::left:
            return arrow({t.x - gap, t.y - half}, {t.x - gap, t.y + half});
        case CardPlace::Side::below:
            return arrow({t.x - half, t.y + gap}, {t.x + half, t.y + gap});
        case CardPlace::Side::above:
            return arrow({t.x - half, t.y - gap}, {t.x + half, t.y - gap});
        case CardPlace::Side::over:
            return;
    }
}

void show_card(const PanelStyle& style, const TourCard& card, const View& view, Actions& actions) {
    const int last = int(tour_cards().size()) - 1;
    ui::wrapped(style, FontRole::heading, card.title);
    ui::wrapped(card.text);
    ui::mark("tour.text");
    ImGui::Dummy(ImVec2(0, style.px(2)));
    ImGui::AlignTextToFramePadding();
    ui::text_weak(style, fmt::format("{} of {}", view.tour + 1, last + 1));
    const char* next = view.tour == last ? "Done" : "Next";
    const float width = ui::pill_width(style, next) + ui::pill_width(style, "Skip") + style.px(6);
    const float end = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
    ImGui::SameLine(end - width);
    if (ui::pill(style, "Skip", false)) actions.add(action::set(&View::tour, -1));
    ui::mark(style, "tour.skip", "End the tour (Esc); the page of keys (F1) starts it again.");
    ImGui::SameLine(0, style.px(6));
    if (ui::chip(style, next, true)) {
        actions.add(action::Next{action::Next::What::tour});
        ImGui::SetScrollY(0);
    }
    ui::mark(style, "tour.next", "Enter, Space, Right or PageDown; Left goes back.");
}

}  // namespace

void show_tour(const PanelStyle& style, const View& view, Actions& actions) {
    if (view.tour < 0) return;
    const TourCard& card = tour_cards()[view.tour];
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float gap = style.px(16), edge = style.px(3);
    const Box4 whole{screen.x / 2, screen.y / 2, screen.x / 2, screen.y / 2};
    Box4 part = part_of(card).value_or(whole);
    part = {std::max(part.left - edge, 0.0f), std::max(part.top - edge, 0.0f),
            std::min(part.right + edge, screen.x), std::min(part.bottom + edge, screen.y)};
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(screen);
    ImGui::SetNextWindowFocus();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    ImGui::Begin("##tour", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav);
    ImGui::PopStyleVar();
    draw_dimmed(style, part);
    const float width = std::min(style.px(296), screen.x - 2 * gap);
    // The height that its text takes: two frames of ImGui would jump.
    const float inner = width - style.px(32);
    const float text =
        ImGui::CalcTextSize(card.text.data(), card.text.data() + card.text.size(), false, inner).y;
    const float lines = style.px(1.4f * font_points(FontRole::heading)) + ImGui::GetFrameHeight();
    const ImVec2 size(width, std::min(text + lines + style.px(48), screen.y - 2 * style.px(4)));
    const CardPlace place = place_of(part, size, gap);
    draw_arrow(style, place, gap);
    ImGui::PushStyleColor(ImGuiCol_Border, ui::color(style.colors.accent));
    {
        Theme strong = style.colors;
        strong.panel_border = style.colors.accent;
        const ui::Panel panel({strong, style.fonts, style.painter, style.scale}, "tour", place.at, size, 16);
        show_card(style, card, view, actions);
    }
    ImGui::PopStyleColor();
    ImGui::End();
}

}  // namespace warplens
