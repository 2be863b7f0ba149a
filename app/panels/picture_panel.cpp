#include "app/panels/picture_panel.h"

#include "app/boards/access/kernel_verdict.h"
#include "app/gl/painter.h"
#include "app/panels/widgets.h"
#include "app/pictures/access/explain.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

/// The least height of a picture [points]; a panel that is lower scrolls.
constexpr float kLeastHeight = 150;

}  // namespace

namespace {

/// A lane that is explained stays lit, and its sentence below the numbers, until another one is.
void show_lane_entries(const View& view, Actions& actions) {
    const auto explain = [&](int lane, int instruction) {
        actions.set(view, &View::kept_lane, lane);
        actions.set(view, &View::kept_instruction, instruction);
    };
    ImGuiStorage& opened = *ImGui::GetStateStorage();  // over which lane
    const ImGuiID lane = ImGui::GetID("lane"), instruction = ImGui::GetID("instruction");
    if (ImGui::IsWindowAppearing()) {
        const bool over = view.hovered_lane >= 0 && view.hovered_lane != view.kept_lane;
        opened.SetInt(lane, over ? view.hovered_lane : (view.kept_lane + 1) % kWarpLanes);
        opened.SetInt(instruction, over ? view.hovered_instruction : view.kept_instruction);
    }
    if (ImGui::MenuItem(fmt::format("Explain lane {}", opened.GetInt(lane)).c_str()))
        explain(opened.GetInt(lane), opened.GetInt(instruction));
    ui::mark("picture.menu.lane");
    if (view.kept_lane < 0) return;
    if (ImGui::MenuItem("Explain no lane")) explain(-1, -1);
    ui::mark("picture.menu.no_lane");
}

}  // namespace

void show_picture_menu(const PanelStyle& style, const Frame& frame, const View& view, Actions& actions) {
    const ui::FontScope body(style, FontRole::body);
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    if (view.picture_menu && !ImGui::IsPopupOpen("picture.menu")) {  // by a key, so it is not at the mouse
        ImGui::SetNextWindowPos(ImVec2((low.x + high.x) / 2, (low.y + high.y) / 2));
        ImGui::OpenPopup("picture.menu");
        actions.set(view, &View::picture_menu, false);
    }
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(style.px(10), style.px(8)));
    const bool open = ImGui::BeginPopupContextItem("picture.menu");
    ImGui::PopStyleVar();
    if (!open) return;
    const auto entry = [&](const char* label, const char* name, action::Do act) {
        if (ImGui::MenuItem(label)) actions.add(act);
        ui::mark(fmt::format("picture.menu.{}", name));
    };
    entry("Copy as picture", "copy", action::Do::copy_picture);
    entry("Copy the numbers behind it", "data", action::Do::copy_data);
    entry("Copy the command that makes it", "command", action::Do::copy_command);
    entry("Copy a link to it", "link", action::Do::copy_link);
    entry("Export ...", "export", action::Do::open_export);
    ImGui::Separator();
    entry(frame.state->compared ? "Stop comparing" : "Compare with what I set next", "compare",
          action::Do::compare);
    if (frame.state->board->instructions) {
        show_lane_entries(view, actions);
        if (ImGui::MenuItem("What would fix it?")) actions.add(action::Show{&View::fixes});
        ui::mark("picture.menu.fixes");
        entry(frame.state->bits ? "Show memory" : "Show the bits of addresses", "bits",
              action::Do::toggle_bits);
    }
    ImGui::EndPopup();
}

void show_instruction(const PanelStyle& style, const Frame& frame, const View& view, PictureCache& cache,
                      int k, Vec2 room, bool compact, Actions& actions) {
    const std::size_t index = k;
    if (cache.instructions.size() <= index) cache.instructions.resize(index + 1);
    CachedPicture& cached = cache.instructions[index];
    const PictureKey key = picture_key(style, frame, view,
                                       {.size = room,
                                        .hovered_lane = lit_lane(view),
                                        .embedded = true,
                                        .compact = compact,
                                        .counts_hidden = frame.counts_hidden,
                                        .silent = true});
    const Picture& picture = shown_picture(cached, key, frame, view, actions, [&](const Style& look) {
        return for_view(view, draw_instruction(*frame.evidence, k, *frame.state, look));
    });
    const std::string id = fmt::format("{}picture.{}", frame.is_other ? "a." : "", k);
    const Hit* hit = paint(style, frame, picture, id.c_str());
    ui::mark(id);
    if (!frame.is_other) show_picture_menu(style, frame, view, actions);
    if (hit != nullptr && hit->lane >= 0) {
        actions.hover.lane = hit->lane;
        actions.hover.instruction = k;
    }
    if (compact && view.hovered_instruction == k)  // its line of code is under the mouse, or it is
        ui::add_rect(ImGui::GetWindowDrawList(), ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                     ui::color(style.colors.accent), style.px(4), style.px(1.5f));
    if (compact && ImGui::IsItemHovered() && ImGui::IsMouseReleased(ImGuiMouseButton_Left))
        actions.add(action::Focus{k});
}

void show_pictures(const PanelStyle& style, const Frame& frame, const View& view, PictureCache& cache,
                   Actions& actions) {
    const bool has_choice = frame.evidence->report.instructions.size() > 1;
    if (!view.projector || has_choice) show_picture_head(style, frame, view, actions);
    show_instructions(style, frame, view, cache, actions);
}

void show_instructions(const PanelStyle& style, const Frame& frame, const View& view, PictureCache& cache,
                       Actions& actions) {
    const int count = int(frame.evidence->report.instructions.size());
    // One side of a comparison is rather small than cut.
    const bool compared = frame.other != nullptr || frame.is_other;
    const float least = !compared ? kLeastHeight : view.projector ? kLeastOfSide : kLeastSmall;
    if (view.focus >= 0) {
        const int k = std::min(view.focus, count - 1);
        Vec2 room = room_here(style, least);
        // A side of a comparison has no headline.
        const bool says = compared && !view.projector && !frame.counts_hidden;
        const Explanation words = judged_as_a_whole(*frame.state->scenario)
                                      ? frame.board_words->explanation
                                      : explain(view_of(*frame.evidence, k), frame.evidence->tiles[k]);
        if (says) room.y = std::max(kLeastRoom.y, room.y - verdict_height(style, words) / style.scale);
        show_instruction(style, frame, view, cache, k, room, false, actions);
        if (says) show_verdict(style, words, tone_of_access(frame, words));
        return;
    }
    show_all_instructions(style, frame, view, cache, least, actions);
}

std::string instruction_name(const Instruction& instruction, int k) {
    return fmt::format("{} {}", k + 1, instruction.label);
}

const Picture& shown_picture(CachedPicture& cached, const PictureKey& key, const Frame& frame,
                             const View& view, Actions& actions,
                             const std::function<Picture(const Style&)>& draw) {
    const double now = ImGui::GetTime();
    if (cached.key != key) {
        const bool glide = frame.motion && view.motion && cached.key &&
                           cached.key->state.scenario == key.state.scenario &&
                           (cached.key->state.params != key.state.params ||
                            cached.key->state.boards != key.state.boards || cached.motion.is_moving());
        cached.motion.show(draw(key.look), now, glide);
        cached.key = key;
    }
    const Picture& picture = cached.motion.at(now);
    if (cached.motion.is_moving()) actions.redraw(0);
    return picture;
}

int lit_lane(const View& view) {
    return view.projector && !ImGui::IsMouseDown(ImGuiMouseButton_Left) ? -1 : view.hovered_lane;
}

float verdict_height(const PanelStyle& style, const Explanation& explanation) {
    if (explanation.verdict.empty()) return 0;
    const ui::FontScope strong(style, FontRole::strong);
    const ImVec2 size =
        ImGui::CalcTextSize(explanation.verdict.c_str(), nullptr, false, ImGui::GetContentRegionAvail().x);
    return size.y + ImGui::GetStyle().ItemSpacing.y + style.px(4);
}

void show_verdict(const PanelStyle& style, const Explanation& explanation, Tone tone) {
    const ui::FontScope strong(style, FontRole::strong);
    ui::wrapped(style.of(tone), explanation.verdict);
    ui::terms_tip(style, explanation.verdict);
}

PictureKey picture_key(const PanelStyle& style, const Frame& frame, const View& view, Style look) {
    look.theme = &style.colors;
    look.measure = &style.fonts;
    constexpr float kBackRow = 24;  // type that it can read [pixels]
    look.far = view.projector && style.px(font_points(FontRole::cell)) < kBackRow;
    return {frame.answers, *frame.state, look, style.scale, view.projector};
}

const Hit* paint(const PanelStyle& style, const Frame& frame, const Picture& picture, const char* id) {
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const ImVec2 size(style.px(picture.size.x), style.px(picture.size.y));
    ui::press_area(id, size);
    style.painter.paint(picture, ImGui::GetWindowDrawList(), origin.x, origin.y, style.scale, style.fonts,
                        frame.trace_texture, frame.image_texture);
    if (!ImGui::IsItemHovered()) return nullptr;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const Hit* hit = picture.hit_at({(mouse.x - origin.x) / style.scale, (mouse.y - origin.y) / style.scale});
    if (hit != nullptr && !hit->tooltip.empty()) ui::tip(style, hit->tooltip);
    return hit;
}

Picture for_view(const View& view, Picture picture) {
    constexpr float kThicker = 1.6f;
    if (!view.projector) return picture;
    for (Hit& hit : picture.hits) hit.tooltip.clear();
    return with_thick_lines(std::move(picture), kThicker);
}

Vec2 room_here(const PanelStyle& style, float least) {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    return {std::max(room.x / style.scale, kLeastRoom.x),
            std::max({room.y / style.scale, kLeastRoom.y, least})};
}

}  // namespace warplens
