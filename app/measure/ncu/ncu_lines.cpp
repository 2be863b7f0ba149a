#include "app/measure/ncu/ncu_lines.h"

#include "app/base/csv.h"
#include "app/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace warplens {
namespace {

bool decimal(char c) { return c >= '0' && c <= '9'; }

/// Words that only other profilers print in a line of their tables.
struct OtherProfiler {
    std::string_view in_line, sentence, only_on = {};
};
// Earlier GPUs, on which nvprof still works, have none of the metrics that are read here.
constexpr std::string_view kFromVolta = "on a GPU of compute capability 7.0 or later, ";
constexpr std::string_view kNsysTable =
    "this is a table of nsys, which times kernels and counts nothing in them";
constexpr OtherProfiler kOthers[] = {
    {"SQLite format", "this is a report of nsys, which times kernels and counts nothing in them"},
    {"Total Time (ns)", kNsysTable},
    {"Start (ns)", kNsysTable},
    {"NVPROF is profiling",
     "this is what nvprof prints, whose metrics have other names and are averages over launches", kFromVolta},
    {"\"Device\",\"Kernel\",\"Invocations\"",
     "this is a table of nvprof, whose metrics have other names and are averages over launches", kFromVolta},
};

}  // namespace

std::optional<Extent3> parse_extent(std::string_view text) {
    Extent3 extent{};
    std::size_t count = 0;
    const char* at = text.data();
    const char* end = at + text.size();
    while (at < end) {
        if (!decimal(*at)) {
            ++at;
            continue;
        }
        std::int64_t number = 0;
        const auto result = std::from_chars(at, end, number);
        if (result.ec != std::errc() || count == extent.size()) return std::nullopt;
        extent[count++] = number;
        at = result.ptr;
    }
    return count == extent.size() ? std::optional(extent) : std::nullopt;
}

std::optional<NcuTitle> title_in(std::string_view line) {
    const std::size_t context = line.rfind(", Context ");
    if (!line.starts_with("  ") || context == std::string_view::npos ||
        line.find(", Stream ", context) == std::string_view::npos)
        return std::nullopt;
    NcuTitle title;
    if (const std::size_t cc = line.find(", CC ", context); cc != std::string_view::npos)
        title.cc = trim(line.substr(cc + 5));
    std::string_view before = line.substr(0, context);
    const std::size_t between = before.rfind(")x(");
    const std::size_t grid = between == std::string_view::npos ? between : before.rfind('(', between);
    if (grid != std::string_view::npos) {
        title.block = before.substr(between + 2);
        title.grid = before.substr(grid, between + 1 - grid);
        before = before.substr(0, grid);
    } else if (const std::size_t date = before.rfind(", ");
               date != std::string_view::npos && date + 2 < before.size() && decimal(before[date + 2])) {
        before = before.substr(0, date);
    }
    title.kernel = trim(before);
    if (title.kernel.empty()) return std::nullopt;
    return title;
}

std::optional<NcuProcess> process_in(std::string_view line) {
    const std::size_t close = line.find(']'), at = line.rfind('@');
    if (!line.starts_with('[') || close == std::string_view::npos || at == std::string_view::npos ||
        at < close)
        return std::nullopt;
    const std::string_view id = line.substr(1, close - 1);
    if (id.empty() || !std::ranges::all_of(id, decimal)) return std::nullopt;
    return NcuProcess{id, trim(line.substr(close + 1, at - close - 1))};
}

std::optional<NcuColumns> columns_in(std::string_view line) {
    const std::size_t name = line.find("---");
    if (name == std::string_view::npos || line.find_first_not_of("- ") != std::string_view::npos)
        return std::nullopt;
    const auto next = [&](std::size_t from) {
        return line.find('-', std::min(line.find(' ', from), line.size()));
    };
    const std::size_t unit = next(name);
    const std::size_t value = unit == std::string_view::npos ? unit : next(unit);
    if (value == std::string_view::npos) return std::nullopt;
    return NcuColumns{unit, value};
}

std::string other_profiler(std::string_view head, std::string_view name) {
    if (head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff"))
        return "this is UTF-16, as > of PowerShell writes it: 'Get-Content FILE | Set-Content -Encoding utf8 NEW' "
               "makes a file that can be read";
    const bool report = name.ends_with(".nsys-rep") || name.ends_with(".qdrep") || name.ends_with(".sqlite");
    for (const OtherProfiler& other : kOthers) {
        if ((report && &other == kOthers) || head.find(other.in_line) != std::string_view::npos)
            return fmt::format("{}: {}{} ./a.out counts what is read here", other.sentence, other.only_on,
                               kHowToCount);
    }
    return {};
}

}  // namespace warplens
