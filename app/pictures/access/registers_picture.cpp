#include "app/pictures/access/explain.h"
#include "app/pictures/access/warp_canvas.h"
#include "app/pictures/kit/fit_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace warplens {
namespace {

constexpr int kPicturedRegisters = 4;  ///< boxes per lane where values stay; a lane has up to 255

struct RegistersCanvas : WarpCanvas {
    const LaneRow& before;
    const LaneRow& after;
};

/// A wire from the lane that gives to the lane that takes, in the giver's colour.
void draw_exchange_wires(const RegistersCanvas& d) {
    for (const bool hovered : {false, true}) {
        for (int lane = 0; lane < kWarpLanes; ++lane) {
            if (!d.active(lane)) continue;
            const int source = source_lane(d.access, lane);
            const bool points = d.hovered() >= 0 && (lane == d.hovered() || source == d.hovered());
            if (points != hovered) continue;
            const Color own = distinct_from(lane_color(d.canvas.theme, source), d.canvas.theme.panel, 2.6);
            const bool faint = d.hovered() >= 0 && !points;
            const Color color = points ? d.canvas.theme.highlight : with_alpha(own, faint ? 0.12f : 0.8f);
            d.canvas.wire({d.before.center(source), d.before.bottom()}, {d.after.center(lane), d.after.y - 5},
                          color,
                          points                   ? 2.2f
                          : d.canvas.style.compact ? 1.0f
                                                   : 1.6f);
        }
    }
}

/// The point of an arrow above a cell.
void draw_arrow_tip(const RegistersCanvas& d, int lane, Color color) {
    const float x = d.after.center(lane), y = d.after.y - 1, size = std::min(4.0f, d.after.pitch * 0.3f);
    d.canvas.add(Path{{{x - size, y - size - 1}, {x, y}, {x + size, y - size - 1}}, color, 1.6f});
}

void draw_takers(const RegistersCanvas& d) {
    Canvas& canvas = d.canvas;
    const Theme& theme = canvas.theme;
    canvas.label_middle({canvas.margin(), d.after.y + d.after.h / 2}, "after", FontRole::body,
                        theme.text_weak);
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        const Rect cell = inset(d.after.cell(lane), std::min(0.75f, d.after.pitch * 0.06f));
        if (!d.active(lane)) {
            canvas.frame(inset(cell, 0.5f), theme.outline, 1, 2);
            canvas.hit(d.after.cell(lane), lane, fmt::format("lane {}\nnot active", lane));
            continue;
        }
        const int source = source_lane(d.access, lane);
        const bool known = d.active(source), dim = d.dimmed(1u << lane | 1u << source);
        const Color fill = d.faded(known ? lane_color(d.canvas.theme, source) : theme.panel, dim);
        canvas.box({.rect = cell,
                    .fill = fill,
                    .stroke = d.faded(known ? distinct_from(fill, theme.panel, 3) : theme.bad, dim),
                    .rounding = 2,
                    .hatch = known ? Color{0, 0, 0, 0} : with_alpha(theme.bad, 0.6f)});
        draw_arrow_tip(d, lane,
                       d.faded(distinct_from(lane_color(d.canvas.theme, source), theme.panel, 2.6), dim));
        if (d.after.numbers && known) canvas.lane_number(cell, source, d.ink(fill, dim));
        canvas.hit(d.after.cell(lane), lane,
                   fmt::format("lane {}\n{} the value of {}lane {}{}", lane,
                               source == lane ? "keeps" : "takes", source == lane ? "its own register, " : "",
                               source, known ? "" : "\nwhich is not active: undefined"));
        if (lane == d.hovered()) canvas.highlight(d.after.cell(lane), 2);
    }
}

void draw_exchange(const WarpCanvas& warp, LaneRow before, float bottom) {
    LaneRow after = before;
    const bool note = !warp.canvas.style.compact && bottom - before.bottom() > 110;
    const float room = bottom - before.bottom() - before.h - (note ? 30.0f : 4.0f);
    after.y = before.bottom() + std::clamp(room, 12.0f, 640.0f);
    const RegistersCanvas d{warp, before, after};
    draw_exchange_wires(d);
    draw_takers(d);
    draw_lanes(warp, before, "before", [&](int lane) {
        const int source = source_lane(warp.access, lane);
        return source == lane ? std::string("keeps its own value")
                              : fmt::format("takes the value of lane {}", source);
    });
    if (note) {
        const std::string_view look = after.numbers ? "colour and number" : "colour";
        const std::string text =
            fit_text(warp.canvas,
                     {fmt::format("After the exchange: {} of the lane whose value a lane holds", look),
                      fmt::format("after: {} of the lane whose value it holds", look),
                      "after: whose value it holds", ""},
                     FontRole::body, before.width());
        warp.canvas.label({before.x, after.bottom() + 8 + ascent(FontRole::body)}, text, FontRole::body,
                          warp.canvas.theme.text_weak);
    }
}

/// Every lane with its own registers below it; the one that is used is filled.
void draw_kept(const WarpCanvas& warp, const LaneRow& lanes, float bottom) {
    Canvas& canvas = warp.canvas;
    const Theme& theme = canvas.theme;
    const float wires = std::clamp((bottom - lanes.bottom()) * 0.28f, 6.0f, 120.0f);
    const float top = lanes.bottom() + wires;
    const float pitch = std::clamp((bottom - top) / (kPicturedRegisters + 1), 6.0f, 34.0f);
    const int used = std::max(1, std::min(kPicturedRegisters, warp.access.bytes_per_lane / 4));
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        const Rect column = lanes.cell(lane);
        for (int r = 0; r < kPicturedRegisters; ++r) {
            const Rect cell = inset({column.x, top + float(r) * pitch, column.w, pitch - 3},
                                    std::min(0.75f, lanes.pitch * 0.06f));
            if (warp.active(lane) && r < used) {
                draw_lane_cell(warp, cell, 1u << lane, lane_color(warp.canvas.theme, lane), lanes.numbers);
                canvas.hit(cell, lane, fmt::format("lane {}\nits own register holds the value", lane));
            } else {
                canvas.frame(cell, mix(theme.panel, theme.outline, 0.5f - 0.1f * float(r)), 1, 2);
            }
        }
        if (!warp.active(lane)) continue;
        const bool hovered = lane == warp.hovered();
        const Color own = distinct_from(lane_color(warp.canvas.theme, lane), theme.panel, 2.6);
        canvas.line({lanes.center(lane), lanes.bottom() + 1}, {lanes.center(lane), top - 1},
                    hovered ? theme.highlight : with_alpha(own, warp.hovered() >= 0 ? 0.12f : 0.8f),
                    hovered ? 2.2f : 1.4f);
    }
    // If the wires are short, the name of the cells is enough: the tops are the lanes.
    const float middle = top + (pitch - 3) / 2;
    const bool both = middle - (lanes.y + lanes.h / 2) >= line_height(FontRole::body) - 2;
    canvas.label_middle({canvas.margin(), middle}, "register", FontRole::body, theme.text_weak);
    const float end = top + kPicturedRegisters * pitch;
    if (end + line_height(FontRole::body) <= bottom && !canvas.style.compact) {
        const std::string text = "… and the other registers of each lane";
        canvas.label_elided({lanes.x, end + 2 + ascent(FontRole::body)}, text, FontRole::body,
                            theme.text_weak, lanes.width());
    }
    draw_lanes(warp, lanes, both ? "lanes" : "",
               [](int) { return std::string("the value stays in its own register"); });
}

std::string kept(const Exchange& x) {
    const int rest = x.active - x.moved;
    if (rest == 0) return {};
    return rest == 1 ? std::string("; 1 lane keeps its own") : fmt::format("; {} lanes keep their own", rest);
}

void say_exchange(Explanation& e, const Exchange& x) {
    const std::string values =
        fmt::format("{} {}", counted(x.moved, "value"), x.moved == 1 ? "moves" : "move");
    if (x.moved == 0) return e.say("Every lane keeps its own value", ": 0 values move.");
    if (x.sources == 1 && x.active > 1)
        return e.say(fmt::format("{} take the value of lane {}", lanes_phrase(x.active), x.first_source),
                     fmt::format(": {} in one instruction.", values));
    if (x.exclusive_or > 0)
        return e.say(fmt::format("Lane i takes the value of lane i ^ {}", x.exclusive_or),
                     fmt::format(": {} in one instruction.", values));
    if (x.step != 0)
        return e.say(values + " in one instruction",
                     fmt::format(", each from the lane {} {}{}.", std::abs(x.step),
                                 x.step > 0 ? "further on" : "before it", kept(x)));
    e.say(values + " between lanes in one instruction", kept(x) + ".");
}

}  // namespace

Picture draw_registers(const InstructionView& view, const Style& style) {
    const WarpAccess& access = view.report->access;
    const bool stays = access.op == Op::store;
    const bool by_value = view.report->instruction.by_value != ByValue::no;
    Canvas canvas(style, title_of(view, style, picture_title(Space::registers)),
                  style.compact ? std::string(stays      ? "stays in registers"
                                              : by_value ? "equal lanes"
                                                         : "shuffle between lanes")
                                : subtitle_of(view, style, "registers"));
    const Explanation explanation = explain(view);
    const PictureFrame frame = open_frame(canvas, explanation, 76);
    const WarpCanvas warp{canvas, access};
    const float left = canvas.margin() + canvas.width(stays ? "register" : "before", FontRole::body) +
                       (style.compact ? 6.0f : 12.0f);
    const LaneRow lanes = lay_out_lanes(canvas, left, style.size.x - canvas.margin() - left, frame.top,
                                        frame.bottom - frame.top);
    if (stays) {
        draw_kept(warp, lanes, frame.bottom);
    } else {
        draw_exchange(warp, lanes, frame.bottom);
    }
    const Exchange x = describe_exchange(access);
    const int moved = stays ? 0 : x.moved;
    close_frame(canvas, frame, explanation.good,
                stays      ? std::string("no memory is accessed")
                : by_value ? counted(x.sources, "distinct value")
                           : fmt::format("{} {}", counted(moved, "value"), moved == 1 ? "moves" : "move"),
                stays      ? ""
                : by_value ? "one after the other"
                           : "in one instruction");
    return canvas.take();
}

Exchange describe_exchange(const WarpAccess& access) {
    Exchange x{.active = std::popcount(access.active)};
    if (x.active == 0) return x;
    x.first_source = source_lane(access, std::countr_zero(access.active));
    std::uint32_t sources = 0;
    bool same_xor = true, same_step = true;
    for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest), source = source_lane(access, lane);
        sources |= 1u << source;
        x.undefined += (access.active >> source & 1u) == 0;
        const int exclusive = lane ^ source;
        if (rest == access.active) x.exclusive_or = exclusive;
        same_xor = same_xor && exclusive == x.exclusive_or;
        if (source == lane) continue;
        if (x.moved++ == 0) x.step = source - lane;
        same_step = same_step && source - lane == x.step;
    }
    x.sources = std::popcount(sources);
    if (!same_xor) x.exclusive_or = 0;
    if (!same_step) x.step = 0;
    return x;
}

Explanation explain_registers(const InstructionView& view) {
    const WarpAccess& access = view.report->access;
    if (access.op == Op::store) {
        const int active = std::popcount(access.active);
        return said(fmt::format("{} {} in registers", lanes_phrase(active),
                                active == 1 ? "keeps its value" : "keep their values"),
                    ": no memory is accessed.",
                    "The compiler knows which register is meant, so there is no address to send anywhere.",
                    true);
    }
    const Exchange x = describe_exchange(access);
    if (view.report->instruction.by_value != ByValue::no)
        return said(
            fmt::format("{} have {}", lanes_phrase(x.active), counted(x.sources, "distinct value")),
            ": each takes a turn.",
            view.report->instruction.by_value == ByValue::match
                ? "The first lane of each value finds the others that have it. No address is sent to "
                  "any memory."
                : "What lanes with the same value bring is added up. No address is sent to any memory.",
            true);
    Explanation e{.good = x.undefined == 0};
    say_exchange(e, x);
    e.why = "The values go from register to register: no address is sent to any memory.";
    if (x.undefined > 0)
        e.why = fmt::format(
            "{} the value of a lane that is not active, which is undefined.",
            x.undefined == 1 ? std::string("1 lane takes") : fmt::format("{} lanes take", x.undefined));
    return e;
}

}  // namespace warplens
