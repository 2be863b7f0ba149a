#include "app/boards/spaces/spaces_picture.h"
#include "app/cli/command_options.h"
#include "app/cli/text_table.h"
#include "app/experiment/devices.h"
#include "app/model/device/properties.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace warplens {
namespace {

using nlohmann::ordered_json;

ordered_json or_null(double value) { return value > 0 ? ordered_json(value) : ordered_json(); }
ordered_json or_null(std::int64_t value) { return value > 0 ? ordered_json(value) : ordered_json(); }

std::string latency_cell(const SpaceRow& row) {
    const std::string text = latency_text(row);
    return row.latency.source.empty() ? text
                                      : fmt::format("{} {}", provenance_mark(latency_provenance(row)), text);
}

void write_text(const SpacesTable& table, std::ostream& out) {
    out << fmt::format("Memory spaces of {}, compute capability {}\n\n", table.gpu, table.cc.text());
    WrappedTable text({{"space", 19},
                       {"where it lives", 16},
                       {"seen by", 12},
                       {"lifetime", 9},
                       {"latency", 16},
                       {"size", 18},
                       {"cached in", 12},
                       {"kernel", 10},
                       {"host", 5},
                       {"used for", 24}});
    std::string absent, sources, bandwidths;
    for (const SpaceRow& row : table.rows) {
        if (!row.exists) {
            absent += fmt::format("{}: {}.\n", row.name, absent_words(row));
            continue;
        }
        text.add({row.name + (row.cache ? " (cache)" : "") + "\n" + row.qualifier, row.lives, row.scope,
                  row.lifetime, latency_cell(row), row.size(), row.cached, row.kernel, row.host, row.use});
        if (!row.latency.source.empty()) sources += fmt::format("  {}: {}\n", row.name, latency_source(row));
        if (row.gb_per_s > 0)
            bandwidths += fmt::format("  {}: {} {}: {}\n", row.name, provenance_mark(Provenance::approximate),
                                      bandwidth_text(row), row.bandwidth_of);
    }
    WrappedTable hints(
        {{"asked of the caches", 26}, {"CUDA C++", 22}, {"it is", 24}, {"what it changes", 72}});
    for (const CacheHint& hint : table.hints) hints.add({hint.name, hint.code, hint.does, hint.more});
    out << text.text() << absent << '\n';
    if (!table.hints.empty()) out << hints.text() << '\n';
    if (!sources.empty())
        out << "Latency: cycles from a load to its first use, nothing else running; from the nearest place that "
               "can answer to DRAM.\n"
            << sources;
    out << "Bandwidth of the whole GPU:\n" << bandwidths;
    if (!table.size_source.empty()) out << "Sizes: " << table.size_source << ".\n";
    out << fmt::format(
        "\n{} recorded: measured on a named GPU   {} approximate: width times the highest clock; all "
        "others as documented\n",
        provenance_mark(Provenance::recorded), provenance_mark(Provenance::approximate));
}

ordered_json row_to_json(const SpaceRow& row) {
    ordered_json json{{"space", row.key}, {"name", row.name}, {"cache", row.cache}, {"exists", row.exists}};
    if (!row.since.empty()) json["since"] = row.since;
    if (!row.exists) return json;
    json["lives"] = row.lives;
    json["closeness"] = closeness_key(row.closeness);
    json["scope"] = row.scope;
    json["lifetime"] = row.lifetime;
    json["latency_cycles"] = {
        {"kind", provenance_name(latency_provenance(row))}, {"nearest", or_null(row.latency.nearest)},
        {"farthest", or_null(row.latency.farthest)},        {"in_instruction", row.latency.in_instruction},
        {"next_multiply_add", or_null(row.latency.next)},   {"source", latency_source(row)}};
    json["size"] = row.size();
    json["size_bytes"] = {
        {"kind", provenance_name(Provenance::exact)}, {"per_thread", or_null(row.sizes.per_thread)},
        {"per_block", or_null(row.sizes.per_block)},  {"per_block_most", or_null(row.sizes.per_block_most)},
        {"per_sm", or_null(row.sizes.per_sm)},        {"of_device", or_null(row.sizes.of_device)}};
    json["gb_per_s"] = or_null(row.gb_per_s);
    json["cached"] = row.cached;
    json["kernel"] = row.kernel;
    json["host"] = row.host;
    json["qualifier"] = row.qualifier;
    json["use"] = row.use;
    json["more"] = row.more;
    json["link"] = row.link;
    return json;
}

/// {"schema":1,"device":…,"compute_capability":…,"source":…,"spaces":[{"space":…,"exists":…,…},…],"hints":[…]}.
/// Values that are not known or do not exist are null.
ordered_json spaces_to_json(const SpacesTable& table) {
    ordered_json json{{"schema", 1},
                      {"device", table.gpu},
                      {"compute_capability", table.cc.text()},
                      {"source", table.source},
                      {"size_source", table.size_source},
                      {"spaces", ordered_json::array()}};
    for (const SpaceRow& row : table.rows) json["spaces"].push_back(row_to_json(row));
    json["hints"] = ordered_json::array();
    for (const CacheHint& hint : table.hints)
        json["hints"].push_back(
            {{"name", hint.name}, {"code", hint.code}, {"does", hint.does}, {"more", hint.more}});
    return json;
}

std::vector<DeviceProperty> properties_of(const DeviceFacts& device) {
    const std::optional<CapabilityFacts> rules = rules_of(device.cc);
    return device_properties(device, rules ? &*rules : nullptr);
}

void write_properties(const DeviceFacts& device, std::ostream& out) {
    out << fmt::format("cudaGetDeviceProperties of {}\n\n", device.name);
    WrappedTable text({{"field", 28}, {"value", 28}, {"what it limits", 60}});
    for (const DeviceProperty& one : properties_of(device))
        text.add({std::string(one.field), one.value, std::string(one.limits)});
    out << text.text();
}

/// [{"field":…,"value":…,"number":…,"unit":…,"limits":…},…]; number is null for lists.
ordered_json properties_to_json(const DeviceFacts& device) {
    ordered_json rows = ordered_json::array();
    for (const DeviceProperty& one : properties_of(device))
        rows.push_back({{"field", one.field},
                        {"value", one.value},
                        {"number", or_null(one.number)},
                        {"unit", one.unit},
                        {"limits", one.limits}});
    return rows;
}

struct SpacesCommand {
    DeviceChoice device;
    bool properties = false;
    bool json = false;
};

void run_spaces(const SpacesCommand& command, std::ostream& out) {
    std::vector<DeviceFacts> devices = device_table();
    const std::size_t chosen = choose_device(devices, command.device.name, command.device.cpu);
    if (command.properties) {
        if (command.json)
            out << properties_to_json(devices[chosen]).dump(2) << '\n';
        else
            write_properties(devices[chosen], out);
        return;
    }
    const SpacesTable table = spaces_of(devices[chosen]);
    if (command.json)
        out << spaces_to_json(table).dump(2) << '\n';
    else
        write_text(table, out);
}

}  // namespace

CommandEntry spaces_command() {
    return {"spaces", "List the memory spaces of a GPU",
            "spaces --device \"RTX 4090\"                          where its memories are, and how fast",
            options_of<SpacesCommand>(
                [](CLI::App& app, SpacesCommand& command) {
                    add_device(app, command.device, false);
                    app.add_flag("--properties", command.properties,
                                 "Instead: the fields of cudaGetDeviceProperties, and what each one limits");
                    add_json(app, command.json);
                },
                run_spaces)};
}

}  // namespace warplens
