#pragma once

// What the program shows at the place that a link leads to, to compare a written number with.
#include "app/boards/board.h"
#include "app/experiment/devices.h"
#include "app/experiment/link.h"
#include "app/experiment/recordings.h"
#include "app/model/access/counts.h"

#include <cmath>
#include <optional>
#include <regex>
#include <string>
#include <vector>

namespace warplens::test {

inline std::size_t default_device() { return find_device(device_table(), kDefaultDevice).value(); }

/// The place that a link leads to from the start of the program.
inline Place place_of(const std::string& link) {
    return follow_link(link, initial_state(all_scenarios().front(), default_device()), device_table());
}

/// A number as it is written, and how far the true one may be from it.
struct Written {
    double value = 0, tolerance = 0;
};

inline Written written(std::string number) {
    std::erase(number, ',');
    const std::size_t point = number.find('.');
    const double step = point != std::string::npos ? std::pow(10, -double(number.size() - point - 1)) : 1.0;
    return {std::stod(number), 0.5 * step * 1.0001};
}

class ShownPlace {
public:
    explicit ShownPlace(const std::string& link)
        : place_(place_of(link)), evidence_(gather_evidence(place_.state, device_table())) {}

    /// What is wrong with a claim about this place; empty: it is true.
    std::string fault(const std::string& claim) const {
        std::smatch parts;
        static const std::regex form("(?:(.+): )?([0-9][0-9,]*(?:\\.[0-9]+)?) (.+)");
        if (!std::regex_match(claim, parts, form)) return "cannot be read";
        const Written number = written(parts[2]);
        const std::string what = parts[3];
        for (const char* board :
             {"occupancy", "phases", "hazards", "journey", "program", "flight", "timeline"})
            if (place_.state.board == find_board(board)) return beside_board(number.value);
        const std::optional<double> speed = speed_of(what), bytes = bytes_of(what);
        if (what == "flop/byte") return compare(number, evidence_.prediction.intensity);
        if (speed) return compare(number, *speed);
        if (bytes) return compare(number, *bytes);
        return count_fault(number.value, parts[1], what);
    }

private:
    static std::string compare(const Written& number, double shown) {
        if (std::abs(number.value - shown) <= number.tolerance) return {};
        return "the program shows " + std::to_string(shown);
    }

    /// Of "GB/s recorded", "cycles predicted" and the like; -1: not there.
    std::optional<double> speed_of(const std::string& what) const {
        const bool recorded = what.ends_with(" recorded");
        if (!recorded && !what.ends_with(" predicted")) return std::nullopt;
        const std::string unit = what.substr(0, what.rfind(' '));
        const bool plotted = speed_words(evidence_.prediction.speed_unit).unit == unit;
        if (!recorded) return plotted ? evidence_.prediction.value : -1;
        const std::optional<Observation> value = shipped_recordings().find(
            *place_.state.scenario, place_.state.params, {&device_table(), place_.state.device, false});
        if (!value) return -1;
        if (plotted) return value->point.value;
        return unit == "cycles" ? value->timing.cycles_per_request : -1;
    }

    std::optional<double> bytes_of(const std::string& what) const {
        const double unit = what.starts_with("MiB ") ? 1 << 20 : what.starts_with("GiB ") ? 1 << 30 : 0;
        if (unit == 0) return std::nullopt;
        if (what.ends_with(" of DRAM")) return evidence_.prediction.dram_bytes / unit;
        if (what.ends_with(" of L2")) return evidence_.prediction.l2_bytes / unit;
        return std::nullopt;
    }

    std::string count_fault(double number, const std::string& label, const std::string& what) const {
        const std::vector<InstructionReport>& rows = evidence_.report.instructions;
        std::size_t k = place_.instruction.value_or(-1) >= 0 ? std::size_t(*place_.instruction) : 0;
        if (!label.empty()) {
            for (k = 0; k < rows.size() && !rows[k].instruction.label.starts_with(label);) ++k;
            if (k == rows.size()) return "there is no instruction '" + label + "'";
        } else if (rows.size() > 1 && place_.instruction.value_or(-1) < 0) {
            return "the link does not say of which instruction";
        }
        const int scope = place_.scope.value_or(0);
        const Totals& totals = scope == 0 ? rows[k].warp : scope == 1 ? rows[k].block : rows[k].grid;
        for (const CountWords& count : counts_of(rows[k].instruction.space)) {
            if (count.name != what && count.name != what + "s") continue;
            const auto shown = static_cast<double>(count.value(totals));
            return shown == number ? "" : "the program shows " + std::to_string(shown);
        }
        return "there is no such count";
    }

    /// Boards lay their numbers out as they like: the number has to stand in one of the rows.
    std::string beside_board(double number) const {
        const BoardInput input{place_.state, device_table(), evidence_};
        const std::vector<Quantity> rows = board_numbers(input);
        if (rows.empty()) return {};
        for (const Quantity& row : rows) {
            std::string digits;
            for (const char c : row.text) {  // "1 024 of 2 048": thousands may be parted by a thin space
                if (c >= '0' && c <= '9') digits += c;
                if (c == ' ' || c == ',' || (c >= 'a' && c <= 'z')) digits += ' ';
            }
            const std::string wanted = " " + std::to_string(static_cast<long>(number)) + " ";
            if ((" " + digits + " ").find(wanted) != std::string::npos) return {};
        }
        return "no row beside the board has this number";
    }

    Place place_;
    Evidence evidence_;
};

}  // namespace warplens::test
