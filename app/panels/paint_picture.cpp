#include "app/panels/paint_picture.h"

#include "app/gl/painter.h"
#include "app/panels/widgets.h"
#include "app/pictures/kit/looks.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace warplens {
namespace {

std::uint64_t mix_key(std::uint64_t seed, std::uint64_t value) {
    return (seed ^ value) * 0x9e37'79b9'7f4a'7c15ull + (seed << 7);
}

}  // namespace

std::uint64_t picture_key(const PanelStyle& style, const Frame& frame, const View& view, Vec2 size,
                          bool compact) {
    std::uint64_t key = mix_key(frame.generation, static_cast<std::uint64_t>(view.look.theme));
    key = mix_key(key, static_cast<std::uint64_t>(view.look.palette));
    key = mix_key(key, view.projector);
    key = mix_key(key, std::bit_cast<std::uint32_t>(size.x));
    key = mix_key(key, std::bit_cast<std::uint32_t>(size.y));
    key = mix_key(key, static_cast<std::uint64_t>(view.hovered_lane + 1));
    key = mix_key(key, static_cast<std::uint64_t>(frame.state->only_wavefront + 1));
    key = mix_key(key, static_cast<std::uint64_t>(frame.state->color_by) * 2 + compact);
    key = mix_key(key, frame.counts_hidden);
    key = mix_key(key, std::bit_cast<std::uint64_t>(frame.state->board));
    return mix_key(key, std::bit_cast<std::uint32_t>(style.scale));
}

const Hit* paint(const PanelStyle& style, const Frame& frame, const Picture& picture, const char* id) {
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const ImVec2 size(style.px(picture.size.x), style.px(picture.size.y));
    ImGui::InvisibleButton(id, ImVec2(std::max(size.x, 1.0f), std::max(size.y, 1.0f)));
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
    return view.projector ? with_thick_lines(std::move(picture), kThicker) : std::move(picture);
}

Vec2 room_here(const PanelStyle& style, float least) {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    return {room.x / style.scale, std::max(room.y / style.scale, least)};
}

}  // namespace warplens
