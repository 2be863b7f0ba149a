// How fast files of recorded requests are read and counted, on all cores of this machine. The aim: 3 million
// rows of CSV per second on two cores.
#include "app/cli/analyze.h"
#include "app/experiment/devices.h"
#include "app/measure/accesses/access_list.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <istream>
#include <random>
#include <streambuf>

namespace warplens::test::analyze_benchmarks {
namespace {

const DeviceFacts& h200() {
    static std::vector<DeviceFacts> devices = device_table();
    return devices.at(choose_device(devices, "9.0", true));
}

/// A text to read that is not copied first, as a stream of strings would.
class Reading : private std::streambuf, public std::istream {
public:
    explicit Reading(std::string& text) : std::istream(static_cast<std::streambuf*>(this)) {
        setg(text.data(), text.data(), text.data() + text.size());
    }
};

/// Rows as a tracer writes them: strided accesses to global and shared memory.
std::string csv_rows(int rows, bool hexadecimal) {
    std::mt19937 random(1);
    std::string text = "id,space,op,width,mask";
    for (int lane = 0; lane < kWarpLanes; ++lane) text += fmt::format(",a{}", lane);
    for (int i = 0; i < rows; ++i) {
        const bool shared = i % 2 == 0;
        const auto first = static_cast<unsigned>(4 * (random() % 1024));
        const auto stride = static_cast<unsigned>(4 * (random() % 33));
        text +=
            fmt::format("\n{},{},{},4,ffffffff", i, shared ? "shared" : "global", i % 3 == 0 ? "st" : "ld");
        for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
            const unsigned address = first + lane * stride;
            text += hexadecimal ? fmt::format(",0x{:x}", address) : fmt::format(",{}", address);
        }
    }
    return text + '\n';
}

void analyze_csv(benchmark::State& state, bool hexadecimal) {
    constexpr int kRows = 200000;
    std::string text = csv_rows(kRows, hexadecimal);
    for (auto _ : state) {
        Reading input(text);
        std::size_t bytes = 0;
        analyze_rows(input, "rows.csv", h200(), [&bytes](std::string_view piece) { bytes += piece.size(); });
        benchmark::DoNotOptimize(bytes);
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * kRows);
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK_CAPTURE(analyze_csv, decimal, false)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(analyze_csv, hexadecimal, true)->UseRealTime()->Unit(benchmark::kMillisecond);

void list_mem_trace(benchmark::State& state) {
    constexpr int kRows = 100000;
    std::string text;
    for (int i = 0; i < kRows; ++i) {
        text +=
            fmt::format("MEMTRACE: CTX 0x000055967fa50640 - grid_launch_id 0 - CTA {},0,0 - warp {} - {} - ",
                        i / 32, i % 32, i % 2 == 0 ? "LDG.E" : "STG.E");
        for (unsigned lane = 0; lane < kWarpLanes; ++lane)
            text +=
                fmt::format("0x{:016x} ", 0x7ff412a00000 + 128 * static_cast<std::uint64_t>(i) + 4 * lane);
        text += '\n';
    }
    for (auto _ : state) {
        Reading input(text);
        benchmark::DoNotOptimize(list_accesses(input, "trace.txt", h200()));
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * kRows);
}
BENCHMARK(list_mem_trace)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace warplens::test::analyze_benchmarks
