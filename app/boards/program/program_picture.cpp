#include "app/boards/program/program_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace warplens {
namespace {

constexpr float kStepHead = 22, kHeadLine = 17, kRowGap = 8, kNameApart = 10, kLeastBarRow = 18,
                kMostBarRow = 110, kMostLifeBar = 60, kLine = 24;
constexpr int kLegendRows = 3, kMostTimeLines = 4;

/// A program while it is drawn.
struct ProgramCanvas {
    Canvas& canvas;
    const ProgramView& view;
    float left = 0, label_w = 0, column_w = 0;
    float top = 0, row_h = 0;   ///< of the rows of variables
    bool declarations = false;  ///< whether there is room for them, or only for names
    int head_lines = 1;         ///< over which the names of the steps are spread
    int time_lines = 1;         ///< over which their times are

    const Theme& theme() const { return canvas.theme; }
    float column_x(int step) const { return left + label_w + column_w * float(step); }
    float row_y(int row) const { return top + row_h * float(row); }
    Rect column(int step, float y, float h) const { return {column_x(step), y, column_w, h}; }
    float times_height() const { return kStepHead + kHeadLine * float(time_lines - 1); }
    float head_height() const { return kStepHead + kHeadLine * float(head_lines - 1); }
};

std::string link_to_step(int step) { return fmt::format("?board=program&program.step={}", step); }

Color color_of(ValuePlace place, const Theme& theme) {
    return place == ValuePlace::host ? theme.series[kSeriesModel] : theme.series[kSeriesMeasured];
}

std::string_view place_name(ValuePlace place) {
    return place == ValuePlace::host        ? "host"
           : place == ValuePlace::gpu       ? "GPU"
           : place == ValuePlace::undefined ? "no value"
                                            : "";
}

std::string versions_text(const ProgramVariable& variable) {
    if (variable.scope == ProgramScope::thread)
        return fmt::format("{}, one per thread: {}", variable.memory, format_count(variable.versions));
    if (variable.scope == ProgramScope::block)
        return fmt::format("{}, one per block: {}", variable.memory, format_count(variable.versions));
    return fmt::format("{}, one", variable.memory);
}

std::string variable_tip(const ProgramVariable& variable) {
    constexpr const char* kScopes[] = {"the host", "its thread only", "all threads of its block",
                                       "all threads of all launches"};
    return fmt::format("{}\n{}\nseen by {}\n{} each, {} in all", variable.declaration,
                       versions_text(variable), kScopes[int(variable.scope)],
                       format_size(double(variable.bytes)),
                       format_size(double(variable.bytes * variable.versions)));
}

/// Its name stands in its first column, so that the frame round a step does not cross it.
void draw_bar(const ProgramCanvas& d, Rect bar, ValuePlace place) {
    const Color color = color_of(place, d.theme());
    if (place == ValuePlace::undefined) {
        d.canvas.box({.rect = bar, .stroke = d.theme().outline, .rounding = 3, .hatch = d.theme().hatch});
        return;
    }
    d.canvas.box({.rect = bar, .fill = color, .rounding = 3});
    d.canvas.label_inside({bar.x, bar.y, d.column_w - 4, bar.h}, place_name(place), FontRole::body,
                          text_on(color));
}

/// Bars from where a variable gets to a place until it leaves it.
void draw_life(const ProgramCanvas& d, const ProgramVariable& variable, int row) {
    for (int from = 0; from < kProgramSteps;) {
        const ValuePlace place = variable.place[from];
        int to = from + 1;
        while (to < kProgramSteps && variable.place[to] == place) ++to;
        if (place != ValuePlace::nowhere) {
            // What ends with the program reaches into its last step.
            const float last = to + 1 == kProgramSteps ? d.column_w / 2 : 0;
            const float x = d.column_x(from), w = d.column_x(to) + last - x;
            const float h = std::min(d.row_h - 4, kMostLifeBar);
            draw_bar(d, {x + 2, d.row_y(row) + (d.row_h - h) / 2, w - 4, h}, place);
        }
        from = to;
    }
}

void draw_row(const ProgramCanvas& d, const ProgramVariable& variable, int row) {
    Canvas& canvas = d.canvas;
    const float y = d.row_y(row), room = d.label_w - 8;
    const std::string below = d.declarations ? versions_text(variable) : std::string(variable.memory);
    const bool two = d.row_h >= 40 && canvas.width(below, FontRole::body) <= room;
    canvas.line({d.left, y + d.row_h}, {d.column_x(kProgramSteps), y + d.row_h}, d.theme().grid);
    const std::string& name = d.declarations ? variable.declaration : variable.name;
    canvas.label_middle({d.left, y + (two ? d.row_h / 2 - kNameApart : d.row_h / 2)},
                        canvas.elide(name, FontRole::mono, room), FontRole::mono, d.theme().text);
    if (two)
        canvas.label_middle({d.left, y + d.row_h / 2 + kNameApart}, below, FontRole::body,
                            d.theme().text_weak);
    canvas.hit({.rect = {d.left, y, d.label_w, d.row_h}, .tooltip = variable_tip(variable)});
    draw_life(d, variable, row);
    for (int step = 0; step < kProgramSteps; ++step) {
        const ValuePlace place = variable.place[step];
        canvas.hit({.rect = d.column(step, y, d.row_h),
                    .tooltip = fmt::format(
                        "{}: {}\nclick: show this step", variable.name,
                        place == ValuePlace::nowhere
                            ? step + 1 == kProgramSteps && variable.at(ProgramStep::release) != place
                                  ? "ends with the program"
                                  : "does not exist"
                        : place == ValuePlace::undefined
                            ? "exists, but nobody has given it a value"
                            : fmt::format("its value is in the memory of the {}", place_name(place))),
                    .link = link_to_step(step)});
    }
}

/// Over how many lines the names of the steps must be spread so that none overlaps the next on its line.
int head_lines(const ProgramCanvas& d) {
    constexpr int kMostLines = 4;
    float widest = 0;
    for (int step = 0; step < kProgramSteps; ++step)
        widest = std::max(widest, d.canvas.width(program_step_name(d.view.setting.kind, ProgramStep(step)),
                                                 FontRole::strong));
    return std::clamp(int(std::ceil((widest + 6) / d.column_w)), 1, kMostLines);
}

/// Names of the steps above the columns. In narrow columns they take turns on several lines.
void draw_heads(const ProgramCanvas& d, float y) {
    for (int step = 0; step < kProgramSteps; ++step) {
        const bool now = step == int(d.view.step);
        const std::string text(program_step_name(d.view.setting.kind, ProgramStep(step)));
        const Rect head = d.column(step, y, d.head_height());
        const float x = head.x + head.w / 2, line = y + kHeadLine * float(step % d.head_lines);
        d.canvas.label_middle({x, line + kStepHead / 2}, text, now ? FontRole::strong : FontRole::body,
                              now ? d.theme().highlight : d.theme().text_weak, Anchor::middle);
        d.canvas.hit({.rect = head,
                      .tooltip = program_line(d.view.setting, ProgramStep(step)) + "\nclick: show this step",
                      .link = link_to_step(step)});
    }
}

std::string time_tip(const ProgramView& view, ProgramStep step, const WitnessValue& time) {
    return fmt::format("{} {}: {}, from {} to {} in 9 runs\n{}", provenance_mark(Provenance::recorded),
                       program_step_name(view.setting.kind, step), microseconds_text(time.median),
                       microseconds_text(time.least), microseconds_text(time.most), view.witness->where());
}

/// Over how many lines the recorded times of the steps must be spread to have room below the columns; 0 if
/// there are none.
int time_lines(const ProgramCanvas& d) {
    if (d.view.witness == nullptr) return 0;
    float widest = 0;
    for (int step = 0; step < kProgramSteps; ++step) {
        if (const WitnessValue* time = d.view.time(ProgramStep(step)))
            widest = std::max(widest, d.canvas.width(microseconds_text(time->median), FontRole::strong));
    }
    return widest <= 0 ? 0 : int(std::ceil((widest + 4) / d.column_w));
}

void draw_times(const ProgramCanvas& d, float y) {
    Canvas& canvas = d.canvas;
    const std::string label =
        fmt::format("{} {}", provenance_mark(Provenance::recorded), d.view.witness->gpu);
    canvas.label_middle({d.left, y + kStepHead / 2}, canvas.elide(label, FontRole::body, d.label_w - 8),
                        FontRole::body, d.theme().text_weak);
    for (int step = 0; step < kProgramSteps; ++step) {
        const WitnessValue* time = d.view.time(ProgramStep(step));
        if (time == nullptr) continue;
        const bool now = step == int(d.view.step);
        const Rect place = d.column(step, y, d.times_height());
        const float line = y + kHeadLine * float(step % d.time_lines) + kStepHead / 2;
        canvas.label_middle({place.x + place.w / 2, line}, microseconds_text(time->median),
                            now ? FontRole::strong : FontRole::body,
                            now ? d.theme().highlight : d.theme().text, Anchor::middle);
        canvas.hit({.rect = place,
                    .tooltip = time_tip(d.view, ProgramStep(step), *time),
                    .link = link_to_step(step)});
    }
}

/// The line of code of the step, and its recorded time at the right.
void draw_code(const ProgramCanvas& d, float y, float width) {
    Canvas& canvas = d.canvas;
    float room = width;
    if (const WitnessValue* time = d.view.time(d.view.step); time != nullptr) {
        const std::string text =
            fmt::format("{} {}", provenance_mark(Provenance::recorded), microseconds_text(time->median));
        canvas.label_middle({d.left + width, y + kLine / 2}, text, FontRole::strong, d.theme().text,
                            Anchor::end);
        const float used = canvas.width(text, FontRole::strong) + 12;
        canvas.hit({.rect = {d.left + width - used, y, used, kLine},
                    .tooltip = time_tip(d.view, d.view.step, *time)});
        room -= used;
    }
    canvas.label_middle({d.left, y + kLine / 2},
                        canvas.elide(program_line(d.view.setting, d.view.step), FontRole::mono, room),
                        FontRole::mono, d.theme().text);
}

Legend program_legend(const Theme& theme) {
    Legend legend;
    legend.add_box("value in host memory", {.fill = color_of(ValuePlace::host, theme), .rounding = 3});
    legend.add_box("value in the GPU's memory", {.fill = color_of(ValuePlace::gpu, theme), .rounding = 3});
    legend.add_box("exists, without a value", {.stroke = theme.outline, .rounding = 3, .hatch = theme.hatch});
    return legend;
}

/// The widest names of the rows that leave the columns enough room.
void place_columns(ProgramCanvas& d, const std::array<ProgramVariable, 8>& variables, float width) {
    constexpr float kLeastColumn = 62;
    float names = 0, declarations = 0;
    for (const ProgramVariable& variable : variables) {
        names = std::max({names, d.canvas.width(variable.name, FontRole::mono),
                          d.row_h >= 40 ? d.canvas.width(variable.memory, FontRole::body) : 0});
        declarations =
            std::max({declarations, d.canvas.width(variable.declaration, FontRole::mono),
                      d.row_h >= 40 ? d.canvas.width(versions_text(variable), FontRole::body) : 0});
    }
    d.declarations = declarations + 12 + kLeastColumn * kProgramSteps <= width;
    d.label_w = (d.declarations ? declarations : names) + 12;
    d.column_w = (width - d.label_w) / kProgramSteps;
}

}  // namespace

std::string microseconds_text(double us) {
    if (us >= 1e6) return fmt::format("{:.3g} s", us / 1e6);
    if (us >= 999.5) return fmt::format("{:.3g} ms", us / 1e3);
    return fmt::format("{:.3g} µs", us);
}

Picture draw_program(const ProgramView& view, const Style& style) {
    const ProgramSetting& setting = view.setting;
    Canvas canvas(style, "Host program",
                  fmt::format("{}, {} elements, blocks of {}",
                              !setting.kind.managed   ? "cudaMalloc and cudaMemcpy"
                              : setting.kind.prefetch ? "managed memory, prefetched"
                                                      : "managed memory",
                              format_count(setting.elements()), setting.block));
    const float top = canvas.draw_title() + (style.embedded ? 0.0f : 4.0f);
    const float edge = style.embedded ? 2.0f : 12.0f, x = canvas.margin(), width = canvas.inner_width();
    const auto variables = program_variables(setting);
    const Legend legend = program_legend(canvas.theme);
    const float legend_h = legend.height(canvas, width, kLegendRows);
    const float fixed = kStepHead + kLine + legend_h + 2 * kRowGap;
    const float least = fixed + kLeastBarRow * float(variables.size());
    const Sentences words =
        fit_sentences(explain_program(view), style, width, style.size.y - top - edge - least);
    // The room of the longest sentences, so that the picture stands still while steps go by.
    float sentences = words.height();
    for (int step = 0; step < kProgramSteps; ++step) {
        const ProgramView other{setting, ProgramStep(step), view.witness};
        sentences = std::max(
            sentences,
            fit_sentences(explain_program(other), style, width, style.size.y - top - edge - least).height());
    }
    const float bottom = style.size.y - edge - sentences;
    ProgramCanvas d{canvas, view, x};
    const auto place = [&](float times) {
        d.top = top + d.head_height();
        const float rows = bottom - d.top - (fixed - kStepHead) - times;
        d.row_h = std::clamp(rows / float(variables.size()), 1.0f, kMostBarRow);
        place_columns(d, variables, width);
        return d.row_h >= kLeastBarRow;
    };
    const auto place_with_times = [&] {
        for (d.time_lines = 1; d.time_lines <= kMostTimeLines; ++d.time_lines) {
            const bool room = place(d.times_height());
            const int needed = time_lines(d);
            if (room && needed > 0 && needed <= d.time_lines) return true;
        }
        d.time_lines = 1;
        place(0);
        return false;
    };
    bool times = place_with_times();
    for (int lines = head_lines(d); lines > d.head_lines; lines = head_lines(d)) {
        d.head_lines = lines;
        times = place_with_times();
    }
    draw_heads(d, top);
    for (std::size_t row = 0; row < variables.size(); ++row) draw_row(d, variables[row], int(row));
    const float below = d.row_y(int(variables.size()));
    // Below the names, of which some are wider than their columns.
    canvas.frame({d.column_x(int(view.step)), d.top, d.column_w, below - d.top}, canvas.theme.highlight, 2,
                 3);
    if (times) draw_times(d, below);
    const float code_y = below + (times ? d.times_height() : 0) + kRowGap;
    draw_code(d, code_y, width);
    legend.draw(canvas, x, code_y + kLine + kRowGap / 2, width, kLegendRows);
    draw_sentences(canvas, words, x, bottom);
    return canvas.take();
}

}  // namespace warplens
