#include "app/model/catalogue.h"

#include "app/base/parse_number.h"
#include "app/base/text.h"
#include "kernels/scenarios/list.h"

#include <algorithm>
#include <cassert>
#include <set>

namespace warplens {
namespace {

/// A scenario of the list.
template <class S>
class ListedKernel final : public ScenarioModel {
public:
    LaunchShape launch(const Params& p) const override { return S::launch(p); }
    int instruction_count(const Params& p) const override { return S::instruction_count(p); }
    Instruction instruction(const Params& p, int index) const override { return S::instruction(p, index); }
    LaneAccess access(const Params& p, int index, const ThreadId& thread) const override {
        return S::access(p, index, thread);
    }
    WarpAccess warp(const Params& params, int index, Extent block, int warp_in_block,
                    int step) const override;
    KernelOrder order(const Params& p) const override {
        return S::sharing.order == nullptr ? KernelOrder{} : S::sharing.order(p);
    }
};

// Functions called for each lane are compiled in line (flatten), here and where requests are counted.
template <class S>
[[gnu::flatten]] WarpAccess ListedKernel<S>::warp(const Params& params, int index, Extent block,
                                                  int warp_in_block, int step) const {
    // A copy, which nothing written here can change: what does not depend on the lane is computed once.
    const Params p = params;
    const LaunchShape shape = S::launch(p);
    const Instruction instruction = S::instruction(p, index);
    WarpAccess access{.active = 0,
                      .bytes_per_lane = instruction.bytes_per_lane,
                      .space = instruction.space,
                      .op = instruction.op};
    if (access.space == Space::texture)
        access.sampling = {instruction.linear, shape.texture.x, shape.texture.y, shape.border};
    const int threads = shape.block.x * shape.block.y;
    const auto id_of = [&](int thread) {
        return ThreadId{block.x, block.y, thread % shape.block.x, thread / shape.block.x, step};
    };
    // A scenario whose lanes depend on each other computes once what they share (OfWarp).
    const auto access_of = [&] {
        if constexpr (requires { typename S::OfWarp; })
            return [&, of = typename S::OfWarp(p, index, id_of(warp_in_block * kWarpLanes))](
                       const ThreadId& thread) { return of(p, thread); };
        else
            return [&](const ThreadId& thread) { return S::access(p, index, thread); };
    }();
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        const int thread = warp_in_block * kWarpLanes + lane;
        if (thread >= threads) break;
        const LaneAccess mine = access_of(id_of(thread));
        if (!mine.active) continue;
        access.byte_address[lane] = mine.byte_address;
        access.active |= 1u << lane;
        if (access.space == Space::texture) access.texel[lane] = mine.texel;
    }
    return access;
}

template <class S>
const ListedKernel<S> listed_kernel{};

template <class... S>
std::array<Scenario, sizeof...(S)> make_catalogue(ScenarioList<S...>) {
    return {{{&S::info, &listed_kernel<S>, nullptr, &kFactsOf<S>}...}};
}

std::span<const Scenario> catalogue() {
    static const auto all = make_catalogue(AllScenarios{});
    return all;
}

bool same_key(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
        const auto plain = [](char c) { return c == '-' ? '_' : c; };
        return plain(x) == plain(y);
    });
}

std::optional<int> parse_power(const Knob& knob, std::string_view text, int limit) {
    int exponent = -1;
    if (const auto power = after(text, "2^")) {
        exponent = parse_number<int>(*power).value_or(-1);
    } else if (const auto value = parse_number<long long>(text); value && *value > 0) {
        while (exponent < 62 && (1LL << (exponent + 1)) <= *value) ++exponent;
        if ((1LL << exponent) != *value) return std::nullopt;
    }
    if (exponent < knob.min || exponent > limit) return std::nullopt;
    return exponent;
}

std::optional<int> parse_mask(std::string_view text) {
    if (text == "all") return -1;
    const auto small = after(text, "0x"), hex = small ? small : after(text, "0X");
    const auto value = parse_number<std::uint32_t>(hex.value_or(text), hex ? 16 : 10);
    if (!value) return std::nullopt;
    return int(*value);
}

bool is_choice(const Knob& knob) { return knob.kind == KnobKind::choice; }

/// Advance to the next combination of all choices. False after the last one.
bool next_combination(const Scenario& scenario, Params& params) {
    for (const Knob& knob : scenario.info->knobs) {
        if (!is_choice(knob)) continue;
        const auto now = std::ranges::find(knob.choices, params.*knob.field, &Choice::value);
        const bool last = now == knob.choices.end() || now + 1 == knob.choices.end();
        params.*knob.field = last ? knob.choices.front().value : (now + 1)->value;
        if (!last) return true;
    }
    return false;
}

Params first_combination(const Scenario& scenario) {
    Params params = scenario.info->defaults;
    for (const Knob& knob : scenario.info->knobs) {
        if (is_choice(knob)) params.*knob.field = knob.choices.front().value;
    }
    return params;
}

/// Into its own range, and that which other knobs leave it.
void clamp_knob(const Knob& knob, Params& params) {
    if (knob.kind == KnobKind::mask) return;
    int& value = params.*knob.field;
    value = std::clamp(value, knob.min, std::max(knob.min, knob_limit(knob, params)));
    if (knob.kind != KnobKind::choice) return;
    int nearest = knob.choices.front().value;  // the largest choice that is not above the value
    for (const Choice& choice : knob.choices) {
        if (choice.value <= value) nearest = choice.value;
    }
    value = nearest;
}

}  // namespace

Space home_space(const Scenario& scenario) {
    const Params& p = scenario.info->defaults;
    const auto goes_to = [&](Space space) {
        for (int k = 0; k < scenario.instruction_count(p); ++k) {
            if (scenario.instruction(p, k).space == space) return true;
        }
        return space == Space::l2;  // no instruction accesses it
    };
    // The rarer a space is, the more a scenario that accesses it is about it.
    for (const Space space : {Space::cluster, Space::l2, Space::texture, Space::constant, Space::local,
                              Space::registers, Space::shared}) {
        if (scenario.in(space) && goes_to(space)) return space;
    }
    return Space::global;
}

std::span<const Scenario> all_scenarios() { return catalogue(); }

bool same_kernel(const Scenario& a, const Scenario& b) {
    return &a == &b || (a.typed != nullptr && b.typed != nullptr && a.typed->text() == b.typed->text());
}

bool same_work(const Scenario& scenario, const Params& a, const Params& b) {
    return std::ranges::all_of(scenario.info->knobs, [&](const Knob& knob) {
        return knob.picture_only || a.*knob.field == b.*knob.field;
    });
}

std::optional<std::size_t> index_of(const Scenario& scenario) {
    if (scenario.typed != nullptr) return std::nullopt;
    return static_cast<std::size_t>(&scenario - catalogue().data());
}

const Scenario* find_scenario(std::string_view id) {
    const auto all = catalogue();
    const auto found =
        std::ranges::find_if(all, [id](const Scenario& s) { return same_key(s.info->id, id); });
    return found == all.end() ? nullptr : &*found;
}

const Knob* find_knob(const Scenario& scenario, std::string_view key) {
    for (const Knob& knob : scenario.info->knobs) {
        if (same_key(knob.key, key) || (!knob.alias.empty() && same_key(knob.alias, key))) return &knob;
    }
    return nullptr;
}

bool can_be_axis(const Scenario& scenario, const Knob& knob) {
    if (knob.kind == KnobKind::mask || knob.picture_only) return false;
    if (knob.kind == KnobKind::choice ? knob.choices.size() < 2 : knob.min >= knob.max) return false;
    // A slider over millions of values, such as the elements of a vector, cannot be gone through.
    constexpr int kMostValues = 1 << 16;
    if (knob.kind != KnobKind::choice) return knob.max - knob.min < kMostValues;
    Params params = scenario.info->defaults;
    const SpeedUnit usual = speed_unit_of(*scenario.info, params);
    return std::ranges::all_of(knob.choices, [&](const Choice& choice) {
        params.*knob.field = choice.value;
        return speed_unit_of(*scenario.info, params) == usual;
    });
}

std::vector<int> axis_values(const Knob& knob, const Params& params) {
    std::vector<int> values;
    const int limit = std::max(knob.min, knob_limit(knob, params));
    if (knob.kind == KnobKind::choice) {
        for (const Choice& choice : knob.choices) {
            if (choice.value <= limit) values.push_back(choice.value);
        }
        return values;
    }
    for (int value = knob.min; value <= limit; ++value) values.push_back(value);
    return values;
}

std::optional<int> parse_knob(const Knob& knob, const Params& params, std::string_view text) {
    if (knob.kind == KnobKind::mask) return parse_mask(text);
    const int limit = knob_limit(knob, params);
    if (knob.kind == KnobKind::power) return parse_power(knob, text, limit);
    const auto number = parse_number<int>(text);
    for (const Choice& choice : knob.choices) {
        const bool named =
            same_key(choice.name, text) || (!choice.alias.empty() && same_key(choice.alias, text));
        if ((named || number == choice.value) && choice.value <= limit) return choice.value;
    }
    if (knob.kind == KnobKind::choice || !number || *number < knob.min || *number > limit)
        return std::nullopt;
    return number;
}

std::string_view choice_name(std::span<const Choice> choices, int value) {
    const auto found = std::ranges::find(choices, value, &Choice::value);
    return found == choices.end() ? std::string_view() : found->name;
}

std::string format_knob(const Knob& knob, const Params& params) {
    const int value = params.*knob.field;
    if (knob.kind == KnobKind::power) return "2^" + std::to_string(value);
    if (knob.kind == KnobKind::mask) {
        std::array<char, 10> text{'0', 'x'};
        const auto end =
            std::to_chars(text.data() + 2, text.data() + text.size(), static_cast<std::uint32_t>(value), 16);
        return {text.data(), end.ptr};
    }
    const std::string_view name = choice_name(knob.choices, value);
    const bool one_word = !name.empty() && name.find(' ') == std::string_view::npos;
    return one_word ? std::string(name) : std::to_string(value);  // "4 B" is for the window; --set takes 4
}

std::string describe_settings(const Scenario& scenario, const Params& params, std::string_view separator) {
    std::string text;
    for (const Knob& knob : scenario.info->knobs) {
        if (params.*knob.field == scenario.info->defaults.*knob.field) continue;
        if (!text.empty()) text += separator;
        (text += knob.key) += '=' + format_knob(knob, params);
    }
    return text;
}

std::vector<const Knob*> knobs_of(const Scenario& scenario, KnobRole role) {
    std::vector<const Knob*> knobs;
    for (const Knob& knob : scenario.info->knobs) {
        if (knob.role == role) knobs.push_back(&knob);
    }
    return knobs;
}

Params with_knob(const Scenario& scenario, Params params, const Knob& knob, int value) {
    params.*knob.field = value;
    clamp_knobs(scenario, params);
    return params;
}

KnobText take_knob_text(std::string_view& list, std::string_view separator) {
    const std::string_view item = list.substr(0, list.find(separator));
    list.remove_prefix(std::min(item.size() + separator.size(), list.size()));
    const std::size_t equals = std::min(item.find('='), item.size());
    return {item.substr(0, equals), item.substr(std::min(equals + 1, item.size()))};
}

std::string describe_range(const Knob& knob, const Params& params) {
    const int limit = knob_limit(knob, params);
    if (knob.kind == KnobKind::mask) return "a 32-bit mask such as 0xffff, or all";
    if (knob.kind == KnobKind::power) {
        return "a power of two from 2^" + std::to_string(knob.min) + " to 2^" + std::to_string(limit);
    }
    if (knob.kind == KnobKind::choice) {
        std::string text = "one of";
        for (const Choice& choice : knob.choices) {
            if (choice.value > limit) continue;
            Params one = params;
            one.*knob.field = choice.value;
            text += (text.size() > 6 ? ", " : " ") + format_knob(knob, one);
        }
        return text;
    }
    return "a whole number from " + std::to_string(knob.min) + " to " + std::to_string(limit) +
           (knob.unit.empty() ? "" : " " + std::string(knob.unit));
}

Params preset_params(const Scenario& scenario, const Preset& preset) {
    Params params = scenario.info->defaults;
    std::string_view rest = preset.settings;
    while (!rest.empty()) {
        const KnobText item = take_knob_text(rest);
        const Knob* knob = find_knob(scenario, item.key);
        const auto value = knob == nullptr ? std::nullopt : parse_knob(*knob, params, item.value);
        assert(value && "a preset of kernels/scenarios sets what its scenario does not have");
        if (value) params.*knob->field = *value;
    }
    return params;
}

void clamp_knobs(const Scenario& scenario, Params& params) {
    if (scenario.typed != nullptr) scenario.typed->settle(params);
    for (const Knob& knob : scenario.info->knobs) clamp_knob(knob, params);
}

void clamp_to_look_up(const Scenario& scenario, Params& params) {
    if (scenario.typed == nullptr) return clamp_knobs(scenario, params);
    // Which warps and steps there are to picture is known only of a launch that was executed.
    for (const Knob& knob : scenario.info->knobs)
        if (!knob.picture_only) clamp_knob(knob, params);
}

Measured how_measured(const Scenario& scenario, const Params& params) {
    bool only_shared = true;
    for (int i = 0; i < scenario.instruction_count(params); ++i)
        only_shared = only_shared && scenario.instruction(params, i).space == Space::shared;
    return how_measured(*scenario.info, params, only_shared);
}

int warps_per_block(const LaunchShape& shape) {
    return (shape.block.x * shape.block.y + kWarpLanes - 1) / kWarpLanes;
}

WarpPlace place_of_warp(const LaunchShape& shape, std::int64_t warp) {
    const int per_block = warps_per_block(shape);
    const std::int64_t block = warp / per_block;
    return {{int(block % shape.grid.x), int(block / shape.grid.x)}, int(warp % per_block)};
}

std::string kernel_key(const Scenario& scenario, const Params& params) {
    std::string key(scenario.info->id);
    for (int i = 0; i < scenario.instruction_count(params); ++i) {
        const Instruction one = scenario.instruction(params, i);
        for (const int number : {int(one.op), one.bytes_per_lane, int(one.space), one.buffer, one.phase})
            key += ' ' + std::to_string(number);
        key += ' ' + std::string(one.code);
    }
    if (scenario.info->instance != nullptr)
        return key + " #" + std::to_string(scenario.info->instance(params));
    for (const Knob& knob : scenario.info->knobs) {
        if (is_choice(knob)) key += ' ' + std::to_string(params.*knob.field);
    }
    return key;
}

std::vector<Params> kernel_settings(const Scenario& scenario) {
    std::vector<Params> settings;
    std::set<std::string> keys;
    const auto add = [&](Params params, bool always) {
        clamp_knobs(scenario, params);
        const bool is_new = keys.insert(kernel_key(scenario, params)).second;
        if (is_new || (always && std::ranges::find(settings, params) == settings.end()))
            settings.push_back(params);
    };
    add(scenario.info->defaults, true);
    for (const Preset& preset : scenario.info->presets) add(preset_params(scenario, preset), true);
    Params params = first_combination(scenario);
    do {
        add(params, false);
        for (const Knob& knob : scenario.info->knobs) {
            if (scenario.info->instance == nullptr || is_choice(knob) || knob.picture_only) continue;
            constexpr int kMostValues = 32;
            Params there = params;
            for (int value = knob.min; value <= std::min(knob.max, knob.min + kMostValues); ++value) {
                there.*knob.field = value;
                add(there, false);
            }
        }
    } while (next_combination(scenario, params));
    return settings;
}

}  // namespace warplens
