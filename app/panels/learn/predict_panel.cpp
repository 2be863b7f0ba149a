#include "app/panels/learn/learn_panel.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

/// The recorded value of the scenario's defaults. Empty if the present setting has none.
std::optional<double> recorded_defaults(const Frame& frame) {
    const Observation* seen = frame.evidence->observed.best();
    if (seen == nullptr || seen->provenance != Provenance::recorded) return {};
    const Scenario& scenario = *frame.state->scenario;
    const auto found = frame.recordings->find(scenario, scenario.info->defaults, frame.recording_view);
    if (!found) return {};
    return found->point.value;
}

/// The setting that the fields are about; another one empties them.
std::string key_of(const Frame& frame, const View& view) {
    const State& state = *frame.state;
    return fmt::format("{}?{}#{}/{}/{}", state.scenario->info->id,
                       describe_settings(*state.scenario, state.params), view.focus, state.device,
                       state.cold);
}

/// @return  Enter was pressed in it.
bool number_field(const PanelStyle& style, const char* id, const char* hint, std::array<char, 16>& text,
                  float width) {
    ImGui::SetNextItemWidth(style.px(width));
    const bool entered =
        ImGui::InputTextWithHint(fmt::format("##{}", id).c_str(), hint, text.data(), text.size(),
                                 ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    ui::mark(id);
    ui::type_if_walked_to();
    return entered;
}

void pace_pills(const PanelStyle& style, LearnInputs& typed) {
    for (const Pace pace : {Pace::slower, Pace::same, Pace::faster}) {
        const std::string name(pace_name(pace));
        if (ui::chip(style, name.c_str(), typed.pace == pace))
            typed.pace = typed.pace == pace ? std::optional<Pace>() : pace;
        ui::mark(fmt::format("guess.pace.{}", name));
        ImGui::SameLine(0, style.px(4));
    }
    ImGui::NewLine();
}

/// The Truth of the setting that the window shows.
Truth truth_here(const Frame& frame, const View& view) {
    return truth_of(*frame.state, *frame.devices, *frame.evidence, view.focus, recorded_defaults(frame));
}

}  // namespace

void show_guess_form(const Screen& screen, const Asks& asks) {
    const auto& [style, frame, view, memory, actions] = screen;
    LearnInputs& typed = memory.learn;
    if (const std::string key = key_of(frame, view); typed.of != key) {
        typed.count.fill(0);
        typed.speed.fill(0);
        typed.pace.reset();
        typed.of = key;
    }
    const Truth truth = truth_here(frame, view);
    const Asks has = truth.askable(asks);
    bool entered = false;
    if (!has.any()) ui::wrapped("There is nothing to guess about this setting.");
    if (has.count) {
        ui::wrapped(count_question(truth));
        entered = number_field(style, "guess.count", "a number", typed.count, 96) || entered;
    }
    if (has.pace) {
        ui::wrapped("Slower or faster than with all parameters at their defaults?");
        pace_pills(style, typed);
    }
    if (has.speed) {
        const SpeedWords& words = speed_words(truth.speed_unit);
        ui::wrapped(fmt::format("How many {}, within a factor of 2?", words.unit));
        ui::tip(style, words.meaning);
        entered = number_field(style, "guess.speed", words.unit == "cycles" ? "cycles" : "a number",
                               typed.speed, 96) ||
                  entered;
    }
    ImGui::Dummy(ImVec2(0, style.px(2)));
    const Guess guess{parse_guess(typed.count.data()), typed.pace, parse_guess(typed.speed.data())};
    ImGui::BeginDisabled(guess.empty());
    const bool pressed = ui::chip(style, "Check", !guess.empty());
    ImGui::EndDisabled();
    ui::mark(
        style, "guess.check",
        guess.empty() ? "Guess at least one of them first." : "Show the numbers beside the guess (Enter).");
    if ((pressed || entered) && !guess.empty()) {
        actions.add(action::MakeGuess{guess});
    }
    ImGui::SameLine(0, style.px(6));
    if (ui::pill(style, "Just show me", false)) actions.add(action::MakeGuess{});
    ui::mark("guess.give_up");
}

void show_comparison(const PanelStyle& style, const Frame& frame, const View& view, const Guess& guess,
                     const Asks& asks) {
    const std::vector<CheckedGuess> rows = compare(guess, asks, truth_here(frame, view));
    if (rows.empty()) return;
    const bool seen =
        std::ranges::any_of(rows, [](const CheckedGuess& row) { return !row.seen.text.empty(); });
    if (!ImGui::BeginTable("compared", seen ? 4 : 3, ImGuiTableFlags_BordersInnerH)) return;
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, 0.9f);
    for (int column = 1; column < (seen ? 4 : 3); ++column)
        ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, 1.0f);
    ImGui::TableNextRow();
    const Provenance kind = frame.gpu.empty() ? Provenance::recorded : Provenance::measured;
    const std::string heads[] = {"", "guessed", "model", std::string(provenance_name(kind))};
    for (int column = 1; column < (seen ? 4 : 3); ++column) {
        ImGui::TableSetColumnIndex(column);
        ui::cell_right(heads[column], style.colors.text_weak);
    }
    for (const CheckedGuess& row : rows) {
        ImGui::TableNextRow();
        ImGui::TableSetColumnIndex(0);
        ui::text(row.model.name);
        ui::tip(style, row.model.source);
        ImGui::TableSetColumnIndex(1);
        const bool right = row.judged == Judged::right;
        const std::string mark = !row.judged ? "" : right ? " ✓" : row.judged == Judged::near ? " ≈" : " ✗";
        ui::cell_right(row.judged ? row.guess + mark : std::string("–"), !row.judged ? style.colors.text_weak
                                                                         : right     ? style.colors.good
                                                                                     : style.colors.bad);
        ui::mark(fmt::format("compared.{}", row.model.name));
        if (row.judged) ui::tip(style, judged_name(*row.judged));
        ImGui::TableSetColumnIndex(2);
        ui::cell_right(fmt::format("{} {}", row.model.text, provenance_mark(row.model.provenance)),
                       style.colors.text);
        ui::tip(style, row.model.source);
        if (row.seen.text.empty()) continue;
        ImGui::TableSetColumnIndex(3);
        ui::cell_right(fmt::format("{} {}", row.seen.text, provenance_mark(row.seen.provenance)),
                       style.colors.accent);
        ui::tip(style, row.model.source);
    }
    ImGui::EndTable();
}

void show_hidden_numbers(const Screen& screen) {
    const auto& [style, frame, view, memory, actions] = screen;
    ui::text(style, FontRole::strong, frame.learning->has_card() ? "Numbers" : "What do you expect?");
    if (frame.learning->has_card()) {
        ui::text_weak(style, "Hidden until you have answered.");
        return;
    }
    ui::begin_child("guess", ImVec2(0, -ImGui::GetFrameHeightWithSpacing()));
    show_guess_form(screen, frame.learning->asked());
    ImGui::EndChild();
    show_predict_switch(style, *frame.learning, actions);
}

void show_guessed_numbers(const PanelStyle& style, const Frame& frame, const View& view) {
    if (!frame.learning->predict_first() || frame.learning->has_card()) return;
    const GuessedSetting* guessed = frame.learning->guessed(*frame.state, view.focus);
    if (guessed == nullptr || guessed->guess.empty()) return;
    show_comparison(style, frame, view, guessed->guess, frame.learning->asked());
    ImGui::Dummy(ImVec2(0, style.px(4)));
}

void show_predict_switch(const PanelStyle& style, const Learning& learning, Actions& actions) {
    const bool on = learning.predict_first();
    if (ui::chip(style, "Predict first", on)) {
        actions.add(action::PredictFirst{!on});
    }
    ui::mark(style, "predict_first", "Hides the numbers of every new setting until you have guessed them.");
}

void show_hidden_part(const PanelStyle& style, const char* what) {
    const std::string text = fmt::format("{} is hidden until the guess is made.", what);
    const ImVec2 room = ImGui::GetContentRegionAvail(), at = ImGui::GetCursorPos();
    const ImVec2 size = ImGui::CalcTextSize(text.c_str(), nullptr, false, room.x);
    ImGui::SetCursorPos(ImVec2(at.x + std::max(0.0f, (room.x - size.x) / 2),
                               at.y + std::max(style.px(8), std::min((room.y - size.y) / 2, style.px(120)))));
    ui::wrapped(style.colors.text_weak, text);
}

}  // namespace warplens
