#include "app/boards/program/program.h"

#include <fmt/format.h>

#include <initializer_list>

namespace warplens {
namespace {

using enum ProgramStep;

constexpr int kFloat = 4;
constexpr int kLastValues = 4;  ///< elements of the automatic array

/// A variable is somewhere from a step on, until the next of these.
struct Move {
    ProgramStep from;
    ValuePlace place;
};

std::array<ValuePlace, kProgramSteps> life(std::initializer_list<Move> changes) {
    std::array<ValuePlace, kProgramSteps> places{};
    ValuePlace now = ValuePlace::nowhere;
    auto next = changes.begin();
    for (int step = 0; step < kProgramSteps; ++step) {
        while (next != changes.end() && int(next->from) <= step) now = (next++)->place;
        places[step] = now;
    }
    return places;
}

/// During both launches, and at no other time.
std::array<ValuePlace, kProgramSteps> life_of_launches() {
    constexpr auto kGone = ValuePlace::nowhere, kThere = ValuePlace::gpu;
    return life({{launch, kThere}, {ProgramStep::between, kGone}, {again, kThere}, {fetch, kGone}});
}

std::array<ValuePlace, kProgramSteps> life_of_program() {
    return life({{begin, ValuePlace::gpu}, {ProgramStep::end, ValuePlace::nowhere}});
}

constexpr auto kNowhere = ValuePlace::nowhere, kUndefined = ValuePlace::undefined, kHost = ValuePlace::host,
               kGpu = ValuePlace::gpu;

/// The arrays of a program that copies: two on the host, two on the GPU.
void add_copied(std::array<ProgramVariable, 8>& all, std::int64_t bytes) {
    all[2] = {"a, b",
              "float *a, *b = new float[n]",
              "host memory",
              ProgramScope::host,
              1,
              bytes,
              life({{first, kHost}, {ProgramStep::end, kNowhere}})};
    all[3] = {"d_a, d_b",
              "float *d_a, *d_b",
              "global memory",
              ProgramScope::grid,
              1,
              bytes,
              life({{second, kUndefined}, {bring, kGpu}, {release, kNowhere}})};
    all[4] = {"d_c",
              "float *d_c",
              "global memory",
              ProgramScope::grid,
              1,
              bytes,
              life({{second, kUndefined}, {launch, kGpu}, {release, kNowhere}})};
}

/// Managed arrays: the same pointer for both sides, and pages that move.
void add_managed(std::array<ProgramVariable, 8>& all, std::int64_t bytes, bool prefetch) {
    all[2] = {
        "a",
        "float *a  // managed",
        "managed memory",
        ProgramScope::grid,
        1,
        bytes,
        life({{first, kUndefined}, {second, kHost}, {prefetch ? bring : launch, kGpu}, {release, kNowhere}})};
    all[3] = all[2];
    all[3].name = "b";
    all[3].declaration = "float *b  // managed";
    all[4] = {"c",
              "float *c  // managed",
              "managed memory",
              ProgramScope::grid,
              1,
              bytes,
              life({{first, kUndefined}, {launch, kGpu}, {fetch, kHost}, {release, kNowhere}})};
}

}  // namespace

std::string program_line(const ProgramSetting& setting, ProgramStep step) {
    const ProgramKind& kind = setting.kind;
    switch (step) {
        case begin:
            return "int main() {";
        case first:
            return kind.managed ? "cudaMallocManaged(&a, bytes);  // and b, c"
                                : "a[i] = …; b[i] = …;  // host arrays";
        case second:
            return kind.managed ? "a[i] = …; b[i] = …;  // on the host"
                                : "cudaMalloc(&d_a, bytes);  // and d_b, d_c";
        case constants:
            return "cudaMemcpyToSymbol(scale, &one, sizeof one);";
        case bring:
            return !kind.managed   ? "cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);  // and b"
                   : kind.prefetch ? "cudaMemPrefetchAsync(a, bytes, gpu);  // and b, c"
                                   : "// no copy: pages move when they are touched";
        case launch:
        case again:
            return fmt::format("add<<<{}, {}>>>({}, n);", setting.blocks(), setting.block,
                               kind.managed ? "a, b, c" : "d_a, d_b, d_c");
        case ProgramStep::between:
            return "cudaDeviceSynchronize();";
        case fetch:
            return kind.managed ? "sum += c[i];  // on the host"
                                : "cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);";
        case release:
            return kind.managed ? "cudaFree(a);  // and b, c" : "cudaFree(d_a);  // and d_b, d_c";
        default:
            return "}";
    }
}

std::string_view program_step_name(const ProgramKind& kind, ProgramStep step) {
    switch (step) {
        case begin:
            return "begin";
        case first:
            return kind.managed ? "allocate" : "fill";
        case second:
            return kind.managed ? "fill" : "allocate";
        case constants:
            return "constant";
        case bring:
            return !kind.managed ? "copy in" : kind.prefetch ? "prefetch" : "(no copy)";
        case launch:
            return "launch 1";
        case ProgramStep::between:
            return "between";
        case again:
            return "launch 2";
        case fetch:
            return kind.managed ? "read" : "copy out";
        case release:
            return "free";
        default:
            return "end";
    }
}

std::string program_time(const ProgramSetting& setting, ProgramStep step) {
    const ProgramKind& kind = setting.kind;
    const auto name = [&](std::string_view what) {
        return fmt::format("{}/{}/{}", kind.key(), setting.elements_log2, what);
    };
    switch (step) {
        case first:
            return kind.managed ? name("allocate") : std::string();
        case second:
            return name(kind.managed ? "fill" : "allocate");
        case bring:
            return kind.managed && !kind.prefetch ? std::string() : name("bring");
        case launch:
            return name("first");
        case again:
            return name("second");
        case fetch:
            return name("fetch");
        case release:
            return name("free");
        default:
            return {};
    }
}

std::array<ProgramVariable, 8> program_variables(const ProgramSetting& setting) {
    const std::int64_t bytes = setting.elements() * kFloat;
    std::array<ProgramVariable, 8> all;
    all[0] = {"launches", "__device__ int launches", "global memory", ProgramScope::grid, 1,
              kFloat,     life_of_program()};
    all[1] = {"scale", "__constant__ float scale", "constant memory", ProgramScope::grid, 1,
              kFloat,  life_of_program()};
    if (setting.kind.managed)
        add_managed(all, bytes, setting.kind.prefetch);
    else
        add_copied(all, bytes);
    all[5] = {"part",
              fmt::format("__shared__ float part[{}]", setting.block),
              "shared memory",
              ProgramScope::block,
              setting.blocks(),
              std::int64_t{setting.block} * kFloat,
              life_of_launches()};
    all[6] = {"last",
              fmt::format("float last[{}]", kLastValues),
              "local memory",
              ProgramScope::thread,
              setting.threads(),
              kLastValues * kFloat,
              life_of_launches()};
    all[7] = {"i", "int i", "registers", ProgramScope::thread, setting.threads(), kFloat, life_of_launches()};
    return all;
}

}  // namespace warplens
