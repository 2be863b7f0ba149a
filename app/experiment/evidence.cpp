#include "app/experiment/evidence.h"

#include "app/base/format.h"
#include "app/experiment/quantities.h"
#include "app/model/access/filter_sectors.h"
#include "app/model/access/sectors.h"
#include "app/model/device/caches.h"
#include "app/model/time/bank_loop.h"
#include "app/pictures/kit/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <mutex>
#include <tuple>

namespace warplens {
namespace {

void add_details(Evidence& evidence, const WarpAccess& access, const DeviceFacts& device) {
    const Space space = access.space;
    evidence.banks.push_back(has_banks(space) ? analyze_banks(access, device.bank_rules) : BankReport{});
    evidence.sectors.push_back(!has_sectors(space) ? SectorReport{}
                               : space == Space::local
                                   ? analyze_sectors(interleave_local(access), local_rules(device))
                                   : analyze_sectors(access, device.sector_rules));
    evidence.constants.push_back(space == Space::constant ? analyze_constant(access) : ConstantReport{});
    evidence.textures.push_back(space == Space::texture ? analyze_texture(access) : TextureReport{});
}

TraceBlock trace_of(const WarpAccess& access, const BankReport& banks) {
    TraceBlock block{};
    const bool shared = has_banks(access.space);
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        const bool active = (access.active >> lane & 1u) != 0;
        block.active[lane] = active;
        block.address_low[lane] = active ? static_cast<std::uint32_t>(access.byte_address[lane]) : 0;
        block.address_high[lane] = active ? static_cast<std::uint32_t>(access.byte_address[lane] >> 32) : 0;
        block.wavefront[lane] = !active ? kTraceInactive : shared ? banks.wavefront[lane] : 0;
    }
    if (!shared) return block;
    for (int group = 0; group < kMaxGroups; ++group) {
        std::copy(banks.words[group].begin(), banks.words[group].end(), block.words[group]);
    }
    return block;
}

/// The source of the plot's peak. Empty if there is no peak.
std::string peak_source(const Scenario& scenario, const DeviceFacts& device, const Prediction& here) {
    const double sm_hz = device.sm_count * device.clock_mhz * 1e6;
    if (here.peak <= 0 || here.speed_unit == SpeedUnit::cycles) return {};
    if (here.speed_unit == SpeedUnit::gb_per_s && here.shared_memory)
        return fmt::format("SMs × clock × {:.0f} B", here.peak * 1e9 / sm_hz);
    if (here.speed_unit == SpeedUnit::gflop_per_s) return "SMs × FP32 lanes × 2 × clock";
    if (scenario.info->time == TimeModel::walk) return "datasheet, of DRAM";
    return "datasheet";
}

}  // namespace

Evidence gather_evidence(const Setting& setting, const std::vector<DeviceFacts>& devices, Observed observed) {
    const DeviceFacts& device = devices.at(setting.device);
    Evidence evidence;
    evidence.setting = setting;
    evidence.report = analyze(*setting.scenario, setting.params, device);
    const Report& report = evidence.report;
    evidence.trace_request = {setting.scenario->info->id, setting.params, report.place.block,
                              report.place.warp_in_block, report.step,    device.bank_rules};
    for (std::size_t k = 0; k < report.instructions.size(); ++k) {
        const InstructionReport& row = report.instructions[k];
        add_details(evidence, row.access, device);
        evidence.tiles.push_back(tile_shape(*setting.scenario, setting.params, row.instruction));
        evidence.trace.instructions[k] = trace_of(row.access, evidence.banks.back());
    }
    std::vector<Totals> grids;
    for (const InstructionReport& row : report.instructions) grids.push_back(row.grid);
    evidence.expected = expect_counters(*setting.scenario, setting.params, device, grids);
    evidence.prediction = predict(*setting.scenario, setting.params, device, setting.cold);
    add_model_quantities(evidence, device);
    return with_observed(std::move(evidence), std::move(observed));
}

Evidence request_evidence(const InstructionReport& request, const DeviceFacts& device) {
    Evidence evidence;
    evidence.report.sector_rules = device.sector_rules;
    evidence.report.kind = request.kind;
    evidence.report.instructions.push_back(request);
    evidence.trace_request.rules = device.bank_rules;
    add_details(evidence, request.access, device);
    evidence.tiles.emplace_back();
    evidence.trace.instructions[0] = trace_of(request.access, evidence.banks.front());
    return evidence;
}

Evidence with_observed(Evidence evidence, Observed observed) {
    evidence.observed = std::move(observed);
    add_observed_quantities(evidence);
    return evidence;
}

std::shared_ptr<const Evidence> EvidenceStore::of(const Setting& setting,
                                                  const std::vector<DeviceFacts>& devices) {
    constexpr std::size_t kMost = 16;
    const auto found = std::ranges::find_if(
        kept_, [&](const std::shared_ptr<const Evidence>& one) { return one->setting == setting; });
    if (found != kept_.end()) {
        std::rotate(found, found + 1, kept_.end());
        return kept_.back();
    }
    if (kept_.size() >= kMost) kept_.erase(kept_.begin());
    ++gathered_;
    kept_.push_back(std::make_shared<const Evidence>(gather_evidence(setting, devices)));
    return kept_.back();
}

InstructionView view_of(const Evidence& evidence, int instruction) {
    const std::size_t k = instruction;
    const InstructionReport& row = evidence.report.instructions.at(k);
    const Space space = row.instruction.space;
    InstructionView view{.report = &row, .shape = &evidence.report.shape, .index = instruction};
    view.bank_rules = evidence.trace_request.rules;
    view.place = evidence.report.place;
    if (has_banks(space)) view.banks = &evidence.banks[k];
    if (has_sectors(space)) view.sectors = &evidence.sectors[k];
    if (space == Space::constant) view.constant = &evidence.constants[k];
    if (space == Space::texture) view.texture = &evidence.textures[k];
    return view;
}

Picture draw_instruction(const Evidence& evidence, int instruction, const State& state, const Style& style) {
    const InstructionView view = view_of(evidence, instruction);
    return draw_access(view, evidence.tiles[instruction], access_look(state), style);
}

namespace {

/// Predictions for typed kernels, whose every setting has to be executed.
class KeptPredictions {
public:
    struct Key {
        const Scenario* scenario;
        Params params;
        std::string device;
        BankMode bank_mode;
        bool cold;
        friend bool operator==(const Key&, const Key&) = default;
    };

    std::optional<Prediction> find(const Key& key) const {
        const std::scoped_lock lock(mutex_);
        const auto found = std::ranges::find(kept_, key, &std::pair<Key, Prediction>::first);
        return found == kept_.end() ? std::nullopt : std::optional(found->second);
    }
    void keep(const Key& key, const Prediction& prediction) {
        const std::scoped_lock lock(mutex_);
        if (kept_.size() >= kMost) kept_.pop_front();
        kept_.emplace_back(key, prediction);
    }

private:
    static constexpr std::size_t kMost = 512;
    mutable std::mutex mutex_;
    std::deque<std::pair<Key, Prediction>> kept_;
};

KeptPredictions& kept_predictions() {
    static KeptPredictions kept;
    return kept;
}

/// The params at a value of the axis.
Params params_at(const State& state, int value) {
    if (state.scenario->typed == nullptr) return with_knob(*state.scenario, state.params, *state.axis, value);
    Params there = state.params;
    there.*state.axis->field = value;
    there.warp = there.step = 0;  // which only choose what is pictured
    there.launched_warps = there.launched_steps =
        1;  // which follow from the rest, but it has to be executed for that
    return there;
}

KeptPredictions::Key prediction_key(const State& state, const Params& params, const DeviceFacts& device) {
    return {state.scenario, params, device.name, state.bank_mode, state.cold};
}

Prediction predict_there(const State& state, const Params& params, const DeviceFacts& device) {
    if (state.scenario->typed == nullptr) return predict(*state.scenario, params, device, state.cold);
    const KeptPredictions::Key key = prediction_key(state, params, device);
    if (const auto known = kept_predictions().find(key)) return *known;
    const Prediction made = predict(*state.scenario, params, device, state.cold);
    kept_predictions().keep(key, made);
    return made;
}

/// Some of the values, evenly spread, the ends among them.
std::vector<int> few_of(const std::vector<int>& values) {
    constexpr std::size_t kFew = 5;
    if (values.size() <= kFew) return values;
    std::vector<int> few;
    for (std::size_t i = 0; i < kFew; ++i) few.push_back(values[i * (values.size() - 1) / (kFew - 1)]);
    return few;
}

}  // namespace

void keep_point(const State& state, const std::vector<DeviceFacts>& devices, int value) {
    predict_there(state, params_at(state, value), devices.at(state.device));
}

bool is_curve_known(const State& state, const std::vector<DeviceFacts>& devices) {
    if (state.scenario->typed == nullptr || state.axis == nullptr) return true;
    return std::ranges::all_of(plot_values(*state.axis, state.params), [&](int value) {
        return kept_predictions()
            .find(prediction_key(state, params_at(state, value), devices.at(state.device)))
            .has_value();
    });
}

namespace {

/// "○ 411 GB/s at every zoom: limited by block launch overhead". Empty if the speed does change.
PlotNote words_on_flat_speed(const std::vector<Prediction>& speeds, const Prediction& here,
                             const Knob& knob) {
    const auto [least, most] = std::ranges::minmax(speeds, {}, &Prediction::value);
    if (!are_alike(least.value, most.value) || here.limiter == Limiter::none) return {};
    return every_setting(
        fmt::format("{} {} {} at ", provenance_mark(Provenance::approximate),
                    value_text(here.value, here.speed_unit), speed_words(here.speed_unit).unit),
        knob, here.limiter);
}

}  // namespace

bool plots_sectors(const State& state) { return state.scenario->info->plots_sectors && !state.plots_speed; }

Curve model_curve(const State& state, const std::vector<DeviceFacts>& devices, const Prediction& here,
                  bool at_once) {
    const DeviceFacts& device = devices.at(state.device);
    Curve curve;
    curve.speed_unit = here.speed_unit;
    curve.knob = state.axis;
    curve.log_axes = state.log_axes;
    curve.gpu = device.name;
    curve.caption = describe_settings(*state.scenario, state.params);
    const bool sectors = plots_sectors(state);
    if (sectors)
        curve.speed_unit = SpeedUnit::sectors;
    else
        curve.peak_source = peak_source(*state.scenario, device, here);
    if (state.axis == nullptr) return curve;
    curve.here = axis_position(*state.axis, state.params.*state.axis->field);
    std::vector<int> values = plot_values(*state.axis, state.params);
    if (at_once && !is_curve_known(state, devices)) values = few_of(values);
    std::vector<Prediction> speeds;
    for (std::size_t i = 0; i < values.size(); ++i) {
        constexpr std::size_t kEachOf = 8;  // a speed that changes does so over the whole axis
        const Params there = params_at(state, values[i]);
        curve.x.push_back(axis_position(*state.axis, values[i]));
        if (!sectors || i % kEachOf == 0 || i + 1 == values.size())
            speeds.push_back(predict_there(state, there, device));
        if (sectors)
            curve.model.push_back(
                {.speed_unit = SpeedUnit::sectors, .value = mean_filter_sectors(*state.scenario, there)});
    }
    if (sectors)
        curve.note = words_on_flat_speed(speeds, here, *state.axis);
    else
        curve.model = std::move(speeds);
    for (const CacheEdge& edge : cache_edges(*state.scenario, state.params, *state.axis, device)) {
        if (edge.bytes < curve.x.front() || edge.bytes > curve.x.back()) continue;
        curve.marks.push_back({edge.bytes, fmt::format("{} {}", edge.name, format_size(edge.bytes))});
    }
    return curve;
}

std::vector<int> plot_values(const Knob& knob, const Params& params) {
    constexpr std::size_t kMost = 65;
    const std::vector<int> all = axis_values(knob, params);
    const std::size_t step = (all.size() - 1) / kMost + 1;
    std::vector<int> values;
    for (std::size_t i = 0; i < all.size(); i += step) values.push_back(all[i]);
    return values;
}

double axis_position(const Knob& knob, int field_value) {
    return knob.kind == KnobKind::power ? double(std::int64_t{1} << field_value) : field_value;
}

FitPlot bank_fit(const State& state, const Measurements& measurements, const DeviceFacts& device,
                 const MeasuredOn& measured_on, const std::string& no_measurement) {
    const Scenario& scenario = *state.scenario;
    FitPlot plot{.title = std::string(scenario.info->title), .gpu = device.name};
    const Measurements::Outcome* here = measurements.find(scenario, state.params);
    measurements.for_each(scenario, [&](const Params& params, const Measurements::Outcome& outcome) {
        const auto* timing = std::get_if<Timing>(&outcome);
        if (timing == nullptr || timing->bank_cycles <= 0) return;
        const double wavefronts = wavefronts_per_request(scenario, params, device);
        if (wavefronts <= 0) return;
        plot.points.push_back({wavefronts, timing->bank_cycles, timing->bank_cycles_lower,
                               timing->bank_cycles_upper, describe_settings(scenario, params), params,
                               &outcome == here});
    });
    std::ranges::sort(plot.points, {}, [](const FitPlot::Point& point) {
        return std::tie(point.wavefronts, point.cycles, point.setting);
    });
    std::vector<FitSample> samples;
    for (const FitPlot::Point& point : plot.points) samples.push_back({point.wavefronts, point.cycles});
    plot.fit = fit_line(samples);
    if (!plot.points.empty()) {
        plot.measured_on = measured_on;
    } else {
        plot.no_measurement =
            no_measurement.empty()
                ? "No setting of this scenario has been measured yet: points appear here as "
                  "soon as one is."
                : no_measurement;
    }
    return plot;
}

}  // namespace warplens
