// A file of launches is answered row by row: 10,000 in well under a second.
#include "app/cli/occupancy/occupancy.h"

#include <benchmark/benchmark.h>

#include <fstream>
#include <iterator>
#include <sstream>

namespace warplens::test::occupancy_benchmarks {
namespace {

/// The reference table, as often as it takes.
std::string launches(std::size_t rows) {
    std::ifstream file("tests/data/occupancy_reference.csv");
    std::string header, line, text;
    std::getline(file, header);
    text = header + '\n';
    for (std::size_t i = 0; i < rows;) {
        while (i < rows && std::getline(file, line)) {
            text += line + '\n';
            ++i;
        }
        if (i == 0) return {};
        file.clear();
        file.seekg(0);
        std::getline(file, header);
    }
    return text;
}

void occupancy_of_10000_rows(benchmark::State& state) {
    constexpr std::size_t kRows = 10'000;
    const std::string text = launches(kRows);
    if (text.empty()) {
        state.SkipWithError("run it in the repository's root");
        return;
    }
    for (auto _ : state) {
        std::istringstream input(text);
        benchmark::DoNotOptimize(occupancy_rows(input, "launches.csv"));
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(kRows) * state.iterations());
}
BENCHMARK(occupancy_of_10000_rows)->Unit(benchmark::kMillisecond);

/// What the board of occupancy needs when a knob is turned.
void curves_and_remedies(benchmark::State& state) {
    OccupancyCommand command;
    command.cc = "9.0";
    command.input.registers = 33;
    command.json = true;
    for (auto _ : state) benchmark::DoNotOptimize(occupancy_of_launch(command));
}
BENCHMARK(curves_and_remedies)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace warplens::test::occupancy_benchmarks
