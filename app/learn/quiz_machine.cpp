// Questions about the machine instead of one request: how many blocks fit into an SM, who sees a memory and
// for how long, which load comes first, which hazard a missing barrier makes.
#include "app/base/assets.h"
#include "app/boards/hazards/hazards_picture.h"
#include "app/boards/hazards/knobs.h"
#include "app/boards/occupancy/knobs.h"
#include "app/experiment/devices.h"
#include "app/learn/quiz_maker.h"
#include "app/model/device/occupancy.h"
#include "app/model/device/spaces.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warplens {
namespace {

State on_board(std::string_view scenario, std::size_t device, std::string_view board) {
    State state = initial_state(*find_scenario(scenario), device);
    state.board = find_board(board);
    return state;
}

/// Four choices at most, the right one among them. @return  whether there are two
bool offer(Question& question, std::string right, std::vector<std::string> others, QuizDice& dice) {
    constexpr std::size_t kMost = 4;
    std::ranges::sort(others);
    others.erase(std::unique(others.begin(), others.end()), others.end());
    std::erase(others, right);
    dice.shuffle(others);
    others.resize(std::min(others.size(), kMost - 1));
    others.push_back(right);
    dice.shuffle(others);
    question.right = std::move(right);
    question.choices = std::move(others);
    return question.choices.size() > 1;
}

bool ask_occupancy(Question& question, const CapabilityFacts& rules, std::size_t device, QuizDice& dice) {
    constexpr std::array kThreads{96, 128, 192, 256, 384, 512, 640, 1024};
    constexpr std::array kRegisters{32, 40, 64, 96, 128};
    constexpr std::array kShared{0, 0, 8, 16, 24, 40};  // [KiB]
    const int threads = dice.one_of(kThreads), registers = dice.one_of(kRegisters),
              shared = 1024 * dice.one_of(kShared);
    const Occupancy found =
        compute_occupancy(rules, {.threads = threads, .registers = registers, .dynamic_shared = shared});
    if (found.blocks < 2 || found.registers_per_warp == 0) return false;
    // A question has to follow from what is told: no portions that depend on where a warp lies.
    const auto fit = [](int whole, int part) { return part == 0 ? kUnlimited : whole / part; };
    const int per_block = found.warps_per_block * found.registers_per_warp;
    const int told = std::min({rules.max_warps / found.warps_per_block, rules.max_blocks,
                               fit(rules.registers_per_sm, per_block),
                               fit(found.shared_per_sm, shared == 0 ? 0 : found.shared_per_block)});
    if (told != found.blocks) return false;
    question.settings = {on_board("latency-hiding", device, "occupancy")};
    BoardValues& values = question.settings.front().boards;
    values.set(kOccupancyThreads, threads);
    values.set(kOccupancyRegisters, registers);
    values.set(kOccupancyDynamic, shared);
    question.situation = fmt::format(
        "A block has {} threads. A warp takes {} registers, and a block {} shared memory. An SM holds at most {} "
        "warps and {} blocks; it has {} registers and {} of shared memory.",
        threads, format_count(found.registers_per_warp),
        shared == 0 ? "no" : format_size(double(found.shared_per_block)) + " of", rules.max_warps,
        rules.max_blocks, format_count(rules.registers_per_sm), format_size(double(found.shared_per_sm)));
    question.text = "How many blocks are resident on an SM at the same time?";
    question.right = std::to_string(found.blocks);
    std::string limits;
    for (int i = 0; i < kResources; ++i)
        if (found.limits(Resource(i)))
            limits += fmt::format("{}{}", limits.empty() ? "" : " and ", resource_name(Resource(i)));
    question.recorded =
        fmt::format("A block has {} warps. Limited by {}: {} blocks, {} of {} warps.", found.warps_per_block,
                    limits, found.blocks, found.warps(), found.max_warps);
    return true;
}

bool ask_scope(Question& question, const std::vector<SpaceRow>& rows, std::size_t device, QuizDice& dice) {
    const SpaceRow& row = dice.one_of(rows);
    const bool lifetime = dice.below(2) == 0;
    const auto said = [lifetime](const SpaceRow& one) { return lifetime ? one.lifetime : one.scope; };
    if (row.cache || !row.exists || said(row).empty()) return false;
    std::vector<std::string> others;
    for (const SpaceRow& one : rows)
        if (!one.cache && one.exists) others.push_back(said(one));
    question.settings = {on_board("shared-tile", device, "spaces")};
    question.situation = fmt::format("{} memory, in code: {}", row.name, row.qualifier);
    question.text =
        lifetime ? "How long does it keep what is stored there?" : "Who can access what lies there?";
    question.recorded = row.more;
    // "thread" and "thread; warp by shuffles" would both be right.
    std::erase_if(others, [&](const std::string& one) {
        return one.starts_with(said(row)) || said(row).starts_with(one);
    });
    return offer(question, said(row), std::move(others), dice);
}

bool ask_latency(Question& question, const std::vector<SpaceRow>& rows, std::size_t device, QuizDice& dice) {
    constexpr double kClear = 1.25;  // closer ones are nothing to know
    const SpaceRow &a = dice.one_of(rows), &b = dice.one_of(rows);
    const double first = a.latency.nearest, second = b.latency.nearest;
    if (a.latency.gpu != b.latency.gpu) return false;
    if (std::min(first, second) <= 0 || std::max(first, second) < kClear * std::min(first, second))
        return false;
    question.settings = {on_board("shared-tile", device, "spaces")};
    question.situation = fmt::format(
        "One lane loads a value from {}, another one from {}. Each value is as near as it can be, in a cache where "
        "there is one.",
        a.name, b.name);
    question.text = fmt::format("Which value comes first, as recorded on an {}?", a.latency.gpu);
    question.right_kind = Provenance::recorded;
    question.recorded = fmt::format("{}: {:.3g} cycles. {}: {:.3g} cycles.", a.name, first, b.name, second);
    return offer(question, first < second ? a.name : b.name, {a.name, b.name}, dice);
}

bool ask_hazard(Question& question, std::size_t device, QuizDice& dice) {
    constexpr int kMostLines = 12;
    std::vector<std::pair<const Scenario*, Params>> all;
    for (const Scenario& one : all_scenarios()) {
        for (const Preset& preset : one.info->presets) {
            const Params params = preset_params(one, preset);
            const KernelOrder order = one.kernel->order(params);
            const int barriers = count_barriers(order);
            if (barriers > 0 && barriers <= kMostBarriers && order.count <= kMostLines)
                all.emplace_back(&one, params);
        }
    }
    const auto [chosen, params] = dice.one_of(all);
    const Scenario& scenario = *chosen;
    State state = on_board(scenario.info->id, device, "hazards");
    state.params = params;
    const KernelOrder order = scenario.kernel->order(params);
    const int barriers = count_barriers(order);
    const int gone = int(dice.below(std::size_t(barriers)));
    HazardReport report = report_hazards(scenario, params, {}, LeftOut{1} << gone);
    if (report.total() == 0 && order.of_grid)
        report = report_grid_hazards(scenario, params, LeftOut{1} << gone);
    const auto kinds = std::ranges::count_if(report.counts, [](std::int64_t count) { return count > 0; });
    if (kinds > 1 || report.words.empty()) return false;  // which comes first would be a matter of luck
    state.boards.set(kHazardsBarriers, gone + 1);
    question.settings = {state};
    question.situation = fmt::format("{}: a block executes these lines.", scenario.info->title);
    const bool loop = order.rounds > 1;
    for (int line = 0; line < order.count; ++line) {
        const OrderedLine& what = order.lines[line];
        const bool barrier = what.kind == OrderedLine::Kind::barrier;
        const std::string_view code = what.kind == OrderedLine::Kind::access
                                          ? scenario.instruction(params, what.instruction).code
                                          : what.code;
        if (loop && line == order.loop_begin) question.code += fmt::format("{} times:\n", order.rounds);
        const bool inside = loop && line >= order.loop_begin && line < order.loop_end;
        question.code += fmt::format("{}{}{}\n", inside ? "    " : "", code,
                                     barrier && barrier_number(order, line) == gone ? "  // left out" : "");
    }
    question.text = "Which hazard does the line prevent that is left out?";
    const auto kind = std::ranges::find_if(report.counts, [](std::int64_t count) { return count > 0; });
    const std::string none = "none",
                      right = kind == report.counts.end()
                                  ? none
                                  : std::string(hazard_name(HazardKind(kind - report.counts.begin())));
    question.recorded =
        kind == report.counts.end()
            ? "No thread accesses a word that another one stores between the barriers that stay."
            : fmt::format("{}: {}{} without it.", right, report.at_least(), counted(*kind, "hazard"));
    std::vector<std::string> kinds_of_all{none};
    for (int i = 0; i < int(HazardKind::uninitialized); ++i)
        kinds_of_all.emplace_back(hazard_name(HazardKind(i)));
    return offer(question, right, std::move(kinds_of_all), dice);
}

}  // namespace

Question machine_question(std::size_t device, const std::vector<DeviceFacts>& devices, QuizDice& dice) {
    const std::optional<CapabilityFacts> rules = rules_of(devices[device].cc);
    const std::vector<SpaceRow> rows =
        make_spaces(asset("assets/spaces.json"), devices[device], rules ? &*rules : nullptr).rows;
    for (;;) {
        Question question{.kind = QuestionKind::machine};
        const std::size_t form = dice.below(4);
        if (form == 0   ? rules && ask_occupancy(question, *rules, device, dice)
            : form == 1 ? ask_scope(question, rows, device, dice)
            : form == 2 ? ask_latency(question, rows, device, dice)
                        : ask_hazard(question, device, dice))
            return question;
    }
}

}  // namespace warplens
