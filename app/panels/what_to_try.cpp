// The buttons that lead from a setting to a better one.
#include "app/learn/fixes.h"
#include "app/model/access/counts.h"
#include "app/panels/controls.h"
#include "app/panels/widgets.h"
#include "app/pictures/kit/canvas.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

/// The button that opens the list of fixes. Where every access is ideal it does not ask for one.
struct FixesButton {
    const char* label;
    bool enabled;
    std::string tooltip;
};

FixesButton fixes_button(const Frame& frame) {
    const std::string key = key_hint(action::Toggle{&View::fixes});
    if (!frame.fix_choice->also.empty() || !is_ideal(frame.evidence->report))
        return {"What would fix it?", true,
                fmt::format(
                    "All smallest changes after which the accesses are ideal, with what they cost {}.", key)};
    const bool others = !knobs_of(*frame.state->scenario, KnobRole::access).empty();
    return {"Accesses are ideal", false,
            fmt::format("Every access is at its ideal.{}",
                        others ? fmt::format(" {} also counts other accesses to the same data.", key) : "")};
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

}  // namespace

void show_what_to_try(const PanelStyle& style, const Frame& frame, Actions& actions, bool in_one_line) {
    if (frame.counts_hidden || !frame.state->board->instructions) return;
    const float gap = 6;
    const FixesButton button = fixes_button(frame);
    if (frame.fixes != nullptr && frame.fixes->next >= 0) {
        const FixAnswer& next = frame.fixes->answers[frame.fixes->next];
        const std::string text = next_text(*frame.fixes);
        const std::string label = text_of_next(style, *frame.fixes, ImGui::GetContentRegionAvail().x);
        if (label.empty()) return;  // there is no room
        if (ui::chip(style, label.c_str(), false))
            actions.add(action::TakeFix{static_cast<std::size_t>(frame.fixes->next), false});
        ui::mark(style, "next",
                 fmt::format("{}. {} {}", text,
                             next.ideal ? "It is the smallest change that makes every access ideal."
                                        : "No change comes nearer to the ideal.",
                             key_hint(action::Do::undo)));
        const float width = ui::pill_width(style, button.label);
        if (in_one_line && ImGui::GetItemRectMax().x + style.px(gap) + width >
                               ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x)
            return;
        ui::beside_if_room(style, gap, width);
    }
    if (ImGui::GetContentRegionAvail().x < ui::pill_width(style, button.label)) return;  // its key is left
    ImGui::BeginDisabled(!button.enabled);
    if (ui::chip(style, button.label, false)) actions.add(action::Show{&View::fixes});
    ImGui::EndDisabled();
    ui::mark(style, "fixes.open", button.tooltip);
}

float what_to_try_width(const PanelStyle& style, const Frame& frame, float room) {
    const float button = ui::pill_width(style, fixes_button(frame).label);
    if (frame.fixes == nullptr || frame.fixes->next < 0) return button;
    const std::vector<std::string> texts = texts_of_next(*frame.fixes);
    const float whole = ui::pill_width(style, texts.front()) + style.px(6) + button;
    if (whole <= room) return whole;
    const auto fits = std::ranges::find_if(
        texts, [&](const std::string& text) { return ui::pill_width(style, text) <= room; });
    return ui::pill_width(style, fits == texts.end() ? texts.back() : *fits);
}

}  // namespace warplens
