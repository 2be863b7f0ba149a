#include "app/measure/ncu/ncu_csv.h"

#include "app/base/errors.h"
#include "app/base/text.h"
#include "app/measure/ncu/ncu_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace warplens {
namespace {

constexpr std::string_view kProfilerLine = "==";
constexpr std::string_view kError = "==ERROR==";
constexpr std::string_view kNoPermission = "ERR_NVGPUCTRPERM";
constexpr std::string_view kWayRound =
    "an administrator allows it to everybody by 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' in a file "
    "of /etc/modprobe.d and a restart, or runs ncu with sudo; a container needs --cap-add=SYS_ADMIN; without it "
    "'warplens report my.cu' says what the counters would";

/// Columns that both pages have; some only since some version.
enum NcuColumn {
    kId,
    kProcess,
    kProcessName,
    kKernel,
    kBlock,
    kGrid,
    kCc,
    kName,
    kUnit,
    kValue,
    kNcuColumns
};
constexpr std::string_view kNcuColumnNames[] = {"ID",          "Process ID",  "Process Name", "Kernel Name",
                                                "Block Size",  "Grid Size",   "CC",           "Metric Name",
                                                "Metric Unit", "Metric Value"};

/// The text of a field: printable, without quotes, doubled quotes single, with single blanks.
std::string text_of(std::string_view field) {
    const std::string_view inside = plain(field);
    const bool quoted = inside.size() != field.size();
    std::string text;
    for (std::size_t i = 0; i < inside.size(); ++i) {
        if (quoted && inside[i] == '"' && i + 1 < inside.size() && inside[i + 1] == '"') ++i;
        const bool blank = static_cast<unsigned char>(inside[i]) <= ' ' || inside[i] == '\x7f';
        if (!blank)
            text += inside[i];
        else if (!text.empty() && text.back() != ' ')
            text += ' ';
    }
    return printable(text, text.size() + 3);
}

std::vector<std::string_view> split(std::string_view record, char separator) {
    std::vector<std::string_view> fields;
    for (bool more = true; more;) fields.push_back(take_field(record, more, separator));
    return fields;
}

/// "1,024" is 1024. Empty if it is no number.
std::string number_of_launch(std::string_view text) {
    std::string digits;
    for (const char c : text) {
        if (c >= '0' && c <= '9')
            digits += c;
        else if (c != ',' && c != '.')
            return "";
    }
    return digits;
}

/// A value as it stands in the file: its locale is known only at the end.
struct NcuCell {
    std::string text, unit;
    long line = 0;
};

using Cells = std::map<std::string_view, NcuCell>;  ///< by metric

struct NcuHeader {
    NcuPage page = NcuPage::raw;
    bool quoted = false;                    ///< fields stand in quotes, as the profiler writes them
    std::array<int, kNcuColumns> column{};  ///< index of each column. -1 if it is missing.
    std::vector<const KnownMetric*> known;  ///< raw page, by column; null if nothing makes use of it
    std::vector<std::string> units;         ///< raw page, by column
};

bool names_all(const std::vector<std::string_view>& fields, std::initializer_list<std::string_view> names) {
    return std::all_of(names.begin(), names.end(), [&](std::string_view name) {
        return std::any_of(fields.begin(), fields.end(), [&](auto field) { return plain(field) == name; });
    });
}

bool is_header(const std::vector<std::string_view>& fields) {
    return names_all(fields, {"ID", "Kernel Name"});
}

/// The letter between columns: Excel writes semicolons or tabs where a comma stands before decimals. '\0' if
/// the line does not name these columns.
char separator_of(std::string_view line, std::initializer_list<std::string_view> columns) {
    for (const char separator : {',', ';', '\t'})
        if (names_all(split(line, separator), columns)) return separator;
    return '\0';
}

class NcuReader {
public:
    NcuReader(std::istream& input, const std::string& name, const NcuLimits& limits,
              const ReadProgress& progress)
        : records_(input, name), limits_(limits), progress_(progress) {}

    std::optional<NcuFile> read() {
        records_.peek();
        constexpr std::size_t kFirst = 13;  // what a program prints before the table is no other table
        if (const auto other = other_profiler(records_.ahead().substr(0, kFirst), records_.name());
            !other.empty())
            fail(other);
        if (records_.ahead().starts_with("NVR") || records_.ahead().find('\0') != std::string_view::npos) {
            fail(fmt::format(
                "this is no text: of a report, 'ncu --import {} --csv --page raw' makes a CSV file",
                records_.name()));
        }
        if (!find_header()) {
            std::vector<std::string_view> fields;
            while (goes_on() && next_row(fields)) take_row(fields);
        }
        if (progress_.stop.stop_requested()) return std::nullopt;
        if (file_.launches.empty()) fail("the table has no row: was a kernel profiled?");
        finish();
        return std::move(file_);
    }

private:
    bool goes_on() {
        if (progress_.bytes != nullptr) *progress_.bytes = records_.bytes();
        return !progress_.stop.stop_requested();
    }
    [[noreturn]] void fail(const std::string& sentence) const {
        throw UsageError(fmt::format("{}: {}", records_.name(), sentence));
    }
    [[noreturn]] void fail_here(const std::string& sentence) const {
        throw UsageError(fmt::format("{}, line {}: {}", records_.name(), records_.line(), sentence));
    }

    /// @return  whether it was no table of columns but a text, which then has been read
    bool find_header() {
        std::string_view line;
        while (goes_on() && records_.next_line(line)) {
            if (records_.bytes() > limits_.bytes) break;
            any_line_ = any_line_ || !trim(line).empty();
            // The first error is the cause of the others.
            if (!last_word_.starts_with(kError) &&
                (line.starts_with(kError) || line.starts_with("==WARNING==")))
                last_word_ = line;
            if (const auto process = process_in(line))
                process_ = {std::string(process->id), text_of(process->name)};
            if (title_in(line)) {
                read_text(line);
                return true;
            }
            if (const char separator = separator_of(line, {"ID", "Kernel Name"})) {
                separator_ = separator;
                take_header(split(line, separator));
                return false;
            }
            const auto fields = split(line, ',');
            if (names_all(fields, {"Kernel Name", "Invocations"}))
                other_table_ = "this is a summary of several launches: run ncu without --print-summary";
            else if (names_all(fields, {"Source", "Address"}) || names_all(fields, {"Source", "Line No"}))
                other_table_ = "this is the source page: run ncu with --page raw or --page details";
            else if (other_table_.empty())
                other_table_ = other_profiler(line);
        }
        if (!progress_.stop.stop_requested()) explain_no_table();
        return true;
    }

    [[noreturn]] void explain_no_table() const {
        if (!any_line_) fail(fmt::format("the file is empty: expected what {} prints", kHowToCount));
        if (!other_table_.empty()) fail(other_table_);
        if (last_word_.find(kNoPermission) != std::string::npos)
            fail(fmt::format("the profiler may not read counters here ({}): {}", kNoPermission, kWayRound));
        if (last_word_.find("==") != std::string::npos) {
            const std::string said(trim(std::string_view(last_word_).substr(last_word_.find("==", 2) + 2)));
            fail(fmt::format("there is no table, and the profiler says: {}", text_of(said)));
        }
        fail(fmt::format("no line names the columns ID and Kernel Name: expected what {} prints",
                         kHowToCount));
    }

    /// The page that is printed without --csv, from its first title to the end.
    void read_text(std::string_view line) {
        file_.page = NcuPage::text;
        bool in_table = false, behind_heads = false;
        NcuColumns columns;
        do {
            if (records_.bytes() > limits_.bytes) fail_size();
            if (const auto title = title_in(line)) {
                add_launch(std::to_string(file_.launches.size()), *title);
                in_table = false;
            } else if (const auto process = process_in(line)) {
                process_ = {std::string(process->id), text_of(process->name)};
            } else if (const auto rule = columns_in(line)) {
                in_table = !in_table || behind_heads;
                columns = *rule;
                behind_heads = false;
            } else if (in_table && line.size() > columns.value) {
                const std::string_view name = trim(line.substr(0, columns.unit));
                behind_heads = name == kNcuColumnNames[kName];
                if (behind_heads) continue;
                take(cells_.back(), known_of(name), trim(line.substr(columns.value)),
                     text_of(trim(line.substr(columns.unit, columns.value - columns.unit))));
            }
        } while (goes_on() && records_.next_line(line));
    }

    void take_header(const std::vector<std::string_view>& fields) {
        ++tables_;
        header_ = {};
        header_.quoted = !fields.front().empty() && fields.front().front() == '"';
        header_.column.fill(-1);
        header_.units.resize(fields.size());
        for (std::size_t i = 0; i < fields.size(); ++i) {
            const std::string_view name = plain(fields[i]);
            const auto found = std::find(std::begin(kNcuColumnNames), std::end(kNcuColumnNames), name);
            if (found != std::end(kNcuColumnNames))
                header_.column[found - std::begin(kNcuColumnNames)] = int(i);
            // Only metrics have a name without spaces.
            header_.known.push_back(name.find('_') == std::string_view::npos ? nullptr : known_of(name));
        }
        const bool details = header_.column[kName] >= 0;
        if (details && header_.column[kValue] < 0)
            fail_here("the header has a column Metric Name and no column Metric Value: is it cut off?");
        header_.page = details ? NcuPage::details : NcuPage::raw;
        file_.page = header_.page;
    }

    [[noreturn]] void fail_size() const {
        fail(
            fmt::format("more than {} MiB: export fewer launches (ncu --launch-count) or only the metrics of "
                        "'warplens import-ncu --metrics'",
                        limits_.bytes >> 20));
    }

    /// A line between rows that is not one: the profiler's, or what the program printed.
    void pass_over(std::string_view line) {
        if (!line.starts_with(kProfilerLine) && !trim(line).empty()) ++file_.skipped_lines;
    }

    /// Rows begin like their header, with a quote or without. Where only words are quoted, not numbers, the
    /// number of columns tells.
    bool next_row(std::vector<std::string_view>& fields) {
        for (int first; (first = records_.peek()) >= 0;) {
            std::string_view text;
            const bool number = (first >= '0' && first <= '9') || first == separator_;
            const bool whole = first == '"' || (!header_.quoted && (number || first == 'I'));
            if (whole ? !records_.next(text) : !records_.next_line(text)) return false;
            if (records_.bytes() > limits_.bytes) fail_size();
            fields = split(text, separator_);
            if (whole || (number && fields.size() == header_.known.size())) return true;
            pass_over(text);
        }
        return false;
    }

    void take_row(const std::vector<std::string_view>& fields) {
        if (is_header(fields)) return take_header(fields);
        // The details page leaves out what stands behind the value where no rule has anything to say.
        const int last = std::max(header_.column[kValue], header_.column[kKernel]);
        const bool short_row = header_.page == NcuPage::details && fields.size() < header_.known.size() &&
                               fields.size() > std::size_t(last);
        if (fields.size() != header_.known.size() && !short_row) {
            fail_here(fmt::format("expected {} columns as in the header, found {}: is the row cut off?",
                                  header_.known.size(), fields.size()));
        }
        const std::string_view id = field(fields, kId);
        if (id.empty() && header_.page == NcuPage::raw) {
            for (std::size_t i = 0; i < fields.size(); ++i) header_.units[i] = text_of(fields[i]);
            return;
        }
        if (number_of_launch(id).empty())
            fail_here(fmt::format("expected the number of a launch in column ID, found {}", in_quotes(id)));
        Cells& cells = cells_[launch_of(fields)];
        if (header_.page == NcuPage::details) {
            const std::string_view name = field(fields, kName);  // empty in rows of rules
            if (!name.empty())
                take(cells, known_of(name), field(fields, kValue), text_of(raw(fields, kUnit)));
            return;
        }
        for (std::size_t i = 0; i < fields.size(); ++i) {
            if (std::find(header_.column.begin(), header_.column.end(), int(i)) == header_.column.end())
                take(cells, header_.known[i], plain(fields[i]), header_.units[i]);
        }
    }

    /// The metric of a name. One that nothing makes use of is noted once.
    const KnownMetric* known_of(std::string_view name) {
        const KnownMetric* known = find_known_metric(name);
        if (known == nullptr && was_asked_for(name) && unread_.insert(text_of(name)).second)
            file_.unread.push_back(text_of(name));
        return known;
    }

    /// The value of a metric. Several sections may have it: the first that is not empty counts.
    void take(Cells& cells, const KnownMetric* known, std::string_view text, std::string_view unit) {
        const DecimalMark mark = decimal_mark_of(text);
        points_ += mark == DecimalMark::point;
        commas_ += mark == DecimalMark::comma;
        if (known == nullptr) return;
        NcuCell& cell = cells[known->metric];
        if (cell.text.empty()) cell = {std::string(text), std::string(unit), records_.line()};
    }

    std::size_t launch_of(const std::vector<std::string_view>& fields) {
        const std::string id = number_of_launch(field(fields, kId));
        const std::string process = text_of(raw(fields, kProcess));
        const auto [place, added] =
            launch_by_key_.try_emplace(fmt::format("{} {} {}", tables_, process, id), file_.launches.size());
        if (!added) return place->second;
        process_ = {process, text_of(raw(fields, kProcessName))};
        add_launch(id, {raw(fields, kKernel), field(fields, kGrid), field(fields, kBlock), raw(fields, kCc)});
        return file_.launches.size() - 1;
    }

    void add_launch(const std::string& id, const NcuTitle& title) {
        if (file_.launches.size() == limits_.launches) {
            fail(fmt::format("more than {} launches: choose with ncu --kernel-name or --launch-count",
                             limits_.launches));
        }
        NcuLaunch launch;
        launch.id = id;
        launch.process_id = process_.id;
        launch.process = process_.name;
        launch.cc = text_of(title.cc);
        std::replace(launch.cc.begin(), launch.cc.end(), ',', '.');
        launch.block = parse_extent(title.block);
        launch.grid = parse_extent(title.grid);
        launch.kernel = text_of(title.kernel);
        cells_.emplace_back();
        file_.launches.push_back(std::move(launch));
    }

    /// Cells to numbers, now that the locale is known.
    void finish() {
        const DecimalMark mark = points_ + commas_ == 0 ? DecimalMark::unknown
                                 : commas_ > points_    ? DecimalMark::comma
                                                        : DecimalMark::point;
        for (std::size_t i = 0; i < cells_.size(); ++i) {
            NcuLaunch& launch = file_.launches[i];
            for (const auto& [metric, cell] : cells_[i]) {
                const NcuNumber number =
                    read_ncu_number(cell.text, cell.unit, mark, find_known_metric(metric)->whole);
                if (number.state == NcuNumber::State::unreadable) {
                    throw UsageError(fmt::format("{}, line {}: expected a number for {}, found {}",
                                                 records_.name(), cell.line, metric, in_quotes(cell.text)));
                }
                if (number.state == NcuNumber::State::none)
                    launch.without_value.push_back(metric);
                else
                    launch.counts[metric] = {number.value, number.rounding, cell.unit};
            }
        }
    }

    /// As it stands in the file. Empty if the header or the row does not have it.
    std::string_view raw(const std::vector<std::string_view>& fields, NcuColumn column) const {
        const std::size_t at = header_.column[column];  // -1 becomes the largest number
        return at < fields.size() ? fields[at] : std::string_view();
    }
    std::string_view field(const std::vector<std::string_view>& fields, NcuColumn column) const {
        return plain(raw(fields, column));
    }

    CsvRecords records_;
    NcuLimits limits_;
    const ReadProgress& progress_;
    NcuHeader header_;
    NcuFile file_;
    std::vector<Cells> cells_;  ///< by launch
    struct {
        std::string id, name;
    } process_;  ///< of the launches that come next
    std::set<std::string> unread_;
    char separator_ = ',';
    std::map<std::string, std::size_t> launch_by_key_;
    int tables_ = 0;
    std::size_t points_ = 0, commas_ = 0;  ///< values that tell their locale
    std::string last_word_;                ///< the profiler's first error, or its last warning
    std::string other_table_;              ///< what was found instead of the table
    bool any_line_ = false;
};

}  // namespace

const NcuCount* NcuLaunch::find(std::string_view metric) const {
    const auto found = counts.find(metric);
    return found == counts.end() ? nullptr : &found->second;
}

std::string_view page_name(NcuPage page) {
    constexpr std::string_view kNames[] = {"details", "raw", "text"};
    return kNames[int(page)];
}

NcuFile read_ncu_csv(std::istream& input, const std::string& name, const NcuLimits& limits) {
    return read_ncu_csv(input, name, ReadProgress{}, limits).value();
}

std::optional<NcuFile> read_ncu_csv(std::istream& input, const std::string& name,
                                    const ReadProgress& progress, const NcuLimits& limits) {
    return NcuReader(input, name, limits, progress).read();
}

bool looks_like_ncu(std::string_view head) {
    while (!head.empty()) {
        const auto [line, rest] = split_once(head, "\n");
        const bool named = line.find(kNcuColumnNames[kKernel]) != std::string_view::npos;
        if (title_in(line) || (named && separator_of(line, {kNcuColumnNames[kKernel]}) != '\0')) return true;
        head = rest;
    }
    return false;
}

}  // namespace warplens
