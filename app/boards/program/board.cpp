#include "app/boards/list.h"
#include "app/boards/program/knobs.h"
#include "app/boards/program/program_picture.h"
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

ProgramView program_view(const BoardInput& input) {
    const BoardValues& values = input.state.boards;
    return {program_setting(values), ProgramStep(values[kProgramStep]), witness_for(input.device())};
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

Quantity count(std::string name, std::int64_t value, std::string meaning) {
    return {std::move(name), format_count(value), Provenance::exact, std::move(meaning), double(value)};
}

void add_versions(std::vector<Quantity>& rows, const BoardInput& input, const ProgramSetting& setting) {
    rows.push_back(
        count("versions of i", setting.threads(),
              "A variable of a kernel exists once for each thread of the launch: blocks times threads "
              "of a block."));
    rows.push_back(count("versions of part", setting.blocks(),
                         "A __shared__ variable exists once for each block of the launch."));
    rows.push_back(
        count("versions of scale", 1,
              "A __constant__ or __device__ variable exists once, for all threads of all launches."));
    const std::int64_t idle = setting.threads() - setting.elements();
    rows.push_back(count("threads without an element", idle,
                         "Those of the last block beyond the end of the arrays, which the guard stops."));
    if (const std::int64_t blocks = resident_blocks(setting, input.device()); blocks > 0)
        rows.push_back(
            {"versions of i at once", format_count(blocks * setting.block), Provenance::approximate,
             fmt::format("Blocks that fit on {} at once with 16 registers per thread, times {} "
                         "threads. The others begin when these have ended, and get their registers.",
                         input.device().name, setting.block),
             double(blocks * setting.block)});
    const auto bytes = double(setting.elements()) * sizeof(float);
    rows.push_back({.name = "an array",
                    .text = format_size(bytes),
                    .source = "Bytes of each of the three arrays.",
                    .amount = bytes,
                    .unit = "bytes"});
}

void add_times(std::vector<Quantity>& rows, const ProgramView& view) {
    if (view.witness == nullptr) return;
    for (int i = 0; i < kProgramSteps; ++i) {
        const auto step = ProgramStep(i);
        const WitnessValue* time = view.time(step);
        if (time == nullptr) continue;
        rows.push_back(
            {.name = fmt::format("time of {}", program_step_name(view.setting.kind, step)),
             .text = microseconds_text(time->median),
             .provenance = Provenance::recorded,
             .source = fmt::format("{}: from {} to {} in 9 runs, by the host's clock, until the GPU is idle "
                                   "(tests/witness/host.cu).",
                                   view.witness->where(), microseconds_text(time->least),
                                   microseconds_text(time->most)),
             .amount = time->median,
             .better = Better::less,
             .unit = "us"});
    }
    const WitnessValue *first = view.time(ProgramStep::launch), *again = view.time(ProgramStep::again);
    if (first == nullptr || again == nullptr || again->median <= 0) return;
    rows.push_back({"launch 1 / launch 2", fmt::format("{:.3g}", first->median / again->median),
                    Provenance::recorded, "How much longer the first launch took than the second.",
                    first->median / again->median, Better::less});
}

std::vector<Quantity> program_numbers(const BoardInput& input) {
    std::vector<Quantity> rows;
    const ProgramView view = program_view(input);
    add_versions(rows, input, view.setting);
    add_times(rows, view);
    return rows;
}

/// " It took 1.2 ms on an NVIDIA H200." Empty if that was not recorded.
std::string took(const ProgramView& view) {
    const WitnessValue* time = view.time(view.step);
    if (time == nullptr) return {};
    return fmt::format(" It took {} on an {} (recorded).", microseconds_text(time->median),
                       view.witness->gpu);
}

/// "12 times as long as the second one". Empty if that was not recorded.
std::string compared_with_second(const ProgramView& view) {
    const WitnessValue *first = view.time(ProgramStep::launch), *again = view.time(ProgramStep::again);
    if (first == nullptr || again == nullptr || again->median <= 0) return {};
    return fmt::format(" This first launch took {} on an {}, the second one {} (recorded).",
                       microseconds_text(first->median), view.witness->gpu, microseconds_text(again->median));
}

Explanation explain_first_launch(const ProgramView& view) {
    const ProgramSetting& setting = view.setting;
    Explanation e{.verdict =
                      fmt::format("The launch makes {} versions of i, one per thread, and {} of part, one "
                                  "per block.",
                                  format_count(setting.threads()), format_count(setting.blocks()))};
    e.why =
        !setting.kind.managed ? "The host goes on at once; cudaDeviceSynchronize() waits."
        : setting.kind.prefetch
            ? "The pages are here already, so no thread has to wait for one."
            : "The input still lies with the host: the first thread that touches a page waits until it has moved.";
    e.why += compared_with_second(view);
    return e;
}

Explanation explain_arrays(const ProgramView& view) {
    const bool managed = view.setting.kind.managed;
    const bool allocates = (view.step == ProgramStep::first) == managed;
    if (!allocates)
        return {.verdict = managed
                               ? "The host writes the input: pages that it touches first lie in its memory."
                               : "The host fills its own arrays. No thread of a kernel can see them.",
                .why = (managed ? "It is an ordinary loop over an ordinary pointer."
                                : "The pointers a and b are good on the host only.") +
                       took(view)};
    return {
        .verdict =
            managed ? "cudaMallocManaged gives a pointer that is good on both sides; no page has a place yet."
                    : "cudaMalloc makes arrays in global memory, whose values are undefined.",
        .why = (managed ? "A page gets its place from whoever touches it first."
                        : "d_a is a float*, like a. No pointer says which memory it means: the name d_ is "
                          "a habit, and following d_a on the host is an error.") +
               took(view)};
}

Explanation explain_bring(const ProgramView& view) {
    const ProgramKind& kind = view.setting.kind;
    if (!kind.managed)
        return {
            .verdict = "cudaMemcpy copies the input from the host's arrays to those in global memory.",
            .why = "The last argument says the direction. Now there are two copies, and they can differ." +
                   took(view)};
    if (kind.prefetch)
        return {
            .verdict = "The prefetch moves the pages to the GPU in large pieces, before a thread wants them.",
            .why = "Afterwards the first launch takes as long as the second." + took(view)};
    return {
        .verdict = "Nothing is copied: the pages of a and b stay with the host until a thread wants them.",
        .why = "Turn on Prefetch to move them now, in large pieces."};
}

Explanation explain_end_of_data(const ProgramView& view) {
    const bool managed = view.setting.kind.managed;
    if (view.step == ProgramStep::fetch)
        return {.verdict = managed
                               ? "The host reads c, and the pages that it touches come back."
                               : "cudaMemcpy brings the result to the host. It waits for the kernel first.",
                .why = (managed ? "Without cudaDeviceSynchronize() before it, the host could read too early."
                                : "So a program that ends in such a copy needs no other synchronization.") +
                       took(view)};
    if (view.step == ProgramStep::release)
        return {
            .verdict =
                "cudaFree gives the arrays back. Until then they live, however many kernels come and go.",
            .why = "A pointer that was freed still has its old value; using it is an error." + took(view)};
    return {
        .verdict =
            "The program ends: __device__ and __constant__ variables end with it, and nothing else is left.",
        .why =
            "Their lifetime is the application's, that of arrays lasts from cudaMalloc to cudaFree, that of "
            "shared variables as long as the block, that of all others as long as the thread."};
}

Explanation explain_between(const ProgramView& view) {
    if (view.step == ProgramStep::between)
        return {
            .verdict = "Between launches only launches, scale and the arrays keep their values.",
            .why =
                "All versions of i, last and part are gone. What one launch has to tell the next one must lie "
                "in global memory; and only the end of a launch makes all its blocks wait for each other."};
    return {.verdict =
                fmt::format("The second launch makes {} new versions of i. None knows the value of the first "
                            "launch.",
                            format_count(view.setting.threads())),
            .why = fmt::format("They must be initialized again; launches, in global memory, counts on.{}",
                               took(view))};
}

std::vector<std::string> program_caption(const BoardInput& input) {
    const ProgramView view = program_view(input);
    std::vector<std::string> lines{
        fmt::format("c = a + b with {} elements in {} blocks of {}, step {} of {}: {}",
                    format_count(view.setting.elements()), format_count(view.setting.blocks()),
                    view.setting.block, int(view.step) + 1, kProgramSteps,
                    program_step_name(view.setting.kind, view.step)),
        fmt::format("{} scopes and lifetimes: CUDA C++ Programming Guide",
                    provenance_mark(Provenance::exact))};
    if (view.witness != nullptr)
        lines.push_back(fmt::format("{} times: {}, median of 9 runs", provenance_mark(Provenance::recorded),
                                    view.witness->where()));
    return lines;
}

Explanation explain_step(const ProgramView& view) {
    switch (view.step) {
        case ProgramStep::begin:
            return {
                .verdict =
                    "Before main begins, launches and scale exist already: once, for the whole program.",
                .why =
                    "They are declared outside all functions, with __device__ and __constant__. The host cannot "
                    "use them by name; it copies with cudaMemcpyToSymbol and cudaMemcpyFromSymbol."};
        case ProgramStep::first:
        case ProgramStep::second:
            return explain_arrays(view);
        case ProgramStep::constants:
            return {.verdict = "The host sets the constant. Threads can read it, but not write it.",
                    .why = "Its value stays for all launches, until the host sets another one."};
        case ProgramStep::bring:
            return explain_bring(view);
        case ProgramStep::launch:
            return explain_first_launch(view);
        case ProgramStep::between:
        case ProgramStep::again:
            return explain_between(view);
        default:
            return explain_end_of_data(view);
    }
}

}  // namespace

Explanation explain_program(const ProgramView& view) {
    Explanation e = explain_step(view);
    const ProgramKind& kind = view.setting.kind;
    e.good = !(view.step == ProgramStep::launch && kind.managed && !kind.prefetch);  // it waits for its pages
    return e;
}

constinit const Board kProgramBoard{
    {.key = "program",
     .label = "Host program",
     .tooltip = "A whole program step by step: which variables exist, where their values are, and how many "
                "versions a launch makes.",
     .knobs = kProgramKnobs,
     .lesson = "board-program",
     .least_height = 262},
    [](const BoardInput& input, const Style& style) { return draw_program(program_view(input), style); },
    program_numbers,
    [](const BoardInput& input) { return explain_program(program_view(input)); },
    program_caption};

}  // namespace warplens
