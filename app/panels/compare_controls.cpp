// How controls show that A of a comparison is set differently.
#include "app/panels/compare_panel.h"
#include "app/panels/widgets.h"
#include "app/pictures/plot/bandwidth.h"

#include <algorithm>

namespace warplens {
namespace {

/// "A 32" on a plate, here; where there is no room for the value, its letter alone.
void show_plate(const PanelStyle& style, const std::string& a, float room) {
    const ui::FontScope body(style, FontRole::body);
    const float pad = style.px(5);
    const auto width = [&](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x + 2 * pad; };
    const std::string whole = "A " + a,
                      text = width(whole) <= room ? whole : "A";  // then the tooltip says it
    const float wide = std::min(room, width(text));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 end(at.x + wide, at.y + ImGui::GetTextLineHeight());
    const Color color = side_color(style.colors, 'A');
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(at, end, ui::color(color), style.px(4));
    draw->PushClipRect(at, ImVec2(end.x - pad / 2, end.y), true);
    draw->AddText(ImVec2(at.x + pad, at.y), ui::color(text_on(color)), text.c_str());
    draw->PopClipRect();
    ImGui::Dummy(ImVec2(wide, ImGui::GetTextLineHeight()));
    ui::tip(style, "A has " + a + " here.");
}

}  // namespace

std::string value_of_a(const Frame& frame, const Knob& knob) {
    if (frame.other == nullptr || frame.other->state->scenario != frame.state->scenario) return {};
    const Params& a = frame.other->state->params;
    if (a.*knob.field == frame.state->params.*knob.field) return {};
    return format_knob(knob, a);
}

std::string value_of_a(const Frame& frame, const BoardKnob& knob) {
    if (frame.other == nullptr) return {};
    const int a = frame.other->state->boards[knob];
    return a == frame.state->boards[knob] ? std::string() : std::to_string(a);
}

void show_knob_value(const PanelStyle& style, const std::string& value, const std::string& a) {
    if (!a.empty()) {
        const float gap = style.px(8);
        float value_width = 0;
        {
            const ui::FontScope mono(style, FontRole::mono);
            value_width = ImGui::CalcTextSize(value.c_str()).x;
        }
        const float wide = ImGui::CalcTextSize(("A " + a).c_str()).x + style.px(10);
        ImGui::SameLine(0, gap);
        const float room = ImGui::GetContentRegionAvail().x - value_width - gap;
        if (room > style.px(20)) {
            ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, room - wide));
            show_plate(style, a, room);
        }
    }
    const ui::FontScope mono(style, FontRole::mono);
    ui::text_right(value, style.colors.text);
}

void mark_slider(const PanelStyle& style, int a, int min, int max) {
    if (max <= min) return;
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    // Where ImGui puts the middle of the grab (SliderBehavior).
    const float inset = 2, track = to.x - from.x - 2 * inset;
    const float grab = std::min(track, std::max(track / static_cast<float>(max - min + 1), style.px(14)));
    const float share = std::clamp(static_cast<float>(a - min) / static_cast<float>(max - min), 0.0f, 1.0f);
    const float x = from.x + inset + grab / 2 + share * (track - grab), half = style.px(1.5f);
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(x - half, from.y - style.px(2)),
                                              ImVec2(x + half, to.y + style.px(2)),
                                              ui::color(side_color(style.colors, 'A')), half);
}

void mark_choice(const PanelStyle& style, const std::string& a) {
    if (a.empty()) return;
    ImGui::SameLine(0, style.px(6));
    const float room = style.px(116) - ImGui::GetCursorPosX();
    if (room < style.px(18)) return;
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ImGui::GetStyle().FramePadding.y);
    show_plate(style, a, room);
}

}  // namespace warplens
