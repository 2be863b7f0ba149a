#include "app/boards/ladder/rungs.h"
#include "app/boards/list.h"
#include "app/boards/roofline/roofline_picture.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

Picture ladder_picture(const BoardInput& input, const Style& style) {
    return draw_rungs(climb_rungs(input), style);
}

Explanation ladder_explanation(const BoardInput& input) { return explain_rungs(climb_rungs(input)); }

/// A rung's speeds: one row for each that is known.
void add_speeds(std::vector<Quantity>& rows, const RungFacts& rung, const RungsView& view) {
    const auto add = [&](Provenance kind, double speed, std::string source) {
        // "predicted" as in the picture; its mark says that it is approximate.
        const std::string_view word = kind == Provenance::approximate ? "predicted" : provenance_name(kind);
        rows.push_back({.name = fmt::format("{}, {}", rung.rung->name, word),
                        .text = flop_text(speed),
                        .provenance = kind,
                        .source = std::move(source),
                        .amount = speed,
                        .better = Better::more,
                        .unit = "GFLOP/s"});
    };
    if (rung.measured) add(Provenance::measured, *rung.measured, "Measured on this GPU.");
    if (rung.recorded) add(Provenance::recorded, *rung.recorded, view.where);
    if (rung.prediction.value > 0)
        add(Provenance::approximate, rung.prediction.value,
            fmt::format("Limited by {}: {}", limiter_name(rung.prediction.limiter),
                        limiter_meaning(rung.prediction.limiter)));
}

std::vector<Quantity> ladder_numbers(const BoardInput& input) {
    const RungsView view = climb_rungs(input);
    std::vector<Quantity> rows;
    if (view.peak > 0)
        rows.push_back({.name = "peak FP32",
                        .text = flop_text(view.peak),
                        .source = "SMs x lanes x 2 x clock.",
                        .amount = view.peak,
                        .better = Better::more,
                        .unit = "GFLOP/s"});
    if (view.library)
        rows.push_back({.name = "cuBLAS",
                        .text = flop_text(*view.library),
                        .provenance = Provenance::recorded,
                        .source = view.where,
                        .amount = *view.library,
                        .better = Better::more,
                        .unit = "GFLOP/s"});
    for (Quantity& row : rows) row.main = true;
    const auto best = std::ranges::max_element(view.rungs, {}, &RungFacts::best);
    for (const RungFacts& rung : view.rungs) {
        // As in the headline.
        const bool main = &rung == (view.present < 0 ? &*best : &view.rungs[view.present]);
        const std::size_t before = rows.size();
        add_speeds(rows, rung, view);
        for (std::size_t i = before; i < rows.size(); ++i) rows[i].main = main;
        const auto add = [&](std::string_view name, double amount, std::string unit, std::string source) {
            rows.push_back({.name = fmt::format("{}, {}", rung.rung->name, name),
                            .text = fmt::format("{} {}", few_digits(amount), unit),
                            .source = std::move(source),
                            .amount = amount,
                            .better = Better::less,
                            .unit = std::move(unit)});
        };
        add("shared", rung.shared_bytes, "B/FMA",
            "Bytes that lanes move to and from shared memory, for each multiply-add.");
        add("wavefronts", rung.wavefronts, "per FMA",
            "Wavefronts of shared memory for each multiply-add of a warp.");
        add("global", rung.global_bytes, "B/FMA",
            "Bytes that lanes load from and store to global memory, for each multiply-add.");
    }
    return rows;
}

std::vector<std::string> ladder_caption(const BoardInput& input) {
    const RungsView view = climb_rungs(input);
    std::vector<std::string> caption{fmt::format("matrices of {0} × {0} floats", view.matrix),
                                     view.device->name};
    if (!view.where.empty()) caption.push_back(fmt::format("▲ {}", view.where));
    caption.emplace_back("predictions ○ approximate, bytes and wavefronts ● exact");
    return caption;
}

}  // namespace

constinit const Board kLadderBoard{
    {.key = "ladder",
     .label = "Ladder",
     .tooltip =
         "A matrix product from the first attempt to the library's speed: what each step brings, and why.",
     .lesson = "board-ladder"},
    ladder_picture,
    ladder_numbers,
    ladder_explanation,
    ladder_caption};

}  // namespace warplens
