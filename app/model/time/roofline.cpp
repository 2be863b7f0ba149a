#include "app/model/time/roofline.h"

#include "app/model/time/arithmetic.h"
#include "kernels/multiply_layout.h"
#include "kernels/scenarios/matrix_multiply.h"

#include <algorithm>

namespace warplens {
namespace {

std::string refused(const Params& params, const DeviceFacts& device) {
    return does_not_fit(*find_scenario(MatrixMultiply::info.id), params, device);
}

/// One way to multiply, with the settings that differ from the scenario's defaults.
struct Rung {
    std::string name;
    std::string settings;
    Params params;
};

/// The tiles that make a difference to a variant: all that the matrix allows. For a naive variant, whose tile
/// is only its block, it is the largest that the device can run.
std::vector<int> tiles_of(Params params, const DeviceFacts& device) {
    std::vector<int> tiles;
    for (const Choice& tile : MatrixMultiply::kTiles) {
        params.tile = tile.value;
        if (tile.value > MatrixMultiply::largest_tile(params)) continue;
        if (!multiply::is_naive(params))
            tiles.push_back(tile.value);
        else if (refused(params, device).empty())
            tiles.assign(1, tile.value);
    }
    return tiles;
}

std::vector<Rung> rungs(std::span<const Multiply> variants, int matrix, const DeviceFacts& device) {
    std::vector<Rung> all;
    for (const Multiply variant : variants) {
        Params params = MatrixMultiply::info.defaults;
        params.matrix = matrix;
        params.variant = int(variant);
        for (const int tile : tiles_of(params, device)) {
            params.tile = tile;
            const std::string name(choice_name(MatrixMultiply::kVariants, params.variant));
            const std::string size =
                multiply::is_naive(params) ? "" : " " + std::to_string(multiply::block_tile(params));
            all.push_back({name + size,
                           "variant=" + name +
                               "&tile=" + std::string(choice_name(MatrixMultiply::kTiles, tile)) +
                               "&matrix=" + std::string(choice_name(MatrixMultiply::kMatrices, matrix)),
                           params});
        }
    }
    return all;
}

/// Only data that caches keep from launch to launch can be faster than DRAM.
bool is_under(const Roofline& roofline, const RooflinePoint& point) {
    constexpr double kRounding = 1 + 1e-9;
    return point.gflop_per_s <= roofline.attainable(point.memory, point.intensity) * kRounding;
}

}  // namespace

double Roofline::speed_of(Memory memory) const {
    const auto found = std::ranges::find(roofs, memory, &Roof::memory);
    return found == roofs.end() ? 0 : found->gb_per_s;
}

double Roofline::ridge() const {
    const double dram = speed_of(Memory::dram);
    return dram > 0 ? peak / dram : 0;
}

double Roofline::attainable(Memory memory, double intensity) const {
    return std::min(peak, intensity * speed_of(memory));
}

const RooflinePoint* Roofline::point(Memory memory) const {
    const auto found = std::ranges::find(points, memory, &RooflinePoint::memory);
    return found == points.end() ? nullptr : &*found;
}

Roofline make_roofline(const Scenario& scenario, const Params& params, const DeviceFacts& device,
                       const Prediction& prediction, const FlowReport& flows, const FlowReport& cold) {
    Roofline result{.peak = peak_gflop_per_s(device)};
    for (const Memory memory : {Memory::dram, Memory::l2, Memory::shared}) {
        const double speed = memory_info(memory, device).gb_per_s;
        if (speed > 0) result.roofs.push_back({memory, speed});
    }
    const ScenarioInfo& info = *scenario.info;
    result.flop = info.flop == nullptr ? 0 : info.flop(params);
    result.requested = prediction.intensity;
    if (prediction.speed_unit == SpeedUnit::gflop_per_s)
        result.gflop_per_s = prediction.value;
    else if (flows.time_us > 0)
        result.gflop_per_s = result.flop / flows.time_us * 1e-3;
    double loaded = 0;  // from global memory
    for (const Flow& flow : flows.flows)
        if (flow.space == Space::global && flow.at_registers() && !flow.is_store()) loaded += flow.wanted;
    if (result.requested <= 0 && loaded > 0) result.requested = result.flop / loaded;
    for (const Roof& roof : result.roofs) {
        const double moved = flows.through(roof.memory);
        if (moved > 0 && flows.time_us > 0)
            result.moved.push_back({roof.memory, moved / flows.time_us * 1e-3});
        const double bytes = cold.through(roof.memory);
        if (bytes <= 0 || result.gflop_per_s <= 0) continue;
        const RooflinePoint point{
            .memory = roof.memory, .intensity = result.flop / bytes, .gflop_per_s = result.gflop_per_s};
        if (is_under(result, point))
            result.points.push_back(point);
        else
            result.in_l2 = true;
    }
    return result;
}

std::vector<RooflinePoint> textbook_ladder(const Roofline& roofline, const DeviceFacts& device, int matrix) {
    constexpr Multiply kVariants[] = {Multiply::naive, Multiply::tiled, Multiply::register_blocked};
    const Scenario& scenario = *find_scenario(MatrixMultiply::info.id);
    std::vector<RooflinePoint> ladder;
    for (const Rung& rung : rungs(kVariants, matrix, device)) {
        const double loads = count_product_traffic(scenario, rung.params, device, true).asked_loads;
        const double intensity = scenario.info->flop(rung.params) / loads;
        const bool known = std::ranges::any_of(ladder, [&](const RooflinePoint& point) {
            return point.intensity == intensity;  // register-blocked points begin where tiled ones end
        });
        if (!known)
            ladder.push_back({rung.name, Memory::dram, intensity,
                              roofline.attainable(Memory::dram, intensity), refused(rung.params, device),
                              rung.settings});
    }
    return ladder;
}

std::vector<RooflinePoint> predicted_ladder(const Roofline& roofline, const Params& params,
                                            const DeviceFacts& device, bool cold) {
    constexpr Multiply kVariants[] = {Multiply::naive_uncoalesced, Multiply::naive,
                                      Multiply::tiled_transposed,  Multiply::tiled,
                                      Multiply::register_blocked,  Multiply::vectorized};
    const Scenario& scenario = *find_scenario(MatrixMultiply::info.id);
    std::vector<RooflinePoint> ladder;
    for (const Rung& rung : rungs(kVariants, params.matrix, device)) {
        const bool near = rung.params.tile == params.tile || rung.params.variant == params.variant ||
                          multiply::is_naive(rung.params);
        if (!near) continue;
        const Prediction prediction = predict_flop(scenario, rung.params, device, cold);
        const ProductTraffic traffic = count_product_traffic(scenario, rung.params, device, true);
        const double bytes = traffic.dram_read + traffic.dram_written;
        if (bytes <= 0 || prediction.value <= 0 || !refused(rung.params, device).empty()) continue;
        const RooflinePoint point{rung.name,        Memory::dram, prediction.flop / bytes,
                                  prediction.value, {},           rung.settings};
        if (is_under(roofline, point)) ladder.push_back(point);
    }
    return ladder;
}

}  // namespace warplens
