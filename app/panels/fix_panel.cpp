#include "app/panels/learn/learn_panel.h"
#include "app/panels/learn/markdown_view.h"
#include "app/panels/overlays.h"
#include "app/panels/widgets.h"
#include "app/pictures/plot/compared_numbers.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warplens {
namespace {

void show_head(const PanelStyle& style, Actions& actions) {
    ui::text(style, FontRole::heading, "What would fix it?");
    ui::end_of_line(ui::pill_width(style, "Close"));
    if (ui::chip(style, "Close", false)) actions.add(action::Show{&View::fixes, false});
    ui::mark("fixes.close");
}

/// The remedies, of which a person keeps those that must not change.
void show_remedies(const PanelStyle& style, const Frame& frame, Actions& actions) {
    const std::vector<const Knob*> remedies = knobs_of(*frame.state->scenario, KnobRole::remedy);
    if (remedies.empty()) return;
    ImGui::AlignTextToFramePadding();
    ui::text_weak(style, "May change");
    for (const Knob* knob : remedies) {
        const std::string label(knob->label);
        const bool kept = std::ranges::find(frame.fix_choice->kept, knob) != frame.fix_choice->kept.end();
        ui::beside_if_room(style, 4, ui::pill_width(style, label));
        if (ui::chip(style, label.c_str(), !kept)) actions.add(action::AllowFix{knob, kept});
        const std::string_view idle = why_idle(*knob, frame.state->params);
        ui::mark(style, fmt::format("fixes.knob.{}", knob->key),
                 fmt::format("{}{}{}", knob->tooltip, idle.empty() ? "" : "\n", idle));
    }
}

/// The other accesses to the same data, which the kernel may do as well.
void show_accesses(const PanelStyle& style, const Frame& frame, Actions& actions) {
    bool first = true;
    for (const Knob* knob : knobs_of(*frame.state->scenario, KnobRole::access)) {
        for (const Choice& choice : knob->choices) {
            if (choice.value == frame.state->params.*knob->field) continue;
            const KnobValue access{knob, choice.value};
            const std::string label = access_text({access});
            if (first) {
                ImGui::AlignTextToFramePadding();
                ui::text_weak(style, "Together with");
                ui::tip(style,
                        "A kernel that stores a tile by rows and loads it by columns needs a layout that "
                        "suits both: what is chosen here is counted, too.");
            }
            first = false;
            const auto& also = frame.fix_choice->also;
            const bool on = std::ranges::find(also, std::vector{access}) != also.end();
            ui::beside_if_room(style, 4, ui::pill_width(style, label));
            if (ui::chip(style, label.c_str(), on)) actions.add(action::AlsoFix{access, !on});
            ui::mark(style, fmt::format("fixes.also.{}.{}", knob->key, choice.name), knob->tooltip);
        }
    }
}

/// "○ time 12.3 → 0.9 µs", coloured by whether it gets better.
void show_number(const PanelStyle& style, const QuantityPair& number, bool first) {
    const Quantity& named = number.named();
    const std::string text =
        number.differs()
            ? fmt::format("{} {} {} → {}", provenance_mark(named.provenance), named.name, number.a.text,
                          number.b.text)
            : fmt::format("{} {} {}", provenance_mark(named.provenance), named.name, number.b.text);
    if (!first) ui::beside_if_room(style, 16, ImGui::CalcTextSize(text.c_str()).x);
    const Change change = change_of(number);
    const bool judged = change == Change::better || change == Change::worse;
    ui::text_colored(judged ? change_color(change, style.colors) : style.colors.text_weak, text);
    ui::tip(style, fmt::format("{}, {}. {}", named.name, provenance_name(named.provenance), named.source));
}

/// A button that says the change and sets it up; below it what it brings and costs.
void show_answer(const PanelStyle& style, const FixAnswer& answer, std::size_t index, Actions& actions) {
    ImGui::Dummy(ImVec2(0, style.px(4)));
    const std::string label = fmt::format("{}##{}", answer.change, index);
    {
        const ui::FontScope strong(style, FontRole::strong);
        if (ui::chip(style, label.c_str(), false)) actions.add(action::TakeFix{index});
    }
    ui::mark(style, fmt::format("fixes.answer.{}", index),
             "Sets this up as B, and keeps the present setting beside it as A.");
    const std::string gain = fmt::format("{}{}", answer.gain, answer.ideal ? ": ideal" : "");
    ui::beside_if_room(style, 12, ImGui::CalcTextSize(gain.c_str()).x);
    ImGui::AlignTextToFramePadding();
    ui::text_colored(answer.ideal ? style.colors.good : style.colors.text, gain);
    ui::terms_tip(style, gain);
    constexpr float kIndent = 12;  // [points]
    ImGui::Indent(style.px(kIndent));
    for (const FixAnswer::Line& line : answer.lines) {
        const ui::FontScope mono(style, FontRole::mono);
        ui::wrapped(style.colors.text_weak, fmt::format("{:>3} - {}", line.number, line.before));
        ui::wrapped(style.colors.text, fmt::format("    + {}", line.after));
    }
    bool first = true;
    for (const FixAnswer::Number& number : answer.numbers) {
        if (number.a.text.empty() || number.b.text.empty() || number.on_average) continue;
        show_number(style, number, std::exchange(first, false));
    }
    ImGui::Unindent(style.px(kIndent));
    if (answer.slower) {
        ui::text_colored(style.colors.bad, "Predicted to take more time all the same.");
        ui::tip(style,
                "Fewer wavefronts or sectors, and yet the launch as a whole takes longer: something "
                "else limits it.");
    }
}

void show_found(const PanelStyle& style, const Fixes& fixes, Actions& actions) {
    show_sentence(style, fixes.words.verdict, fixes.words.good ? style.colors.good : style.colors.bad, true,
                  actions);
    if (!fixes.words.why.empty()) show_sentence(style, fixes.words.why, style.colors.text, false, actions);
    for (std::size_t i = 0; i < fixes.answers.size(); ++i) show_answer(style, fixes.answers[i], i, actions);
    if (fixes.combinations == 0) return;
    ImGui::Dummy(ImVec2(0, style.px(4)));
    ui::wrapped(style.colors.text_weak,
                fmt::format("None of the {} settings that these parameters can make is nearer to the ideal "
                            "with a smaller change. ● counted, ○ predicted.",
                            format_count(fixes.combinations)));
    ui::tip(style,
            fmt::format(
                "{} of them were counted, as far as it took to see that they are no better; the others "
                "change more than a fix that is ideal, change what has no effect, or have the same banks.",
                format_count(fixes.counted)));
}

void show_body(const PanelStyle& style, const Frame& frame, Actions& actions) {
    show_head(style, actions);
    if (frame.counts_hidden) return show_hidden_part(style, "What would fix it");
    show_remedies(style, frame, actions);
    show_accesses(style, frame, actions);
    ImGui::Dummy(ImVec2(0, style.px(4)));
    if (frame.fixes == nullptr)
        ui::text_weak(style, "All settings are being tried.");
    else
        show_found(style, *frame.fixes, actions);
}

}  // namespace

void show_fixes(const PanelStyle& style, const Frame& frame, const View& view, Actions& actions) {
    constexpr float kWidth = 680, kMostHeight = 0.9f;  // [points], of the window
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float width = std::min(style.px(kWidth), screen.x * 0.96f);
    ImGui::SetNextWindowPos(ImVec2(screen.x / 2, screen.y / 2), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0), ImVec2(width, screen.y * kMostHeight));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(style.px(18), style.px(14)));
    if (const ui::Overlay list("fixes", view, &View::fixes, actions); list) show_body(style, frame, actions);
    ImGui::PopStyleVar();
}

}  // namespace warplens
