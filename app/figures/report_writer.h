#pragma once

#include "app/model/access/report.h"
#include "app/model/catalogue.h"
#include "app/model/time/prediction.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace warplens {

/// What a report is about, for the file that it goes into.
struct ReportContext {
    const Scenario* scenario = nullptr;
    Params params;
    const DeviceFacts* device = nullptr;
    Prediction predicted;
    std::string program;  ///< "warplens 0.1.0"
};

/// One set of counts of a report.
struct Scope {
    std::string_view name;  ///< "grid", "block", "warp"
    Totals InstructionReport::*totals;
};
inline constexpr Scope kScopes[] = {{"grid", &InstructionReport::grid},
                                    {"block", &InstructionReport::block},
                                    {"warp", &InstructionReport::warp}};

/// {"schema":1,"program":…,"scenario":…,"device":{…},"params":{…},"kind":"exact","predicted":{…},
///  "grid":[{"label":…,"space":…,"op":…,"requests":…,…},…],"block":[…],"warp":[…]}: one entry per
///  instruction.
nlohmann::ordered_json report_to_json(const Report& report, const ReportContext& context);

/// The same counts as CSV: scope,label,space,op,requests,…
std::string report_to_csv(const Report& report);

/// A field of a CSV file, quoted where it has to be.
std::string csv_field(std::string_view text);

/// {"name":…,"cc":…,"here":…}
nlohmann::ordered_json device_to_json(const DeviceFacts& device);

}  // namespace warplens
