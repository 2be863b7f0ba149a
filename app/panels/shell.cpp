#include "app/panels/shell.h"

#include "app/gl/context.h"
#include "app/panels/numbers.h"
#include "app/panels/overlays.h"
#include "app/panels/widgets.h"
#include "app/window/action.h"
#include "app/window/keys.h"

#include <fmt/format.h>

namespace warplens {

Vec2 WindowHost::size() const {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    constexpr Vec2 kUsual{1280, 800};  // before the first drawn frame nobody knows
    return size.x > 0 && size.y > 0 ? Vec2{size.x, size.y} : kUsual;
}

double WindowHost::now() const { return ImGui::GetTime(); }

void WindowHost::set_clipboard(const std::string& text) { ImGui::SetClipboardText(text.c_str()); }

Shell::Shell(Window& window, const State& start, std::vector<DeviceFacts> devices,
             const WindowOptions& options, MeasureBench bench)
    : window_(window), host_(window), session_(host_, start, std::move(devices), options, std::move(bench)) {
    window_.set_theme(theme(session_.view.look));
}

void Shell::show_frame() {
    for (const std::string& path : window_.dropped()) apply(session_, action::OpenFile{path});
    session_.advance();
    read_keys();
    window_.set_theme(theme(session_.view.look));
    window_.fix_scale(session_.view.projector ? projector_scale(host_.size()) : 0);
    Actions actions;
    draw(actions);
    View& view = session_.view;
    if (actions.hover != action::Hover{view.hovered_lane, view.hovered_instruction})
        apply(session_, actions.hover);
    for (const Action& one : actions.all) apply(session_, one);
    window_.set_theme(theme(view.look));
    if (actions.redraw_within) window_.wake_within(*actions.redraw_within);
    if (!ImGui::IsAnyItemActive()) session_.record_step();
    if (const std::string errors = take_gl_errors(); !errors.empty())
        session_.complain(
            fmt::format("OpenGL reports {}: parts of the window may be missing; 'warplens doctor' says what "
                        "draws it",
                        errors));
}

void Shell::read_keys() {
    const View& view = session_.view;
    for (const KeyTap& tap : window_.taps()) {
        // With the ring of the keyboard's focus on screen, space and arrows belong to the control inside it.
        const bool menu = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
        const KeyContext context{.typing = ImGui::GetIO().WantTextInput,
                                 .walking = ImGui::GetIO().NavVisible,
                                 .menu = menu,
                                 .own_menu = view.help || view.messages,
                                 .projector = view.projector,
                                 .tour = view.tour >= 0,
                                 .export_dialog = session_.figures.dialog() != nullptr};
        apply(session_, find_key({tap.key, tap.printed, tap.ctrl, tap.shift, tap.alt, tap.repeat}, context));
        if (!ImGui::IsAnyItemActive()) session_.record_step();
    }
}

void Shell::draw(Actions& actions) {
    View& view = session_.view;
    const PanelStyle style{theme(view.look), window_.fonts(), window_.painter(), window_.scale()};
    const Frame& frame = session_.frame();
    const std::function<void(const State&)> set = [this](const State& to) {
        apply(session_, action::Change{to});
        session_.frame();
    };
    const Screen screen{style, frame, view, caches_, actions, set};
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::Begin("Warplens", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                     ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar(3);
    if (view.projector)
        show_projector(screen);
    else
        show_columns(screen);
    ImGui::End();
    show_help(style, view, actions);
    show_export_dialog(style, frame.exporting, view, actions);
    show_message_list(style, session_.messages, view, actions);
    show_tour(style, view, actions);
    trace_.write(frame, view, caches_.b.board.picture,
                 {style.scale, host_.user_scale(), window_.frames_drawn()});
}

}  // namespace warplens
