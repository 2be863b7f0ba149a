#include "app/panels/picture_panel.h"

#include "app/gl/fonts.h"
#include "app/gl/painter.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <bit>

namespace warplens {
namespace {

using ui::px;

/// So many instructions have their names side by side; of more, only the chosen one.
constexpr int kMostNamed = 4;

std::uint64_t mix_key(std::uint64_t seed, std::uint64_t value) {
    return (seed ^ value) * 0x9e37'79b9'7f4a'7c15ull + (seed << 7);
}

std::uint64_t picture_key(const PictureCache& cache, const Frame& frame, const View& view, Vec2 size,
                          bool compact) {
    std::uint64_t key = mix_key(cache.generation, static_cast<std::uint64_t>(view.theme));
    key = mix_key(key, std::bit_cast<std::uint32_t>(size.x));
    key = mix_key(key, std::bit_cast<std::uint32_t>(size.y));
    key = mix_key(key, static_cast<std::uint64_t>(view.hovered_lane + 1));
    key = mix_key(key, static_cast<std::uint64_t>(frame.state->only_wavefront + 1));
    key = mix_key(key, static_cast<std::uint64_t>(frame.state->color_by) * 2 + compact);
    return mix_key(key, std::bit_cast<std::uint32_t>(frame.scale));
}

/// Paint a picture here and read the mouse over it. @return  what is under the mouse, or null.
const Hit* paint(const Frame& frame, const Picture& picture, const char* id) {
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const ImVec2 size(px(frame, picture.size.x), px(frame, picture.size.y));
    ImGui::InvisibleButton(id, ImVec2(std::max(size.x, 1.0f), std::max(size.y, 1.0f)));
    frame.painter->paint(picture, ImGui::GetWindowDrawList(), origin.x, origin.y, frame.scale, *frame.fonts,
                         frame.trace_texture, frame.image_texture);
    if (!ImGui::IsItemHovered()) return nullptr;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const Hit* hit = picture.hit_at({(mouse.x - origin.x) / frame.scale, (mouse.y - origin.y) / frame.scale});
    if (hit != nullptr && !hit->tooltip.empty()) ui::tip(frame, hit->tooltip);
    return hit;
}

void show_instruction(const Frame& frame, const View& view, PictureCache& cache, int k, Vec2 room,
                      bool compact, Wishes& wishes) {
    const auto index = static_cast<std::size_t>(k);
    if (cache.instructions.size() <= index) cache.instructions.resize(index + 1);
    CachedPicture& cached = cache.instructions[index];
    const std::uint64_t key = picture_key(cache, frame, view, room, compact);
    if (cached.key != key) {
        const Style style{&theme(view.theme), frame.fonts, room, view.hovered_lane, true, compact};
        cached.picture = draw_instruction(*frame.analysis, k, *frame.state, style);
        cached.key = key;
    }
    const std::string id = fmt::format("picture.{}", k);
    const Hit* hit = paint(frame, cached.picture, id.c_str());
    ui::mark(id);
    if (hit != nullptr && hit->lane >= 0) {
        wishes.hovered_lane = hit->lane;
        wishes.hovered_instruction = k;
    }
    if (compact && ImGui::IsItemHovered() && ImGui::IsMouseReleased(ImGuiMouseButton_Left)) wishes.focus = k;
}

/// The wavefront player: which wavefront is shown, and a colour key's choice.
void show_player(const Frame& frame, const Theme& colors, const BankReport& banks, Wishes& wishes) {
    const int count = banks.count.wavefronts, now = frame.state->only_wavefront;
    const auto step_to = [&](const char* label, const char* name, int target, const char* tooltip,
                             bool enabled) {
        ImGui::BeginDisabled(!enabled);
        if (ui::pill(frame, colors, label, false)) wishes.only_wavefront = target;
        ui::mark(name);
        ImGui::EndDisabled();
        ui::tip(frame, tooltip);
        ImGui::SameLine(0, px(frame, 2));
    };
    step_to("←", "player.back", now - 1, "The wavefront before (key ,)", now > -1);
    ImGui::AlignTextToFramePadding();
    ui::text(now < 0 ? (count == 1 ? std::string("1 wavefront") : fmt::format("all {} wavefronts", count))
                     : fmt::format("wavefront {} of {}", now + 1, count));
    ui::tip(
        frame,
        "A wavefront is one trip through the banks: each bank gives one word, to every lane that wants it.");
    ImGui::SameLine(0, px(frame, 2));
    step_to("→", "player.next", now + 1, "The next wavefront (key .)", now < count - 1);
    step_to("all", "player.all", -1, "All wavefronts at once", now >= 0);
    ImGui::SameLine(0, px(frame, 12));
    const bool words = frame.state->color_by == ColorBy::words;
    if (ui::pill(frame, colors, words ? "colour: words in the bank" : "colour: wavefront", false)) {
        wishes.color_by = words ? ColorBy::wavefront : ColorBy::words;
    }
    ui::mark("color_by");
    ui::tip(
        frame,
        "What a cell's colour says: in which wavefront it is served, or how many distinct words its bank has to give.");
}

void show_head(const Frame& frame, const View& view, Wishes& wishes) {
    const Theme& colors = theme(view.theme);
    const auto& rows = frame.analysis->report.instructions;
    const int count = static_cast<int>(rows.size());
    if (count > 1) {
        if (ui::pill(frame, colors, "All", view.focus < 0)) wishes.focus = -1;
        ui::mark("focus.all");
        ui::tip(frame, "Every instruction of the kernel side by side.");
        for (int k = 0; k < count; ++k) {
            ImGui::SameLine(0, px(frame, 2));
            const Instruction& instruction = rows[static_cast<std::size_t>(k)].instruction;
            const bool named = count <= kMostNamed || view.focus == k;  // many names do not fit on a line
            const std::string label =
                named ? fmt::format("{} {}", k + 1, instruction.label) : fmt::format(" {} ", k + 1);
            if (ui::pill(frame, colors, label.c_str(), view.focus == k)) wishes.focus = k;
            ui::mark(fmt::format("focus.{}", k));
            ui::tip(frame, fmt::format("{}\n{}", instruction.label, instruction.code));
        }
    }
    if (view.focus < 0) return;
    const auto k = static_cast<std::size_t>(view.focus);
    if (count == 1) {
        const ui::FontScope heading(frame, FontRole::strong);
        ImGui::AlignTextToFramePadding();
        ui::text(picture_title(rows[k].instruction.space));
        ImGui::SameLine(0, px(frame, 12));
    }
    if (rows[k].instruction.space == Space::shared) {
        if (count > 1) ImGui::Dummy(ImVec2(0, 0));
        show_player(frame, colors, frame.analysis->banks[k], wishes);
    } else if (count == 1) {
        ImGui::AlignTextToFramePadding();
        ui::text_weak(colors, fmt::format("one warp, {}", rows[k].instruction.label));
    }
}

Vec2 room_here(const Frame& frame) {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    return {room.x / frame.scale, room.y / frame.scale};
}

}  // namespace

void show_pictures(const Frame& frame, const View& view, PictureCache& cache, Wishes& wishes) {
    show_head(frame, view, wishes);
    const int count = static_cast<int>(frame.analysis->report.instructions.size());
    if (view.focus >= 0) {
        show_instruction(frame, view, cache, std::min(view.focus, count - 1), room_here(frame), false,
                         wishes);
        return;
    }
    const float gap = 12;
    const Vec2 room = room_here(frame);
    const int columns = count > kMostNamed ? 3 : count > 2 ? 2 : 1, rows = (count + columns - 1) / columns;
    const Vec2 cell{(room.x - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns),
                    (room.y - gap * static_cast<float>(rows - 1)) / static_cast<float>(rows)};
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    for (int k = 0; k < count; ++k) {
        const float x = static_cast<float>(k % columns) * (cell.x + gap),
                    y = static_cast<float>(k / columns) * (cell.y + gap);
        ImGui::SetCursorScreenPos(ImVec2(origin.x + px(frame, x), origin.y + px(frame, y)));
        show_instruction(frame, view, cache, k, cell, true, wishes);
    }
}

namespace {

/// The present prediction in words: "○ 571 GB/s, limited by DRAM", "○ 281 cycles, mostly L2 latency".
std::string prediction_text(const Prediction& here) {
    const bool waits = here.quantity == Quantity::cycles;
    if (here.value <= 0) return waits ? "○ not known for this device" : "○ nothing to predict";
    const std::string value = here.value < 100 ? fmt::format("{:.1f}", here.value)
                                               : format_count(static_cast<std::int64_t>(here.value + 0.5));
    return fmt::format("○ {} {}, {} {}", value, words_of(here.quantity).unit, waits ? "mostly" : "limited by",
                       here.limiter);
}

void show_plot_head(const Frame& frame, const Theme& colors, const Curve& curve, Wishes& wishes) {
    const QuantityWords& words = words_of(curve.quantity);
    {
        const ui::FontScope strong(frame, FontRole::strong);
        ImGui::AlignTextToFramePadding();
        ui::text(fmt::format("{} against", words.title));
    }
    ui::tip(frame, words.meaning);
    ImGui::SameLine(0, px(frame, 8));
    ImGui::SetNextItemWidth(px(frame, 130));
    const bool open =
        ImGui::BeginCombo("##axis", curve.knob == nullptr ? "" : std::string(curve.knob->label).c_str());
    ui::mark("axis");
    if (open) {
        for (const Knob& knob : frame.state->scenario->info->knobs) {
            if (!knob.axis) continue;
            if (ImGui::Selectable(std::string(knob.label).c_str(), &knob == curve.knob)) wishes.axis = &knob;
            ui::mark(fmt::format("axis.{}", knob.key));
        }
        ImGui::EndCombo();
    }
    ImGui::SameLine(0, px(frame, 12));
    if (ui::pill(frame, colors, "log", curve.log_axes)) wishes.log_axes = !curve.log_axes;
    ui::mark("log_axes");
    ui::tip(frame, "Logarithmic axes.");
    if (curve.knob == nullptr || curve.model.empty()) return;
    ImGui::SameLine(0, px(frame, 12));
    ImGui::AlignTextToFramePadding();
    ui::text_weak(colors, prediction_text(frame.analysis->prediction));
    ui::tip(frame,
            curve.quantity == Quantity::cycles
                ? "Approximate: the device's published or measured latencies, by which memory answers."
                : "Approximate: a formula with a stated source. The limit is what takes longest of DRAM "
                  "traffic, sectors to and from the L2, bytes that threads have in flight, and the work "
                  "inside the SM.");
}

}  // namespace

void show_plot(const Frame& frame, const View& view, const Curve& curve, PictureCache& cache,
               Wishes& wishes) {
    const Theme& colors = theme(view.theme);
    show_plot_head(frame, colors, curve, wishes);
    const Vec2 room = room_here(frame);
    View still = view;
    still.hovered_lane = -1;  // the plot shows no lanes
    const std::uint64_t key = picture_key(cache, frame, still, room, false);
    if (cache.plot.key != key) {
        cache.plot.picture = draw_bandwidth(curve, {&colors, frame.fonts, room, -1, true, false});
        cache.plot.key = key;
    }
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    paint(frame, cache.plot.picture, "plot");
    ui::mark("plot");
    const std::optional<PlotArea>& area = cache.plot.picture.plot;
    const Vec2 mouse{(ImGui::GetIO().MousePos.x - origin.x) / frame.scale,
                     (ImGui::GetIO().MousePos.y - origin.y) / frame.scale};
    if (!area || area->x_stops.empty()) return;
    if (ImGui::IsItemActive())
        wishes.axis_value = area->nearest_stop(mouse.x);  // click, or drag the present setting
    if (ImGui::IsItemHovered() && area->rect.contains(mouse)) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
}

}  // namespace warplens
