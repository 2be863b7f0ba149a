#include "app/figures/figure_data.h"

#include "app/base/csv.h"
#include "app/base/parse_number.h"
#include "app/figures/report_writer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace warplens {
namespace {

std::string number(double value) { return fmt::format("{}", value); }

Quantity named(std::string_view name, std::string_view unit) {
    return {.name = std::string(name), .text = {}, .unit = std::string(unit)};
}

/// A position on an axis as a person would type it: a number, or the name of a choice.
std::string data_setting(const Knob& knob, double position) {
    const bool choice = knob.kind == KnobKind::choice;
    const auto name = choice ? choice_name(knob.choices, int(position)) : std::string_view();
    return name.empty() ? number(position) : std::string(name);
}

void add_counts(std::vector<FigureNumber>& rows, const FigurePlan& plan) {
    const Evidence& evidence = plan.evidence();
    for (const CountScope scope : kCountScopes) {
        for (const FigureContent::Item& item : plan.content().instructions) {
            const std::size_t k = item.view.index;
            for (Quantity count : evidence.counts_over(scope, k)) {
                count.text = number(count.amount.value_or(0));
                rows.push_back({.part = std::string(scope_name(scope)),
                                .series = std::string(evidence.report.instructions[k].instruction.label),
                                .quantity = std::move(count)});
            }
        }
    }
}

/// Adds a value that the model predicts. 0 means "not known" and gets no row.
void add_predicted(std::vector<FigureNumber>& rows, FigureNumber row, const Prediction& model) {
    if (model.value <= 0) return;
    row.series = "model";
    row.quantity.text = number(model.value);
    row.quantity.provenance = Provenance::approximate;
    rows.push_back(std::move(row));
}

void add_measured(std::vector<FigureNumber>& rows, FigureNumber row, const MeasuredPoint& point,
                  const std::string& where, Provenance kind) {
    row.series = where;
    row.quantity.text = number(point.value);
    row.lower = point.lower;
    row.upper = point.upper;
    row.quantity.provenance = kind;
    rows.push_back(std::move(row));
}

void add_curve(std::vector<FigureNumber>& rows, const Curve& curve) {
    const SpeedWords& words = speed_words(curve.speed_unit);
    const auto row_at = [&](double x) {
        return FigureNumber{.part = "curve",
                            .x_knob = std::string(curve.knob->key),
                            .x = data_setting(*curve.knob, x),
                            .quantity = named(words.name, words.unit)};
    };
    for (std::size_t i = 0; i < curve.x.size(); ++i) add_predicted(rows, row_at(curve.x[i]), curve.model[i]);
    for (const MeasuredSeries& series : curve.series) {
        for (const MeasuredPoint& point : series.points)
            add_measured(rows, row_at(point.x), point, series.label, series.kind);
    }
}

void add_heatmap(std::vector<FigureNumber>& rows, const Heatmap& map) {
    const SpeedWords& words = speed_words(map.speed_unit);
    for (std::size_t i = 0; i < map.cells.size(); ++i) {
        const HeatmapCell& cell = map.cells[i];
        const FigureNumber row{.part = "heatmap",
                               .x_knob = std::string(map.x_knob->key),
                               .x = data_setting(*map.x_knob, map.x[i % map.x.size()]),
                               .y_knob = std::string(map.y_knob->key),
                               .y = data_setting(*map.y_knob, map.y[i / map.x.size()]),
                               .quantity = named(words.name, words.unit)};
        add_predicted(rows, row, cell.model);
        if (cell.measured) add_measured(rows, row, *cell.measured, map.measured_on.gpu, map.measured_on.kind);
    }
}

void add_fit(std::vector<FigureNumber>& rows, const FitPlot& fit) {
    for (const FitPlot::Point& point : fit.points) {
        const FigureNumber row{.part = "fit",
                               .x_knob = "wavefronts per request",
                               .x = number(point.wavefronts),
                               .quantity = named("cycles per request", "cycles")};
        add_measured(rows, row, {point.wavefronts, point.cycles, point.lower, point.upper},
                     point.setting.empty() ? "all at their defaults" : point.setting, fit.measured_on.kind);
    }
    if (!fit.fit) return;
    const auto add = [&](const char* what, double value) {
        FigureNumber row{.part = "fit", .series = "line", .quantity = named(what, "")};
        row.quantity.text = number(value);
        row.quantity.provenance = fit.measured_on.kind;
        rows.push_back(std::move(row));
    };
    add("slope", fit.fit->slope);
    add("intercept", fit.fit->intercept);
    add("R squared", fit.fit->r_squared);
}

nlohmann::ordered_json number_or_text(const std::string& text) {
    const auto value = parse_number<double>(text);
    if (!value) return text;
    if (const auto whole = parse_number<std::int64_t>(text)) return *whole;
    return *value;
}

std::vector<FigureNumber> rows_of_side(const FigurePlan& plan) {
    const FigureContent& content = plan.content();
    std::vector<FigureNumber> rows;
    if (content.board) {
        for (Quantity& board : board_numbers(plan.board())) {
            if (board.amount)
                board.text = number(*board.amount);
            else
                board.unit.clear();  // it is part of the text
            FigureNumber row{.part = "board", .series = std::move(board.name), .quantity = std::move(board)};
            row.quantity.name.clear();  // it is in the column "series"
            rows.push_back(std::move(row));
        }
        return rows;
    }
    add_counts(rows, plan);
    if (content.curve != nullptr && content.curve->knob != nullptr) add_curve(rows, *content.curve);
    if (content.heatmap != nullptr) add_heatmap(rows, *content.heatmap);
    if (content.fit != nullptr) add_fit(rows, *content.fit);
    return rows;
}

}  // namespace

std::vector<FigureNumber> figure_rows(const FigurePlan& plan) {
    std::vector<FigureNumber> rows = rows_of_side(plan);
    if (plan.other() == nullptr) return rows;
    for (FigureNumber& row : rows) row.series = "B: " + row.series;
    std::vector<FigureNumber> both = rows_of_side(*plan.other());
    for (FigureNumber& row : both) row.series = "A: " + row.series;
    std::ranges::move(rows, std::back_inserter(both));
    return both;
}

std::string figure_to_csv(const FigurePlan& plan) {
    std::string text = "part,series,x_knob,x,y_knob,y,quantity,value,lower,upper,unit,kind\n";
    for (const FigureNumber& row : figure_rows(plan)) {
        const std::string lower = row.lower ? number(*row.lower) : "",
                          upper = row.upper ? number(*row.upper) : "";
        const std::string kind(provenance_name(row.quantity.provenance));
        const std::string fields[] = {row.part,   row.series, row.x_knob,        row.x,
                                      row.y_knob, row.y,      row.quantity.name, row.quantity.text,
                                      lower,      upper,      row.quantity.unit, kind};
        for (const std::string& field : fields)
            text += csv_field(field) + (&field == &fields[11] ? '\n' : ',');
    }
    return text;
}

nlohmann::ordered_json figure_to_json(const FigurePlan& plan, const std::string& out) {
    const FigureMetadata metadata = plan.metadata(out);
    const Scenario& scenario = *plan.state().scenario;
    nlohmann::ordered_json json{{"schema", 1},
                                {"program", metadata.software},
                                {"command", metadata.command},
                                {"title", metadata.title},
                                {"caption", plan.caption()},
                                {"scenario", scenario.info->id},
                                {"device", device_to_json(plan.device())},
                                {"params", params_to_json(scenario, plan.state().params)}};
    if (!metadata.address.empty()) json["address"] = metadata.address;
    if (const FigurePlan* a = plan.other()) {
        json["compared_with"] = {{"scenario", a->state().scenario->info->id},
                                 {"device", device_to_json(a->device())},
                                 {"params", params_to_json(*a->state().scenario, a->state().params)}};
    }
    json["rows"] = nlohmann::ordered_json::array();
    for (const FigureNumber& row : figure_rows(plan)) {
        nlohmann::ordered_json one{{"part", row.part}};
        const auto add = [&one](const char* key, const std::string& text) {
            if (!text.empty()) one[key] = text;
        };
        add("series", row.series);
        add("x_knob", row.x_knob);
        if (!row.x.empty()) one["x"] = number_or_text(row.x);
        add("y_knob", row.y_knob);
        if (!row.y.empty()) one["y"] = number_or_text(row.y);
        add("quantity", row.quantity.name);
        one["value"] = number_or_text(row.quantity.text);
        if (row.lower) one["lower"] = *row.lower;
        if (row.upper) one["upper"] = *row.upper;
        add("unit", row.quantity.unit);
        one["kind"] = provenance_name(row.quantity.provenance);
        json["rows"].push_back(std::move(one));
    }
    return json;
}

}  // namespace warplens
