#include "app/panels/code_editor.h"

#include "app/base/assets.h"
#include "app/base/system.h"
#include "app/base/text.h"
#include "app/code/as_compiled.h"
#include "app/code/code_text.h"
#include "app/experiment/typed_kernel.h"
#include "app/panels/widgets.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace warplens {
namespace {

constexpr int kTab = 4;                                    // [letters]
constexpr float kEditorNumbers = 3, kEditorBadges = 4.2f;  // before the text [letters]
constexpr float kBeforeText = kEditorNumbers + kEditorBadges;

/// How many letters wide a piece of UTF-8 is drawn.
int letters_of(std::string_view text) {
    int count = 0;
    for (const char c : text) count += c == '\t' ? kTab : (static_cast<unsigned char>(c) & 0xc0u) != 0x80u;
    return count;
}

/// Dear ImGui calls it while a text is typed.
struct Edit {
    std::string* text;
    int caret = 0;
    const std::string* instead = nullptr;  ///< takes the place of the text, with the caret there
};

/// The blanks at the begin of the line before the caret.
std::string indent_before(const ImGuiInputTextCallbackData& data) {
    const std::string_view all(data.Buf, static_cast<std::size_t>(data.CursorPos) - 1);
    const std::size_t begin = all.find_last_of('\n') + 1;  // 0 in the first line
    const std::string_view line = all.substr(begin);
    std::string indent(line.substr(0, std::min(line.find_first_not_of(' '), line.size())));
    if (line.ends_with('{')) indent += "    ";
    return indent;
}

int edit_callback(ImGuiInputTextCallbackData* data) {
    Edit& edit = *static_cast<Edit*>(data->UserData);
    if (data->EventFlag == ImGuiInputTextFlags_CallbackResize) {
        edit.text->resize(static_cast<std::size_t>(data->BufTextLen));
        data->Buf = edit.text->data();
    } else if (data->EventFlag == ImGuiInputTextFlags_CallbackEdit) {
        // Tabs become blanks. A new line begins where the one before does.
        for (int i = data->BufTextLen - 1; i >= 0; --i) {
            if (data->Buf[i] != '\t') continue;
            data->DeleteChars(i, 1);
            data->InsertChars(i, "    ");
        }
        const bool grew =
            data->BufTextLen == int(edit.text->size()) + 1 || data->BufTextLen == letters_of(*edit.text) + 1;
        if (grew && data->CursorPos > 0 && data->Buf[data->CursorPos - 1] == '\n') {
            const std::string indent = indent_before(*data);
            if (!indent.empty()) data->InsertChars(data->CursorPos, indent.c_str());
        }
    } else if (data->EventFlag == ImGuiInputTextFlags_CallbackAlways) {
        if (edit.instead != nullptr) {
            data->DeleteChars(0, data->BufTextLen);
            data->InsertChars(0, edit.instead->data(), edit.instead->data() + edit.instead->size());
            data->CursorPos = data->SelectionStart = data->SelectionEnd = edit.caret;
        }
        edit.caret = data->CursorPos;
    }
    return 0;
}

class Editor {
public:
    Editor(const PanelStyle& style, const Frame& frame, const View& view, ShownEditor& shown,
           Actions& actions)
        : style_(style), frame_(frame), view_(view), shown_(shown), actions_(actions) {}

    void show_head();
    void show_examples();
    void show_kernels();
    void show_text();

private:
    void find_instructions();
    void draw_line(ImDrawList* draw, ImVec2 at, std::size_t line, std::string_view text) const;
    void draw_problem(ImDrawList* draw, ImVec2 at, std::string_view text) const;
    void show_margin(ImVec2 at, float height, float scrolled, std::size_t lines);
    void show_badges(ImVec2 at, std::size_t line);
    bool is_wrong(std::size_t line) const {
        return frame_.typing->problem() && frame_.typing->problem()->line == int(line) + 1;
    }
    void draw_text(ImDrawList* draw, ImVec2 at, Color color, std::string_view text) const {
        draw->AddText(style_.fonts.font(FontRole::mono), style_.fonts.imgui_size(FontRole::mono), at,
                      ui::color(color), text.data(), text.data() + text.size());
    }

    const PanelStyle& style_;
    const Frame& frame_;
    const View& view_;
    ShownEditor& shown_;
    Actions& actions_;
    float letter_ = 8, line_ = 16;                // [pixels]
    std::vector<std::vector<int>> instructions_;  // by line
};

void Editor::show_head() {
    const Typing& typing = *frame_.typing;
    if (ui::chip(style_, "new", false)) actions_.add(action::Do::new_kernel);
    ui::mark(style_, "editor.new",
             fmt::format("A kernel to begin with {}.", key_hint(action::Do::new_kernel)));
    ui::beside_if_room(style_, 6, ui::pill_width(style_, "copy"));
    if (ui::chip(style_, "copy", false)) ImGui::SetClipboardText(typing.text().c_str());
    ui::mark(style_, "editor.copy", "Copies the text. nvcc compiles it as it is.");
    ui::beside_if_room(style_, 6, ui::pill_width(style_, "save"));
    if (ui::chip(style_, "save", false)) actions_.add(action::Do::save_kernel);
    ui::mark(style_, "editor.save",
             typing.path().empty() ? "Writes the text into a new file. A link and a figure contain it, too."
                                   : fmt::format("Writes the text into {}.", typing.path()));
    ui::beside_if_room(style_, 6, style_.px(150));
    show_examples();
    ui::beside_if_room(style_, 6, ui::pill_width(style_, "stop"));
    const bool launches = frame_.no_gpu.empty();
    ImGui::BeginDisabled(!kNoLaunches.empty());
    if (ui::chip(style_, frame_.kernel_runs ? "stop" : launches ? "run" : "compile", frame_.kernel_runs))
        actions_.add(action::Do::run_kernel);
    ImGui::EndDisabled();
    ui::mark(style_, "editor.run",
             !kNoLaunches.empty() ? std::string(kNoLaunches)
             : frame_.kernel_runs ? "Ends the process that launches or compiles this kernel."
             : !launches
                 ? fmt::format(
                       "Compiles this kernel with the nvcc of this machine for the chosen device: registers, "
                       "spills, and what becomes of each access {}. Nothing is launched: {}",
                       key_hint(action::Do::run_kernel), frame_.no_gpu)
                 : fmt::format("Launches this kernel on the GPU, for its time and its hardware counters {}. "
                               "Another process does it, which ends after a minute.",
                               key_hint(action::Do::run_kernel)));
    if (typing.problem()) {
        ui::wrapped(style_.colors.bad, typing.problem()->sentence);
        ui::mark("editor.problem");
        ui::tip(style_, "The pictures show the last text that was understood.");
        return;
    }
    show_kernels();
    const std::size_t count = frame_.evidence->report.instructions.size();
    ui::wrapped(style_.colors.text_weak,
                typing.reading() ? std::string("reading ...")
                : frame_.state->scenario->typed == nullptr
                    ? std::string()
                    : fmt::format("{} {}, {}", count, count == 1 ? "load or store" : "loads and stores",
                                  launch_words(*frame_.state->scenario, frame_.state->params)));
    if (frame_.compiled == nullptr || typing.is_draft()) return;
    const std::string compiled =
        fmt::format("{} {}", provenance_mark(Provenance::exact), frame_.compiled->summary);
    ui::beside_if_room(style_, 16, ImGui::CalcTextSize(compiled.c_str()).x);
    ui::text_weak(style_, compiled);
    ui::mark(
        style_, "editor.compiled",
        "What nvcc makes of this text. Behind the lines stands what their accesses became, and what that takes "
        "of the grid.");
}

/// Where the text has several kernels, the others are a click away.
void Editor::show_kernels() {
    const TypedKernel* typed = frame_.state->scenario->typed;
    if (typed == nullptr || typed->kernels().size() < 2 || typed->text() != shown_.text) return;
    ImGui::SetNextItemWidth(style_.px(220));
    const bool open = ImGui::BeginCombo("##kernels", typed->kernel().c_str(), ImGuiComboFlags_HeightLarge);
    ui::mark(style_, "editor.kernels", "The kernels of this text: which one is shown.");
    if (!open) return;
    for (const std::string& name : typed->kernels()) {
        if (ui::entry(name.c_str(), name == typed->kernel()))
            actions_.add(action::TypeKernel{text_with_kernel(shown_.text, name)});
        ui::mark(style_, fmt::format("kernel.{}", name), {});
    }
    ImGui::EndCombo();
}

/// The kernels that come with the program.
void Editor::show_examples() {
    ImGui::SetNextItemWidth(style_.px(150));
    const bool open = ImGui::BeginCombo("##examples", "examples", ImGuiComboFlags_HeightLarge);
    ui::mark(style_, "editor.examples", "Kernels to look at and to change, each with a lesson.");
    if (!open) return;
    constexpr std::string_view kFolder = "assets/typed/";
    for (const std::string_view path : asset_paths(kFolder)) {
        const std::string name(path.substr(kFolder.size()));
        const std::string_view text = asset(path);
        if (ImGui::Selectable(name.c_str())) actions_.add(action::OpenKernel{std::string(text), name});
        ui::mark(style_, fmt::format("example.{}", name), std::string(text.substr(0, text.find('\n'))));
    }
    ImGui::EndCombo();
}

void Editor::find_instructions() {
    const State& state = *frame_.state;
    if (state.scenario->typed == nullptr || state.scenario->typed->text() != shown_.text) return;
    for (int k = 0; k < state.scenario->instruction_count(state.params); ++k) {
        const int line = state.scenario->typed->line_of(state.params, k);
        if (line < 1) continue;
        if (instructions_.size() < static_cast<std::size_t>(line)) instructions_.resize(line);
        instructions_[static_cast<std::size_t>(line) - 1].push_back(k);
    }
}

void Editor::draw_line(ImDrawList* draw, ImVec2 at, std::size_t line, std::string_view text) const {
    float x = at.x;
    for (const CodeToken& token : code_tokens(text)) {
        if (token.text.find_first_not_of(" \t") != std::string_view::npos)
            draw_text(draw, ImVec2(x, at.y), code_color(style_.colors, token.tone), token.text);
        x += letter_ * float(letters_of(token.text));
    }
    if (is_wrong(line)) draw_problem(draw, at, text);
}

/// The numbers of the lines and of the pictures, beside the text, which may be scrolled to the side.
void Editor::show_margin(ImVec2 at, float height, float scrolled, std::size_t lines) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    ImGui::PushClipRect(at, ImVec2(at.x + letter_ * kBeforeText, at.y + height), true);
    for (std::size_t i = 0; i < lines; ++i) {
        const ImVec2 there(at.x, at.y + line_ * float(i) - scrolled);
        if (there.y + line_ < at.y || there.y > at.y + height) continue;
        const std::string number = std::to_string(i + 1);
        draw_text(draw, ImVec2(there.x + letter_ * (kEditorNumbers - float(number.size())), there.y),
                  is_wrong(i) ? style_.colors.bad : style_.colors.text_weak, number);
        if (there.y >= at.y && there.y + line_ <= at.y + height) show_badges(there, i);
    }
    ImGui::PopClipRect();
}

/// A line below what is wrong, up to the end of the word.
void Editor::draw_problem(ImDrawList* draw, ImVec2 at, std::string_view text) const {
    const auto column =
        std::min(static_cast<std::size_t>(std::max(0, frame_.typing->problem()->column - 1)), text.size());
    std::size_t end = column;
    while (end < text.size() && is_word_letter(text[end])) ++end;
    end = std::max(end, column + 1);
    const float from = float(letters_of(text.substr(0, column))),
                to = std::max(from + 1, float(letters_of(text.substr(0, end))));
    const float left = at.x + letter_ * from, right = at.x + letter_ * to, y = at.y + line_;
    draw->AddRectFilled(ImVec2(left, y - style_.px(2)), ImVec2(right, y), ui::color(style_.colors.bad));
}

void Editor::show_badges(ImVec2 at, std::size_t line) {
    if (line >= instructions_.size() || instructions_[line].empty()) return;
    const std::vector<int>& all = instructions_[line];
    const auto now = std::ranges::find(all, view_.focus);
    const bool last = now == all.end() || now + 1 == all.end();
    const int next = last ? all.front() : *(now + 1);
    ImGui::SetCursorScreenPos(ImVec2(at.x + letter_ * (kEditorNumbers + 0.4f), at.y));
    ImGui::PushID(int(line));
    if (ui::press_area("badge", ImVec2(letter_ * (kEditorBadges - 0.6f), line_)))
        actions_.add(action::Focus{next});
    ImGui::PopID();
    for (const int k : all) ui::mark(fmt::format("code.{}", k));
    if (ImGui::IsItemHovered()) {
        actions_.hover.instruction = next;
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        std::string about;
        for (const int k : all)
            about +=
                fmt::format("{} {}\n", k + 1, frame_.evidence->report.instructions.at(k).instruction.label);
        ui::tip(style_, about + "Click: its picture.");
    }
    const bool chosen = std::ranges::find(all, view_.focus) != all.end(),
               pointed = std::ranges::find(all, view_.hovered_instruction) != all.end();
    const std::string text =
        all.size() > 1 ? fmt::format("{}+", all.front() + 1) : std::to_string(all.front() + 1);
    const float wide = letter_ * (float(text.size()) + 0.6f), pad = std::round(style_.px(1));
    const ImVec2 badge(at.x + letter_ * (kEditorNumbers + 0.5f), at.y + pad);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(badge, ImVec2(badge.x + wide, at.y + line_ - pad),
                        ui::color(chosen || pointed ? style_.colors.accent : style_.colors.control_hover),
                        style_.px(4));
    draw_text(draw, ImVec2(badge.x + 0.3f * letter_, at.y),
              chosen || pointed ? style_.colors.accent_text : style_.colors.text, text);
}

void Editor::show_text() {
    const ui::FontScope mono(style_, FontRole::mono);
    constexpr int kMany = 64;
    letter_ = ImGui::CalcTextSize(std::string(kMany, '0').c_str()).x / kMany;
    line_ = ImGui::GetFontSize();
    find_instructions();
    const std::vector<std::string_view> lines = lines_of_code(shown_.text);
    int widest = 20;
    for (const std::string_view line : lines) widest = std::max(widest, letters_of(line));
    // Behind the lines with accesses stands what the compiler has made of them.
    std::map<std::size_t, std::string> made;
    if (frame_.compiled != nullptr && !frame_.typing->is_draft())
        for (const auto& [number, instructions] : frame_.compiled->made) {
            const auto i = static_cast<std::size_t>(number - 1);
            if (i >= lines.size()) continue;
            made[i] = fmt::format("  → {}", compiled_line(*frame_.compiled, number));
            widest = std::max(widest, letters_of(lines[i]) + letters_of(made[i]));
        }

    const ImVec2 corner = ImGui::GetCursorScreenPos(), all = ImGui::GetContentRegionAvail();
    ImGui::SetCursorScreenPos(ImVec2(corner.x + letter_ * kBeforeText, corner.y));
    const float height_of_text = all.y - ImGui::GetStyle().ItemSpacing.y - style_.px(2);
    ImGui::BeginChild("editor", ImVec2(0, height_of_text), false, ImGuiWindowFlags_HorizontalScrollbar);
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float width = std::max(room.x, letter_ * float(widest + 4)),
                height = std::max(room.y, line_ * float(lines.size() + 2));
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowSize().y;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const ImVec2 there(at.x, at.y + line_ * float(i));
        if (there.y + line_ < top || there.y > bottom) continue;
        const bool accesses = i < instructions_.size() && !instructions_[i].empty();
        if (accesses && std::ranges::find(instructions_[i], view_.focus) != instructions_[i].end())
            draw->AddRectFilled(there, ImVec2(there.x + width, there.y + line_),
                                ui::color(with_alpha(style_.colors.control, 0.7f)), style_.px(3));
        draw_line(draw, there, i, lines[i]);
        if (const auto behind = made.find(i); behind != made.end())
            draw_text(draw, ImVec2(there.x + letter_ * float(letters_of(lines[i])), there.y),
                      style_.colors.accent, behind->second);
    }

    // The field draws no text of its own, only what is selected: the text has colours, and stands behind it.
    ImGui::SetCursorScreenPos(at);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
    ImGui::PushStyleColor(ImGuiCol_FrameBg, 0);
    ImGui::PushStyleColor(ImGuiCol_Text, 0);
    Edit edit{&shown_.text, shown_.caret};
    if (std::exchange(shown_.undone, frame_.typing->undone()) != frame_.typing->undone()) {
        edit.caret = int(frame_.typing->caret());
        if (shown_.active)
            edit.instead = &frame_.typing->text();
        else
            shown_.text = frame_.typing->text();
    }
    if (!shown_.opened) {
        ui::take_keyboard();
        shown_.asked = ImGui::GetFrameCount();
        shown_.active = false;
    }
    // Since 1.90.1 a field that takes Tab cannot ask for the keyboard, so this one takes Tab once it has it.
    constexpr int kFramesUntilActive = 3;
    const bool waits = !shown_.active && ImGui::GetFrameCount() - shown_.asked <= kFramesUntilActive;
    // Dear ImGui keeps the text of a field that has the keyboard, so another text is another field.
    ImGui::PushID(int(shown_.replaced));
    // Escape leaves the field. Dear ImGui would take back all that was typed into it.
    const bool escaped = shown_.active && ui::is_key_pressed(ImGuiKey_Escape);
    const std::string typed = escaped ? shown_.text : std::string();
    bool changed = ImGui::InputTextMultiline(
        "##kernel", shown_.text.data(), shown_.text.capacity() + 1, ImVec2(width, height),
        (waits ? 0 : ImGuiInputTextFlags_AllowTabInput) | ImGuiInputTextFlags_CallbackAlways |
            ImGuiInputTextFlags_CallbackEdit | ImGuiInputTextFlags_CallbackResize |
            ImGuiInputTextFlags_NoHorizontalScroll |
            ImGuiInputTextFlags_NoUndoRedo,  // letter by letter; When::editing undoes words
        edit_callback, &edit);
    ImGui::PopID();
    ImGui::PopStyleColor(2);
    ImGui::PopStyleVar(2);
    ui::mark("editor.text");
    if (escaped) {
        shown_.text = typed;
        changed = false;
    }
    if (changed || edit.instead != nullptr) {
        shown_.text.resize(std::char_traits<char>::length(shown_.text.c_str()));
        actions_.add(action::TypeKernel{shown_.text});
    }
    const bool moved = edit.caret != shown_.caret;
    shown_.caret = std::clamp(edit.caret, 0, int(shown_.text.size()));
    if (!shown_.opened) ImGui::SetScrollX(0);
    shown_.active = ImGui::IsItemActive();
    if (shown_.active) {
        const std::string_view before = std::string_view(shown_.text).substr(0, shown_.caret);
        const auto row = float(std::ranges::count(before, '\n'));
        const std::string_view line = before.substr(before.find_last_of('\n') + 1);
        const float x = letter_ * float(letters_of(line)), y = line_ * row;
        ImGui::GetWindowDrawList()->AddRectFilled(
            ImVec2(at.x + x, at.y + y), ImVec2(at.x + x + std::max(1.0f, style_.px(1.5f)), at.y + y + line_),
            ui::color(style_.colors.text));
        if (moved || edit.instead != nullptr) {
            const float scroll = ImGui::GetScrollY(), shown = ImGui::GetWindowSize().y - 2 * line_;
            if (y < scroll) ImGui::SetScrollY(y);
            if (y > scroll + shown) ImGui::SetScrollY(y - shown);
            const float across = ImGui::GetScrollX(), wide = ImGui::GetWindowSize().x - 4 * letter_;
            if (x < across) ImGui::SetScrollX(std::max(0.0f, x - 4 * letter_));
            if (x > across + wide) ImGui::SetScrollX(x - wide);
        }
    }
    const float scrolled = ImGui::GetScrollY();
    ImGui::EndChild();
    show_margin(corner, height_of_text, scrolled, lines.size());
}

}  // namespace

void show_editor(const PanelStyle& style, const Frame& frame, const View& view, ShownEditor& shown,
                 Actions& actions) {
    const Typing& typing = *frame.typing;
    const int now = ImGui::GetFrameCount();
    shown.opened = shown.frame + 1 >= now && shown.frame != 0;
    shown.frame = now;
    if (shown.replaced != typing.replaced()) {
        shown.text = typing.text();
        shown.replaced = typing.replaced();
        shown.caret = 0;
        shown.opened = false;
    }
    Editor editor(style, frame, view, shown, actions);
    editor.show_head();
    editor.show_text();
}

}  // namespace warplens
