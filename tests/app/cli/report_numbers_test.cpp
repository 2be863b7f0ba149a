// One number is the same wherever it stands: in the window's table, in reports as text, JSON and CSV.
#include "app/cli/report.h"

#include "app/experiment/devices.h"
#include "app/experiment/quantities.h"
#include "app/model/access/counts.h"
#include "app/model/random_settings.h"
#include "tests/sample.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <map>
#include <set>
#include <sstream>

namespace warplens::test::report_numbers_tests {
namespace {

using nlohmann::json;
using Amounts = std::map<std::string, std::optional<double>>;  ///< by key

/// One GPU of each of 8 compute capabilities, from the oldest to the newest.
std::vector<std::size_t> eight_generations(const std::vector<DeviceFacts>& devices) {
    std::map<int, std::size_t> by_cc;
    for (std::size_t i = 0; i < devices.size(); ++i)
        by_cc.try_emplace(devices[i].cc.major * 10 + devices[i].cc.minor, i);
    std::vector<std::size_t> all, picked;
    for (const auto& [cc, index] : by_cc) all.push_back(index);
    for (std::size_t i = 0; i < 8; ++i) picked.push_back(all[i * (all.size() - 1) / 7]);
    return picked;
}

std::string written(const Evidence& evidence, const DeviceFacts& device, ReportFormat format) {
    std::ostringstream out;
    write_report(evidence, device, format, out);
    return out.str();
}

/// The window's table over the grid, of one instruction.
Amounts window_rows(const Evidence& evidence, std::size_t instruction, CountScope scope) {
    Amounts amounts;
    for (const QuantityPair& row : number_rows(evidence, static_cast<int>(instruction), scope)) {
        EXPECT_FALSE(row.a.key.empty()) << row.a.name;
        EXPECT_TRUE(amounts.emplace(row.a.key, row.a.amount).second) << row.a.key << " twice";
    }
    return amounts;
}

void expect_same(const std::optional<double>& wanted, const std::optional<double>& found,
                 const std::string& what) {
    ASSERT_EQ(wanted.has_value(), found.has_value()) << what;
    if (wanted) {
        EXPECT_NEAR(*wanted, *found, 1e-10 * std::abs(*wanted)) << what;
    }
}

std::optional<double> number_in(const json& object, const std::string& key) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_number()) return {};
    return found->get<double>();
}

/// What every file has for every memory space: 0 where the space has no such count.
bool is_in_every_file(const std::string& key) {
    return std::ranges::find(counts_of_files(), key, &CountKey::key) != counts_of_files().end();
}

void expect_json(const Amounts& rows, const json& report, std::size_t instruction, CountScope scope) {
    const json& counts = report.at(std::string(scope_name(scope))).at(instruction);
    const json& predicted = report.at("predicted");
    for (const auto& [key, amount] : rows) {
        const bool counted = counts.contains(key);
        ASSERT_TRUE(counted || predicted.contains(key)) << key;
        expect_same(amount, number_in(counted ? counts : predicted, key), "JSON " + key);
    }
    for (const auto& [key, value] : counts.items()) {
        if (value.is_number() && !rows.contains(key)) {
            EXPECT_TRUE(is_in_every_file(key)) << "only in JSON: " << key;
        }
    }
    for (const auto& [key, value] : predicted.items()) {
        if (scope == CountScope::grid && value.is_number() && !rows.contains(key)) {
            EXPECT_EQ(value.get<double>(), 0) << "only in JSON: " << key;
        }
    }
}

std::vector<std::string> fields_of(const std::string& line) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (const char c : line) {
        if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            fields.emplace_back();
        else
            fields.back() += c;
    }
    return fields;
}

/// Rows of the CSV in their order: scopes, in each the instructions; by the names of the columns.
std::vector<std::map<std::string, std::string>> csv_rows(const std::string& text) {
    std::istringstream in(text);
    std::string line;
    std::getline(in, line);
    const std::vector<std::string> names = fields_of(line);
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size()) << line;
    std::vector<std::map<std::string, std::string>> rows;
    while (std::getline(in, line)) {
        const std::vector<std::string> fields = fields_of(line);
        EXPECT_EQ(fields.size(), names.size()) << line;
        auto& row = rows.emplace_back();
        for (std::size_t i = 0; i < std::min(names.size(), fields.size()); ++i) row[names[i]] = fields[i];
    }
    return rows;
}

void expect_csv(const Amounts& rows, const std::map<std::string, std::string>& csv, CountScope scope) {
    const auto number = [](const std::string& text) {
        return text.empty() ? std::optional<double>() : std::stod(text);
    };
    for (const auto& [key, amount] : rows) {
        ASSERT_TRUE(csv.contains(key)) << key;
        expect_same(amount, number(csv.at(key)), "CSV " + key);
    }
    if (scope != CountScope::grid) return;
    for (const auto& [key, text] : csv) {
        const bool words = key == "scope" || key == "label" || key == "space" || key == "op";
        if (!words && !text.empty() && !rows.contains(key)) {
            EXPECT_TRUE(is_in_every_file(key)) << "only in CSV: " << key;
        }
    }
}

/// The columns of a line that stand two spaces apart.
std::vector<std::string> columns_of(const std::string& line) {
    std::vector<std::string> columns;
    for (std::size_t at = line.find_first_not_of(' '); at != std::string::npos;) {
        const std::size_t end = std::min(line.find("  ", at), line.size());
        columns.push_back(line.substr(at, end - at));
        at = line.find_first_not_of(' ', end);
    }
    return columns;
}

/// The tables of the text: for each scope and instruction the values by the names of the columns.
struct TextReport {
    std::map<std::string, std::vector<std::map<std::string, std::string>>> scopes;  ///< by space within one
    std::map<std::string, std::string> launch;                                      ///< by name
};

TextReport read_text(const std::string& text) {
    TextReport report;
    std::istringstream in(text);
    std::vector<std::string> head;
    for (std::string line; std::getline(in, line);) {
        const std::vector<std::string> columns = columns_of(line);
        const std::string first = columns.empty() ? "" : columns.front();
        const std::string scope = first.substr(0, first.find(','));
        if (scope == "grid" || scope == "block" || scope == "warp" || first == "launch")
            head = columns;
        else if (columns.size() < 2)
            head.clear();
        else if (!head.empty() && head.front() == "launch")
            report.launch[first.substr(first.find(' ') + 1)] = columns[1];
        else if (!head.empty()) {
            EXPECT_EQ(columns.size(), head.size()) << line;
            auto& row = report.scopes[head.front()].emplace_back();
            for (std::size_t i = 1; i < std::min(head.size(), columns.size()); ++i) row[head[i]] = columns[i];
        }
    }
    return report;
}

void expect_text(const Evidence& evidence, const TextReport& text, std::size_t instruction,
                 CountScope scope) {
    const auto& instructions = evidence.report.instructions;
    const Space space = instructions[instruction].instruction.space;
    std::size_t in_its_table = 0;
    for (std::size_t k = 0; k < instruction; ++k) in_its_table += instructions[k].instruction.space == space;
    const auto table =
        text.scopes.find(std::string(scope_name(scope)) + ", " + std::string(space_name(space)));
    ASSERT_NE(table, text.scopes.end());
    const auto& counts = table->second.at(in_its_table);
    std::size_t counted = 0;
    for (const QuantityPair& row : number_rows(evidence, static_cast<int>(instruction), scope)) {
        const bool in_scope = counts.contains(row.a.name);
        counted += in_scope;
        const auto& column = in_scope ? counts : text.launch;
        ASSERT_TRUE(column.contains(row.a.name)) << "text has no " << row.a.name;
        const std::string& cell = column.at(row.a.name);
        expect_same(row.a.amount, cell == "not known" ? std::optional<double>() : std::stod(cell),
                    "text " + row.a.name);
    }
    EXPECT_EQ(counted, counts.size());
}

TEST(ReportNumbers, WindowJsonCsvAndTextAreTheSame) {
    const std::vector<DeviceFacts> devices = device_table();
    std::mt19937 random(seed(20261122));
    for (const Scenario& scenario : all_scenarios()) {
        for (const std::size_t device : eight_generations(devices)) {
            State state = initial_state(scenario, device);
            state.params = random_params(scenario, random);
            SCOPED_TRACE(std::string(scenario.info->id) + " on " + devices[device].name);
            const Evidence evidence = gather_evidence(state, devices);
            const json as_json = json::parse(written(evidence, devices[device], ReportFormat::json));
            const auto csv = csv_rows(written(evidence, devices[device], ReportFormat::csv));
            const TextReport text = read_text(written(evidence, devices[device], ReportFormat::text));
            const std::size_t count = evidence.report.instructions.size();
            ASSERT_EQ(csv.size(), 3 * count);
            for (std::size_t s = 0; s < 3; ++s) {
                for (std::size_t k = 0; k < count; ++k) {
                    const Amounts rows = window_rows(evidence, k, kCountScopes[s]);
                    expect_json(rows, as_json, k, kCountScopes[s]);
                    expect_csv(rows, csv[s * count + k], kCountScopes[s]);
                    expect_text(evidence, text, k, kCountScopes[s]);
                    if (HasFatalFailure()) return;
                }
            }
        }
    }
}

// A GPU without an L2 has no word of one in its report, and what cannot be launched has no bytes.
TEST(ReportNumbers, SayNothingOfWhatIsNotThere) {
    const std::vector<DeviceFacts> devices = device_table();
    std::mt19937 random(seed(53));
    int without = 0, refused = 0;
    for (std::size_t device = 0; device < devices.size(); ++device) {
        for (const Scenario& scenario : all_scenarios()) {
            State state = initial_state(scenario, device);
            for (int i = 0; i < (has_l2(devices[device]) ? 1 : 12); ++i) {
                SCOPED_TRACE(std::string(scenario.info->id) + " on " + devices[device].name);
                const Evidence evidence = gather_evidence(state, devices);
                const std::string text = written(evidence, devices[device], ReportFormat::text);
                if (!has_l2(devices[device])) {
                    ++without;
                    const json numbers = json::parse(written(evidence, devices[device], ReportFormat::json));
                    const std::string about = std::string(scenario.info->title) +
                                              scenario.info->summary.data() +
                                              describe_settings(scenario, state.params);
                    if (about.find("L2") == std::string::npos) {
                        EXPECT_EQ(text.find("L2"), std::string::npos) << text;
                    }
                    EXPECT_FALSE(number_in(numbers.at("predicted"), "l2_bytes")) << numbers;
                }
                if (!evidence.report.does_not_fit.empty()) {
                    ++refused;
                    const json numbers = json::parse(written(evidence, devices[device], ReportFormat::json));
                    EXPECT_TRUE(numbers.at("predicted").at("dram_bytes").is_null());
                    EXPECT_TRUE(numbers.at("predicted").at("useful_bytes").is_null());
                }
                // No mark without its meaning.
                const std::size_t legend = text.rfind("\n● exact");
                for (const char* mark : {"▲", "◆"}) {
                    EXPECT_TRUE(text.substr(0, legend).find(mark) == std::string::npos ||
                                text.find(mark, legend) != std::string::npos)
                        << text;
                }
                state.params = random_params(scenario, random);
            }
        }
    }
    EXPECT_GT(without, 500);
    EXPECT_GT(refused, 50);
}

}  // namespace
}  // namespace warplens::test::report_numbers_tests
