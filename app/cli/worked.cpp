#include "app/boards/worked/claims.h"
#include "app/cli/command_options.h"
#include "app/cli/text_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace warplens {
namespace {

using nlohmann::ordered_json;

/// Whole numbers without a decimal point.
ordered_json plain(double value) {
    if (value == std::round(value) && std::abs(value) < 1e15) return std::int64_t(value);
    return value;
}

ordered_json range(double low, double high) {
    if (low == high) return plain(low);
    return ordered_json::array({plain(low), plain(high)});
}

void write_text(const ClaimList& list, std::ostream& out) {
    for (std::size_t source = 0; source < list.sources.size(); ++source) {
        out << list.sources[source].text() << '\n';
        WrappedTable table({{"claim", 40}, {"says", 16}, {"computed", 18}, {"verdict", 11}, {"why", 60}});
        for (const Claim& claim : list.claims) {
            if (claim.source != source) continue;
            table.add(
                {claim.claim, claim.says.text, computed_line(claim),
                 fmt::format("{} {}", claim_verdict_mark(claim.verdict), claim_verdict_name(claim.verdict)),
                 claim.is_saying() ? fmt::format("{} ({})", claim.why, claim.inputs) : claim.why});
        }
        out << table.text() << '\n';
    }
    out << fmt::format("{} numbers, {} sayings:", list.claims.size() - std::size_t(list.sayings()),
                       list.sayings());
    for (int i = 0; i < kVerdicts; ++i) {
        const auto verdict = static_cast<ClaimVerdict>(i);
        out << fmt::format("{} {} {}", i == 0 ? "" : ",", list.count(verdict), claim_verdict_name(verdict));
    }
    out << '\n';
    out << fmt::format(
        "{} exact: counted or documented   {} approximate: by a formula   {} recorded: measured on a "
        "named GPU\n",
        provenance_mark(Provenance::exact), provenance_mark(Provenance::approximate),
        provenance_mark(Provenance::recorded));
}

/// [{"id":…,"source":…,"claim":…,"inputs":…,"says":4,"computed":3,"unit":…,"kind":…,"verdict":…,"why":…,
///   "link":…},…]; a range is [low, high]. A saying has "saying", "holds" and "evidence" in place of numbers.
ordered_json claims_to_json(const ClaimList& list) {
    ordered_json json = ordered_json::array();
    for (const Claim& claim : list.claims) {
        if (claim.is_saying()) {
            json.push_back({{"id", claim.id},
                            {"source", list.sources[claim.source].text()},
                            {"saying", claim.claim},
                            {"holds", claim.holds},
                            {"verdict", claim_verdict_name(claim.verdict)},
                            {"why", claim.why},
                            {"evidence", claim.inputs},
                            {"link", claim.link}});
            continue;
        }
        json.push_back({{"id", claim.id},
                        {"source", list.sources[claim.source].text()},
                        {"claim", claim.claim},
                        {"inputs", claim.inputs},
                        {"says", range(claim.says.low, claim.says.high)},
                        {"says_text", claim.says.text},
                        {"computed", range(claim.computed.low, claim.computed.high)},
                        {"computed_text", claim.computed_text()},
                        {"unit", claim.unit},
                        {"kind", provenance_name(claim.computed.kind)},
                        {"verdict", claim_verdict_name(claim.verdict)},
                        {"why", claim.why},
                        {"link", claim.link}});
    }
    return json;
}

void run_worked(bool json, std::ostream& out) {
    const ClaimList& list = worked_claims();
    if (json)
        out << claims_to_json(list).dump(2) << '\n';
    else
        write_text(list, out);
}

}  // namespace

CommandEntry worked_command() {
    return {"worked", "Check numbers and sayings of textbooks and articles",
            "worked                                               published numbers, checked",
            json_option(run_worked)};
}

}  // namespace warplens
