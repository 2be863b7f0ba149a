#include "app/boards/choose/decisions.h"
#include "app/panels/board_panel.h"
#include "app/panels/markdown_view.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

namespace warplens {
namespace {

using ui::px;

/// The answers given so far; a click goes back to the question that was asked there.
void show_path(const Frame& frame, const Theme& colors, const DecisionPlace& place, Wishes& wishes) {
    ImGui::BeginDisabled(place.steps.empty());
    if (ui::chip(frame, colors, "start again", false)) wishes.link = decision_link(0);
    ui::mark("choose.again");
    ImGui::EndDisabled();
    ui::tip(frame, "Forget the answers. Ctrl+Z takes one back.");
    for (std::size_t i = 0; i < place.steps.size(); ++i) {
        const DecisionPlace::Step& step = place.steps[i];
        const std::string label = fmt::format("→ {}##{}", step.given().said, i);
        ui::beside_if_room(frame, 2, ui::pill_width(frame, label.substr(0, label.find('#'))));
        if (ui::pill(frame, colors, label.c_str(), false)) wishes.link = decision_link(place.path(i));
        ui::mark(fmt::format("choose.step.{}", i));
        ui::tip(frame,
                fmt::format("{} {}.\nClick: answer this again.", step.question->ask, step.given().text));
    }
}

void show_answers(const Frame& frame, const Theme& colors, const DecisionPlace& place, Wishes& wishes) {
    const DecisionQuestion& question = *place.question;
    {
        const ui::FontScope heading(frame, FontRole::heading);
        ui::wrapped(question.ask);
        ui::terms_tip(frame, question.ask);
    }
    show_sentence(frame, colors, question.help, colors.text_weak, false, wishes);
    for (std::size_t k = 0; k < question.answers.size(); ++k) {
        const DecisionAnswer& answer = question.answers[k];
        if (k > 0) ui::beside_if_room(frame, 6, ui::pill_width(frame, answer.text));
        if (ui::chip(frame, colors, answer.text.c_str(), false))
            wishes.link = decision_link(place.path_with(static_cast<int>(k)));
        ui::mark(fmt::format("choose.answer.{}", k));
        ui::tip(frame, fmt::format("{}\nLead on: the ladder below shows what is left.", answer.text));
    }
}

void show_end(const Frame& frame, const Theme& colors, const DecisionPlace& place, Wishes& wishes) {
    const DecisionEnd& end = *place.end;
    {
        const ui::FontScope heading(frame, FontRole::heading);
        ImGui::PushStyleColor(ImGuiCol_Text, ui::color(end.warning ? colors.bad : colors.good));
        ui::wrapped(end.title);
        ui::terms_tip(frame, end.title);
        ImGui::PopStyleColor();
    }
    if (place.wished != nullptr)
        show_sentence(
            frame, colors,
            fmt::format("{}: only from compute capability {} on, so on this GPU it is the next best.",
                        place.wished->title, place.wished->since),
            colors.text, false, wishes);
    show_sentence(frame, colors, fmt::format("{} {}", end.reason, end.watch), colors.text, false, wishes);
    if (ui::chip(frame, colors, "show it", false)) wishes.link = end.link;
    ui::mark("choose.show");
    ui::tip(frame, fmt::format("Goes to a scenario that shows it, with its knobs set.\n{}", end.link));
    ImGui::SameLine(0, px(frame, 10));
    ImGui::AlignTextToFramePadding();
    const ui::FontScope mono(frame, FontRole::mono);
    ui::text(end.code);
    ui::tip(frame, fmt::format("How it looks in a kernel:\n{}", end.code));
}

}  // namespace

void show_questions(const Frame& frame, const View& view, Wishes& wishes) {
    const Theme& colors = theme(view.look);
    const DecisionPlace place =
        follow_path(decisions(), frame.state->boards.choose_path, frame.devices->at(frame.state->device));
    std::erase_if(ui::items(), [](const auto& item) { return item.first.starts_with("choose."); });
    show_path(frame, colors, place, wishes);
    if (place.question != nullptr)
        show_answers(frame, colors, place, wishes);
    else
        show_end(frame, colors, place, wishes);
    ImGui::Dummy(ImVec2(0, px(frame, 2)));
}

}  // namespace warplens
