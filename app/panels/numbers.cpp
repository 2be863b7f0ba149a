#include "app/panels/numbers.h"

#include "app/panels/widgets.h"

#include <fmt/format.h>

namespace warplens {
namespace {

using ui::px;

const Totals& totals_of(const InstructionReport& row, int scope) {
    return scope == 0 ? row.warp : scope == 1 ? row.block : row.grid;
}

/// What the profiler calls a count: ld or st stands for {}.
std::string with_metric(const char* meaning, const char* metric, Op op) {
    if (metric[0] == '\0') return meaning;
    const std::string name = fmt::format(fmt::runtime(metric), is_load(op) ? "ld" : "st");
    return fmt::format("{}\nNsight Compute: {}", meaning, name);
}

/// Adds counts of one kind and operation to the table.
struct CountRows {
    std::vector<NumberRow>& rows;
    Op op;
    Kind kind;
    void operator()(const char* name, std::int64_t value, const char* meaning, const char* metric) const {
        rows.push_back({name, format_count(value), kind, "", with_metric(meaning, metric, op)});
    }
};

void add_shared(std::vector<NumberRow>& rows, const Totals& t, Op op, Kind kind) {
    const CountRows add{rows, op, kind};
    add("requests", t.requests, "Warp-wide instructions with at least one active lane.",
        "smsp__inst_executed_op_shared_{}");
    add("wavefronts", t.wavefronts, "Trips through the banks.",
        "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}");
    add("ideal", t.ideal_wavefronts,
        "Trips that the same lanes would need without conflicts: one per group of lanes.",
        "memory_l1_wavefronts_shared_ideal");
    add("excessive", t.excessive_wavefronts(), "Wavefronts above the ideal: what conflicts cost.",
        "derived__memory_l1_wavefronts_shared_excessive");
    rows.push_back({"bytes used", format_bytes(double(t.bytes_used)), kind, "",
                    "Distinct bytes that lanes want, summed over requests."});
    rows.push_back({"bytes possible", format_bytes(double(t.bytes_moved)), kind, "",
                    "What the banks could have given in these wavefronts."});
}

void add_global(std::vector<NumberRow>& rows, const Totals& t, Op op, Kind kind) {
    const CountRows add{rows, op, kind};
    add("requests", t.requests, "Warp-wide instructions with at least one active lane.",
        "l1tex__t_requests_pipe_lsu_mem_global_op_{}");
    add("sectors", t.sectors, "32-byte pieces of memory that travel.",
        "l1tex__t_sectors_pipe_lsu_mem_global_op_{}");
    add("ideal sectors", t.ideal_sectors, "If the lanes' bytes lay side by side.",
        "memory_l2_theoretical_sectors_global_ideal");
    add("lines", t.lines, "Distinct 128-byte lines, four sectors each, summed over requests.",
        "smsp__sass_l1tex_tags_mem_global");
    const double share = t.bytes_moved > 0 ? 100.0 * double(t.bytes_used) / double(t.bytes_moved) : 0;
    rows.push_back({"bytes used", format_bytes(double(t.bytes_used)), kind, "",
                    "Distinct bytes that lanes want, summed over requests."});
    rows.push_back({"bytes moved", format_bytes(double(t.bytes_moved)), kind, "", "Sectors × 32 bytes."});
    rows.push_back({"used share", fmt::format("{:.4g} %", share), kind, "",
                    "Bytes used, as a share of the bytes moved.\nNsight Compute: "
                    "smsp__sass_average_data_bytes_per_sector_mem_global_op_" +
                        std::string(is_load(op) ? "ld" : "st")});
}

/// Four digits at most, and never an exponent.
std::string format_speed(double value) {
    return value < 1000 ? fmt::format("{:.4g}", value) : format_count(static_cast<std::int64_t>(value + 0.5));
}

std::string spread(double median, double lower, double upper) {
    const double half = (upper - lower) / 2;
    return half < 0.01 ? fmt::format("{} ±<0.01", format_speed(median))
                       : fmt::format("{} ±{:.2g}", format_speed(median), half);
}

void add_speed(std::vector<NumberRow>& rows, const Frame& frame) {
    const Prediction& bandwidth = frame.analysis->prediction;
    const auto* timing = frame.measured == nullptr ? nullptr : std::get_if<Timing>(frame.measured);
    NumberRow speed{"useful GB/s", format_speed(bandwidth.value), Kind::approximate, "",
                    !bandwidth.shared_memory
                        ? "Bytes that lanes asked for, per second, over the whole grid."
                        : "Bytes that lanes asked for, per second, by all SMs together. A "
                          "word that several lanes share counts once."};
    if (timing != nullptr && frame.measured_point != nullptr) {
        const MeasuredPoint& point = *frame.measured_point;
        speed.measured = spread(point.value, point.lower, point.upper);
        speed.tooltip +=
            fmt::format("\nMeasured on {}: median of {} and half the distance of its quartiles. {}",
                        timing->gpu, timing->repeats, timing->method);
        if (timing->fits_l2) {
            speed.tooltip += "\nWhat it touches fits the L2: this measured the cache, not DRAM.";
        }
    }
    rows.push_back(speed);
    if (!bandwidth.shared_memory) {
        rows.push_back(
            {"DRAM, grid", format_bytes(bandwidth.dram_bytes), Kind::approximate, "",
             "Whole pieces that DRAM delivers, and sectors that are read first because they are written in part.\n"
             "Nsight Compute: dram__bytes_read.sum + dram__bytes_write.sum"});
    } else {
        const Totals& warp = frame.analysis->report.instructions.front().warp;
        NumberRow cycles{
            "cycles/request", "", Kind::approximate, "",
            "Cycles of one SM per pictured request when several warps ask at once: as many as wavefronts, if nothing else "
            "limits."};
        if (warp.requests > 0) cycles.predicted = fmt::format("{}", warp.wavefronts);
        if (timing != nullptr && timing->cycles_per_request > 0) {
            cycles.measured = spread(timing->cycles_per_request, timing->cycles_lower, timing->cycles_upper);
        }
        rows.push_back(cycles);
    }
}

std::string lane_sentence(const Frame& frame, const View& view) {
    if (view.hovered_lane < 0) return "Point at a lane to see where it goes.";
    const auto& rows = frame.analysis->report.instructions;
    const auto k = static_cast<std::size_t>(std::max({0, view.focus, view.hovered_instruction}));
    if (k >= rows.size()) return {};
    const WarpAccess& access = rows[k].access;
    if ((access.active >> view.hovered_lane & 1u) == 0)
        return fmt::format("Lane {}: not active.", view.hovered_lane);
    const std::uint64_t address = access.byte_address[view.hovered_lane];
    std::string text =
        fmt::format("{}ane {}: byte 0x{:x}, element {}",
                    view.focus < 0 ? fmt::format("{}, l", rows[k].instruction.label) : "L", view.hovered_lane,
                    address, format_count(static_cast<std::int64_t>(address) / access.bytes_per_lane));
    if (access.space == Space::shared) {
        const BankReport& banks = frame.analysis->banks[k];
        const BankRules& rules = frame.devices->at(frame.state->device).bank_rules;
        const int first = bank_slot(rules, access.bytes_per_lane, address).column *
                          banks_per_column(rules, access.bytes_per_lane);
        text +=
            fmt::format(", bank {}, group {}, wavefront {}", first, view.hovered_lane / banks.lanes_per_group,
                        banks.wavefront[view.hovered_lane] + 1);
    } else {
        text += fmt::format(", sector {}, line {}",
                            format_count(static_cast<std::int64_t>(address / kSectorBytes)),
                            format_count(static_cast<std::int64_t>(address / kLineBytes)));
    }
    return text + ".";
}

void show_table(const Frame& frame, const Theme& colors, const std::vector<NumberRow>& rows) {
    const bool measured = !frame.gpu.empty();
    if (!ImGui::BeginTable("numbers", measured ? 3 : 2, ImGuiTableFlags_BordersInnerH)) return;
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupColumn("predicted", ImGuiTableColumnFlags_WidthFixed, px(frame, measured ? 88 : 150));
    if (measured) ImGui::TableSetupColumn("measured", ImGuiTableColumnFlags_WidthFixed, px(frame, 116));
    ImGui::TableNextRow();
    ImGui::TableSetColumnIndex(1);
    ui::cell_right("predicted", colors.text_weak);
    if (measured) {
        ImGui::TableSetColumnIndex(2);
        ui::cell_right("measured", colors.text_weak);
    }
    for (const NumberRow& row : rows) {
        ImGui::TableNextRow();
        ImGui::TableSetColumnIndex(0);
        ui::text(row.name);
        ui::tip(frame, row.tooltip);
        ui::mark(fmt::format("number.{}", row.name));
        const ui::FontScope mono(frame, FontRole::mono);
        ImGui::TableSetColumnIndex(1);
        if (!row.predicted.empty())
            ui::cell_right(fmt::format("{} {}", row.predicted, kind_mark(row.kind)), colors.text);
        if (!measured || row.measured.empty()) continue;
        ImGui::TableSetColumnIndex(2);
        ui::cell_right(fmt::format("{} {}", row.measured, kind_mark(Kind::measured)), colors.accent);
    }
    ImGui::EndTable();
}

}  // namespace

std::vector<NumberRow> number_rows(const Frame& frame, const View& view) {
    std::vector<NumberRow> rows;
    const Report& report = frame.analysis->report;
    for (std::size_t k = 0; k < report.instructions.size(); ++k) {
        if (view.focus >= 0 && k != static_cast<std::size_t>(view.focus)) continue;
        const InstructionReport& row = report.instructions[k];
        const Totals& totals = totals_of(row, view.scope);
        const bool shared = row.instruction.space == Space::shared;
        if (view.focus >= 0) {
            if (shared)
                add_shared(rows, totals, row.instruction.op, report.kind);
            else
                add_global(rows, totals, row.instruction.op, report.kind);
            continue;
        }
        const std::int64_t cost = shared ? totals.wavefronts : totals.sectors;
        const std::int64_t ideal = shared ? totals.ideal_wavefronts : totals.ideal_sectors;
        rows.push_back({fmt::format("{} {}", k + 1, shared ? "wavefronts" : "sectors"),
                        fmt::format("{} of {}", format_count(ideal), format_count(cost)), report.kind, "",
                        fmt::format("{}: ideal, of those that it takes.", row.instruction.label)});
    }
    add_speed(rows, frame);
    return rows;
}

void show_numbers(const Frame& frame, View& view) {
    const Theme& colors = theme(view.theme);
    {
        const ui::FontScope strong(frame, FontRole::strong);
        ImGui::AlignTextToFramePadding();
        ui::text("Numbers");
    }
    const char* scopes[] = {"warp", "block", "grid"};
    const char* tips[] = {"The one request that the picture shows.",
                          "The block of the pictured warp, all steps.", "Every warp of the grid, all steps."};
    for (int scope = 0; scope < 3; ++scope) {
        ImGui::SameLine(0, px(frame, scope == 0 ? 16 : 2));
        if (ui::pill(frame, colors, scopes[scope], view.scope == scope)) view.scope = scope;
        ui::mark(fmt::format("scope.{}", scopes[scope]));
        ui::tip(frame, tips[scope]);
    }
    show_table(frame, colors, number_rows(frame, view));
    ui::text_weak(colors,
                  frame.gpu.empty() ? "● exact  ○ approximate" : "● exact  ○ approximate  ◆ measured");
    ui::tip(
        frame,
        "exact: counted from addresses by rules that hardware follows.\napproximate: a formula with a stated "
        "source.\nmeasured: on this GPU, now, median and spread.");
    const float line = ImGui::GetTextLineHeight();
    const ImVec2 start = ImGui::GetCursorPos();
    ui::wrapped(lane_sentence(frame, view));
    ImGui::SetCursorPos(ImVec2(start.x, start.y + line * 2));
    ImGui::Dummy(ImVec2(1, 1));
}

}  // namespace warplens
