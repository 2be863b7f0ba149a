#pragma once

#include "app/model/access/sectors.h"
#include "app/model/device/device.h"
#include "app/pictures/access/access_picture.h"
#include "kernels/texture_layout.h"
#include "tests/devices.h"
#include "tests/random_params.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace warplens::test {

/// Every character is 0.6 em wide, as in a monospaced font: wider than ours, so that laws hold with room to
/// spare.
class FixedMeasure final : public TextMeasure {
public:
    float width(std::string_view utf8, FontRole font) const override {
        int characters = 0;
        for (const char c : utf8) characters += (static_cast<unsigned char>(c) & 0xc0u) != 0x80u;
        return 0.6f * font_points(font) * static_cast<float>(characters);
    }
};

inline const std::vector<DeviceFacts>& all_devices() { return device_table(); }

template <class T>
std::vector<T> all_of(const Picture& picture) {
    std::vector<T> all;
    for (const Shape& shape : picture.shapes)
        if (const T* one = std::get_if<T>(&shape)) all.push_back(*one);
    return all;
}

inline std::vector<std::string> texts(const Picture& picture) {
    std::vector<std::string> all;
    for (const Label& label : all_of<Label>(picture)) all.push_back(label.text);
    return all;
}

/// One instruction with its reports, kept alive together.
struct Pictured {
    InstructionReport report;
    BankReport banks;
    SectorReport sectors;
    ConstantReport constant;
    TextureReport texture;
    LaunchShape shape;
    TileShape tile;
    BankRules rules;
    int index = 0;

    Space space() const { return report.instruction.space; }
    bool shared() const { return space() == Space::shared; }
    InstructionView view() const {
        InstructionView v;
        v.report = &report;
        v.banks = has_banks(space()) ? &banks : nullptr;
        v.sectors = has_sectors(space()) ? &sectors : nullptr;
        v.constant = space() == Space::constant ? &constant : nullptr;
        v.texture = space() == Space::texture ? &texture : nullptr;
        v.shape = &shape;
        v.index = index;
        v.bank_rules = rules;
        return v;
    }
    Picture draw(const Style& style, ColorBy by = ColorBy::wavefront, int player_step = -1) const {
        return draw_access(view(), tile, {.color_by = by, .step = player_step}, style);
    }
};

inline Pictured pictured(const WarpAccess& access, const DeviceFacts& device, TileShape tile = {},
                         const LaunchShape& shape = {}) {
    Pictured p;
    p.report.access = access;
    p.report.instruction = {"load it", {}, "value = in[i];", access.space, access.op, access.bytes_per_lane};
    p.rules = device.bank_rules;
    p.shape = shape;
    if (has_banks(access.space)) p.banks = analyze_banks(access, device.bank_rules);
    if (access.space == Space::local)
        p.sectors = analyze_sectors(interleave_local(access), local_rules(device));
    if (access.space == Space::global) p.sectors = analyze_sectors(access, device.sector_rules);
    if (access.space == Space::constant) p.constant = analyze_constant(access);
    if (access.space == Space::texture) p.texture = analyze_texture(access);
    p.tile = tile;
    return p;
}

/// All instructions of a scenario under some settings.
inline std::vector<Pictured> pictured(const Scenario& scenario, const Params& params,
                                      const DeviceFacts& device) {
    std::vector<Pictured> all;
    const Report report = analyze(scenario, params, device);
    for (const InstructionReport& row : report.instructions) {
        all.push_back(
            pictured(row.access, device, tile_shape(scenario, params, row.instruction), report.shape));
        all.back().report = row;
        all.back().index = static_cast<int>(all.size()) - 1;
    }
    return all;
}

/// A shared or global access where lane i touches first + i * step bytes.
inline WarpAccess strided(Space space, std::int64_t step, int bytes = 4, std::uint64_t first = 0,
                          Op op = Op::load) {
    WarpAccess access;
    access.space = space;
    access.op = op;
    access.bytes_per_lane = bytes;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        access.byte_address[lane] = first + static_cast<std::uint64_t>(lane * step);
    }
    return access;
}

/// One GPU of each set of rules.
inline const std::vector<DeviceFacts>& generations() {
    static const std::vector<DeviceFacts> devices = [] {
        std::vector<DeviceFacts> some;
        for (const char* name : {"8800 GTX", "GTX 280", "GTX 480", "K40", "GTX 980", "V100", "H200", "B200"})
            some.push_back(gpu(name));
        return some;
    }();
    return devices;
}

/// Any access of constant memory, texture, private arrays, registers or a cluster, with a launch that fits.
inline Pictured random_small_space(std::mt19937& random) {
    constexpr Space kSpaces[] = {Space::constant, Space::texture, Space::local, Space::registers,
                                 Space::cluster};
    constexpr std::uint32_t kSpans[] = {1, 2, 4, 16, 32, 128, 1024, 16384};
    WarpAccess access;
    access.space = kSpaces[random() % std::size(kSpaces)];
    access.op = access.space == Space::constant || access.space == Space::texture || random() % 2 == 0
                    ? Op::load
                    : Op::store;
    if (access.space == Space::constant || access.space == Space::cluster)
        access.bytes_per_lane = 1 << random() % 5;
    if (access.space == Space::local) access.bytes_per_lane = 1 << random() % 3;
    const std::uint32_t masks[] = {kAllLanes, static_cast<std::uint32_t>(random()),
                                   1u << random() % kWarpLanes, 0};
    access.active = masks[random() % 8 < 5 ? 0 : random() % std::size(masks)];
    LaunchShape shape{
        .border = static_cast<int>(Border::border), .local_bytes = 4096, .cluster = 2 << random() % 4};
    shape.texture = {4 << random() % 11, 2 << random() % 12};
    const auto bytes = static_cast<std::uint32_t>(access.bytes_per_lane);
    std::uint32_t span = kSpans[random() % std::size(kSpans)];
    if (access.space == Space::registers) span = 32;
    if (access.space == Space::texture)
        span = std::min(span, static_cast<std::uint32_t>(shape.texture.x * shape.texture.y));
    if (access.space == Space::local) span = std::min(span, 4096 / bytes);
    if (access.space == Space::constant) span = std::min(span, 65536 / bytes);
    const auto step = static_cast<std::uint32_t>(random() % 3),
               even = static_cast<std::uint32_t>(random() % 2);
    for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
        const auto at = even != 0 ? lane * step : static_cast<std::uint32_t>(random());
        access.byte_address[lane] = std::uint64_t{at % span} * bytes;
        if (access.space == Space::texture && random() % 12 == 0)
            access.byte_address[lane] |= kOutsideTexture;
    }
    Pictured one = pictured(access, h200(), {}, shape);
    one.report.instruction.ranks_away = static_cast<int>(random()) & 15;
    return one;
}

inline Style style_of(ThemeName name, Vec2 size) {
    static const FixedMeasure measure;
    Style style;
    style.theme = &theme(name);
    style.measure = &measure;
    style.size = size;
    return style;
}

}  // namespace warplens::test
