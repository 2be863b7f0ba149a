#include "app/panels/learn/learn_panel.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

namespace warplens {
namespace {

void show_course_row(const PanelStyle& style, const Learning& learning, const Course& course,
                     Actions& actions) {
    const CourseProgress progress = learning.progress(course);
    const int done = progress.done_count(), count = static_cast<int>(course.steps.size());
    ImGui::PushID(course.id.c_str());
    ui::text(style, FontRole::strong, course.title);
    ui::wrapped(style.colors.text_weak, course.about);
    const bool begun = done > 0 || progress.at > 0;
    if (ui::chip(style, begun ? "Continue" : "Start", true)) {
        actions.add(action::OpenCourse{course.id});
        ImGui::CloseCurrentPopup();
    }
    ui::mark(fmt::format("learn.open.{}", course.id));
    ImGui::SameLine(0, style.px(10));
    ui::bar(style, style.px(120), style.px(5), ImGui::GetFrameHeight(),
            static_cast<float>(done) / static_cast<float>(count), style.colors.good);
    ImGui::SameLine(0, style.px(8));
    ImGui::AlignTextToFramePadding();
    ui::text(done == count ? std::string("✓ all done") : fmt::format("{} of {}", done, count));
    ui::mark(fmt::format("learn.progress.{}", course.id));
    if (begun) {
        ImGui::SameLine(0, style.px(8));
        if (ui::pill(style, "start anew", false)) {
            actions.add(action::ResetCourse{course.id});
        }
        ui::mark(style, fmt::format("learn.reset.{}", course.id), "Forgets how far you are in this course.");
    }
    ImGui::PopID();
    ImGui::Dummy(ImVec2(0, style.px(6)));
}

std::string space_label(int space) {
    return space < 0 ? "all memories" : fmt::format("{} memory", space_name(static_cast<Space>(space)));
}

void show_space_choice(const PanelStyle& style, LearnInputs& typed) {
    ImGui::SetNextItemWidth(style.px(150));
    const bool open = ImGui::BeginCombo("##space", space_label(typed.space).c_str());
    ui::mark("quiz.space");
    if (!open) return;
    if (ImGui::Selectable(space_label(-1).c_str(), typed.space < 0)) typed.space = -1;
    ui::mark("quiz.space.all");
    for (const Space space : quiz_spaces()) {
        const int value = static_cast<int>(space);
        if (ImGui::Selectable(space_label(value).c_str(), typed.space == value)) typed.space = value;
        ui::mark(fmt::format("quiz.space.{}", space_name(space)));
    }
    ImGui::EndCombo();
}

void show_quiz_row(const PanelStyle& style, LearnInputs& typed, Actions& actions) {
    ui::text(style, FontRole::strong, "Quiz");
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
    if (!ui::chip(style, "Begin", true) && !entered) {
        ui::mark("quiz.start");
        return;
    }
    ui::mark("quiz.start");
    actions.add(action::StartQuiz{typed.seed.data(), typed.questions, typed.space});
    ImGui::CloseCurrentPopup();
}

}  // namespace

void show_learn_menu(const PanelStyle& style, const Learning& learning, View& view, Actions& actions) {
    const ui::BarMenu menu(style, "learn", view.learn_menu, ImVec2(16, 14), 400);
    if (!menu) return;
    for (const Course& course : courses()) show_course_row(style, learning, course, actions);
    show_quiz_row(style, view.learn, actions);
}

}  // namespace warplens
