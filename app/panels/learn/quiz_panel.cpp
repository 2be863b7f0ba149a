#include "app/panels/board_panel.h"
#include "app/panels/learn/learn_panel.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warplens {
namespace {

void show_head(const PanelStyle& style, const QuizRun& run, Actions& actions) {
    const char* leave = "Leave";
    const float width = ImGui::CalcTextSize(leave).x + style.px(20);
    const float room = ImGui::GetContentRegionAvail().x - width - style.px(4);
    const std::string name = fmt::format("Quiz {}", run.quiz.seed);
    const std::string number =
        run.finished() ? name : fmt::format("Question {} of {}", run.at + 1, run.quiz.questions.size());
    const std::string score = run.answers.empty() || run.finished()
                                  ? ""
                                  : fmt::format(", {} of {} right", run.score(), run.answers.size());
    const std::string head = run.finished() ? name : fmt::format("{}, q{}", name, number.substr(1));
    ImGui::AlignTextToFramePadding();
    // Parts without room are left out: the quiz's number first, then the score.
    for (const std::string& text : {head + score, number + score, number}) {
        if (ImGui::CalcTextSize(text.c_str()).x > room && text != number) continue;
        ui::text_weak(style, text);
        ui::mark("quiz.head");
        break;
    }
    ui::tip(style,
            fmt::format("{}. The number is the quiz's: whoever enters the same one gets the same questions.",
                        name));
    ui::end_of_line(width);
    if (ui::pill(style, leave, false)) actions.add(action::Do::leave_quiz);
    ui::mark("quiz.leave");
    ui::tip(style, "End the quiz. What was answered is lost unless it was written into a file.");
}

void answer(Actions& actions, std::string text) { actions.add(action::Answer{std::move(text)}); }

/// @param fresh  whether it was not asked in the last frame
void show_choices(const PanelStyle& style, const Question& question, bool fresh, Actions& actions) {
    for (const std::string& choice : question.choices) {
        const float width = ImGui::CalcTextSize(choice.c_str()).x + style.px(20);
        if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
        if (ui::chip(style, choice.c_str(), false)) answer(actions, choice);
        if (std::exchange(fresh, false)) ui::walk_to_last();
        ui::mark(fmt::format("quiz.choice.{}", choice));
        ImGui::SameLine(0, style.px(6));
    }
    ImGui::NewLine();
}

void show_number_field(const PanelStyle& style, LearnInputs& typed, bool fresh, Actions& actions) {
    if (fresh) {
        typed.answer.fill(0);
        ui::take_keyboard();
    }
    ImGui::SetNextItemWidth(style.px(110));
    const bool entered =
        ImGui::InputTextWithHint("##answer", "a number", typed.answer.data(), typed.answer.size(),
                                 ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    ui::mark("quiz.answer");
    ui::type_if_walked_to();
    ImGui::SameLine(0, style.px(6));
    const bool usable = parse_guess(typed.answer.data()).has_value();
    ImGui::BeginDisabled(!usable);
    const bool pressed = ui::chip(style, "Answer", usable);
    ImGui::EndDisabled();
    ui::mark("quiz.send");
    if ((entered || pressed) && usable) answer(actions, typed.answer.data());
}

/// Two settings: a look at either, with the counts hidden while the question is open.
void show_looks(const PanelStyle& style, const Frame& frame, const Question& question, bool answered,
                Actions& actions) {
    const bool two = question.settings.size() == 2;
    for (std::size_t i = 0; i < question.settings.size(); ++i) {
        const bool here = same_setting(*frame.state, question.settings[i]);
        if (!two && here && !answered) continue;  // it is what the window shows
        const std::string label =
            two ? fmt::format("Look at {}", i == 0 ? "A" : "B") : std::string("Look at it");
        if (ui::chip(style, label.c_str(), two && here)) {
            actions.add(action::LookAt{i});
        }
        ui::mark(fmt::format("quiz.look.{}", i));
        ui::tip(style, "Sets the window up for it.");
        ImGui::SameLine(0, style.px(6));
    }
}

void show_verdict(const PanelStyle& style, const QuizRun& run) {
    const Question& question = run.question();
    const std::string& said = run.answers.back();
    const bool right = is_right(question, said);
    {
        const ui::FontScope strong(style, FontRole::strong);
        ui::wrapped(right ? style.colors.good : style.colors.bad,
                    right
                        ? fmt::format("✓ Right: {} {}", question.right, provenance_mark(question.right_kind))
                        : fmt::format("✗ You said {}. Right is {} {}", said, question.right,
                                      provenance_mark(question.right_kind)));
        ui::mark("quiz.verdict");
        ui::tip(style, provenance_name(question.right_kind));
    }
    ui::wrapped(run.why);
}

/// In the largest type, up to `most` and down to three quarters, in which the longest line fits.
void show_code(const PanelStyle& style, const std::string& code, float most) {
    const ui::FontScope mono(style, FontRole::mono);
    const float room = ImGui::GetContentRegionAvail().x, width = ImGui::CalcTextSize(code.c_str()).x;
    const float scale = std::clamp(room / width, 0.75f, most);
    ImGui::SetWindowFontScale(scale);
    if (width * scale > room + 1)
        ui::wrapped(code);
    else
        ui::text(code);
    ImGui::SetWindowFontScale(1);
    ui::mark("quiz.code");
}

void show_question(const PanelStyle& style, const Frame& frame, LearnInputs& typed, const QuizRun& run,
                   Actions& actions) {
    const Question& question = run.question();
    const std::string key = fmt::format("quiz {} {} {}", run.quiz.seed, run.at, run.answered());
    const bool fresh = std::exchange(typed.of, key) != key;
    const float footer = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.y + style.px(4);
    ui::begin_child(fmt::format("quiz.{}.{}", run.at, run.answered()).c_str(), ImVec2(0, -footer));
    ui::wrapped(question.situation);
    const bool in_middle =
        hides_board(frame) && !frame.state->board->instructions && frame.mode != LayoutMode::one;
    if (!question.code.empty() && !in_middle) show_code(style, question.code, 1);
    ImGui::Dummy(ImVec2(0, style.px(2)));
    ui::wrapped(style, FontRole::strong, question.text);
    ImGui::Dummy(ImVec2(0, style.px(2)));
    if (run.answered())
        show_verdict(style, run);
    else if (question.choices.empty())
        show_number_field(style, typed, fresh, actions);
    else
        show_choices(style, question, fresh, actions);
    if (!run.answered() && !question.rule.empty()) {  // what one needs to answer stands below the answer
        ImGui::Dummy(ImVec2(0, style.px(4)));
        ui::wrapped(style.colors.text_weak, question.rule);
    }
    ImGui::EndChild();
    show_looks(style, frame, question, run.answered(), actions);
    if (!run.answered()) {
        ImGui::NewLine();
        return;
    }
    const bool last = run.at + 1 == run.quiz.questions.size();
    if (ui::chip(style, last ? "Result" : "Next", true)) actions.add(action::Do::next_question);
    if (fresh) ui::walk_to_last();  // Enter goes on
    ui::mark("quiz.next");
    ui::tip(style, "Page down");
}

void show_end(const PanelStyle& style, LearnInputs& typed, const QuizRun& run, Actions& actions) {
    const std::size_t count = run.quiz.questions.size();
    ui::begin_child("quiz.end", ImVec2(0, 0));
    {
        const ui::FontScope heading(style, FontRole::heading);
        ui::text(fmt::format("{} of {} right", run.score(), count));
        ui::mark("quiz.score");
    }
    for (std::size_t i = 0; i < count; ++i) {
        const Question& question = run.quiz.questions[i];
        const State& about = question.settings.front();
        const bool right = is_right(question, run.answers[i]);
        ui::text_colored(right ? style.colors.good : style.colors.bad, right ? "✓" : "✗");
        ImGui::SameLine(0, style.px(6));
        ui::wrapped(
            fmt::format("{}. {}: {}{}", i + 1,
                        about.board->about_scenario ? about.scenario->info->title : about.board->label,
                        run.answers[i], right ? "" : fmt::format(", right is {}", question.right)));
        ui::tip(style, question.situation + "\n" + question.asked());
    }
    ImGui::Dummy(ImVec2(0, style.px(6)));
    ui::text_weak(style, "Keep the answers as a table (CSV):");
    if (typed.csv_path[0] == 0) {
        const std::string name = fmt::format("warplens-quiz-{}.csv", run.quiz.seed);
        std::ranges::copy(name, typed.csv_path.begin());
    }
    ImGui::SetNextItemWidth(std::max(style.px(80), ImGui::GetContentRegionAvail().x - style.px(64)));
    const bool entered =
        ImGui::InputText("##csv", typed.csv_path.data(), typed.csv_path.size(),
                         ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    ui::mark("quiz.csv_path");
    ui::type_if_walked_to();
    ImGui::SameLine(0, style.px(6));
    if (ui::chip(style, "Write", true) || entered) {
        actions.add(action::WriteAnswers{typed.csv_path.data()});
    }
    ui::mark("quiz.write");
    if (!run.written.empty()) ui::wrapped(run.written);
    ImGui::EndChild();
}

}  // namespace

void show_quiz_making(const PanelStyle& style, Actions& actions) {
    ImGui::AlignTextToFramePadding();
    ui::text_weak(style, "Making the quiz ...");
    ui::mark("quiz.making");
    ui::end_of_line(ui::pill_width(style, "Cancel"));
    if (ui::pill(style, "Cancel", false)) actions.add(action::Do::leave_quiz);
    ui::mark(style, "quiz.cancel", "Give it up (Esc). What was open before stays.");
}

void show_hidden_board(const PanelStyle& style, const Frame& frame) {
    const QuizRun* run = frame.learning->quiz();
    if (run == nullptr || run->question().code.empty() || frame.mode == LayoutMode::one)
        return show_hidden_part(style, "This map");
    ImGui::Dummy(ImVec2(0, style.px(8)));
    ImGui::Indent(style.px(8));
    show_code(style, run->question().code, 1.5f);
    ImGui::Unindent(style.px(8));
}

void show_quiz(const PanelStyle& style, const Frame& frame, LearnInputs& typed, Actions& actions) {
    const QuizRun& run = *frame.learning->quiz();
    show_head(style, run, actions);
    if (run.finished())
        show_end(style, typed, run, actions);
    else
        show_question(style, frame, typed, run, actions);
}

}  // namespace warplens
