#include "app/base/format.h"
#include "app/boards/list.h"
#include "app/boards/program/program.h"
#include "app/experiment/devices.h"
#include "app/model/device/occupancy.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

/// Times of the GPU that is set, else of the first one.
const Witness* witness_for(const DeviceFacts& device) {
    const std::vector<Witness>& all = shipped_witness();
    if (all.empty()) return nullptr;
    const auto found = std::ranges::find_if(all, [&](const Witness& one) {
        return driver_words(one.gpu).starts_with(driver_words(device.name)) ||
               driver_words(device.name).starts_with(driver_words(one.gpu));
    });
    return found == all.end() ? &all.front() : &*found;
}

/// Blocks that are on the GPU at the same time, with so many registers per thread. 0 if that is not known.
std::int64_t resident_blocks(const ProgramSetting& setting, const DeviceFacts& device) {
    constexpr int kRegisters = 16;  // what nvcc 13.0 gives such a kernel, or a little more
    const std::optional<CapabilityFacts> rules = rules_of(device.cc);
    if (!rules) return 0;
    const OccupancyInput launch{.threads = setting.block,
                                .registers = kRegisters,
                                .static_shared = setting.block * int(sizeof(float))};
    const std::int64_t all = std::int64_t{compute_occupancy(*rules, launch).blocks} * device.sm_count;
    return std::min(all, setting.blocks());
}

StoryValue count(std::int64_t value) { return {format_count(value), double(value)}; }
StoryValue size(std::int64_t bytes) { return {format_size(double(bytes)), double(bytes)}; }

void add_times(StoryValues& values, const ProgramSetting& setting, const Witness* witness) {
    const std::string_view kind = !setting.managed ? "copy" : setting.prefetch ? "prefetch" : "managed";
    for (const char* name : {"allocate", "bring", "fetch", "fill", "first", "free", "second"}) {
        const WitnessValue* time =
            witness == nullptr ? nullptr
                               : witness->find(fmt::format("{}/{}/{}", kind, setting.elements_log2, name));
        StoryValue &value = values[name], &took = values[fmt::format("{}_took", name)],
                   &range = values[fmt::format("{}_range", name)];
        if (time == nullptr) continue;
        value = {format_duration(time->median), time->median};
        took = {fmt::format(" It took {} on an {} (recorded).", value.text, witness->gpu)};
        range = {fmt::format("from {} to {} in 9 runs", format_duration(time->least),
                             format_duration(time->most))};
    }
    const double first = values["first"].amount.value_or(0), second = values["second"].amount.value_or(0);
    values["ratio"] = first > 0 && second > 0
                          ? StoryValue{fmt::format("{:.3g}", first / second), first / second}
                          : StoryValue{};
}

Story host_story(const BoardInput& input) {
    const BoardValues& values = input.state.boards;
    return program_story(program_setting(values), input.device(), witness_for(input.device()),
                         values[kProgramStep]);
}

std::vector<Quantity> program_numbers(const BoardInput& input) {
    const Story story = host_story(input);
    std::vector<Quantity> rows = story.all().numbers("numbers");
    for (const StoryPart& step : story.steps()) {
        const StoryValue* time = time_of(story, step);
        if (time == nullptr) continue;
        rows.push_back({.name = "time of " + step.text("name"),
                        .text = time->text,
                        .provenance = Provenance::recorded,
                        .source = fmt::format(
                            "{}: {}, by the host's clock, until the GPU is idle (tests/witness/host.cu).",
                            story.value("where").text, story.value(step.text("time") + "_range").text),
                        .amount = time->amount,
                        .better = Better::less,
                        .unit = "us"});
    }
    for (Quantity& row : story.all().numbers("compared")) rows.push_back(std::move(row));
    return rows;
}

}  // namespace

Story program_story(const ProgramSetting& setting, const DeviceFacts& device, const Witness* witness,
                    int step) {
    constexpr std::int64_t kWord = 4, kLast = 4 * kWord;
    const bool managed = setting.managed;
    const std::int64_t resident = resident_blocks(setting, device) * setting.block;
    const std::int64_t blocks = setting.blocks(), threads = setting.threads(), part = setting.block * kWord;
    StoryValues values{{"copy", story_flag(!managed)},
                       {"managed", story_flag(managed)},
                       {"pages", story_flag(managed && !setting.prefetch)},
                       {"prefetch", story_flag(managed && setting.prefetch)},
                       {"arguments", {managed ? "a, b, c" : "d_a, d_b, d_c"}},
                       {"device", {device.name}},
                       {"gpu", {witness == nullptr ? "" : witness->gpu}},
                       {"where", {witness == nullptr ? "" : witness->where()}},
                       {"elements", count(setting.elements())},
                       {"block", {std::to_string(setting.block)}},
                       {"grid", {std::to_string(blocks)}},
                       {"one", count(1)},
                       {"blocks", count(blocks)},
                       {"threads", count(threads)},
                       {"idle", count(threads - setting.elements())},
                       {"resident", resident > 0 ? count(resident) : StoryValue{}},
                       {"word", size(kWord)},
                       {"array", size(setting.elements() * kWord)},
                       {"part", size(part)},
                       {"last", size(kLast)},
                       {"all_part", size(blocks * part)},
                       {"all_last", size(threads * kLast)},
                       {"all_i", size(threads * kWord)}};
    add_times(values, setting, witness);
    return {"assets/boards/program.json", std::move(values), step};
}

const StoryValue* time_of(const Story& story, const StoryPart& step) {
    const std::string name = step.text("time");
    return name.empty() || story.value(name).text.empty() ? nullptr : &story.value(name);
}

constinit const Board kProgramBoard{
    {.key = "program",
     .label = "Host program",
     .tooltip = "A whole program step by step: which variables exist, where their values are, and how many "
                "versions a launch makes.",
     .knobs = kProgramKnobs,
     .lesson = "board-program",
     .least_height = 262},
    [](const BoardInput& input, const Style& style) { return draw_program(host_story(input), style); },
    program_numbers,
    [](const BoardInput& input) { return host_story(input).now().explanation(); },
    [](const BoardInput& input) { return host_story(input).all().lines("caption"); }};

}  // namespace warplens
