#include "app/assets.h"
#include "app/panels/board_panel.h"
#include "app/panels/numbers.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

namespace warplens {
namespace {

using ui::px;

void show_explanation(const Frame& frame, const Theme& colors, const Explanation& explanation) {
    {
        const ui::FontScope strong(frame, FontRole::strong);
        ImGui::PushStyleColor(ImGuiCol_Text, ui::color(explanation.good ? colors.good : colors.bad));
        ui::wrapped(explanation.verdict);
        ImGui::PopStyleColor();
    }
    ui::wrapped(explanation.why);
    ImGui::Dummy(ImVec2(0, px(frame, 4)));
}

void show_why(const Frame& frame, const View& view, const Theme& colors) {
    if (!view.claim.empty()) show_claim_card(frame, colors, view.claim);
    if (frame.state->board != Board::access) {
        show_explanation(frame, colors, explain_board(board_input(frame)));
        return;
    }
    const auto& rows = frame.analysis->report.instructions;
    const std::string& problem = frame.analysis->report.does_not_fit;
    if (!problem.empty()) {
        ImGui::PushStyleColor(ImGuiCol_Text, ui::color(colors.bad));
        ui::wrapped(problem);
        ImGui::PopStyleColor();
        ImGui::Dummy(ImVec2(0, px(frame, 4)));
    }
    for (std::size_t k = 0; k < rows.size(); ++k) {
        if (view.focus >= 0 && k != static_cast<std::size_t>(view.focus)) continue;
        const Explanation explanation =
            explain(view_of(*frame.analysis, static_cast<int>(k)), frame.analysis->tiles[k]);
        if (view.focus < 0) ui::text_weak(colors, fmt::format("{} {}", k + 1, rows[k].instruction.label));
        show_explanation(frame, colors, explanation);
    }
    if (frame.analysis->prediction.fits_l2) {
        ui::wrapped(fmt::format(
            "All that the grid touches, {}, fits the L2 of {}: a repeated run would measure the cache, "
            "not DRAM.",
            format_bytes(frame.analysis->prediction.footprint_bytes), frame.analysis->curve.gpu));
    }
}

void show_code(const Frame& frame, const Theme& colors) {
    const LaunchShape& shape = frame.analysis->report.shape;
    ui::text_weak(colors, "What one thread does:");
    const ui::FontScope mono(frame, FontRole::mono);
    int phase = 0;
    for (const InstructionReport& row : frame.analysis->report.instructions) {
        if (row.instruction.phase != phase) ui::text("__syncthreads();");
        phase = row.instruction.phase;
        ui::wrapped(row.instruction.code);
    }
    ImGui::Dummy(ImVec2(0, px(frame, 4)));
    ui::wrapped(fmt::format("kernel<<<dim3({}, {}),\n         dim3({}, {})>>>", shape.grid.x, shape.grid.y,
                            shape.block.x, shape.block.y));
    if (shape.steps > 1) ui::wrapped(fmt::format("{} steps per thread", shape.steps));
    if (shape.shared_bytes > 0)
        ui::wrapped(fmt::format("{} shared memory", format_bytes(double(shape.shared_bytes))));
}

/// Headings, bullets and paragraphs are all the Markdown that a lesson uses here.
void show_markdown(const Frame& frame, std::string_view markdown) {
    std::string paragraph;
    const auto flush = [&] {
        if (!paragraph.empty()) ui::wrapped(paragraph);
        if (!paragraph.empty()) ImGui::Dummy(ImVec2(0, px(frame, 4)));
        paragraph.clear();
    };
    while (!markdown.empty()) {
        const std::size_t end = std::min(markdown.find('\n'), markdown.size());
        const std::string_view line = markdown.substr(0, end);
        markdown.remove_prefix(std::min(end + 1, markdown.size()));
        if (line.empty()) {
            flush();
        } else if (line.starts_with("#")) {
            flush();
            const ui::FontScope strong(frame, FontRole::strong);
            ui::wrapped(line.substr(std::min(line.find_first_not_of("# "), line.size())));
        } else {
            if (line.starts_with("- ")) flush();
            if (!paragraph.empty()) paragraph += ' ';
            paragraph += line.starts_with("- ") ? fmt::format("· {}", line.substr(2)) : std::string(line);
        }
    }
    flush();
}

}  // namespace

void show_lesson(const Frame& frame, View& view) {
    const Theme& colors = theme(view.theme);
    const char* tabs[] = {"Why", "Code", "Lesson"};
    for (int tab = 0; tab < 3; ++tab) {
        if (tab > 0) ImGui::SameLine(0, px(frame, 4));
        if (ui::pill(frame, colors, tabs[tab], view.tab == tab)) view.tab = tab;
        ui::mark(fmt::format("tab.{}", tabs[tab]));
    }
    ImGui::Dummy(ImVec2(0, px(frame, 2)));
    ui::begin_child("tab", ImVec2(0, 0));
    if (view.tab == 0) show_why(frame, view, colors);
    if (view.tab == 1) show_code(frame, colors);
    if (view.tab == 2)
        show_markdown(frame, asset(fmt::format("assets/lessons/{}.md", frame.state->scenario->info->id)));
    ImGui::EndChild();
}

}  // namespace warplens
