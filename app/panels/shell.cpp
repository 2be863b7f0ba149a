#include "app/panels/shell.h"

#include "app/base/output.h"
#include "app/experiment/compare.h"
#include "app/experiment/quantities.h"
#include "app/gl/tab_walk.h"
#include "app/gl/window_system.h"
#include "app/panels/board_panel.h"
#include "app/panels/compare_panel.h"
#include "app/panels/numbers.h"
#include "app/panels/overlays.h"
#include "app/panels/widgets.h"
#include "app/window/keys.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdlib>

namespace warplens {
namespace {

/// The chosen board: its numbers, and what can be clicked in its picture as items "link.<link>".
void trace_board(const Frame& frame, float scale, const Picture& picture, nlohmann::ordered_json& out) {
    out["board"] = frame.state->board->key;
    if (frame.state->board->instructions) return;
    for (const Quantity& number : frame.board_words->numbers) out["board_numbers"][number.name] = number.text;
    const auto place = ui::items().find(kBoardPicture);
    if (place == ui::items().end()) return;
    for (const Hit& hit : picture.hits) {
        if (hit.link.empty()) continue;
        out["items"]["link." + hit.link] = {place->second.x + hit.rect.x * scale,
                                            place->second.y + hit.rect.y * scale, hit.rect.w * scale,
                                            hit.rect.h * scale};
    }
}

/// The person's place in a course or a quiz.
void trace_learning(const Learning& learning, nlohmann::ordered_json& out) {
    out["predict_first"] = learning.predict_first();
    out["course"] = nullptr;
    out["quiz"] = nullptr;
    if (const Course* course = learning.course())
        out["course"] = {{"id", course->id},
                         {"step", learning.step_index()},
                         {"done", learning.step_done()},
                         {"done_count", learning.progress(*course).done_count()},
                         {"title", learning.step()->title}};
    const DemoRun& demo = learning.demo;
    out["demo"] = {{"stops", demo.demo().stops.size()},
                   {"playing", demo.playing()},
                   {"at", demo.at()},
                   {"ended", demo.ended()},
                   {"note", demo.note_shown()}};
    const QuizRun* quiz = learning.quiz();
    if (quiz == nullptr) return;
    out["quiz"] = {{"seed", quiz->quiz.seed},          {"at", quiz->at},
                   {"answered", quiz->answers.size()}, {"score", quiz->score()},
                   {"finished", quiz->finished()},     {"written", quiz->written}};
    if (!quiz->finished()) out["quiz"]["choices"] = quiz->question().choices;
}

}  // namespace

Vec2 WindowHost::size() const {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    constexpr Vec2 kUsual{1280, 800};  // before the first drawn frame nobody knows
    return size.x > 0 && size.y > 0 ? Vec2{size.x, size.y} : kUsual;
}

double WindowHost::now() const { return ImGui::GetTime(); }

void WindowHost::choose_files() { warplens::choose_files(); }

void WindowHost::set_clipboard(const std::string& text) { ImGui::SetClipboardText(text.c_str()); }

Shell::Shell(Window& window, const State& start, std::vector<DeviceFacts> devices,
             const WindowOptions& options, MeasureBench bench)
    : window_(window), host_(window), session_(host_, start, std::move(devices), options, std::move(bench)) {
    window_.set_theme(theme(session_.view.look));
}

void Shell::show_frame() {
    if (window_.close_asked()) apply(session_, action::Do::quit);
    for (const std::string& path : window_.dropped()) apply(session_, action::OpenFile{path});
    session_.advance();
    read_keys();
    window_.set_theme(theme(session_.view.look));
    window_.fix_scale(session_.view.projector ? projector_scale(host_.size(), session_.view) : 0);
    let_keys_walk();
    Actions actions;
    draw(actions);
    const View& view = session_.view;
    if (actions.hover == action::Hover{}) actions.hover = {view.kept_lane, view.kept_instruction};
    if (actions.hover != action::Hover{view.hovered_lane, view.hovered_instruction})
        apply(session_, actions.hover);
    for (const Action& one : actions.all) apply(session_, one);
    window_.set_theme(theme(view.look));
    if (actions.redraw_within) window_.wake_within(*actions.redraw_within);
    show_notes();
    if (!ImGui::IsAnyItemActive()) session_.record_step();
    if (const std::string errors = take_gl_errors(); !errors.empty())
        session_.complain(
            fmt::format("OpenGL reports {}: parts of the window may be missing; 'warplens doctor' says what "
                        "draws it",
                        errors));
}

/// The notes of a demo, in a window that the class does not see.
void Shell::show_notes() {
    constexpr double kMinute = 60;  // the finest step of the time that it shows
    const View& view = session_.view;
    if (view.notes_window && !notes_) {
        const std::string problem = window_.open_beside("Warplens: notes");
        if (problem.empty()) notes_ = Notes{};
        session_.complain(problem);
    }
    const std::optional<Vec2> pixels = window_.beside_size();
    if (view.notes_window && !pixels) apply(session_, action::Do::notes_window);  // closed by the person
    if (!view.notes_window || !pixels) {
        notes_.reset();
        return window_.close_beside();
    }
    const DemoRun& run = session_.learning.demo;
    Notes now{notes_page(run, host_.now()), *pixels, &theme(view.look)};
    if (run.playing()) window_.wake_within(kMinute - std::fmod(host_.now() - run.began(), kMinute));
    if (notes_->page == now.page && notes_->pixels.x == pixels->x && notes_->pixels.y == pixels->y &&
        notes_->theme == now.theme)
        return;
    const float scale = notes_scale(now.page, window_.fonts(), *pixels);
    window_.show_beside(draw_notes(now.page, {.theme = now.theme,
                                              .measure = &window_.fonts(),
                                              .size = {pixels->x / scale, pixels->y / scale}}),
                        scale);
    notes_ = std::move(now);
}

bool Shell::indents() const { return ImGui::GetIO().WantTextInput && memory_.b.code.editor.active; }

void Shell::read_keys() {
    const View& view = session_.view;
    ui::follow_mouse(!window_.taps().empty());
    for (const KeyTap& tap : window_.taps()) {
        if (tap.key == kTabKey && !tap.ctrl && !tap.alt && !indents()) {
            tabbed_ = true;
            ui::walk(tap.shift ? -1 : 1);
        }
        const bool was_black = view.black;
        if (was_black) apply(session_, action::Show{&View::black, false});  // any key ends it
        // With the ring of the keyboard's focus on screen, space and arrows belong to the control inside it.
        const KeyContext context{
            .typing = ImGui::GetIO().WantTextInput,
            .editing = indents(),
            .walking = ImGui::GetIO().NavVisible,
            .menu = menu_ || view.start_page || view.requests,
            .own_menu = view.help || view.messages || view.finder || view.fixes || !menu_,
            .projector = view.projector,
            .course = session_.learning.step() != nullptr,
            .tour = view.tour >= 0,
            .export_dialog = session_.figures.dialog() != nullptr};
        const Action asked =
            find_key({tap.key, tap.printed, tap.ctrl, tap.shift, tap.alt, tap.repeat}, context);
        if (!was_black || asked != Action(action::Toggle{&View::black})) apply(session_, asked);
        if (is_enter(tap.key) && asked == Action() && context.walking && !context.typing && !tap.repeat)
            ui::press_walked_to();
        // The tour would cover what a key opens, so it ends.
        if (view.projector || view.finder || view.fixes || session_.figures.dialog() != nullptr)
            session_.view.tour = -1;
        if (!ImGui::IsAnyItemActive()) session_.record_step();
    }
}

// A clicker sends arrows, which must not move a focus about; and on the start page and in a course they have
// another meaning. There they walk through the controls only after Tab, and through what is open, which Esc
// closes.
void Shell::let_keys_walk() {
    const View& view = session_.view;
    const bool lead = view.projector || view.start_page || session_.learning.step() != nullptr;
    if (!lead || ImGui::IsMouseClicked(ImGuiMouseButton_Left)) tabbed_ = false;
    ImGuiIO& io = ImGui::GetIO();
    if (!lead || tabbed_ || menu_)
        io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    else
        io.ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
}

void Shell::draw(Actions& actions) {
    const View& view = session_.view;
    const PanelStyle style{theme(view.look), window_.fonts(), window_.painter(), window_.scale()};
    const Frame& frame = session_.frame();
    const Screen screen{style, frame, view, memory_, actions};
    ui::begin_walk(indents());
    ui::set_walk_color(ui::color(style.colors.accent), style.px(2));
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
    if (view.black)
        show_black(actions);
    else if (view.start_page)
        show_start_page(screen, memory_.start_page);
    else if (view.requests && view.counters && frame.counters.page != nullptr)
        show_counted_launches(screen, memory_.counters);
    else if (view.requests)
        show_requests(screen, memory_.requests);
    else if (view.projector)
        show_projector(screen);
    else
        show_columns(screen);
    ImGui::End();
    if (!view.start_page) memory_.start_page.chosen.reset();
    show_help(style, view, actions);
    show_finder(style, frame, view, memory_.finder, actions);
    show_fixes(style, frame, view, actions);
    show_export_dialog(style, frame.exporting, view, actions);
    show_message_list(style, session_.messages(), view, actions);
    show_tour(style, view, actions);
    menu_ = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
    trace_.write(frame, view, memory_.b.board.motion.target(),
                 {style.scale, host_.user_scale(), window_.frames_drawn()}, notes_ ? notes_->page.head : "");
}

UiTrace::UiTrace() {
    if (const char* path = std::getenv("WARPLENS_UI_TRACE")) path_ = path;
}

void UiTrace::write(const Frame& frame, const View& view, const Picture& board, const Scales& scales,
                    const std::string& notes) {
    if (path_.empty()) return;
    const State& state = *frame.state;
    nlohmann::ordered_json out;
    out["scenario"] = frame.state->scenario->info->id;
    for (const Knob& knob : frame.state->scenario->info->knobs)
        out["knobs"][knob.key] = format_knob(knob, frame.state->params);
    for (const QuantityPair& row : shown_numbers(frame, view)) out["numbers"][row.named().name] = row.a.text;
    for (const QuantityPair& row : frame.evidence->counters) {
        const std::optional<Judgement> judgement = judgement_of(*frame.evidence, row);
        out["counters"][row.a.name] = {{"expected", row.a.text},
                                       {"counted", row.b.text},
                                       {"verdict", verdict_name(judgement.value_or(Judgement{}).verdict)}};
    }
    out["board"] = frame.state->board->key;
    for (const BoardKnob* knob : all_board_knobs()) out["boards"][knob->key] = frame.state->boards[*knob];
    for (const Quantity& row : frame.board_words->numbers) out["board_numbers"][row.name] = row.text;
    out["claim"] = view.claim;
    out[kColdKey] = frame.state->cold;
    out["device"] = frame.devices->at(frame.state->device).name;
    out["drawing"] = frame.drawing;
    out["gpu"] = frame.gpu;
    out["jobs_waiting"] = frame.jobs_waiting;
    out["axis"] = state.axis == nullptr ? "" : std::string(state.axis->key);
    out["second_axis"] = state.second_axis == nullptr ? "" : std::string(state.second_axis->key);
    out["fit"] = frame.fit != nullptr;
    for (const Provenance kind : {Provenance::measured, Provenance::recorded}) {
        std::size_t points = 0;
        for (const MeasuredSeries& series : frame.curve->series) {
            if (series.kind == kind) points += series.points.size();
        }
        out[std::string(provenance_name(kind)) + "_points"] = points;
    }
    out["message"] = frame.messages->last().text;
    out["comparing"] = frame.other != nullptr;
    if (frame.other != nullptr) {
        for (const QuantityPair& row : compared_numbers(frame, view))
            out["compared"][row.named().name] = {
                {"a", row.a.text}, {"b", row.b.text}, {"difference", difference_text(row)}};
        for (const Knob& knob : frame.other->state->scenario->info->knobs)
            out["knobs_of_a"][knob.key] = format_knob(knob, frame.other->state->params);
    }
    if (const ExportView* dialog = frame.exporting; dialog != nullptr)
        out["exporting"] = {
            {"part", part_name(dialog->part)}, {"problem", dialog->problem}, {"asks", dialog->asks},
            {"running", dialog->running},      {"exists", dialog->exists},   {"path", view.export_path}};
    out["frame"] = scales.frames;
    out["theme"] = theme_key(view.look.theme);
    out["palette"] = palette_key(view.look.palette);
    out["scale"] = scales.user;
    out["hovered_lane"] = view.hovered_lane;
    out["focus"] = view.focus;
    out["player_step"] = frame.state->player_step;
    out["help"] = view.help;
    out["finder"] = view.finder;
    out["fixes"] = view.fixes;
    out["answers"] = nlohmann::ordered_json::array();
    if (frame.fixes != nullptr)
        for (const FixAnswer& answer : frame.fixes->answers) out["answers"].push_back(answer.change);
    out["notes"] = notes;
    out["black"] = view.black;
    out["start_page"] = view.start_page;
    out["requests"] = view.requests;
    out["counters_page"] = view.counters;
    out["projector"] = view.projector;
    out["full_screen"] = frame.full_screen;
    out["tour"] = view.tour;
    out["messages"] = view.messages;
    out["columns"] = frame.mode == LayoutMode::three ? 3 : frame.mode == LayoutMode::two ? 2 : 1;
    out["keyboard"] = ui::walked_to();
    out["playing"] = frame.playing;
    trace_learning(*frame.learning, out);
    out["counts_hidden"] = frame.counts_hidden;
    for (const auto& [name, rect] : ui::items()) out["items"][name] = {rect.x, rect.y, rect.w, rect.h};
    trace_board(frame, scales.now, board, out);
    std::string text = out.dump(1);
    if (text == written_) return;
    written_ = std::move(text);
    write_output(path_, written_);
}

}  // namespace warplens
