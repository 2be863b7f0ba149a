#include "app/base/format.h"
#include "app/learn/quiz_maker.h"
#include "app/model/access/banks.h"
#include "app/model/access/counts.h"
#include "app/model/access/sectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warplens {
namespace {

std::string count_text(const InstructionReport& row) {
    const Space space = row.instruction.space;
    if (space == Space::shared) return fmt::format("How many wavefronts does this {} take?", quiz_act(row));
    if (space == Space::constant)
        return fmt::format("How many serialized requests does this {} need?", quiz_act(row));
    if (space == Space::texture)
        return "How many sectors do the eight groups of four lanes fetch, all together?";
    return fmt::format("How many sectors of {} bytes does this {} need?", kSectorBytes, quiz_act(row));
}

}  // namespace

std::string_view quiz_act(const InstructionReport& row) {
    return is_atomic(row.instruction.op) ? "atomic addition" : is_load(row.instruction.op) ? "load" : "store";
}

bool merges(const InstructionReport& row, const DeviceFacts& device) {
    return row.instruction.space == Space::shared && analyze_banks(row.access, device.bank_rules).merged;
}

bool is_trivial(const Question& question) { return question.right == "1" || question.right == "100 %"; }

bool ask_count(Question& question, const InstructionReport& row, const DeviceFacts& device,
               std::string_view rule) {
    const std::int64_t right = cost_of(row.instruction.space, device.sector_rules).cost(row.warp);
    if (right < 1) return false;
    question.right = std::to_string(right);
    question.right_kind = row.kind;
    question.text = count_text(row);
    question.rule = rule;
    return true;
}

bool ask_share(Question& question, const InstructionReport& row, std::string_view rule, QuizDice& dice) {
    constexpr std::array<double, 11> kUsual{3.125, 6.25, 12.5,      25, 100 / 3.0, 37.5,
                                            50,    62.5, 200 / 3.0, 75, 100};
    if (row.warp.bytes_moved == 0) return false;
    const double right = 100.0 * double(row.warp.bytes_used) / double(row.warp.bytes_moved);
    std::vector<double> offered{right};
    while (offered.size() < 4) {
        const double wrong = dice.one_of(kUsual);
        const bool near = std::ranges::any_of(
            offered, [&](double one) { return wrong > one * 0.85 && wrong < one * 1.18; });
        if (!near) offered.push_back(wrong);
    }
    std::ranges::sort(offered);
    for (const double one : offered) question.choices.push_back(format_percent(one, 100));
    question.right = format_percent(right, 100);
    question.right_kind = row.kind;
    question.text = fmt::format("Which share of the bytes that this {} moves is used?", quiz_act(row));
    question.rule = fmt::format("Whole sectors of {} bytes move. {}", kSectorBytes, rule);
    return true;
}

}  // namespace warplens
