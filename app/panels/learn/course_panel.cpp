#include "app/learn/mistakes.h"
#include "app/panels/learn/learn_panel.h"
#include "app/panels/learn/markdown_view.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

void show_head(const PanelStyle& style, const Course& course, int step, Actions& actions) {
    const char* leave = "Leave";
    const float width = ImGui::CalcTextSize(leave).x + style.px(20);
    const float room = ImGui::GetContentRegionAvail().x - width - style.px(4);
    const std::string head = fmt::format("{}, step {} of {}", course.title, step + 1, course.steps.size());
    const std::string number = fmt::format("Step {} of {}", step + 1, course.steps.size());
    ImGui::AlignTextToFramePadding();
    ui::text_weak(style, ImGui::CalcTextSize(head.c_str()).x <= room ? head : number);
    ui::tip(style, fmt::format("{}\n{}", course.title, course.about));
    ui::end_of_line(width);
    if (ui::pill(style, leave, false)) actions.add(action::Do::leave_course);
    ui::mark(style, "course.leave", "Close the course; it goes on from here the next time.");
}

/// The one thing to do, with a bar at its left, and whether it is done.
void show_task(const PanelStyle& style, const CourseStep& step, bool done, Actions& actions) {
    ImGui::Dummy(ImVec2(0, style.px(2)));
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float inset = style.px(12);
    ImGui::Indent(inset);
    show_markdown(style, step.task, actions, ImGui::GetContentRegionAvail().x);
    ImGui::Unindent(inset);
    const float end = ImGui::GetItemRectMax().y;
    ImGui::GetWindowDrawList()->AddRectFilled(start, ImVec2(start.x + style.px(4), end),
                                              ui::color(done ? style.colors.good : style.colors.accent),
                                              style.px(2));
}

void show_goal(const PanelStyle& style, const Frame& frame, const View& view, const CourseStep& step,
               bool done, Actions& actions) {
    if (done) {
        const ui::FontScope strong(style, FontRole::strong);
        ui::text_colored(style.colors.good, "✓ Done");
        ui::mark("course.done");
        ImGui::SameLine(0, style.px(8));
    }
    const std::string now = progress_text(*step.goal, *frame.state, *frame.evidence, view.focus);
    if (!now.empty()) {
        ui::text_weak(style, fmt::format("now {}", now));
        if (!done) ImGui::SameLine(0, style.px(10));
    }
    if (done) {
        if (now.empty()) ImGui::NewLine();
        return;
    }
    if (ui::chip(style, "Show me", false)) actions.add(action::Do::show_me);
    ui::mark(style, "course.show", "Lets the program do it.");
}

void show_question(const Screen& screen, const CourseStep& step) {
    const auto& [style, frame, view, memory, actions] = screen;
    if (frame.counts_hidden && view.projector) {  // a class says its guess aloud
        if (ui::chip(style, "Show the answer", false)) actions.add(action::MakeGuess{});
        return ui::mark(style, "guess.give_up", "Page down does as well.");
    }
    if (frame.counts_hidden) return show_guess_form(screen, step.asks);
    const GuessedSetting* guessed = frame.learning->guessed(*frame.state, view.focus);
    if (guessed == nullptr) {
        if (frame.learning->step_done()) ui::text_colored(style.colors.good, "✓ Done");
        return;
    }
    if (!view.projector) show_comparison(style, frame, view, guessed->guess, step.asks);
    const std::size_t k = static_cast<std::size_t>(std::max(0, view.focus));
    if (k >= frame.evidence->tiles.size()) return;
    const Explanation why = explain(view_of(*frame.evidence, int(k)), frame.evidence->tiles[k]);
    ImGui::Dummy(ImVec2(0, style.px(2)));
    ui::wrapped(why.verdict + " " + why.why);
}

/// One dot for each step: filled when it is done, ringed where the person is. A click goes there.
void show_dots(const PanelStyle& style, const Course& course, const CourseProgress& progress,
               Actions& actions) {
    const auto count = course.steps.size();
    const float pitch = std::min(style.px(22), ImGui::GetContentRegionAvail().x / float(count));
    const float tall = style.px(18);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0) ImGui::SameLine(0, 0);
        const std::string id = fmt::format("course.dot.{}", i);
        if (ui::press_area(id.c_str(), ImVec2(pitch, tall))) {
            actions.add(action::GoToStep{int(i)});
        }
        ui::mark(id);
        const bool here = int(i) == progress.at, done = progress.done[i];
        ui::tip(style, fmt::format("{}. {}{}", i + 1, course.steps[i].title, done ? " ✓" : ""));
        const ImVec2 min = ImGui::GetItemRectMin();
        const ImVec2 middle(min.x + pitch / 2, min.y + tall / 2);
        const ImU32 color = ui::color(done   ? style.colors.good
                                      : here ? style.colors.accent
                                             : style.colors.text_weak);
        const float radius = style.px(4);
        if (done)
            draw->AddCircleFilled(middle, radius, color);
        else
            draw->AddCircle(middle, radius, color, 0, style.px(1.4f));
        if (here) draw->AddCircle(middle, style.px(7.5f), ui::color(style.colors.accent), 0, style.px(1.8f));
    }
}

void show_buttons(const PanelStyle& style, const Course& course, int at, Actions& actions) {
    const auto button = [&](const char* label, const char* name, const char* tip, bool strong, Action act) {
        if (ui::chip(style, label, strong)) actions.add(act);
        ui::mark(style, name, tip);
        ImGui::SameLine(0, style.px(6));
    };
    const bool last = at + 1 == int(course.steps.size());
    ImGui::BeginDisabled(at == 0);
    button("Back", "course.back", "The step before (Page up)", false, action::GoToStep{at - 1});
    ImGui::EndDisabled();
    button(last ? "Finish" : "Next", "course.next",
           last ? "Close the course (Page down)" : "Next step (Page down)", true, action::GoToStep{at + 1});
    button("Set up again", "course.set_up", "The window as this step began.", false, action::Do::set_up_step);
    ImGui::NewLine();
}

/// The card of a course's step.
void show_course(const Screen& screen) {
    const auto& [style, frame, view, memory, actions] = screen;
    const Course& course = *frame.learning->course();
    const CourseProgress progress = frame.learning->progress(course);
    const CourseStep& step = *frame.learning->step();
    const bool done = frame.learning->step_done();
    show_head(style, course, progress.at, actions);
    const bool dots = ImGui::GetContentRegionAvail().y > style.px(240);  // else the text needs the line more
    const float spacing = ImGui::GetStyle().ItemSpacing.y;
    const float footer =
        ImGui::GetFrameHeight() + spacing + style.px(4) + (dots ? style.px(18) + spacing : 0);
    // Its own window for each step, so that each begins at its top.
    ui::begin_child(fmt::format("course.{}.{}", course.id, progress.at).c_str(), ImVec2(0, -footer));
    ui::wrapped(style, FontRole::heading, step.title);
    // A clicker cannot scroll: a class sees the question first.
    if (!view.projector) show_markdown(style, step.text, actions);
    show_task(style, step, done, actions);
    if (step.goal) show_goal(style, frame, view, step, done, actions);
    if (step.asks.any()) show_question(screen, step);
    if (view.projector) {
        ImGui::Dummy(ImVec2(0, style.px(4)));
        show_markdown(style, step.text, actions);
    }
    ImGui::EndChild();
    if (dots) show_dots(style, course, progress, actions);
    show_buttons(style, course, progress.at, actions);
}

/// Whether the window is too low to say what each course is about: then each has one line.
bool is_low(const PanelStyle& style) { return ImGui::GetIO().DisplaySize.y < style.px(920); }

/// @param next  whether it is the one to go on with
void show_course_row(const PanelStyle& style, const Learning& learning, const Course& course, bool next,
                     Actions& actions) {
    const CourseProgress progress = learning.progress(course);
    const int done = progress.done_count(), count = int(course.steps.size());
    ImGui::PushID(course.id.c_str());
    const bool low = is_low(style);
    if (!low) {
        ui::text(style, FontRole::strong, course.title);
        ui::wrapped(style.colors.text_weak, course.about);
    }
    const bool begun = done > 0 || progress.at > 0;
    if (ui::chip(style, begun ? "Continue" : "Start", next)) {
        actions.add(action::OpenCourse{course.id});
        ImGui::CloseCurrentPopup();
    }
    ui::mark(fmt::format("learn.open.{}", course.id));
    ImGui::SameLine(0, style.px(10));
    if (low) {
        ImGui::AlignTextToFramePadding();
        ui::text(style, FontRole::strong, course.title);
        ui::tip(style, course.about);
    } else {
        ui::bar(style, style.px(120), style.px(5), ImGui::GetFrameHeight(), float(done) / float(count),
                style.colors.good);
    }
    ImGui::SameLine(0, style.px(8));
    ImGui::AlignTextToFramePadding();
    ui::text(done == count ? std::string("✓ all done") : fmt::format("{} of {} steps", done, count));
    ui::mark(fmt::format("learn.progress.{}", course.id));
    if (begun) {
        ui::beside_if_room(style, 8, ui::pill_width(style, "start anew"));
        if (ui::pill(style, "start anew", false)) actions.add(action::ResetCourse{course.id});
        ui::mark(style, fmt::format("learn.reset.{}", course.id), "Forgets how far you are in this course.");
    }
    ImGui::PopID();
    if (!low) ImGui::Dummy(ImVec2(0, style.px(6)));
}

std::string space_label(int space) {
    return space < 0 ? "all memories" : fmt::format("{} memory", space_name(static_cast<Space>(space)));
}

void show_space_choice(const PanelStyle& style, LearnInputs& typed) {
    ImGui::SetNextItemWidth(style.px(150));
    const bool open =
        ImGui::BeginCombo("##space", space_label(typed.space).c_str(), ImGuiComboFlags_HeightLarge);
    ui::mark("quiz.space");
    if (!open) return;
    if (ui::entry(space_label(-1).c_str(), typed.space < 0)) typed.space = -1;
    ui::mark("quiz.space.all");
    for (const Space space : quiz_spaces()) {
        const int value = int(space);
        if (ui::entry(space_label(value).c_str(), typed.space == value)) typed.space = value;
        ui::mark(fmt::format("quiz.space.{}", space_name(space)));
    }
    ImGui::EndCombo();
}

void show_quiz_row(const PanelStyle& style, const Scenario& here, LearnInputs& typed, Actions& actions) {
    ui::text(style, FontRole::strong, "Quiz");
    if (!is_low(style))
        ui::wrapped(style.colors.text_weak,
                    "Random questions with a picture. The same number gives everyone the same questions.");
    ImGui::AlignTextToFramePadding();
    ui::text("Number");
    ImGui::SameLine(0, style.px(6));
    ImGui::SetNextItemWidth(style.px(96));
    const bool entered =
        ImGui::InputText("##seed", typed.seed.data(), typed.seed.size(),
                         ImGuiInputTextFlags_CharsDecimal | ImGuiInputTextFlags_EnterReturnsTrue |
                             ImGuiInputTextFlags_AutoSelectAll);
    ui::mark(style, "quiz.seed", "Any whole number up to 4294967295: agree on one in the class.");
    ui::type_if_walked_to();
    ImGui::SameLine(0, style.px(10));
    show_space_choice(style, typed);
    ImGui::AlignTextToFramePadding();
    ui::text("Questions");
    ImGui::SameLine(0, style.px(6));
    for (const int count : {5, 10, 20}) {
        const std::string label = std::to_string(count);
        if (ui::chip(style, label.c_str(), typed.questions == count)) typed.questions = count;
        ui::mark(fmt::format("quiz.count.{}", count));
        ImGui::SameLine(0, style.px(4));
    }
    ImGui::SameLine(0, style.px(8));
    const bool any = ui::chip(style, "Begin", true) || entered;
    ui::mark("quiz.start");
    bool about_here = false;
    if (here.typed != nullptr || has_quiz(here)) {
        about_here = ui::chip(style, fmt::format("Only about {}", here.info->title).c_str(), false);
        ui::mark(style, "quiz.here",
                 here.typed != nullptr
                     ? "What its loads and stores cost, and what changes when its parameters do."
                     : "The same questions, about what is open.");
    }
    if (!any && !about_here) return;
    actions.add(action::StartQuiz{typed.seed.data(), typed.questions, typed.space, {}, about_here});
    ImGui::CloseCurrentPopup();
}

/// Published figures whose code has mistakes, each a quiz of its own.
void show_figures_row(const PanelStyle& style, Actions& actions) {
    for (const FigureWithMistakes& figure : figures_with_mistakes()) {
        const std::string label = fmt::format("Find the mistakes: {}", figure.title);
        if (ui::chip(style, label.c_str(), false)) {
            actions.add(action::StartQuiz{"1", 1, -1, std::string(figure.id)});
            ImGui::CloseCurrentPopup();
        }
        ui::mark(style, fmt::format("quiz.figure.{}", figure.id),
                 "A kernel from a draft of a textbook, as it is printed: which lines are wrong?");
    }
}

/// The card of a finished course: what it has taught, step by step, and where it goes on.
void show_finished(const Screen& screen) {
    const auto& [style, frame, view, memory, actions] = screen;
    const Course& course = *frame.learning->finished();
    const CourseProgress progress = frame.learning->progress(course);
    const int count = int(course.steps.size()), done = progress.done_count();
    ui::wrapped(style, FontRole::heading,
                done == count ? fmt::format("{}: all {} steps done", course.title, count)
                              : fmt::format("{}: {} of {} steps done", course.title, done, count));
    ui::mark("course.finished");
    if (const Course* next = frame.learning->next_course()) {
        if (ui::chip(style, fmt::format("Next course: {}", next->title).c_str(), true))
            actions.add(action::OpenCourse{next->id});
        ui::mark(style, "course.next_course", fmt::format("{} (Page down)", next->about));
        ui::beside_if_room(style, 6, ui::pill_width(style, "Close"));
    }
    if (ui::chip(style, "Close", false)) actions.add(action::Do::leave_course);
    ui::mark("course.close");
    ui::begin_child("course.steps", ImVec2(0, 0));
    for (int i = 0; i < count; ++i) {
        const bool was_done = progress.done[i];
        ui::text_colored(was_done ? style.colors.good : style.colors.text_weak, was_done ? "✓" : "○");
        ImGui::SameLine(0, style.px(6));
        ui::wrapped(course.steps[i].title);
    }
    ImGui::EndChild();
}

}  // namespace

void show_learn_card(const Screen& screen) {
    const auto& [style, frame, view, memory, actions] = screen;
    if (frame.learning->making_quiz())
        show_quiz_making(style, actions);
    else if (frame.learning->quiz() != nullptr)
        show_quiz(style, frame, memory.learn, actions);
    else if (frame.learning->finished() != nullptr)
        show_finished(screen);
    else if (frame.learning->course() == nullptr)
        show_demo_card(style, frame, actions);
    else
        show_course(screen);
}

void show_learn_menu(const Screen& screen) {
    const auto& [style, frame, view, memory, actions] = screen;
    const ui::BarMenu menu(style, "learn", view, &View::learn_menu, actions, ImVec2(16, 14), 400);
    if (!menu) return;
    const auto next = std::ranges::find_if(courses(), [&screen](const Course& course) {
        return screen.frame.learning->progress(course).done_count() < int(course.steps.size());
    });
    for (const Course& course : courses())
        show_course_row(style, *frame.learning, course, next != courses().end() && &course == &*next,
                        actions);
    show_quiz_row(style, *frame.state->scenario, memory.learn, actions);
    show_figures_row(style, actions);
    show_predict_switch(style, *frame.learning, actions);
    ImGui::SameLine(0, style.px(6));
    if (ui::chip(style, "Manual", false)) {
        actions.add(action::ShowHelp{HelpPage::manual});
        ImGui::CloseCurrentPopup();
    }
    ui::mark(style, "learn.manual", "How everything here is used, and what it rests on.");
}

}  // namespace warplens
