#include "app/panels/numbers.h"

#include "app/code/program_text.h"
#include "app/gl/fonts.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace warplens {
namespace {

constexpr float kNumberColumns = 3,
                kBadgeColumns = 2.8f;  // before the code: line numbers, instructions [letters]
constexpr int kNarrow = 60;            // fewer columns: half the indentation [letters]

/// Draws lines from where the cursor is.
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

    /// @param number  of the line in the file, from 1
    void show(const CodeLine& line, int number);

private:
    /// A part of a token at its place in the line.
    struct Placed {
        std::string_view text;
        CodeTone tone = CodeTone::plain;
        int row = 0, column = 0;
    };
    std::vector<Placed> lay_out(const CodeLine& line) const;
    void visit(const CodeLine& line, ImVec2 at, float height, int number);
    void draw_ground(const CodeLine& line, ImVec2 at, float height);
    void draw_badge(int instruction, ImVec2 at);
    void draw_text(ImVec2 at, Color color, std::string_view text) {
        draw_->AddText(style_.fonts.font(FontRole::mono), style_.fonts.imgui_size(FontRole::mono), at,
                       ui::color(color), text.data(), text.data() + text.size());
    }
    bool has(const CodeLine& line, int instruction) const {
        return std::ranges::find(line.instructions, instruction) != line.instructions.end();
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

/// Broken between tokens, comments between their words; what goes on is indented further.
std::vector<CodeView::Placed> CodeView::lay_out(const CodeLine& line) const {
    const bool narrow = columns_ < kNarrow;
    const std::size_t first = std::min(line.text.find_first_not_of(' '), line.text.size());
    const int indent = int(first) / (narrow ? 2 : 1);
    const int further = std::min(indent + (narrow ? 2 : 4), columns_ / 3);
    std::vector<Placed> placed;
    int row = 0, column = std::min(indent, columns_ / 2);
    const auto put = [&](std::string_view text, CodeTone tone) {
        const int size = int(text.size());
        if (column + size > columns_ && column > further) {
            ++row;
            column = further;
            if (text == " ") return;
        }
        placed.push_back({text, tone, row, column});
        column += size;
    };
    for (const CodeToken& token : code_tokens(std::string_view(line.text).substr(first))) {
        std::string_view rest = token.text;
        while (!rest.empty()) {
            const bool comment = token.tone == CodeTone::comment && rest.front() != ' ';
            const std::size_t word = comment ? std::min(rest.find(' '), rest.size()) : rest.size();
            const std::size_t size = rest.front() == ' ' ? 1 : word;
            put(rest.substr(0, std::min(size, static_cast<std::size_t>(columns_))), token.tone);
            rest.remove_prefix(std::min(size, static_cast<std::size_t>(columns_)));
        }
    }
    if (line.instructions.empty() || line.sass.empty()) return placed;
    // The machine instructions of an access stand behind it, or below where there is no room.
    const int size = int(line.sass.size()) + 2;
    if (column + size > columns_) {
        ++row;
        column = std::max(0, std::min(further, columns_ - size));
    }
    placed.push_back({line.sass, CodeTone::comment, row, column + 2});
    return placed;
}

void CodeView::visit(const CodeLine& line, ImVec2 at, float height, int number) {
    ImGui::SetCursorScreenPos(at);
    hovered_ = false;
    if (line.instructions.empty()) {
        ImGui::Dummy(ImVec2(width_, height));
        return;
    }
    ImGui::PushID(number);
    const bool clicked = ui::press_area("line", ImVec2(width_, height));
    ImGui::PopID();
    for (const int k : line.instructions) ui::mark(fmt::format("code.{}", k));
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
        about += fmt::format("{} {}\n", k + 1, rows.at(k).instruction.label);
    if (!line.sass.empty()) about += fmt::format("nvcc makes {} of it.\n", line.sass);
    ui::tip(style_, about + "Click: its picture.");
}

/// Shows that a line belongs to the picture in front, or to the one under the mouse.
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
    const float wide = letter_ * (float(text.size()) + 0.8f), pad = std::round(style_.px(1));
    const bool chosen = view_.focus == instruction;
    const Color fill = chosen ? style_.colors.accent : style_.colors.control_hover;
    draw_->AddRectFilled(ImVec2(at.x, at.y + pad), ImVec2(at.x + wide, at.y + line_ - pad), ui::color(fill),
                         style_.px(4));
    draw_text(ImVec2(at.x + 0.4f * letter_, at.y + (line_ - style_.fonts.imgui_size(FontRole::mono)) / 2),
              chosen ? style_.colors.accent_text : style_.colors.text, text);
}

void CodeView::show(const CodeLine& line, int number) {
    constexpr float kBefore = kNumberColumns + kBadgeColumns;
    columns_ = std::max(12, int(width_ / letter_ - kBefore - 0.5f));
    const std::vector<Placed> pieces = lay_out(line);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = line_ * float(pieces.empty() ? 1 : pieces.back().row + 1);
    visit(line, at, height, number);
    if (!ImGui::IsRectVisible(at, ImVec2(at.x + width_, at.y + height))) return;
    draw_ground(line, at, height);
    const float drop = (line_ - style_.fonts.imgui_size(FontRole::mono)) / 2;
    const std::string shown = std::to_string(number);
    draw_text(ImVec2(at.x + letter_ * (kNumberColumns - float(shown.size())), at.y + drop),
              style_.colors.text_weak, shown);
    const float badges = at.x + letter_ * (kNumberColumns + 0.5f);
    for (std::size_t k = 0; numbered() && k < line.instructions.size() && float(k) * line_ < height; ++k)
        draw_badge(line.instructions[k], ImVec2(badges, at.y + float(k) * line_));
    for (const Placed& piece : pieces) {
        draw_text(
            ImVec2(at.x + letter_ * (kBefore + float(piece.column)), at.y + drop + line_ * float(piece.row)),
            code_color(style_.colors, piece.tone), piece.text);
    }
}

/// The name of a part that is folded at first: a click shows or hides its lines. @return  whether they are
/// shown.
bool show_fold(const PanelStyle& style, CodePart part) {
    const bool host = part == CodePart::host;
    const char* name = host ? "host" : "head";
    ImGuiStorage* storage = ImGui::GetStateStorage();
    const ImGuiID key = ImGui::GetID(name);
    const bool open = storage->GetInt(key, 0) != 0;
    const float width = ImGui::GetContentRegionAvail().x, tall = ImGui::GetTextLineHeight() + style.px(6);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (ui::press_area(name, ImVec2(width, tall))) storage->SetInt(key, open ? 0 : 1);
    ui::mark(fmt::format("code.{}", name));
    const bool pointed = ImGui::IsItemHovered() || (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible);
    ui::tip(
        style,
        fmt::format("{} It is part of what is copied.\nClick: {} its lines.",
                    host ? "What allocates, launches, verifies and times the kernel."
                         : "The scenario, how to compile the program, and functions that many kernels call.",
                    open ? "hide" : "show"));
    const std::string text = fmt::format("{} {}", open ? "−" : "+", part_title(part));
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->PushClipRect(at, ImVec2(at.x + width, at.y + tall), true);
    draw->AddText(ImVec2(at.x, at.y + style.px(3)),
                  ui::color(pointed ? style.colors.highlight : style.colors.text_weak), text.c_str());
    draw->PopClipRect();
    return open;
}

/// Buttons, how the kernel is launched, and what it takes of an SM.
void show_top(const PanelStyle& style, const CodePage& page, Actions& actions) {
    if (ui::chip(style, "edit", false)) actions.add(action::Do::edit_kernel);
    ui::mark(style, "code.edit", "Go on from this kernel: type, and the pictures follow.");
    ImGui::SameLine(0, style.px(8));
    if (ui::chip(style, "copy", false)) ImGui::SetClipboardText(page.text().c_str());
    ui::mark("code.copy");
    ui::tip(style, fmt::format("Copies the whole program, kernel and host code. nvcc compiles it as it is:\n"
                               "nvcc -O3 -arch=native {}",
                               page.file));
    ui::beside_if_room(style, 8, ui::pill_width(style, "Compiler Explorer"));
    ImGuiStorage* storage = ImGui::GetStateStorage();
    const ImGuiID copied = ImGui::GetID("explorer");
    const std::string kernel = page.kernel_text();
    const int now = int(std::hash<std::string>()(kernel));
    if (ui::chip(style, "Compiler Explorer", false)) {
        ImGui::SetClipboardText(explorer_link(kernel).c_str());
        storage->SetInt(copied, now);
    }
    ui::mark("code.explorer");
    ui::tip(style,
            storage->GetInt(copied) == now
                ? "Copied: paste it into a browser's address bar."
                : "Copies a link that opens the kernel in Compiler Explorer (godbolt.org), which shows "
                  "its machine code. Nothing is sent before you open it.");
    {
        const ui::FontScope mono(style, FontRole::mono);
        ui::wrapped(style.colors.text_weak, page.launch);
    }
    ui::tip(
        style,
        "How the kernel is launched: blocks of the grid in x and y, threads of a block in x and y, and bytes "
        "of dynamic shared memory per block.");
    if (page.compiled.empty() && !page.resources.empty()) {
        ui::wrapped(style.colors.text_weak, page.resources);
        ui::tip(style, page.resources_from);
    }
    ui::wrapped(style.colors.text_weak,
                page.compiled.empty() ? "machine instructions: not recorded for this kernel" : page.compiled);
    ui::tip(
        style,
        fmt::format("What nvcc says about the kernel's registers and spills. Behind each access stand the "
                    "memory instructions (SASS) that it makes of that line.\n{} compiled here   {} recorded",
                    provenance_mark(Provenance::exact), provenance_mark(Provenance::recorded)));
}

}  // namespace

void show_code(const PanelStyle& style, const Frame& frame, const View& view, ShownCode& shown,
               Actions& actions) {
    if (view.editing || frame.state->scenario->typed != nullptr)
        return show_editor(style, frame, view, shown.editor, actions);
    if (frame.code == nullptr) return;  // The tab was opened in this frame, and the next one has the program.
    const CodePage& page = *frame.code;
    show_top(style, page, actions);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ImGui::GetStyle().ItemSpacing.x, 0));
    ImGui::Dummy(ImVec2(0, style.px(4)));
    CodeView code(style, frame, view, actions);
    // After a change of kernel or instruction, the line of the access is brought into view once.
    const std::string about =
        fmt::format("{} {} {}", page.file, page.launch.substr(0, page.launch.find('<')), view.focus);
    bool bring_in = shown.brought_in != about;
    shown.brought_in = about;
    int number = 0;
    for (const CodeSection& section : page.sections) {
        const bool shown_now = section.part == CodePart::kernel || show_fold(style, section.part);
        for (const CodeLine& line : section.lines) {
            ++number;
            if (!shown_now) continue;
            code.show(line, number);
            const bool wanted =
                view.focus < 0 ? !line.instructions.empty()
                               : std::ranges::find(line.instructions, view.focus) != line.instructions.end();
            if (!bring_in || !wanted) continue;
            bring_in = false;
            const float bottom = ImGui::GetWindowPos().y + ImGui::GetWindowHeight();
            if (ImGui::GetItemRectMax().y > bottom || ImGui::GetItemRectMin().y < ImGui::GetWindowPos().y)
                ImGui::SetScrollHereY(0.5f);
        }
    }
    ImGui::PopStyleVar();
}

}  // namespace warplens
