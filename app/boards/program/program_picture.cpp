#include "app/boards/program/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

constexpr float kStepHead = 22, kHeadLine = 17, kRowGap = 8, kNameApart = 10, kLeastBarRow = 18,
                kMostBarRow = 110, kMostLifeBar = 60, kLine = 24;
constexpr int kLegendRows = 3, kMostTimeLines = 4;

/// A variable of the program, for as long as which it has a bar.
struct VariableRow {
    std::string name, declaration, memory, versions, tip;
    std::string life;  ///< a letter for each step, as in assets/boards/program.json
};

/// A program while it is drawn.
struct ProgramCanvas {
    Canvas& canvas;
    const Story& story;
    const std::vector<VariableRow> rows;
    float left = 0;
    const std::vector<StoryPart>& steps = story.steps();
    std::vector<std::string> names = {}, times = {};  ///< of the steps; a time is empty if there is none
    float label_w = 0, column_w = 0;
    float top = 0, row_h = 0;   ///< of the rows of variables
    bool declarations = false;  ///< whether there is room for them, or only for names
    int head_lines = 1;         ///< over which the names of the steps are spread
    int time_lines = 1;         ///< over which their times are

    const Theme& theme() const { return canvas.theme; }
    int count() const { return story.count(); }
    bool is_now(int step) const { return step == story.step(); }
    FontRole font(int step) const { return is_now(step) ? FontRole::strong : FontRole::body; }
    float column_x(int step) const { return left + label_w + column_w * float(step); }
    float row_y(int row) const { return top + row_h * float(row); }
    Rect column(int step, float y, float h) const { return {column_x(step), y, column_w, h}; }
    float times_height() const { return kStepHead + kHeadLine * float(time_lines - 1); }
    float head_height() const { return kStepHead + kHeadLine * float(head_lines - 1); }
};

std::vector<VariableRow> variable_rows(const Story& story) {
    std::vector<VariableRow> rows;
    for (const StoryPart& one : story.all().parts("variables")) {
        VariableRow row{.name = one.text("name"),
                        .declaration = one.text("declaration"),
                        .memory = one.text("memory"),
                        .versions = fmt::format("{}, {}", one.text("memory"), one.text("versions")),
                        .life = one.text("life")};
        row.tip = fmt::format("{}\n{}\nseen by {}\n{} each, {} in all", row.declaration, row.versions,
                              one.text("seen"), one.text("each"), one.text("all"));
        row.life.resize(story.count(), '.');
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string link_to_step(int step) { return fmt::format("?board=program&program.step={}", step); }

Color color_of(char place, const Theme& theme) {
    return theme.series[place == 'h' ? kSeriesModel : kSeriesMeasured];
}

/// Its name stands in its first column, so that the frame round a step does not cross it.
void draw_bar(const ProgramCanvas& d, Rect bar, char place) {
    if (place == '?') {
        d.canvas.box({.rect = bar, .stroke = d.theme().outline, .rounding = 3, .hatch = d.theme().hatch});
        return;
    }
    const Color color = color_of(place, d.theme());
    d.canvas.box({.rect = bar, .fill = color, .rounding = 3});
    d.canvas.label_inside({bar.x, bar.y, d.column_w - 4, bar.h}, place == 'h' ? "host" : "GPU",
                          FontRole::body, text_on(color));
}

/// Bars from where a variable gets to a place until it leaves it.
void draw_life(const ProgramCanvas& d, const std::string& life, int row) {
    for (int from = 0; from < d.count();) {
        const int to = int(std::min(life.find_first_not_of(life[from], from), life.size()));
        if (life[from] != '.') {
            // A variable that ends with the program reaches into its last step.
            const float last = to + 1 == d.count() ? d.column_w / 2 : 0;
            const float x = d.column_x(from), w = d.column_x(to) + last - x;
            const float h = std::min(d.row_h - 4, kMostLifeBar);
            draw_bar(d, {x + 2, d.row_y(row) + (d.row_h - h) / 2, w - 4, h}, life[from]);
        }
        from = to;
    }
}

std::string_view place_words(const std::string& life, int step) {
    switch (life[step]) {
        case 'h':
            return "its value is in the memory of the host";
        case 'g':
            return "its value is in the memory of the GPU";
        case '?':
            return "exists, but nobody has given it a value";
        default:
            return step + 1 == int(life.size()) && life[step - 1] != '.' ? "ends with the program"
                                                                         : "does not exist";
    }
}

void draw_row(const ProgramCanvas& d, int index) {
    Canvas& canvas = d.canvas;
    const VariableRow& row = d.rows[index];
    const float y = d.row_y(index), room = d.label_w - 8;
    const std::string& below = d.declarations ? row.versions : row.memory;
    const bool two = d.row_h >= 40 && canvas.width(below, FontRole::body) <= room;
    canvas.line({d.left, y + d.row_h}, {d.column_x(d.count()), y + d.row_h}, d.theme().grid);
    canvas.label_middle({d.left, y + (two ? d.row_h / 2 - kNameApart : d.row_h / 2)},
                        canvas.elide(d.declarations ? row.declaration : row.name, FontRole::mono, room),
                        FontRole::mono, d.theme().text);
    if (two)
        canvas.label_middle({d.left, y + d.row_h / 2 + kNameApart}, below, FontRole::body,
                            d.theme().text_weak);
    canvas.hit({.rect = {d.left, y, d.label_w, d.row_h}, .tooltip = row.tip});
    draw_life(d, row.life, index);
    for (int step = 0; step < d.count(); ++step)
        canvas.hit(
            {.rect = d.column(step, y, d.row_h),
             .tooltip = fmt::format("{}: {}\nclick: show this step", row.name, place_words(row.life, step)),
             .link = link_to_step(step)});
}

/// Names of the steps above the columns. In narrow columns they take turns on several lines.
void draw_heads(const ProgramCanvas& d, float y) {
    for (int step = 0; step < d.count(); ++step) {
        const Rect head = d.column(step, y, d.head_height());
        const float x = head.x + head.w / 2, line = y + kHeadLine * float(step % d.head_lines);
        d.canvas.label_middle({x, line + kStepHead / 2}, d.names[step], d.font(step),
                              d.is_now(step) ? d.theme().highlight : d.theme().text_weak, Anchor::middle);
        d.canvas.hit({.rect = head,
                      .tooltip = d.steps[step].text("line") + "\nclick: show this step",
                      .link = link_to_step(step)});
    }
}

std::string time_tip(const ProgramCanvas& d, int step) {
    return fmt::format("{} {}: {}, {}\n{}", provenance_mark(Provenance::recorded), d.names[step],
                       d.times[step], d.story.value(d.steps[step].text("time") + "_range").text,
                       d.story.value("where").text);
}

/// Over how many lines texts must be spread, one for each column, so that none overlaps the next on its line.
int lines_for(const ProgramCanvas& d, const std::vector<std::string>& texts, float apart) {
    float widest = 0;
    for (const std::string& text : texts) widest = std::max(widest, d.canvas.width(text, FontRole::strong));
    return widest <= 0 ? 0 : int(std::ceil((widest + apart) / d.column_w));
}
int head_lines(const ProgramCanvas& d) { return std::min(lines_for(d, d.names, 6), 4); }
/// 0 if there are no times.
int time_lines(const ProgramCanvas& d) { return lines_for(d, d.times, 4); }

void draw_times(const ProgramCanvas& d, float y) {
    Canvas& canvas = d.canvas;
    const std::string label =
        fmt::format("{} {}", provenance_mark(Provenance::recorded), d.story.value("gpu").text);
    canvas.label_middle({d.left, y + kStepHead / 2}, canvas.elide(label, FontRole::body, d.label_w - 8),
                        FontRole::body, d.theme().text_weak);
    for (int step = 0; step < d.count(); ++step) {
        const std::string& time = d.times[step];
        if (time.empty()) continue;
        const Rect place = d.column(step, y, d.times_height());
        const float line = y + kHeadLine * float(step % d.time_lines) + kStepHead / 2;
        canvas.label_middle({place.x + place.w / 2, line}, time, d.font(step),
                            d.is_now(step) ? d.theme().highlight : d.theme().text, Anchor::middle);
        canvas.hit({.rect = place, .tooltip = time_tip(d, step), .link = link_to_step(step)});
    }
}

/// The line of code of the step, and its recorded time at the right.
void draw_code(const ProgramCanvas& d, float y, float width) {
    Canvas& canvas = d.canvas;
    float room = width;
    if (const std::string& time = d.times[d.story.step()]; !time.empty()) {
        const std::string text = fmt::format("{} {}", provenance_mark(Provenance::recorded), time);
        canvas.label_middle({d.left + width, y + kLine / 2}, text, FontRole::strong, d.theme().text,
                            Anchor::end);
        const float used = canvas.width(text, FontRole::strong) + 12;
        canvas.hit({.rect = {d.left + width - used, y, used, kLine}, .tooltip = time_tip(d, d.story.step())});
        room -= used;
    }
    canvas.label_middle({d.left, y + kLine / 2},
                        canvas.elide(d.story.now().text("line"), FontRole::mono, room), FontRole::mono,
                        d.theme().text);
}

Legend program_legend(const Theme& theme) {
    Legend legend;
    legend.add_box("value in host memory", {.fill = color_of('h', theme), .rounding = 3});
    legend.add_box("value in the GPU's memory", {.fill = color_of('g', theme), .rounding = 3});
    legend.add_box("exists, without a value", {.stroke = theme.outline, .rounding = 3, .hatch = theme.hatch});
    return legend;
}

/// The widest names of the rows that leave the columns enough room.
void place_columns(ProgramCanvas& d, float width) {
    constexpr float kLeastColumn = 62;
    float names = 0, declarations = 0;
    for (const VariableRow& row : d.rows) {
        names = std::max({names, d.canvas.width(row.name, FontRole::mono),
                          d.row_h >= 40 ? d.canvas.width(row.memory, FontRole::body) : 0});
        declarations = std::max({declarations, d.canvas.width(row.declaration, FontRole::mono),
                                 d.row_h >= 40 ? d.canvas.width(row.versions, FontRole::body) : 0});
    }
    d.declarations = declarations + 12 + kLeastColumn * float(d.count()) <= width;
    d.label_w = (d.declarations ? declarations : names) + 12;
    d.column_w = (width - d.label_w) / float(d.count());
}

}  // namespace

Picture draw_program(const Story& story, const Style& style) {
    Canvas canvas(style, "Host program", story.all().text("subtitle"));
    const float top = canvas.draw_title() + (style.embedded ? 0.0f : 4.0f);
    const float edge = style.embedded ? 2.0f : 12.0f, x = canvas.margin(), width = canvas.inner_width();
    ProgramCanvas d{canvas, story, variable_rows(story), x};
    for (const StoryPart& step : d.steps) {
        const StoryValue* time = time_of(story, step);
        d.names.push_back(step.text("name"));
        d.times.push_back(time == nullptr ? std::string() : time->text);
    }
    const auto rows = int(d.rows.size());
    const Legend legend = program_legend(canvas.theme);
    const float legend_h = legend.height(canvas, width, kLegendRows);
    const float fixed = kStepHead + kLine + legend_h + 2 * kRowGap;
    const StorySentences words =
        fit_sentences(story, style, width, style.size.y - top - edge - (fixed + kLeastBarRow * float(rows)));
    const float bottom = style.size.y - edge - words.height;
    const auto place = [&](float times) {
        d.top = top + d.head_height();
        d.row_h = std::clamp((bottom - d.top - (fixed - kStepHead) - times) / float(rows), 1.0f, kMostBarRow);
        place_columns(d, width);
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
    for (int row = 0; row < rows; ++row) draw_row(d, row);
    const float below = d.row_y(rows);
    // Below the names, of which some are wider than their columns.
    canvas.frame({d.column_x(story.step()), d.top, d.column_w, below - d.top}, canvas.theme.highlight, 2, 3);
    if (times) draw_times(d, below);
    const float code_y = below + (times ? d.times_height() : 0) + kRowGap;
    draw_code(d, code_y, width);
    legend.draw(canvas, x, code_y + kLine + kRowGap / 2, width, kLegendRows);
    draw_sentences(canvas, words.now, x, bottom);
    return canvas.take();
}

}  // namespace warplens
