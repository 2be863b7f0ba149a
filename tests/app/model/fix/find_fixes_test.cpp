// The search for the smallest change, against one that is written as plainly as it can be: every combination
// of values, every block, warp, step and lane.
#include "app/model/fix/find_fixes.h"

#include "app/experiment/devices.h"
#include "app/model/access/report.h"
#include "app/model/fix/kernel_excess.h"
#include "kernels/scenarios/local_spill.h"
#include "tests/random_params.h"
#include "tests/sample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace warplens::test::find_fixes_tests {
namespace {

const DeviceFacts& device(std::string_view name = "H200") {
    return device_table().at(find_device(device_table(), name).value());
}

Params params_of(const Scenario& scenario, std::string_view list) {
    Params params = scenario.info->defaults;
    while (!list.empty()) {
        const KnobText item = take_knob_text(list);
        const Knob& knob = *find_knob(scenario, item.key);
        params = with_knob(scenario, params, knob, parse_knob(knob, params, item.value).value());
    }
    return params;
}

FixQuestion question_of(std::string_view id, std::string_view settings) {
    const Scenario& scenario = *find_scenario(id);
    return {&scenario, params_of(scenario, settings), knobs_of(scenario, KnobRole::remedy)};
}

/// "padding=1: 0, 1 step": what a fix changes, and what it leaves beyond the ideal.
std::string text_of(const FixQuestion& question, const Fix& fix) {
    std::string text;
    for (const Knob* knob : fix.changed)
        text += (text.empty() ? "" : ",") + std::string(knob->key) + "=" + format_knob(*knob, fix.params);
    for (const Knob* knob : question.knobs) {
        const bool told = std::ranges::find(fix.changed, knob) != fix.changed.end();
        EXPECT_EQ(told, fix.params.*knob->field != question.params.*knob->field) << knob->key;
    }
    return text + ": " + std::to_string(fix.cost.excess()) + ", " + std::to_string(fix.steps) +
           (fix.steps == 1 ? " step" : " steps");
}

std::vector<std::string> fixes_of(const FixQuestion& question) {
    std::vector<std::string> texts;
    for (const Fix& fix : find_fixes(question, device()).done().fixes)
        texts.push_back(text_of(question, fix));
    return texts;
}

// ---- worked by hand

TEST(FindFixes, AColumnOfATileIsPaddedOrSwizzled) {
    // 32 rows of 32 words: a column lies in one bank. One word more in each row moves each row on by a bank;
    // five bits of the row number XOR-ed into the column do the same.
    const FixQuestion question = question_of("shared-tile", "walk=column");
    EXPECT_THAT(fixes_of(question),
                testing::ElementsAre("padding=1: 0, 1 step", "swizzle_bits=5: 0, 5 steps"));
    const FixSearch search = find_fixes(question, device()).done();
    // 2^10 blocks walk over 32 x 32 elements: 32 requests of 32 wavefronts, where 1 would do.
    EXPECT_EQ(search.now.cost(), 1024 * 32 * 32);
    EXPECT_EQ(search.now.excess(), 1024 * 32 * 31);
    EXPECT_EQ(search.shared_bytes, 32 * 32 * 4);
    EXPECT_EQ(search.fixes.at(0).shared_bytes, 33 * 32 * 4);
    EXPECT_EQ(search.fixes.at(1).shared_bytes, 32 * 32 * 4);
    EXPECT_EQ(search.combinations, 17 * 6 * 5 * 7 - 1);
}

TEST(FindFixes, OneChangeSuitsRowsAndColumnsTogether) {
    FixQuestion question = question_of("shared-tile", "walk=column");
    const Scenario& scenario = *question.scenario;
    const KnobValue by_rows{find_knob(scenario, "walk"), static_cast<int>(Walk::row)};
    question.also = {{by_rows, {find_knob(scenario, "op"), 1}}};
    EXPECT_THAT(fixes_of(question),
                testing::ElementsAre("padding=1: 0, 1 step", "swizzle_bits=5: 0, 5 steps"));
    EXPECT_EQ(find_fixes(question, device()).done().now.cost(), 1024 * 32 * (32 + 1));
    // A warp of a block 2 threads wide is 16 rows of 2 words by rows, which a padding of 2 spreads over the
    // banks; by columns it is 2 rows of 16 words, which a padding of 16 puts side by side. No padding alone
    // suits both.
    question.also.clear();
    question.params = params_of(scenario, "walk=row,block_x=2,block_y=16");
    EXPECT_THAT(fixes_of(question), testing::Contains("padding=2: 0, 2 steps"));
    question.params = params_of(scenario, "walk=column,block_x=2,block_y=16");
    EXPECT_THAT(fixes_of(question), testing::Contains("padding=16: 0, 16 steps"));
    question.also = {{by_rows}};
    EXPECT_THAT(
        fixes_of(question),
        testing::ElementsAre("padding=16,swizzle_bits=4,swizzle_shift=4: 0, 21 steps",
                             "padding=2: 32768, 2 steps", "swizzle_bits=5,swizzle_shift=4: 32768, 6 steps"));
}

TEST(FindFixes, StrideZeroIsNoFixBecauseItAsksForLess) {
    // An odd stride is free of conflicts: both neighbours are as near.
    EXPECT_THAT(fixes_of(question_of("shared-stride", "stride=2")),
                testing::ElementsAre("stride=1: 0, 1 step", "stride=3: 0, 1 step"));
    EXPECT_THAT(fixes_of(question_of("global-stride", "stride=1,offset=0,op=load")), testing::IsEmpty());
    EXPECT_THAT(fixes_of(question_of("global-stride", "stride=2,op=load")),
                testing::ElementsAre("stride=1: 0, 1 step"));
    // One lane asks for one element, whatever the stride.
    FixQuestion one_lane = question_of("shared-stride", "stride=32,mask=1");
    EXPECT_EQ(find_fixes(one_lane, device()).done().now.excess(), 0);
}

TEST(FindFixes, WhatNeedsTwoChangesIsFoundWithBoth) {
    // Without a row-wise walk and without padding rows of 4093 elements start anywhere: they must become
    // multiples of 32 bytes as well.
    const FixQuestion question = question_of("global-matrix", "walk=columns,width=4093,height=4096,op=load");
    EXPECT_THAT(fixes_of(question), testing::Contains("walk=rows,padding=3: 0, 4 steps"));
}

TEST(FindFixes, ATransposeHasTwoVariantsOfOneSize) {
    // Padded and swizzled are both one step away; the swizzle is first because it needs 128 bytes less.
    const FixSearch search = find_fixes(question_of("transpose", "variant=naive"), device()).done();
    ASSERT_EQ(search.fixes.size(), 2u);
    const FixQuestion question = question_of("transpose", "variant=naive");
    EXPECT_EQ(text_of(question, search.fixes[0]), "variant=swizzled: 0, 1 step");
    EXPECT_EQ(text_of(question, search.fixes[1]), "variant=padded: 0, 1 step");
    EXPECT_EQ(search.fixes[1].shared_bytes - search.fixes[0].shared_bytes, 128);
}

TEST(FindFixes, ValuesThatSpillGetRegisters) {
    const FixSearch search = find_fixes(question_of("local-spill", "registers=64,live=64"), device()).done();
    ASSERT_EQ(search.fixes.size(), 1u);
    EXPECT_EQ(search.fixes.front().params.registers, 80);
    EXPECT_EQ(search.fixes.front().cost.cost(), 0);
}

TEST(FindFixes, WhatIsIdealNeedsNothingAndWhatIsDataCannotChange) {
    EXPECT_THAT(fixes_of(question_of("shared-tile", "walk=row")), testing::IsEmpty());
    // Distinct words of constant memory are requests of their own wherever they lie.
    const FixSearch search = find_fixes(question_of("constant-lookup", "words=8"), device()).done();
    EXPECT_GT(search.now.excess(), 0);
    EXPECT_THAT(search.fixes, testing::IsEmpty());
    EXPECT_EQ(search.combinations, 255);
}

TEST(FindFixes, StepByStepOrAtOnceIsTheSame) {
    const FixQuestion question = question_of("shared-tile", "walk=column");
    auto steps = find_fixes(question, device());
    double far = 0;
    while (steps.step()) {
        EXPECT_GE(steps.how_far(), far);
        far = steps.how_far();
    }
    EXPECT_LE(far, 1);
    const FixSearch stepped = steps.take(), whole = find_fixes(question, device()).done();
    ASSERT_THAT(stepped.fixes, testing::Not(testing::IsEmpty()));
    EXPECT_EQ(stepped.fixes.size(), whole.fixes.size());
    EXPECT_EQ(text_of(question, stepped.fixes[0]), text_of(question, whole.fixes[0]));
    EXPECT_EQ(stepped.counted, whole.counted);
}

TEST(FindFixes, StepsOfNamedChoicesAreOne) {
    const Scenario& transpose = *find_scenario("transpose");
    EXPECT_EQ(steps_apart(*find_knob(transpose, "variant"), 0, 3), 1);
    EXPECT_EQ(steps_apart(*find_knob(transpose, "tile"), 8, 32), 2);
    EXPECT_EQ(steps_apart(*find_knob(transpose, "padding"), 7, 2), 5);
}

// What the search takes for the same is the same: settings of one layout have as many wavefronts, by all
// rules.
TEST(FindFixes, TilesOfOneLayoutHaveTheSameConflicts) {
    const Scenario& tile = *find_scenario("shared-tile");
    std::mt19937 random(seed(41));
    int compared = 0;
    for (const char* gpu : {"H200", "K40", "GTX 480", "GTX 280"}) {
        DeviceFacts rules = device(gpu);
        for (const bool wide_words : {false, true}) {
            if (wide_words && !rules.bank_rules.wide_banks) continue;
            rules.bank_rules.wide_words = wide_words;
            for (int i = 0; i < (all_cases() ? 200 : 12); ++i) {
                Params params = random_params(tile, random);
                std::map<std::array<int, 4>, std::int64_t> known;
                for (params.swizzle_bits = 0; params.swizzle_bits <= 5; ++params.swizzle_bits)
                    for (params.swizzle_base = 0; params.swizzle_base <= 4; ++params.swizzle_base)
                        for (params.swizzle_shift = 1; params.swizzle_shift <= 7; ++params.swizzle_shift) {
                            const std::int64_t now = count_grid(tile, params, 0, rules).wavefronts;
                            const auto [at, is_new] =
                                known.try_emplace(tile_layout(params, rules.bank_rules), now);
                            compared += is_new ? 0 : 1;
                            ASSERT_EQ(at->second, now) << gpu << " " << describe_settings(tile, params);
                        }
            }
        }
    }
    EXPECT_GT(compared, 1000);
}

// ---- against the plain search

struct PlainCost {
    std::int64_t cost = 0, ideal = 0;
};

PlainCost plain_cost(const Scenario& scenario, const Instruction& instruction, const Totals& totals,
                     const DeviceFacts& of) {
    PlainCost one;
    switch (instruction.space) {
        case Space::registers:
            return one;
        case Space::shared:
        case Space::cluster:
            one = {totals.wavefronts, totals.ideal_wavefronts};
            break;
        case Space::constant:
            one = {totals.requests, instruction.operand ? totals.requests : totals.instructions};
            break;
        case Space::texture:
            one = {totals.sectors, totals.ideal_sectors};
            break;
        default:
            one = of.cc.major == 0 || of.cc.major >= 3
                      ? PlainCost{totals.sectors, totals.ideal_sectors}
                      : PlainCost{totals.transactions, totals.ideal_transactions};
    }
    if (scenario.info->time == TimeModel::spills) one.ideal = 0;
    return one;
}

/// Calls visit(instruction, access) for every request of the grid.
template <class Visit>
void every_request(const Scenario& scenario, const Params& params, Visit visit) {
    const LaunchShape shape = scenario.launch(params);
    for (int k = 0; k < scenario.instruction_count(params); ++k) {
        const Instruction instruction = scenario.instruction(params, k);
        if (instruction.space == Space::registers) continue;  // no memory, no cost
        for (int y = 0; y < shape.grid.y; ++y)
            for (int x = 0; x < shape.grid.x; ++x)
                for (int step = 0; step < steps_of(shape, instruction); ++step)
                    for (int warp = 0; warp < warps_per_block(shape); ++warp)
                        visit(instruction, scenario.warp(params, k, {x, y}, warp, step));
    }
}

struct PlainKernel {
    PlainCost cost;
    std::map<int, std::int64_t> most_of_request;  ///< by memory: -1 shared, else the buffer [bytes]
};

/// The same kernel by another name: what a thread of local-spill gets, and so all that it does, is the
/// smaller of two bounds (LocalSpill.KernelsWithTheSameBudgetAreTheSame).
Params plain_kernel_params(const Scenario& scenario, Params params) {
    if (scenario.info->time != TimeModel::spills) return params;
    params.registers = LocalSpill::budget(params);
    params.blocks_per_sm = 0;
    return params;
}

const PlainKernel& plain_kernel(const Scenario& scenario, const Params& asked, const DeviceFacts& of) {
    static std::map<std::string, PlainKernel> known;
    const Params params = plain_kernel_params(scenario, asked);
    const auto [at, is_new] = known.try_emplace(std::string(scenario.info->id) + of.name + '?' +
                                                describe_settings(scenario, params));
    PlainKernel& kernel = at->second;
    if (!is_new) return kernel;
    every_request(scenario, params, [&](const Instruction& instruction, const WarpAccess& access) {
        const PlainCost one = plain_cost(scenario, instruction, count_access(access, of), of);
        kernel.cost.cost += one.cost;
        kernel.cost.ideal += std::min(one.ideal, one.cost);
        const bool shared = has_banks(instruction.space);
        if (!shared && instruction.space != Space::global) return;
        std::array<std::uint64_t, kWarpLanes> addresses;
        auto end = addresses.begin();
        for (int lane = 0; lane < kWarpLanes; ++lane)
            if ((access.active >> lane & 1u) != 0) *end++ = access.byte_address[lane];
        std::sort(addresses.begin(), end);
        const auto distinct = std::unique(addresses.begin(), end) - addresses.begin();
        std::int64_t& most = kernel.most_of_request[shared ? -1 : instruction.buffer];
        most = std::max<std::int64_t>(most, distinct * instruction.bytes_per_lane);
    });
    return kernel;
}

/// The same setting, if nothing but the pictured warp and step must be brought into range.
std::optional<Params> plain_legal(const Scenario& scenario, Params params) {
    Params clamped = params;
    clamp_knobs(scenario, clamped);
    for (const Knob& knob : scenario.info->knobs)
        if (knob.picture_only) params.*knob.field = clamped.*knob.field;
    return clamped == params ? std::optional(clamped) : std::nullopt;
}

std::vector<Params> plain_accesses(const FixQuestion& question, const Params& params) {
    std::vector<Params> all{params};
    for (const auto& also : question.also) {
        Params access = params;
        for (const KnobValue& one : also) access.*one.knob->field = one.value;
        const auto legal = plain_legal(*question.scenario, access);
        if (!legal) return {};
        all.push_back(*legal);
    }
    return all;
}

struct PlainFix {
    unsigned set = 0;
    std::int64_t excess = 0;
    int steps = 0;
    std::int64_t shared_bytes = 0, cost = 0;
    std::vector<int> values;
    Params params;

    auto size() const { return std::tie(excess, steps); }
    auto order() const { return std::tie(excess, steps, shared_bytes, cost, values); }
};

std::optional<PlainFix> plain_candidate(const FixQuestion& question, const std::vector<int>& values,
                                        const DeviceFacts& of) {
    const Scenario& scenario = *question.scenario;
    PlainFix fix{.values = values, .params = question.params};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Knob& knob = *question.knobs[i];
        if (values[i] == question.params.*knob.field) continue;
        fix.set |= 1u << i;
        fix.params.*knob.field = values[i];
        bool named = knob.kind == KnobKind::choice;
        for (const Choice& choice : knob.choices)
            named = named && (choice.name[0] < '0' || choice.name[0] > '9');
        int places = 0;
        for (const int value : axis_values(without_limit(knob), question.params))
            places += value > std::min(values[i], question.params.*knob.field) &&
                      value <= std::max(values[i], question.params.*knob.field);
        fix.steps += named ? 1 : places;
    }
    if (fix.set == 0) return std::nullopt;
    for (std::size_t i = 0; i < values.size(); ++i)
        if ((fix.set >> i & 1u) != 0 && !why_idle(*question.knobs[i], fix.params).empty())
            return std::nullopt;
    const auto legal = plain_legal(scenario, fix.params);
    if (!legal) return std::nullopt;
    fix.params = *legal;
    fix.shared_bytes = scenario.launch(fix.params).shared_bytes;
    const std::vector<Params> now = plain_accesses(question, question.params);
    const std::vector<Params> then = plain_accesses(question, fix.params);
    if (then.empty()) return std::nullopt;
    PlainCost today, there;
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (!does_not_fit(scenario, then[i], of).empty()) return std::nullopt;
        const LaunchShape shape = scenario.launch(then[i]);
        const PlainKernel &before = plain_kernel(scenario, now[i], of),
                          &after = plain_kernel(scenario, then[i], of);
        for (const auto& [memory, wanted] : before.most_of_request) {
            const std::int64_t room = memory < 0 ? shape.shared_bytes : shape.buffer_bytes[memory];
            if (room > 0 && room < wanted) return std::nullopt;
        }
        today.cost += before.cost.cost, today.ideal += before.cost.ideal;
        there.cost += after.cost.cost, there.ideal += after.cost.ideal;
    }
    fix.cost = there.cost;
    fix.excess = there.cost - there.ideal;
    if (fix.excess >= today.cost - today.ideal || fix.cost >= today.cost) return std::nullopt;
    return fix;
}

std::vector<PlainFix> plain_search(const FixQuestion& question, const DeviceFacts& of) {
    std::vector<std::vector<int>> choices;
    for (const Knob* knob : question.knobs)
        choices.push_back(axis_values(without_limit(*knob), question.params));
    std::map<unsigned, std::vector<PlainFix>> best;  // by set; of each all that are equally small
    std::vector<std::size_t> at(choices.size(), 0);
    while (true) {
        std::vector<int> values;
        for (std::size_t i = 0; i < at.size(); ++i) values.push_back(choices[i][at[i]]);
        if (const auto one = plain_candidate(question, values, of)) {
            std::vector<PlainFix>& known = best[one->set];
            if (!known.empty() && one->size() < known.front().size()) known.clear();
            if (known.empty() || one->size() == known.front().size()) known.push_back(*one);
        }
        std::size_t i = 0;
        while (i < at.size() && ++at[i] == choices[i].size()) at[i++] = 0;
        if (i == at.size()) break;
    }
    std::vector<PlainFix> fixes;
    for (auto& [set, equals] : best) {
        const PlainFix& one = equals.front();
        const bool beaten = std::ranges::any_of(best, [&, mine = set](const auto& other) {
            if (other.first == mine) return false;
            const bool part = (mine & other.first) == other.first;
            const bool few = std::popcount(other.first) <= std::popcount(mine);
            const std::int64_t excess = other.second.front().excess;
            return (part && excess <= one.excess) || (few && excess < one.excess);
        });
        if (beaten) continue;
        std::ranges::sort(equals, {}, &PlainFix::order);
        fixes.insert(fixes.end(), equals.begin(), equals.end());
    }
    std::ranges::stable_sort(fixes, {}, [](const PlainFix& fix) {
        return std::tuple(fix.excess, std::popcount(fix.set), fix.steps, fix.shared_bytes, fix.cost);
    });
    return fixes;
}

/// A small launch, some of its remedies, and perhaps further accesses.
FixQuestion random_question(std::mt19937& random) {
    const auto scenarios = all_scenarios();
    const Scenario& scenario = scenarios[random() % scenarios.size()];
    FixQuestion question{&scenario, small_random_params(scenario, random), {}};
    Params& params = question.params;
    constexpr std::pair<int Params::*, int> kMost[] = {
        {&Params::elements_log2, 10}, {&Params::matrix, 70}, {&Params::blocks_log2, 1},
        {&Params::texture_log2, 6},   {&Params::width, 36},  {&Params::height, 36}};
    for (const auto& [field, most] : kMost) params.*field = std::min(params.*field, most);
    clamp_knobs(scenario, params);
    std::int64_t combinations = 1;
    std::vector<const Knob*> remedies = knobs_of(scenario, KnobRole::remedy);
    std::ranges::shuffle(remedies, random);
    for (const Knob* knob : remedies) {
        const std::int64_t more = combinations * std::ssize(axis_values(without_limit(*knob), params));
        if (more > 200 || random() % 4 == 0) continue;
        question.knobs.push_back(knob);
        combinations = more;
    }
    for (const Knob* knob : knobs_of(scenario, KnobRole::access)) {
        if (random() % 2 == 0) continue;
        question.also.push_back({{knob, knob->choices[random() % knob->choices.size()].value}});
    }
    return question;
}

std::string describe(const FixQuestion& question, const DeviceFacts& of) {
    std::string text = std::string(question.scenario->info->id) + "?" +
                       describe_settings(*question.scenario, question.params) + " on " + of.name + ", knobs";
    for (const Knob* knob : question.knobs) text += " " + std::string(knob->key);
    for (const auto& also : question.also)
        for (const KnobValue& one : also)
            text += ", also " + std::string(one.knob->key) + "=" + std::to_string(one.value);
    return text;
}

/// A part of the cases, so that the parts can run beside each other.
class FindFixesPart : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(All, FindFixesPart, testing::Range(0u, 3u));

// A sample, and 10,000 cases with WARPLENS_ALL set.
TEST_P(FindFixesPart, EqualsThePlainSearch) {
    const int cases = all_cases() ? 3'334 : 50;
    const std::string_view gpus[] = {"H200", "RTX 4090", "GTX 1080", "8800 GTX"};
    std::mt19937 random(seed(41 + GetParam()));
    int with_fixes = 0, with_two_changes = 0, several = 0;
    for (int i = 0; i < cases; ++i) {
        const FixQuestion question = random_question(random);
        const bool long_grid = question.scenario->info->time == TimeModel::spills;  // its counts are kept
        const DeviceFacts& of = device(i % 2 == 0 || long_grid ? gpus[0] : gpus[random() % std::size(gpus)]);
        SCOPED_TRACE(std::to_string(i) + ": " + describe(question, of));
        if (!does_not_fit(*question.scenario, question.params, of).empty()) continue;
        if (plain_accesses(question, question.params).empty()) continue;
        const FixSearch search = find_fixes(question, of).done();
        const std::vector<PlainFix> expected = plain_search(question, of);
        ASSERT_EQ(search.fixes.size(), expected.size());
        for (std::size_t k = 0; k < expected.size(); ++k) {
            ASSERT_EQ(search.fixes[k].params, expected[k].params)
                << describe_settings(*question.scenario, search.fixes[k].params) << " instead of "
                << describe_settings(*question.scenario, expected[k].params);
            ASSERT_EQ(search.fixes[k].cost.excess(), expected[k].excess);
            ASSERT_EQ(search.fixes[k].cost.cost(), expected[k].cost);
            ASSERT_EQ(search.fixes[k].steps, expected[k].steps);
            ASSERT_EQ(search.fixes[k].shared_bytes, expected[k].shared_bytes);
        }
        with_fixes += expected.empty() ? 0 : 1;
        several += expected.size() > 1 ? 1 : 0;
        with_two_changes +=
            std::ranges::any_of(search.fixes, [](const Fix& fix) { return fix.changed.size() > 1; }) ? 1 : 0;
    }
    EXPECT_GT(with_fixes, cases / 6);
    EXPECT_GT(several, cases / 30);
    EXPECT_GT(with_two_changes, cases / 60);
}

// ---- what is a remedy is the same work

/// Whether a kernel adds to memory: its remedies add up before, in more copies or in other lanes.
bool adds(const Scenario& scenario, const Params& params) {
    for (int k = 0; k < scenario.instruction_count(params); ++k)
        if (is_atomic(scenario.instruction(params, k).op)) return true;
    return false;
}

TEST(Remedies, AskForTheSameBytes) {
    std::mt19937 random(seed(5));
    for (const Scenario& scenario : all_scenarios()) {
        if (scenario.info->flop != nullptr || scenario.info->irregular) continue;  // these say it themselves
        for (int i = 0; i < 12; ++i) {
            const Params params = small_random_params(scenario, random);
            if (adds(scenario, params)) continue;
            for (const Knob* knob : knobs_of(scenario, KnobRole::remedy)) {
                const auto values = axis_values(*knob, params);
                const Params there = with_knob(scenario, params, *knob, values[random() % values.size()]);
                const int count = scenario.instruction_count(params);
                if (scenario.instruction_count(there) != count) continue;
                std::int64_t now = 0, then = 0;
                bool alike = true;
                for (int k = 0; k < count; ++k) {
                    const Instruction a = scenario.instruction(params, k), b = scenario.instruction(there, k);
                    alike = alike && a.code == b.code && a.bytes_per_lane == b.bytes_per_lane;
                    now += count_grid(scenario, params, k, device()).bytes_wanted;
                    then += count_grid(scenario, there, k, device()).bytes_wanted;
                }
                if (alike) {
                    EXPECT_EQ(now, then) << scenario.info->id << "?" << describe_settings(scenario, params)
                                         << " against " << describe_settings(scenario, there);
                }
            }
        }
    }
}

TEST(Remedies, KeepTheOperationsThatAScenarioCounts) {
    for (const Scenario& scenario : all_scenarios()) {
        const Params& params = scenario.info->defaults;
        if (scenario.info->flop == nullptr) continue;
        for (const Knob* knob : knobs_of(scenario, KnobRole::remedy))
            for (const int value : axis_values(*knob, params))
                EXPECT_EQ(scenario.info->flop(with_knob(scenario, params, *knob, value)),
                          scenario.info->flop(params))
                    << scenario.info->id << " " << knob->key;
    }
}

// One of several accesses must be one of a few: it is a chip in the window.
TEST(Remedies, AccessesAreChoices) {
    for (const Scenario& scenario : all_scenarios())
        for (const Knob* knob : knobs_of(scenario, KnobRole::access))
            EXPECT_EQ(knob->kind, KnobKind::choice) << scenario.info->id << " " << knob->key;
}

}  // namespace
}  // namespace warplens::test::find_fixes_tests
