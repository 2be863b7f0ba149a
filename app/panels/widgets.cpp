#include "app/panels/widgets.h"

#include "app/gl/tab_walk.h"

#include <algorithm>
#include <cmath>

namespace warplens::ui {

namespace {

/// Remember the last item's place under a name.
void remember(std::string_view name);

std::vector<DrawnText>* drawn = nullptr;

void write_down(std::string_view s, bool sentence = false) {
    const ImVec2 at = ImGui::GetItemRectMin();
    if (drawn != nullptr) drawn->push_back({std::string(s), sentence, false, at.x, at.y});
}

/// The last item has a tooltip: if that is what was drawn last, it is its.
void write_down_tip() {
    if (drawn == nullptr || drawn->empty()) return;
    const ImVec2 at = ImGui::GetItemRectMin();
    if (drawn->back().x == at.x && drawn->back().y == at.y) drawn->back().tip = true;
}

bool rounded_button(const PanelStyle& style, const char* label, bool chosen, Color rest, Color rest_text,
                    float padding = 10) {
    const Color fill = chosen ? style.colors.accent : rest;
    ImGui::PushStyleVar(ImGuiStyleVar_FrameRounding, style.px(14));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(style.px(padding), style.px(3)));
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
    ImGui::PushStyleColor(ImGuiCol_Button, color(fill));
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered,
                          color(chosen ? style.colors.accent : style.colors.control_hover));
    ImGui::PushStyleColor(ImGuiCol_ButtonActive,
                          color(chosen ? style.colors.accent : style.colors.control_hover));
    ImGui::PushStyleColor(ImGuiCol_Text, color(chosen ? style.colors.accent_text : rest_text));
    const bool pressed = ImGui::Button(label);
    write_down(label);
    ImGui::PopStyleColor(4);
    ImGui::PopStyleVar(3);
    return pressed;
}

/// In the body font, whatever the item's own is.
void tooltip(const PanelStyle& style, std::string_view head, std::string_view s) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(style.px(10), style.px(8)));
    ImGui::PushStyleVar(ImGuiStyleVar_Alpha, 1);  // what is switched off is faint; why is not
    const FontScope body(style, FontRole::body);
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(ImGui::GetFontSize() * 22);
    if (!head.empty()) {
        const FontScope strong(style, FontRole::strong);
        ImGui::TextUnformatted(head.data(), head.data() + head.size());
    }
    ImGui::TextUnformatted(s.data(), s.data() + s.size());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
    ImGui::PopStyleVar(2);
}

/// The place of the mouse when a key was pressed; far away since it has moved.
ImVec2 rests_at{-FLT_MAX, -FLT_MAX};

/// Not while something is dragged, and not of what was pressed before the mouse has left it: the tooltip
/// would cover the picture that follows. Nor of what comes below a mouse that rests while keys are pressed.
bool wants_tooltip() {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (!ImGui::GetIO().NavVisible && mouse.x == rests_at.x && mouse.y == rests_at.y) return false;
    const bool hovered = ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled);
    const ImVec2 at = ImGui::GetItemRectMin();
    const int here = int(at.x) * 8192 + int(at.y);  // texts have no id
    int& pressed = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("pressed"));
    if (ImGui::IsItemActive() || ImGui::IsItemDeactivated())
        pressed = here;
    else if (!hovered && pressed == here)
        pressed = 0;
    return hovered && pressed != here && !ImGui::IsMouseDragging(ImGuiMouseButton_Left);
}

}  // namespace

void write_down_texts(std::vector<DrawnText>* into) { drawn = into; }

void follow_mouse(bool key_pressed) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (key_pressed)
        rests_at = mouse;
    else if (mouse.x != rests_at.x || mouse.y != rests_at.y)
        rests_at = {-FLT_MAX, -FLT_MAX};
}

ImU32 color(Color c) { return IM_COL32(c.r, c.g, c.b, c.a); }

Panel::Panel(const PanelStyle& style, const char* id, ImVec2 position, ImVec2 size, float padding) : id_(id) {
    begin_line_at(position);
    ImGui::PushStyleColor(ImGuiCol_ChildBg, color(style.colors.panel));
    ImGui::PushStyleColor(ImGuiCol_Border, color(style.colors.panel_border));
    ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, style.px(6));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding,
                        ImVec2(style.px(padding), style.px(std::min(padding, 10.0f))));
    begin_child(id, size, true);
}

Panel::~Panel() {
    ImGui::EndChild();
    remember("panel." + id_);
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor(2);
}

void text(std::string_view s) {
    ImGui::TextUnformatted(s.data(), s.data() + s.size());
    write_down(s);
}

void text_colored(Color c, std::string_view s) {
    ImGui::PushStyleColor(ImGuiCol_Text, color(c));
    text(s);
    ImGui::PopStyleColor();
}

void text_weak(const PanelStyle& style, std::string_view s) { text_colored(style.colors.text_weak, s); }

void wrapped(std::string_view s, float wide) {
    ImGui::PushTextWrapPos(wide > 0 ? ImGui::GetCursorPosX() + wide : 0);
    ImGui::TextUnformatted(s.data(), s.data() + s.size());
    write_down(s, true);
    ImGui::PopTextWrapPos();
}

void wrapped(Color c, std::string_view s, float wide) {
    ImGui::PushStyleColor(ImGuiCol_Text, color(c));
    wrapped(s, wide);
    ImGui::PopStyleColor();
}

void text(const PanelStyle& style, FontRole role, std::string_view s) {
    const FontScope font(style, role);
    text(s);
}

void wrapped(const PanelStyle& style, FontRole role, std::string_view s) {
    const FontScope font(style, role);
    wrapped(s);
}

void end_of_line(float width) {
    ImGui::SameLine(0, 0);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, ImGui::GetContentRegionAvail().x - width));
}

void text_right(std::string_view s, Color c) {
    ImGui::SameLine(0, 0);
    cell_right(s, c);
}

void cell_right(std::string_view s, Color c) {
    const float width = ImGui::CalcTextSize(s.data(), s.data() + s.size()).x;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, ImGui::GetContentRegionAvail().x - width));
    text_colored(c, s);
}

bool press_area(const char* id, ImVec2 size) {
    return ImGui::InvisibleButton(id, ImVec2(std::max(size.x, 1.0f), std::max(size.y, 1.0f)));
}

void fill_width() { ImGui::SetNextItemWidth(std::max(ImGui::GetContentRegionAvail().x, 4.0f)); }

bool pill(const PanelStyle& style, const char* label, bool chosen, float padding) {
    return rounded_button(style, label, chosen, {0, 0, 0, 0}, style.colors.text_weak, padding);
}

bool entry(const char* label, bool chosen) {
    const bool pressed = ImGui::Selectable(label, chosen);
    if (chosen) ImGui::SetItemDefaultFocus();
    return pressed;
}

bool chip(const PanelStyle& style, const char* label, bool chosen) {
    return rounded_button(style, label, chosen, style.colors.control, style.colors.text);
}

namespace {

/// From the left edge of a slider to the middle of its grab [pixels]: at its ends for the first and the last
/// value. A click there chooses this value, although ImGui's own grab is wider the fewer values there are.
float grab_middle(const PanelStyle& style, float width, int value, int min, int max) {
    const float grab = std::min(width, style.px(kGrab));
    const float share = std::clamp(float(value - min) / float(std::max(1, max - min)), 0.0f, 1.0f);
    return grab / 2 + share * (width - grab);
}

}  // namespace

bool slider(const PanelStyle& style, const char* id, int& value, int min, int max, int step) {
    if (is_typed_into(id)) return ImGui::SliderInt(id, &value, min, max, "%d", ImGuiSliderFlags_AlwaysClamp);
    for (const ImGuiCol part : {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive,
                                ImGuiCol_SliderGrab, ImGuiCol_SliderGrabActive, ImGuiCol_Text})
        ImGui::PushStyleColor(part, IM_COL32_BLACK_TRANS);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(style.px(4), 0));
    ImGui::PushStyleVar(ImGuiStyleVar_GrabMinSize, style.px(kGrab));
    bool changed = ImGui::SliderInt(id, &value, min, max, "%d", ImGuiSliderFlags_AlwaysClamp);
    if (const int by = take_arrows(ImGuiKey_LeftArrow, ImGuiKey_RightArrow)) {
        changed = true;
        value = std::clamp(value + by * step, min, max);
    }
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor(6);
    if (is_typed_into(id)) return changed;
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    const float middle = (from.y + to.y) / 2, thick = style.px(2),
                x = from.x + grab_middle(style, to.x - from.x, value, min, max);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float faint = ImGui::GetStyle().Alpha;
    const ImU32 track = color(with_alpha(style.colors.outline, faint)),
                fill = color(with_alpha(style.colors.accent, faint));
    draw->AddRectFilled(ImVec2(from.x, middle - thick), ImVec2(to.x, middle + thick), track, thick);
    draw->AddRectFilled(ImVec2(from.x, middle - thick), ImVec2(x, middle + thick), fill, thick);
    const bool lit = ImGui::IsItemHovered() || ImGui::IsItemActive();
    draw->AddCircleFilled(ImVec2(x, middle), style.px(lit ? 8.0f : kGrab / 2), fill);
    return changed;
}

void mark_slider(const PanelStyle& style, int value, int min, int max, Color mark) {
    if (max <= min) return;
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    const float x = from.x + grab_middle(style, to.x - from.x, value, min, max), half = style.px(1.5f);
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(x - half, from.y), ImVec2(x + half, to.y), color(mark),
                                              half);
}

void shade(const PanelStyle& style, const Rect& place, float strength) {
    ImGui::GetWindowDrawList()->AddRectFilled(
        ImVec2(place.x - style.px(4), place.y - style.px(1)),
        ImVec2(place.x + place.w + style.px(2), place.y + place.h + style.px(1)),
        color(with_alpha(style.colors.accent, 0.3f * strength)), style.px(4));
}

void bar(const PanelStyle& style, float width, float thick, float height, float share, Color fill) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float top = at.y + (height - thick) / 2;
    ImGui::Dummy(ImVec2(width, height));
    const auto part = [&](float end, Color c) {
        ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(at.x, top), ImVec2(at.x + end, top + thick),
                                                  color(c), thick / 2);
    };
    part(width, style.colors.control_hover);
    if (share > 0) part(width * share, fill);
}

BarMenu::BarMenu(const PanelStyle& style, const char* id, const View& view, bool View::*part,
                 Actions& actions, ImVec2 padding, float width) {
    if (view.*part) ImGui::OpenPopup(id);
    actions.set(view, part, false);
    // Below the bar, which stays usable, and inside the window however wide that is.
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float top = style.px(44), wide = std::min(style.px(width), screen.x * 0.96f);
    ImGui::SetNextWindowPos(ImVec2(screen.x - style.px(12), top), ImGuiCond_Always, ImVec2(1, 0));
    if (width > 0)
        ImGui::SetNextWindowSizeConstraints(ImVec2(wide, 0), ImVec2(wide, screen.y - top - style.px(8)));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(style.px(padding.x), style.px(padding.y)));
    shown_ = ImGui::BeginPopup(id);
}

BarMenu::~BarMenu() {
    if (shown_) ImGui::EndPopup();
    ImGui::PopStyleVar();
}

Overlay::Overlay(const char* id, const View& view, bool View::*part, Actions& actions, int window_flags) {
    bool* shown = ImGui::GetStateStorage()->GetBoolRef(ImGui::GetID(id));           // in the last frame
    if (*shown && !ImGui::IsPopupOpen(id)) actions.add(action::Show{part, false});  // a click beside it
    begins_ = view.*part && !*shown;
    if (begins_) ImGui::OpenPopup(id);
    *shown = shown_ = ImGui::BeginPopup(id, window_flags);
    if (shown_ && !(view.*part)) ImGui::CloseCurrentPopup();
}

Overlay::~Overlay() {
    if (shown_) ImGui::EndPopup();
}

bool text_field(const char* id, const char* hint, std::string& text, int input_flags) {
    std::array<char, 1024> typed{};
    text.copy(typed.data(), typed.size() - 1);
    const bool entered = ImGui::InputTextWithHint(id, hint, typed.data(), typed.size(), input_flags);
    if (std::string_view(text).substr(0, typed.size() - 1) != typed.data()) text = typed.data();
    return entered && (input_flags & ImGuiInputTextFlags_EnterReturnsTrue) != 0;
}

void beside_if_room(const PanelStyle& style, float gap, float width) {
    const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
    if (ImGui::GetItemRectMax().x + style.px(gap) + width <= right) ImGui::SameLine(0, style.px(gap));
}

float pill_width(const PanelStyle& style, std::string_view label) {
    return ImGui::CalcTextSize(label.data(), label.data() + label.size()).x + style.px(20);
}

void tip(const PanelStyle& style, std::string_view s) {
    if (!s.empty()) write_down_tip();
    if (!s.empty() && wants_tooltip()) tooltip(style, {}, s);
}

void term_tip(const PanelStyle& style, const Term& term) {
    write_down_tip();
    if (wants_tooltip()) tooltip(style, term.term, term.meaning);
}

void term_tip(const PanelStyle& style, std::string_view term) {
    const Term* found = find_term(term);
    if (found != nullptr) term_tip(style, *found);
}

void terms_tip(const PanelStyle& style, std::string_view text) {
    write_down_tip();
    if (!wants_tooltip()) return;
    std::vector<const Term*> terms;
    for (const TermPlace& place : find_terms(text))
        if (std::ranges::find(terms, place.term) == terms.end()) terms.push_back(place.term);
    std::string meanings;
    for (const Term* term : terms)
        meanings += (meanings.empty() ? "" : "\n") + term->term + ": " + term->meaning;
    if (terms.size() == 1) tooltip(style, terms[0]->term, terms[0]->meaning);
    if (terms.size() > 1) tooltip(style, {}, meanings);
}

void forget_items(std::string_view list) {
    std::erase_if(items(), [&](const auto& item) {
        return item.first.starts_with(list) && item.first.substr(list.size()).starts_with('.');
    });
}

std::map<std::string, ItemRect, std::less<>>& items() {
    static std::map<std::string, ItemRect, std::less<>> all;
    return all;
}

namespace {

void remember(std::string_view name) {
    const ImVec2 min = ImGui::GetItemRectMin(), size = ImGui::GetItemRectSize();
    const ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 low = list->GetClipRectMin(), high = list->GetClipRectMax();
    const ItemRect rect{min.x,
                        min.y,
                        size.x,
                        size.y,
                        std::max(min.x, low.x),
                        std::max(min.y, low.y),
                        std::min(min.x + size.x, high.x),
                        std::min(min.y + size.y, high.y),
                        list,
                        ImGui::GetScrollMaxY() > 0,
                        ImGui::GetFrameCount(),
                        1,
                        last_item_id()};
    const auto [found, is_new] = items().try_emplace(std::string(name), rect);
    const bool again = !is_new && found->second.frame == rect.frame;
    const int times = again ? found->second.times + 1 : 1;
    found->second = rect;
    found->second.times = times;
}

}  // namespace

void mark(std::string_view name) {
    remember(name);
    stop_of_walk(name);
}

void mark(const PanelStyle& style, std::string_view name, std::string_view tooltip) {
    mark(name);
    tip(style, tooltip);
}

}  // namespace warplens::ui
