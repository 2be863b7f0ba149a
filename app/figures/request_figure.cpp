#include "app/figures/request_figure.h"

#include "app/base/text.h"
#include "app/figures/figure_command.h"
#include "app/model/access/counts.h"
#include "app/pictures/access/explain.h"

#include <fmt/format.h>

#include <filesystem>

namespace warplens {

std::string request_kind(const AccessGroup& group) {
    const WarpAccess& access = group.worst;
    const std::string_view op = access.op == Op::load_matrix ? "ldmatrix" : op_name(access.op);
    return fmt::format("{} {}, {} B", space_name(access.space), op, access.bytes_per_lane);
}

std::string request_place(const AccessGroup& group) {
    std::string text = fmt::format("line {}", group.line);
    const AccessPlace& place = group.place;
    if (place.launch >= 0)
        text += fmt::format(", launch {}, block {},{},{}, warp {}", place.launch, place.block[0],
                            place.block[1], place.block[2], place.warp);
    return text;
}

std::string request_cost(const AccessGroup& group, const SectorRules& rules) {
    const CostWords cost = cost_of(group.space(), rules);
    return fmt::format("{} {}, ideal {}", format_count(cost.cost(group.totals)), cost.name,
                       format_count(cost.ideal(group.totals)));
}

std::string request_command(const std::string& path, const DeviceFacts& device, std::size_t index, bool bits,
                            const std::string& out) {
    const std::string name = std::filesystem::path(path).stem().string();
    const std::string file = out.empty() ? fmt::format("{}-{}.png", name, index + 1)
                                         : std::filesystem::path(out).filename().string();
    return printable(
        fmt::format("warplens view {} --row {}{} --device {} --out {}", shell_word(path), index + 1,
                    bits ? " --draw bits" : "", shell_word(device.name), shell_word(file)),
        kMostMessageBytes);
}

RequestFigure request_figure(const AccessList& list, std::size_t index, const DeviceFacts& device,
                             const std::string& command) {
    const auto kept = std::make_shared<const AccessGroup>(list.groups.at(index));
    const AccessGroup& group = *kept;
    RequestFigure figure{request_evidence(report_of(group, device), device)};
    figure.group = kept;
    figure.title = group.name.empty() ? "Recorded request" : group.name;
    figure.subtitle = request_kind(group);
    if (!group.kernel.empty()) figure.subtitle += "   ·   " + group.kernel;
    figure.recorded = fmt::format("recorded in {}, {}: the worst of {} ({})", list.name, request_place(group),
                                  counted(group.rows, "request"), request_cost(group, device.sector_rules));
    figure.command = command;
    return figure;
}

}  // namespace warplens
