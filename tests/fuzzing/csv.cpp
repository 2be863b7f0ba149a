// Tables of others: warp accesses, what mem_trace prints, launches, and what Nsight Compute prints.

#include "app/base/csv.h"
#include "app/cli/analyze.h"
#include "app/cli/ncu/import_ncu.h"
#include "app/cli/occupancy/occupancy.h"
#include "app/experiment/devices.h"
#include "app/measure/accesses/access_list.h"
#include "app/model/access/counts.h"
#include "tests/fuzzing/targets.h"

#include <algorithm>
#include <sstream>

namespace warplens::fuzz {
namespace {

std::size_t count_rows(std::string_view bytes) {
    std::istringstream input{std::string(bytes)};
    CsvRecords records(input, "table.csv");
    std::size_t rows = 0;
    for (std::string_view record; records.next(record);) ++rows;
    return rows;
}

/// A row of the answer for each row of the file, and its head. A name may have line ends in it.
void require_rows(std::string_view bytes, const std::string& answer) {
    require(count_rows(answer) == count_rows(bytes), "each row has an answer");
}

}  // namespace

void accesses(std::string_view bytes) {
    if (looks_like_mem_trace(bytes)) return mem_trace(bytes);
    std::istringstream input{std::string(bytes)};
    try_to([&] { require_rows(bytes, analyze_rows(input, "accesses.csv", device_table().front())); });
}

/// Any bytes as requests of either form: what is listed is printable, adds up, and stands worst first.
void mem_trace(std::string_view bytes) {
    std::istringstream input{std::string(bytes)};
    static const DeviceFacts device = device_table().front();
    try_to([&] {
        const AccessList list = list_accesses(input, "trace.txt", device);
        std::int64_t rows = list.others;
        const auto excess = [](const AccessGroup& group) { return excess_of(group, device.sector_rules); };
        for (const AccessGroup& group : list.groups) {
            rows += group.rows;
            require(printable(group.name, group.name.size() + 3) == group.name, "names are printable");
            require(printable(group.kernel, group.kernel.size() + 3) == group.kernel,
                    "kernels are printable");
            require(group.line > 0 && excess(group) >= 0, "a group has a worst request");
        }
        require(rows == list.rows, "each request is in one group");
        require(std::ranges::is_sorted(list.groups, std::ranges::greater(), excess), "the worst is first");
    });
}

void occupancy(std::string_view bytes) {
    std::istringstream input{std::string(bytes)};
    try_to([&] { require_rows(bytes, occupancy_rows(input, "launches.csv")); });
}

void ncu(std::string_view bytes) {
    std::istringstream input{std::string(bytes)};
    std::string names;
    try_to([&] {
        for (const NcuLaunch& launch : read_ncu_csv(input, "counters.csv").launches)
            names += launch.kernel + launch.process + launch.process_id + launch.cc;
    });
    require(printable(names, names.size() + 3) == names, "names in a table are printable");
    if (bytes.size() % 64 != 0) return;  // what follows takes fifty times as long
    constexpr ReportFormat kFormats[] = {ReportFormat::text, ReportFormat::csv, ReportFormat::json};
    ImportNcuCommand command;
    command.path = "-";
    command.format = kFormats[bytes.size() / 64 % 3];
    if (bytes.size() % 128 == 0) command.choice.scenario = "transpose";
    std::istringstream again{std::string(bytes)};
    std::ostringstream answer;
    try_to([&] { run_import_ncu(command, again, answer); });
    std::string said = answer.str();
    std::ranges::replace(said, '\n', ' ');
    require(printable(said, said.size() + 3) == said, "an answer is printable");
}

}  // namespace warplens::fuzz
