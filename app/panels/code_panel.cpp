#include "app/panels/numbers.h"

#include "app/gl/fonts.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

constexpr float kNumberColumns = 3, kBadgeColumns = 2.8f;  // before the code [letters]
constexpr int kNarrow = 60;                                // fewer columns: half the indentation [letters]

/// The page of the present setting; made anew only when that changes.
const CodePage& page_of(const State& state, ShownCode& shown) {
    if (shown.scenario != state.scenario || !(shown.params == state.params))
        shown = {state.scenario, state.params, code_page(*state.scenario, state.params)};
    return shown.page;
}

/// Draws the lines of functions from where the cursor is.
class CodeView {
public:
    CodeView(const PanelStyle& style, const Frame& frame, const View& view, Actions& actions)
        : style_(style),
          frame_(frame),
          view_(view),
          actions_(actions),
          draw_(ImGui::GetWindowDrawList()),
          letter_(style.fonts.width("0", FontRole::mono) * style.scale),
          line_(std::round(style.fonts.imgui_size(FontRole::mono) * 1.08f)),
          width_(ImGui::GetContentRegionAvail().x) {}

    void show(CodePart part, const CodeLine& line, int id);

private:
    /// A part of a piece at its place in the line.
    struct Placed {
        std::string_view text;
        CodeTone tone = CodeTone::plain;
        bool value = false;
        int row = 0, column = 0;
    };
    std::vector<Placed> lay_out(const CodeLine& line) const;
    void visit(CodePart part, const CodeLine& line, ImVec2 at, float height, int id);
    void draw_ground(const CodeLine& line, ImVec2 at, float height);
    void draw_badge(int instruction, ImVec2 at);
    void draw_text(ImVec2 at, Color color, std::string_view text) {
        draw_->AddText(style_.fonts.font(FontRole::mono), style_.fonts.imgui_size(FontRole::mono), at,
                       ui::color(color), text.data(), text.data() + text.size());
    }
    bool has(const CodeLine& line, int instruction) const {
        return std::ranges::find(line.instructions, instruction) != line.instructions.end();
    }
    /// Room before the code: for the line's number, if lines have any, and for instructions [letters].
    static float gutter(const CodeLine& line, CodePart part) {
        if (part == CodePart::steps) return kBadgeColumns;
        return kBadgeColumns + (line.number > 999 ? kNumberColumns + 1 : kNumberColumns);
    }
    bool numbered() const { return frame_.evidence->report.instructions.size() > 1; }

    const PanelStyle& style_;
    const Frame& frame_;
    const View& view_;
    Actions& actions_;
    ImDrawList* draw_;
    float letter_, line_, width_;  // [pixels]
    int columns_ = 0;
    bool hovered_ = false;  ///< the line that is being drawn is under the mouse
};

/// Broken between pieces, comments between their words; what goes on is indented further.
std::vector<CodeView::Placed> CodeView::lay_out(const CodeLine& line) const {
    const bool narrow = columns_ < kNarrow;
    const int indent = narrow ? line.indent / 2 : line.indent;
    const int further = std::min(indent + (narrow ? 2 : 4), columns_ / 3);
    std::vector<Placed> placed;
    int row = 0, column = std::min(indent, columns_ / 2);
    const auto put = [&](std::string_view text, const CodePiece& piece) {
        const int size = static_cast<int>(text.size());
        if (column + size > columns_ && column > further) {
            ++row;
            column = further;
            if (text == " ") return;
        }
        placed.push_back({text, piece.tone, piece.value, row, column});
        column += size;
    };
    for (const CodePiece& piece : line.pieces) {
        std::string_view rest = piece.text;
        while (!rest.empty()) {
            const bool comment = piece.tone == CodeTone::comment && rest.front() != ' ';
            const std::size_t word = comment ? std::min(rest.find(' '), rest.size()) : rest.size();
            const std::size_t size = rest.front() == ' ' ? 1 : word;
            put(rest.substr(0, std::min(size, static_cast<std::size_t>(columns_))), piece);
            rest.remove_prefix(std::min(size, static_cast<std::size_t>(columns_)));
        }
    }
    return placed;
}

void CodeView::visit(CodePart part, const CodeLine& line, ImVec2 at, float height, int id) {
    ImGui::SetCursorScreenPos(at);
    hovered_ = false;
    if (line.instructions.empty()) {
        ImGui::Dummy(ImVec2(width_, height));
        return;
    }
    ImGui::PushID(id);
    const bool clicked = ImGui::InvisibleButton("line", ImVec2(width_, height));
    ImGui::PopID();
    for (const int k : line.instructions) ui::mark(fmt::format("code.{}.{}", static_cast<int>(part), k));
    const auto& rows = frame_.evidence->report.instructions;
    // A line of several instructions goes from one to the next.
    const auto now = std::ranges::find(line.instructions, view_.focus);
    const bool last = now == line.instructions.end() || now + 1 == line.instructions.end();
    const int next = last ? line.instructions.front() : *(now + 1);
    if (clicked) actions_.add(action::Focus{next});
    hovered_ = ImGui::IsItemHovered();
    if (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible)
        ui::add_rect(draw_, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                     ui::color(style_.colors.highlight), style_.px(3));
    if (!hovered_) return;
    actions_.hover.instruction = next;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    std::string about;
    for (const int k : line.instructions)
        about += fmt::format("{} {}\n", k + 1, rows.at(static_cast<std::size_t>(k)).instruction.label);
    ui::tip(style_, about + "Click: its picture.");
}

/// What says that a line is that of the picture in front, or of the one under the mouse.
void CodeView::draw_ground(const CodeLine& line, ImVec2 at, float height) {
    if (line.instructions.empty()) return;
    const bool pointed = hovered_ || has(line, view_.hovered_instruction);
    const bool chosen = numbered() && has(line, view_.focus);
    const Color ground = pointed  ? style_.colors.control_hover
                         : chosen ? style_.colors.control
                                  : with_alpha(style_.colors.control, 0.5f);
    const ImVec2 end(at.x + width_, at.y + height);
    draw_->AddRectFilled(at, end, ui::color(ground), style_.px(3));
    if (chosen || pointed)
        draw_->AddRectFilled(at, ImVec2(at.x + style_.px(3), end.y), ui::color(style_.colors.accent));
}

void CodeView::draw_badge(int instruction, ImVec2 at) {
    const std::string text = std::to_string(instruction + 1);
    const float wide = letter_ * (static_cast<float>(text.size()) + 0.8f), pad = std::round(style_.px(1));
    const bool chosen = view_.focus == instruction;
    const Color fill = chosen ? style_.colors.accent : style_.colors.control_hover;
    draw_->AddRectFilled(ImVec2(at.x, at.y + pad), ImVec2(at.x + wide, at.y + line_ - pad), ui::color(fill),
                         style_.px(4));
    draw_text(ImVec2(at.x + 0.4f * letter_, at.y + (line_ - style_.fonts.imgui_size(FontRole::mono)) / 2),
              chosen ? style_.colors.accent_text : style_.colors.text, text);
}

void CodeView::show(CodePart part, const CodeLine& line, int id) {
    const float before = gutter(line, part);
    columns_ = std::max(12, static_cast<int>(width_ / letter_ - before - 0.5f));
    const std::vector<Placed> pieces = lay_out(line);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = line_ * static_cast<float>(pieces.empty() ? 1 : pieces.back().row + 1);
    visit(part, line, at, height, id);
    if (!ImGui::IsRectVisible(at, ImVec2(at.x + width_, at.y + height))) return;
    draw_ground(line, at, height);
    const float drop = (line_ - style_.fonts.imgui_size(FontRole::mono)) / 2;
    if (line.number > 0) {
        const std::string number = std::to_string(line.number);
        const float x = at.x + letter_ * (before - kBadgeColumns - static_cast<float>(number.size()));
        draw_text(ImVec2(x, at.y + drop), style_.colors.text_weak, number);
    }
    const float badges = at.x + letter_ * (before - kBadgeColumns + 0.5f);
    for (std::size_t k = 0;
         numbered() && k < line.instructions.size() && static_cast<float>(k) * line_ < height; ++k)
        draw_badge(line.instructions[k], ImVec2(badges, at.y + static_cast<float>(k) * line_));
    const float left = at.x + letter_ * before;
    for (const Placed& piece : pieces) {
        const ImVec2 place(left + letter_ * static_cast<float>(piece.column),
                           at.y + drop + line_ * static_cast<float>(piece.row));
        const Color color = piece.value ? style_.colors.accent : code_color(style_.colors, piece.tone);
        if (piece.value)
            draw_->AddRectFilled(ImVec2(place.x, place.y - drop + style_.px(1)),
                                 ImVec2(place.x + letter_ * static_cast<float>(piece.text.size()),
                                        place.y - drop + line_ - style_.px(1)),
                                 ui::color(with_alpha(style_.colors.accent, 0.14f)), style_.px(3));
        draw_text(place, line.other ? mix(color, style_.colors.panel, 0.5f) : color, piece.text);
    }
}

/// The head of a function: a click folds it. @return  whether its lines are shown.
bool show_head(const PanelStyle& style, const CodeFunction& function, int id) {
    ImGuiStorage* storage = ImGui::GetStateStorage();
    // Kept by name, so that it stays as it is when a knob is turned.
    const ImGuiID key = ImGui::GetID(fmt::format("{}.{}", id, function.file).c_str());
    const bool open = storage->GetInt(key, function.folded ? 0 : 1) != 0;
    const float width = ImGui::GetContentRegionAvail().x;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const std::string name = fmt::format("{} {}", open ? "−" : "+", function.name);
    const std::string place = function.lines.empty()
                                  ? function.file
                                  : fmt::format("{}:{}", function.file, function.lines.front().number);
    const float tall = ImGui::GetTextLineHeight() + style.px(4);
    ImGui::PushID(id);
    if (ImGui::InvisibleButton("head", ImVec2(width, tall))) storage->SetInt(key, open ? 0 : 1);
    ImGui::PopID();
    ui::mark(fmt::format("code.head.{}", function.name));
    const bool pointed = ImGui::IsItemHovered() || (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible);
    ui::tip(style, fmt::format("{}\n{}\nClick: {} its lines.", function.name, place, open ? "hide" : "show"));
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const ui::FontScope mono(style, FontRole::mono);
    const auto text = [&](float x, Color color, const std::string& s) {
        draw->AddText(ImVec2(x, at.y + style.px(2)), ui::color(color), s.c_str());
    };
    const float name_end = ImGui::CalcTextSize(name.c_str()).x,
                place_width = ImGui::CalcTextSize(place.c_str()).x;
    draw->PushClipRect(at, ImVec2(at.x + width, at.y + tall), true);
    text(at.x, pointed ? style.colors.highlight : style.colors.text, name);
    if (name_end + style.px(16) + place_width < width)
        text(at.x + width - place_width, style.colors.text_weak, place);
    draw->PopClipRect();
    return open;
}

void show_section(const PanelStyle& style, const CodeSection& section, CodeView& code) {
    ui::text(style, FontRole::strong, part_title(section.part));
    ui::tip(style, section.note);
    ImGui::Dummy(ImVec2(0, style.px(2)));
    ImGui::PushID(static_cast<int>(section.part));
    int id = 0;
    for (const CodeFunction& function : section.functions) {
        const bool open = function.name.empty() || show_head(style, function, 100000 + id);
        for (const CodeLine& line : function.lines)
            if (open) code.show(section.part, line, id++);
        id = (id / 1000 + 1) * 1000;
    }
    ImGui::PopID();
    ImGui::Dummy(ImVec2(0, style.px(6)));
}

}  // namespace

void show_code(const PanelStyle& style, const Frame& frame, const View& view, ShownCode& shown,
               Actions& actions) {
    const CodePage& page = page_of(*frame.state, shown);
    if (ui::chip(style, "copy", false)) ImGui::SetClipboardText(page.text().c_str());
    ui::mark("code.copy");
    ui::tip(style, "Copies all of this as plain text, with the present settings as comments at its top.");
    ImGui::SameLine(0, style.px(8));
    {
        const ui::FontScope mono(style, FontRole::mono);
        if (ImGui::CalcTextSize(page.launch.c_str()).x > ImGui::GetContentRegionAvail().x) ImGui::NewLine();
        ui::wrapped(style.colors.text_weak, page.launch);
    }
    ui::tip(style,
            fmt::format(
                "How the kernel is launched: blocks of the grid in x and y, threads of a block in x and y, "
                "and bytes of shared memory per block where it has any.\n{}",
                page.launch));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ImGui::GetStyle().ItemSpacing.x, 0));
    ImGui::Dummy(ImVec2(0, style.px(4)));
    CodeView code(style, frame, view, actions);
    for (const CodeSection& section : page.sections) show_section(style, section, code);
    ImGui::PopStyleVar();
}

}  // namespace warplens
