// The verdict, and the buttons that lead from a setting to a better one.
#include "app/learn/fixes.h"
#include "app/learn/learning.h"
#include "app/model/access/counts.h"
#include "app/panels/board_panel.h"
#include "app/panels/controls.h"
#include "app/panels/speed.h"
#include "app/panels/widgets.h"
#include "app/pictures/kit/canvas.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

constexpr const char* kFixes = "What would fix it?";

/// Nothing has to be asked if every access is ideal, and no other way is faster.
bool has_fixes(const Frame& frame) {
    const bool found = frame.fixes != nullptr && frame.fixes->next >= 0;
    return !frame.counts_hidden &&
           (found || !frame.fix_choice->also.empty() || !is_ideal(frame.evidence->report));
}

/// The button that opens the list of fixes.
void show_fixes_chip(const PanelStyle& style, Actions& actions) {
    if (ui::chip(style, kFixes, false)) actions.add(action::Show{&View::fixes});
    ui::mark(style, "fixes.open",
             fmt::format("All smallest changes after which the accesses are ideal, with what they cost {}.",
                         key_hint(action::Toggle{&View::fixes})));
}

/// The texts of the button, the longest first, each without a cut: "Try Padding 1: 32 to 1 wavefronts a
/// request", "Try Padding 1: 32 to 1 wavefronts", "Try Padding 1".
std::vector<std::string> texts_of_next(const Fixes& fixes) {
    const std::string whole = next_text(fixes);
    std::vector<std::string> texts{whole};
    for (const std::string_view end : {" on average", " a request", " an instruction", ": "})
        if (const std::size_t at = whole.rfind(end); at != std::string::npos)
            texts.push_back(whole.substr(0, at));
    return texts;
}

/// The longest text that has this room [pixels]; if none has, the shortest one, cut.
std::string text_of_next(const PanelStyle& style, const Fixes& fixes, float room) {
    const std::vector<std::string> texts = texts_of_next(fixes);
    for (const std::string& text : texts)
        if (ui::pill_width(style, text) <= room) return text;
    return elide(texts.back(), FontRole::body, room / style.scale - 24, style.fonts);
}

/// The button of the next change to try, with the longest of its texts that has this room [pixels].
/// @return  whether there is one
bool show_next(const PanelStyle& style, const Frame& frame, float room, Actions& actions) {
    const Fixes& fixes = *frame.fixes;
    const FixAnswer& next = fixes.answers[fixes.next];
    const std::string label = text_of_next(style, fixes, room);
    if (label.empty()) return false;           // there is no room
    if (ui::pill(style, label.c_str(), true))  // the one thing to press
        actions.add(action::TakeFix{static_cast<std::size_t>(fixes.next), false});
    ui::mark(style, "next",
             fmt::format("{}. {} {}", next_text(fixes),
                         next.ideal ? "It is the smallest change that makes every access ideal."
                                    : "No change comes nearer to the ideal.",
                         key_hint(action::Do::undo)));
    return true;
}

bool has_next(const Frame& frame) {
    // In a course it would give the task's answer away.
    return !frame.counts_hidden && !frame.learning->has_task() && frame.state->board->instructions &&
           frame.fixes != nullptr && frame.fixes->next >= 0;
}

}  // namespace

void show_headline(const PanelStyle& style, const Frame& frame, Actions& actions) {
    const Explanation& words = frame.board_words->explanation;
    const std::string text = short_verdict(words);
    if (text.empty() || hides_board(frame) || panel_of(*frame.state->board).says_verdict) return;
    const float room = ImGui::GetContentRegionAvail().x, gap = style.px(12);
    const float button =
        has_next(frame) ? std::min(ui::pill_width(style, texts_of_next(*frame.fixes).back()), room * 0.45f)
                        : 0;
    const float for_text = button > 0 ? room - button - gap : room;
    const float line = ImGui::GetCursorPosY();
    float below = 0;
    {
        // Smaller rather than over two lines.
        const bool fits = style.fonts.width(text, FontRole::heading) * style.scale <= for_text;
        const ui::FontScope font(style, fits ? FontRole::heading : FontRole::strong);
        ImGui::AlignTextToFramePadding();
        ui::wrapped(style.of(frame.board_words->tone), text, for_text);
        ui::mark("verdict");
        ui::terms_tip(style, text);
        below = ImGui::GetCursorPosY();
    }
    if (button <= 0) return;
    ImGui::SetCursorPos(ImVec2(ImGui::GetCursorPosX() + room - button, line));
    show_next(style, frame, button, actions);
    ImGui::SetCursorPosY(std::max(below, ImGui::GetCursorPosY()));
}

void show_fixes_button(const PanelStyle& style, const Frame& frame, Actions& actions) {
    if (has_fixes(frame) && !has_next(frame)) show_fixes_chip(style, actions);
}

void show_what_to_try(const PanelStyle& style, const Frame& frame, Actions& actions) {
    const float gap = style.px(6), width = ui::pill_width(style, kFixes);
    float room = ImGui::GetContentRegionAvail().x;
    if (has_next(frame)) {
        if (!show_next(style, frame, room, actions)) return;
        room =
            ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x - ImGui::GetItemRectMax().x - gap;
        if (width <= room) ImGui::SameLine(0, gap);
    }
    if (has_fixes(frame) && width <= room) show_fixes_chip(style, actions);  // else its key is left
}

float what_to_try_width(const PanelStyle& style, const Frame& frame, float room) {
    const float button = has_fixes(frame) ? ui::pill_width(style, kFixes) : 0;
    if (!has_next(frame)) return button <= room ? button : 0;
    const std::vector<std::string> texts = texts_of_next(*frame.fixes);
    const float whole = ui::pill_width(style, texts.front()) + style.px(6) + button;
    if (whole <= room) return whole;
    const auto fits = std::ranges::find_if(
        texts, [&](const std::string& text) { return ui::pill_width(style, text) <= room; });
    return ui::pill_width(style, fits == texts.end() ? texts.back() : *fits);
}

}  // namespace warplens
