// All instructions of a kernel at once.
#include "app/boards/access/kernel_verdict.h"
#include "app/panels/picture_panel.h"
#include "app/panels/widgets.h"
#include "app/pictures/access/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace warplens {
namespace {

constexpr float kBetweenPictures = 12;  ///< small pictures [points]
constexpr float kListLine = 19, kAboveList = 4;

/// Small pictures in rows and columns.
struct Grid {
    int columns = 1;
    Vec2 cell;  ///< [points]
};

Grid grid_of(Vec2 room, int count, int columns) {
    const int rows = (count + columns - 1) / columns;
    return {columns,
            {(room.x - kBetweenPictures * float(columns - 1)) / float(columns),
             (room.y - kBetweenPictures * float(rows - 1)) / float(rows)}};
}

bool can_be_read(const Grid& grid) {
    return grid.cell.x >= kReadablePicture.x && grid.cell.y >= kReadablePicture.y;
}

/// The grid whose pictures are largest among those that can be read; else one column.
Grid largest_grid(Vec2 room, int count) {
    const auto side = [](const Grid& grid) {
        constexpr float kUsualShape = 1.6f;  // width of a picture against its height
        return std::min(grid.cell.x, kUsualShape * grid.cell.y);
    };
    Grid best = grid_of(room, count, 1);
    for (int columns = 2; columns <= count; ++columns) {
        const Grid grid = grid_of(room, count, columns);
        if (can_be_read(grid) && (!can_be_read(best) || side(grid) > side(best))) best = grid;
    }
    return best;
}

float list_height(int lines) { return lines == 0 ? 0 : kAboveList + kListLine * float(lines); }

/// Which instructions have a picture, and how these are arranged.
struct Plan {
    std::vector<int> pictures;  ///< in the order of the kernel
    Grid grid;
};

std::vector<int> first_numbers(int count) {
    std::vector<int> numbers(static_cast<std::size_t>(count));
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

/// Those that cost most, among them the one that the verdict is about.
std::vector<int> most_telling(const Evidence& evidence, int count) {
    const auto worst = int(worst_instruction(evidence));
    std::vector<int> all = costliest_instructions(evidence, count);
    if (std::ranges::find(all, worst) != all.end()) return all;
    all = costliest_instructions(evidence, count - 1);
    all.push_back(worst);
    std::ranges::sort(all);
    return all;
}

/// As many as can be read; at least one.
Plan plan_pictures(const Evidence& evidence, Vec2 room) {
    const auto count = int(evidence.report.instructions.size());
    for (int shown = count;; --shown) {
        const Vec2 left{room.x, std::max(kReadablePicture.y, room.y - list_height(count - shown))};
        const Grid grid = largest_grid(left, shown);
        if (can_be_read(grid) || shown == 1)
            return {shown == count ? first_numbers(count) : most_telling(evidence, shown), grid};
    }
}

}  // namespace

int most_for_class(const Frame& frame) { return frame.learning->has_card() ? 1 : 4; }

namespace {

/// Without a list: for a class, which has one in the head, and for a side of a comparison, where each picture
/// stands opposite its other one.
Plan plan_without_list(const PanelStyle& style, const Frame& frame, const View& view, float least) {
    constexpr int kMostInTwoColumns = 4;
    constexpr float kLeastWidth = 176;
    const bool compared = frame.other != nullptr || frame.is_other;
    auto count = int(frame.evidence->report.instructions.size());
    Plan plan{first_numbers(count), {}};
    if (const int most = most_for_class(frame); !compared && count > most) {
        plan.pictures = costliest_instructions(*frame.evidence, most);
        count = most;
    }
    const int fit = std::max(1, int(room_here(style, 0).x / kLeastWidth));
    const float small = view.projector ? kLeastOfSide : kLeastSmall;
    // Rather fewer than cut ones.
    if (const int most = fit * std::max(1, int(room_here(style, 0).y / small)); compared && count > most) {
        plan.pictures = costliest_instructions(*frame.evidence, most);
        count = most;
    }
    const auto grid_in = [&](int columns) {
        const int rows = (count + columns - 1) / columns;
        return grid_of(room_here(style, std::max(least, small * float(rows))), count, columns);
    };
    int columns = std::min(fit, count > kMostInTwoColumns ? 3 : count > 2 ? 2 : 1);
    // Three leave no quarter empty where they are larger in one row.
    const auto side = [&](int n) { return std::min(grid_in(n).cell.x, 1.6f * grid_in(n).cell.y); };
    if (count == 3 && fit >= 3 && side(3) > side(2)) columns = 3;
    plan.grid = grid_in(columns);
    return plan;
}

/// The cost of an instruction, and a word on it where there is room.
struct ListedCost {
    std::string count, verdict;
    bool good = false;
};

ListedCost cost_in_list(const Evidence& evidence, int k) {
    const InstructionView view = view_of(evidence, k);
    const Explanation words = explain(view, evidence.tiles[k]);
    std::string count = first_cost(view);
    if (count.empty()) count = "no memory is accessed";
    return {std::move(count), words.headline, words.good};
}

void show_listed(const PanelStyle& style, const Frame& frame, const View& view, int k, float names,
                 Actions& actions) {
    const std::size_t index = k;
    const Instruction& instruction = frame.evidence->report.instructions[index].instruction;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size(ImGui::GetContentRegionAvail().x, style.px(kListLine));
    const std::string id = fmt::format("listed.{}", k);
    if (ui::press_area(id.c_str(), size)) actions.add(action::Focus{k});
    if (ImGui::IsItemHovered()) actions.hover.instruction = k;
    ui::mark(style, id, fmt::format("{}\n{}\nClick: its picture.", instruction.label, instruction.code));
    ImDrawList* draw = ImGui::GetWindowDrawList();
    if (ImGui::IsItemHovered() || view.hovered_instruction == k)
        draw->AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y), ui::color(style.colors.control_hover),
                            style.px(4));
    float left = style.px(8);
    const float most = size.x - left;
    const auto write = [&](const std::string& text, Color color, FontRole font) {
        const ui::FontScope scope(style, font);
        const std::string shown = elide(text, font, std::max(0.0f, (most - left) / style.scale), style.fonts);
        draw->AddText(ImVec2(at.x + left, at.y + (size.y - ImGui::GetTextLineHeight()) / 2), ui::color(color),
                      shown.c_str());
        left += style.px(style.fonts.width(shown, font));
    };
    write(instruction_name(instruction, k), style.colors.text, FontRole::body);
    if (frame.counts_hidden) return;
    const ListedCost cost = cost_in_list(*frame.evidence, k);
    const Color color = style.of(cost.good ? Tone::good : Tone::bad);
    left = style.px(8) + names + style.px(12);
    write(cost.count, color, FontRole::strong);
    left += style.px(12);
    if (left + style.px(style.fonts.width(cost.verdict, FontRole::body)) <= most)
        write(cost.verdict, color, FontRole::body);
}

/// The instructions without a picture, a line each.
void show_list(const PanelStyle& style, const Frame& frame, const View& view,
               const std::vector<int>& pictures, Actions& actions) {
    const auto& rows = frame.evidence->report.instructions;
    std::vector<int> rest;
    float names = 0, costs = 0;  // widths [points]
    for (int k = 0; k < int(rows.size()); ++k) {
        if (std::ranges::find(pictures, k) != pictures.end()) continue;
        rest.push_back(k);
        const std::size_t index = k;
        names =
            std::max(names, style.fonts.width(instruction_name(rows[index].instruction, k), FontRole::body));
        costs = std::max(costs, style.fonts.width(cost_in_list(*frame.evidence, k).count, FontRole::strong));
    }
    // A long name gives way to the counts.
    const float room = ImGui::GetContentRegionAvail().x / style.scale - 28;
    names = std::max(0.0f, std::min(names, room - costs));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    for (const int k : rest) show_listed(style, frame, view, k, style.px(names), actions);
    ImGui::PopStyleVar();
}

}  // namespace

void show_all_instructions(const PanelStyle& style, const Frame& frame, const View& view, PictureCache& cache,
                           float least, Actions& actions) {
    const bool alone = !view.projector && frame.other == nullptr && !frame.is_other;
    const Plan plan = alone ? plan_pictures(*frame.evidence, room_here(style, 0))
                            : plan_without_list(style, frame, view, least);
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    float bottom = 0;  // of the pictures [points]
    for (std::size_t place = 0; place < plan.pictures.size(); ++place) {
        const int column = int(place) % plan.grid.columns, row = int(place) / plan.grid.columns;
        const Vec2 cell = plan.grid.cell;
        const float x = float(column) * (cell.x + kBetweenPictures),
                    y = float(row) * (cell.y + kBetweenPictures);
        ImGui::SetCursorScreenPos(ImVec2(origin.x + style.px(x), origin.y + style.px(y)));
        show_instruction(style, frame, view, cache, plan.pictures[place], cell, true, actions);
        bottom = y + cell.y;
    }
    if (!alone || plan.pictures.size() == frame.evidence->report.instructions.size()) return;
    ImGui::SetCursorScreenPos(ImVec2(origin.x, origin.y + style.px(bottom + kAboveList)));
    show_list(style, frame, view, plan.pictures, actions);
}

}  // namespace warplens
