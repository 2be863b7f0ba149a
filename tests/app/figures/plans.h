#pragma once

#include "app/experiment/heatmap_cells.h"
#include "app/experiment/settings.h"
#include "app/figures/figure_writer.h"
#include "app/figures/formats/drawing.h"
#include "app/figures/render.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace warplens::test {

/// A figure of a scenario for an H200, and everything that it refers to.
class Planned {
public:
    explicit Planned(const std::string& scenario, const FigureOptions& options = {},
                     const std::vector<std::string>& settings = {})
        : experiment_(make_experiment({scenario, settings}, {"H200", true})),
          plan(with_axes(experiment_.state, options), experiment_.devices, options) {}

private:
    static State with_axes(State state, const FigureOptions& options) {
        if (options.view == FigureView::heatmap)
            state.second_axis = usual_second_axis(*state.scenario, state.axis);
        return state;
    }
    Experiment experiment_;

public:
    const FigurePlan plan;

    std::vector<std::uint32_t> trace_words() const {
        std::vector<std::uint32_t> words(sizeof(Trace) / sizeof(std::uint32_t));
        std::memcpy(words.data(), &plan.evidence().trace, sizeof(Trace));
        return words;
    }
    Drawing drawing(const TextMeasure& measure) const {
        return lower_figure(plan.compose(measure), plan.size(), trace_words(), true);
    }
};

inline std::string written(const std::string& scenario, FigureFormat format,
                           const FigureOptions& options = {}, const std::vector<std::string>& settings = {}) {
    FigureWriter writer(true);
    return writer.write(Planned(scenario, options, settings).plan, format, "figure");
}

}  // namespace warplens::test
