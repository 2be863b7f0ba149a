// The boards of traffic and roofline: what they draw and say is what the models count.
#include "app/base/assets.h"
#include "app/boards/board.h"
#include "app/boards/occupancy/occupancy_picture.h"
#include "app/boards/roofline/roofline_picture.h"
#include "app/boards/traffic/traffic_canvas.h"
#include "app/experiment/link.h"
#include "app/experiment/settings.h"
#include "app/model/time/arithmetic.h"
#include "app/model/time/in_flight.h"
#include "app/pictures/kit/canvas.h"
#include "tests/app/pictures/kit/legible.h"
#include "tests/app/pictures/kit/pictures_of_settings.h"
#include "tests/sample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace warplens::test::boards_flow_tests {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// A state on a board, analyzed.
struct OnBoard {
    State state;
    Evidence evidence = gather_evidence(state, all_devices());
    BoardInput input() const { return {state, all_devices(), evidence}; }
};

OnBoard on(const std::string& link) {
    return {follow_link(link, initial_state(all_scenarios().front(), 0), all_devices()).state};
}

/// Some settings of every scenario on some GPU each.
template <class Law>
void for_boards(const BoardInfo* board, int settings, Law law) {
    std::mt19937 random(seed(23));
    for (const Scenario& scenario : all_scenarios()) {
        for (int i = 0; i < settings; ++i) {
            State state = initial_state(scenario, random() % all_devices().size());
            state.params = random_launch(scenario, random);
            state.board = board;
            state.cold = i % 2 == 1;
            const OnBoard one{state};
            SCOPED_TRACE(link_to(state, all_devices()));
            law(one);
        }
    }
}

void expect_readable(const Picture& picture) {
    for (const std::string& why : misplaced_texts({{picture, {0, 0}}}, FixedMeasure())) ADD_FAILURE() << why;
    for (const Hit& hit : picture.hits) EXPECT_FALSE(hit.tooltip.empty());
}

FlowReport flows_of(const OnBoard& one, bool cold) {
    return follow_bytes(*one.state.scenario, one.state.params, one.input().device(), one.evidence.report,
                        one.evidence.prediction, cold);
}

}  // namespace

// 16 blocks of 64 threads fill the block slots of an SM of a K80 with half its warps.
TEST(FlightBoard, NoRoomIsWhatOccupancySays) {
    const std::string setting = "shared-reduction?block=64&device=K80&board=";
    const Explanation flight = explain_board(on(setting + "flight").input()),
                      occupancy = explain_board(on(setting + "occupancy").input());
    EXPECT_THAT(flight.verdict, HasSubstr("an SM has no room for more blocks of this size"));
    const std::string advice = "Blocks of 128 instead of 64 threads";
    EXPECT_THAT(flight.why, HasSubstr(advice));
    EXPECT_THAT(occupancy.verdict + occupancy.why, HasSubstr(advice));
    for_boards(find_board("occupancy"), 6, [](const OnBoard& one) {
        const bool full = one.input().evidence.report.does_not_fit.empty() &&
                          explain_board(one.input()).why.find("no room for them") != std::string::npos;
        const auto launched = launched_setting(one.state, all_devices());
        EXPECT_TRUE(!full || compute_occupancy(launched->facts, launched->input).full());
    });
}

TEST(TrafficBoard, WhatStaysInRegistersIsNotALimit) {
    for (const char* exchange : {"butterfly", "reduction step", "broadcast"}) {
        OnBoard shuffle = on("register-shuffle?board=traffic&device=H200");
        for (const Preset& preset : shuffle.state.scenario->info->presets)
            if (preset.name == exchange)
                shuffle.state.params = preset_params(*shuffle.state.scenario, preset);
        shuffle.evidence = gather_evidence(shuffle.state, all_devices());
        const std::string verdict = explain_board(shuffle.input()).verdict;
        EXPECT_TRUE(verdict.starts_with("No byte moves between memories: ")) << verdict;
        const FixedMeasure measure;
        const Picture picture = draw_board(
            shuffle.input(), {.theme = &theme(ThemeName::light), .measure = &measure, .size = {800, 600}});
        for (const Label& label : all_of<Label>(picture)) EXPECT_NE(label.text, "limits");
    }
}

// Green beside "Limited by bytes in flight" would praise 8 % of the bandwidth.
TEST(TrafficBoard, IsAsGoodAsTheKernel) {
    const auto good = [](const char* link) { return explain_board(on(link).input()).good; };
    EXPECT_FALSE(good("latency-hiding?warps=8&board=traffic&device=H200"));
    EXPECT_FALSE(good("transpose?variant=naive&board=traffic&device=H200"));
    EXPECT_TRUE(good("transpose?variant=padded&board=traffic&device=H200"));
}

// The outline of the memory that limits has the colour of the verdict, so that A beside B differ as they do.
TEST(TrafficBoard, TheLimitHasTheColourOfTheVerdict) {
    const auto outline = [](const char* link) {
        const OnBoard one = on(link);
        const FixedMeasure measure;
        const Picture picture = draw_board(
            one.input(), {.theme = &theme(ThemeName::light), .measure = &measure, .size = {640, 240}});
        const Box* widest = nullptr;
        for (const Shape& shape : picture.shapes)
            if (const Box* box = std::get_if<Box>(&shape))
                if (widest == nullptr || box->stroke_width > widest->stroke_width) widest = box;
        return widest->stroke;
    };
    const Theme& light = theme(ThemeName::light);
    EXPECT_EQ(outline("shared-tile?padding=0&board=traffic&device=H200"), light.bad);
    EXPECT_EQ(outline("shared-tile?padding=1&board=traffic&device=H200"), light.good);
    EXPECT_EQ(outline("matrix-multiply?board=traffic&device=H200"), light.text) << "the machine's limit";
}

// The same bytes pass, and what differs is among the numbers.
TEST(TrafficBoard, ConflictsAreAmongTheNumbers) {
    const auto wavefronts = [](const char* link) {
        const std::vector<Quantity> numbers = board_numbers(on(link).input());
        return *std::ranges::find(numbers, "shared: wavefronts", &Quantity::name)->amount;
    };
    EXPECT_EQ(wavefronts("shared-tile?padding=0&board=traffic&device=H200"),
              32 * wavefronts("shared-tile?padding=1&board=traffic&device=H200"));
}

TEST(TrafficBoard, IsReadableAtEverySizeOnEveryGeneration) {
    for (const Vec2 size : {Vec2{600, 400}, Vec2{640, 660}, Vec2{1300, 900}, Vec2{3000, 1800}}) {
        for (const char* gpu : {"8800 GTX", "GTX 480", "K40", "GTX 980", "V100", "H200", "B200"}) {
            for (const char* id :
                 {"global-stride?stride=8", "matrix-multiply?tile=16", "texture-walk?walk=row"}) {
                const OnBoard one = on(std::string(id) + "&board=traffic&device=" + gpu);
                SCOPED_TRACE(std::string(gpu) + " " + id + " " + std::to_string(size.x));
                expect_readable(draw_board(one.input(), style_of(ThemeName::dark, size)));
            }
        }
    }
}

TEST(TrafficBoard, AreasGrowWithTheLogarithmOfTheCapacity) {
    for (const DeviceFacts& device : all_devices()) {
        const FlowReport none;
        const TrafficView view{&none, &device, false, false, {}};
        const TrafficLayout layout = lay_out_traffic(view, {0, 0, 1000, 800}, false);
        const auto area_of_doubling = [&](Memory memory) {
            const Rect& box = layout.box(memory);
            return box.w * box.h / static_cast<float>(std::log2(double(memory_info(memory, device).bytes)));
        };
        const float usual = area_of_doubling(Memory::dram);
        for (const Memory memory : {Memory::registers, Memory::l2, Memory::constant}) {
            if (layout.has(memory)) {
                EXPECT_NEAR(area_of_doubling(memory), usual, 0.01f * usual) << device.name;
            }
        }
        EXPECT_EQ(layout.has(Memory::l2), device.cc.major > 1) << device.name;
        EXPECT_EQ(layout.has(Memory::texture), device.cc.major < 5) << device.name;
        EXPECT_LE(layout.bottom, 801) << device.name;
    }
}

TEST(TrafficBoard, SaysWhatTheModelCounts) {
    int named = 0;
    for_boards(find_board("traffic"), 6, [&](const OnBoard& one) {
        const Explanation said = explain_board(one.input());
        EXPECT_FALSE(said.verdict.empty());
        if (!one.evidence.report.does_not_fit.empty()) {
            EXPECT_EQ(said.verdict, one.evidence.report.does_not_fit);
            return;
        }
        const FlowReport flows = flows_of(one, one.state.cold);
        const std::string all = said.verdict + " " + said.why;
        for (const Memory memory : kMemories) {
            if (flows.through(memory) > 0) {
                EXPECT_THAT(all, HasSubstr(format_bytes(flows.through(memory))));
            }
        }
        if (!flows.limiting || flows.time_us <= 0) return;
        ++named;
        EXPECT_THAT(said.verdict, HasSubstr("Limited by"));
        EXPECT_THAT(said.verdict, HasSubstr(format_percent(flows.utilization(*flows.limiting), 1)));
    });
    EXPECT_GT(named, 20);
}

// "Limited by L2 sectors" had stood beside an L2 that was utilized by 24 %, and DRAM by 40 %.
TEST(TrafficBoard, TheLimitIsTheBusiestMemoryOrSaysWhyNot) {
    constexpr double kNearly = 1.2;  // DRAM gives less than its peak at best
    int explained = 0, busiest = 0;
    for_boards(find_board("traffic"), 60, [&](const OnBoard& one) {
        const FlowReport flows = flows_of(one, one.state.cold);
        if (!flows.limiting || flows.time_us <= 0) return;
        double most = 0;
        for (const Memory memory : kMemories) most = std::max(most, flows.utilization(memory));
        const bool is_busiest = most <= kNearly * flows.utilization(*flows.limiting);
        ++(is_busiest ? busiest : explained);
        if (is_busiest) return;
        const std::string meaning(limiter_meaning(flows.limiter));
        EXPECT_THAT(explain_board(one.input()).verdict, HasSubstr(meaning));
        EXPECT_TRUE(flows.limiter != Limiter::l2_sectors && flows.limiter != Limiter::dram &&
                    !meaning.empty())
            << limiter_name(flows.limiter) << " " << flows.utilization(*flows.limiting) << " beside " << most;
    });
    EXPECT_GT(busiest, 100);
    EXPECT_GT(explained, 20);
}

TEST(TrafficBoard, BankConflictsAreNamedWhereTheySetThePace) {
    const OnBoard conflicts = on("transpose?variant=tile&board=traffic&device=H200");
    ASSERT_EQ(flows_of(conflicts, false).limiting, Memory::shared);
    // 4096 x 4096 elements: 524,288 warps store one wavefront each, and load 32 instead of one.
    EXPECT_THAT(explain_board(conflicts.input()).verdict,
                HasSubstr("Bank conflicts are why: its requests take " + format_count(17301504) +
                          " wavefronts, " + format_count(1048576) + " is the minimum."));
    const OnBoard padded = on("transpose?variant=padded&board=traffic&device=H200");
    EXPECT_THAT(explain_board(padded.input()).verdict, Not(HasSubstr("conflicts")));
}

TEST(TrafficBoard, EveryNumberBesideAnArrowSaysItsKind) {
    for_boards(find_board("traffic"), 2, [](const OnBoard& one) {
        const FlowReport flows = flows_of(one, one.state.cold);
        const std::vector<Label> all =
            all_of<Label>(draw_board(one.input(), style_of(ThemeName::dark, {900, 700})));
        for (const Flow& flow : flows.flows) {
            const std::string bytes = format_bytes(flows.bytes(flow.from, flow.to));
            for (const Label& label : all) {
                if (label.font != FontRole::strong || !label.text.starts_with(bytes + "\u2009")) continue;
                EXPECT_TRUE(label.text.ends_with(provenance_mark(Provenance::exact)) ||
                            label.text.ends_with(provenance_mark(Provenance::approximate)))
                    << label.text;
            }
        }
    });
}

TEST(TrafficBoard, NumbersAreTheFlows) {
    for_boards(find_board("traffic"), 3, [](const OnBoard& one) {
        const FlowReport flows = flows_of(one, one.state.cold);
        const std::vector<Quantity> rows = board_numbers(one.input());
        std::map<std::string, double> bytes;
        for (const Flow& flow : flows.flows) {
            const Memory memory = flow.is_store() ? flow.to : flow.from;
            bytes[short_name(memory) + ": " + flow_name(flow)] += flow.bytes;
        }
        std::set<std::string> names;
        for (const Quantity& row : rows) {
            EXPECT_FALSE(row.source.empty()) << row.name;
            EXPECT_TRUE(names.insert(row.name).second) << row.name << " twice: which one has changed?";
            if (!bytes.contains(row.name)) continue;
            EXPECT_EQ(row.amount, bytes[row.name]) << row.name;
            EXPECT_EQ(row.text, format_bytes(bytes[row.name]));
            std::set<Provenance> kinds;
            for (const Flow& flow : flows.flows) {
                const Memory memory = flow.is_store() ? flow.to : flow.from;
                if (short_name(memory) + ": " + flow_name(flow) == row.name) kinds.insert(flow.kind);
            }
            EXPECT_TRUE(kinds.contains(row.provenance)) << row.name;
            EXPECT_EQ(row.provenance == Provenance::exact, kinds == std::set{Provenance::exact}) << row.name;
        }
        for (const auto& [name, sum] : bytes) EXPECT_TRUE(names.contains(name)) << name;
    });
}

// One definition: the share of its bandwidth that a launch gets from DRAM or the L2 is the same on both
// boards, to the digit.
TEST(RooflineBoard, UtilizesDramAsMuchAsTheTrafficBoardSays) {
    int compared = 0;
    for_boards(find_board("roofline"), 6, [&](const OnBoard& one) {
        if (!one.evidence.report.does_not_fit.empty()) return;
        const FlowReport flows = flows_of(one, one.state.cold);
        const Roofline roofline = make_roofline(*one.state.scenario, one.state.params, one.input().device(),
                                                one.evidence.prediction, flows, flows_of(one, true));
        const std::vector<Quantity> traffic = board_numbers([&] {
            static State there;
            there = one.state;
            there.board = find_board("traffic");
            return BoardInput{there, all_devices(), one.evidence};
        }());
        for (const Roof& moved : roofline.moved) {
            if (moved.memory == Memory::shared) continue;  // its banks are counted in wavefronts
            const std::string text = format_percent(moved.gb_per_s, roofline.speed_of(moved.memory));
            const auto row =
                std::ranges::find(traffic, short_name(moved.memory) + ": utilization", &Quantity::name);
            ASSERT_NE(row, traffic.end());
            EXPECT_EQ(row->text, text);
            ++compared;
        }
    });
    EXPECT_GT(compared, 40);
}

TEST(RooflineBoard, IsReadableAtEverySizeAndSaysWhereThePointIs) {
    for (const Vec2 size : {Vec2{600, 400}, Vec2{640, 660}, Vec2{1300, 900}, Vec2{3000, 1800}}) {
        for (const char* gpu : {"8800 GTX", "K40", "H200", "RTX 5090"}) {
            for (const char* id :
                 {"global-stride?stride=8", "matrix-multiply?tile=16", "local-spill?live=128"}) {
                const OnBoard one = on(std::string(id) + "&board=roofline&device=" + gpu);
                SCOPED_TRACE(std::string(gpu) + " " + id + " " + std::to_string(size.x));
                expect_readable(draw_board(one.input(), style_of(ThemeName::light, size)));
            }
        }
    }
}

TEST(RooflineBoard, EveryTileIsAClickAway) {
    const OnBoard one = on("matrix-multiply?variant=naive&matrix=512&board=roofline&device=H200");
    const Picture picture = draw_board(one.input(), style_of(ThemeName::dark, {900, 700}));
    std::vector<std::string> tiles;
    for (const Hit& hit : picture.hits) {
        if (hit.link.empty()) continue;
        const State there = follow_link(hit.link, one.state, all_devices()).state;
        EXPECT_EQ(there.board, find_board("roofline"));
        EXPECT_EQ(there.device, one.state.device);
        EXPECT_EQ(there.params.matrix, 512);
        tiles.push_back(format_knob(*find_knob(*there.scenario, "variant"), there.params) + " " +
                        std::to_string(there.params.tile));
    }
    for (const char* tile :
         {"naive 32", "tiled 8", "tiled 16", "tiled 32", "register-blocked 32", "vectorized 32"})
        EXPECT_THAT(tiles, Contains(tile));
}

TEST(RooflineBoard, SaysWhatTheModelCounts) {
    int bound = 0;
    for_boards(find_board("roofline"), 6, [&](const OnBoard& one) {
        const Explanation said = explain_board(one.input());
        EXPECT_FALSE(said.verdict.empty());
        const DeviceFacts& device = one.input().device();
        if (!one.evidence.report.does_not_fit.empty()) return;
        const Roofline roofline =
            make_roofline(*one.state.scenario, one.state.params, device, one.evidence.prediction,
                          flows_of(one, one.state.cold), flows_of(one, true));
        if (roofline.flop <= 0) {
            EXPECT_THAT(said.verdict, HasSubstr("no FLOP are counted"));
            return;
        }
        if (roofline.points.empty()) return;
        ++bound;
        const RooflinePoint& point = roofline.points.front();
        const double roof = roofline.attainable(point.memory, point.intensity);
        const Limiter limiter = one.evidence.prediction.limiter;
        const bool computes = limiter == Limiter::multiply_adds && point.gflop_per_s >= 0.5 * roofline.peak;
        EXPECT_TRUE(said.verdict.starts_with(
            computes ? "Compute bound: " : "Limited by " + std::string(limiter_name(limiter)) + ": "))
            << said.verdict;
        EXPECT_THAT(said.verdict, HasSubstr(intensity_text(point.intensity)));
        EXPECT_THAT(said.verdict, HasSubstr(flop_text(point.gflop_per_s)));
        EXPECT_THAT(said.verdict, HasSubstr(format_percent(point.gflop_per_s, roofline.peak)));
        EXPECT_THAT(said.verdict, HasSubstr(flop_text(roof)));
    });
    EXPECT_GT(bound, 8);
}

// A limiter has one name on every board, and none says that a memory limits while another says it does not.
// Settings of each scenario and GPU: one, and with WARPLENS_ALL set 42, which are 1,000 for each GPU.
TEST(Boards, NeverContradictEachOtherAboutTheLimiter) {
    std::mt19937 random(seed(48));
    int limits = 0, on_their_way = 0;
    const std::size_t gpus = all_devices().size(), rounds = all_cases() ? 42 : 1;
    for (std::size_t round = 0; round < rounds * gpus; ++round) {
        const std::size_t gpu = round % gpus;
        for (const Scenario& scenario : all_scenarios()) {
            State state = initial_state(scenario, gpu);
            state.params = random_launch(scenario, random);
            state.cold = random() % 2 == 0;
            OnBoard one{state};
            const Prediction& prediction = one.evidence.prediction;
            if (!one.evidence.report.does_not_fit.empty() || prediction.value <= 0) continue;
            const DeviceFacts& device = all_devices()[gpu];
            const auto memory = memory_of(prediction.limiter, device);
            const std::string name(limiter_name(prediction.limiter));
            const auto said_on = [&](const char* board) {
                one.state.board = find_board(board);
                return explain_board(one.input()).verdict;
            };
            SCOPED_TRACE(link_to(state, all_devices()));
            // Caches may deliver more than DRAM, which never does.
            EXPECT_LE(prediction.dram_bytes, device.peak_gb_per_s * 1e3 * prediction.time_us);
            if (memory) {
                EXPECT_TRUE(memory_info(*memory, device).there) << name;
                EXPECT_THAT(said_on("traffic"), Not(HasSubstr("not by memory")));
            }
            if (one.evidence.report.fault == Fault::none && prediction.limiter != Limiter::none) {
                EXPECT_THAT(said_on("access"),
                            HasSubstr("Limited by " + limiter_words(prediction) + " (predicted)"));
            }
            const std::string roof = said_on("roofline");
            if (roof.starts_with("Compute bound")) {
                EXPECT_EQ(prediction.limiter, Limiter::multiply_adds);
                EXPECT_GE(prediction.value, 0.5 * prediction.peak);
            } else if (prediction.limiter != Limiter::none && prediction.peak > 0) {
                EXPECT_TRUE(roof.starts_with("Limited by " + name + ": ")) << roof;
                ++limits;
            }
            one.state.board = find_board("flight");
            if (prediction.limiter == Limiter::bytes_in_flight && device.latencies.dram > 0 &&
                device.latencies.l2 > 0) {
                EXPECT_NE(board_numbers(one.input()).front().text, "nothing") << said_on("flight");
                ++on_their_way;
            }
            for (const Quantity& row : board_numbers(one.input())) {
                if (row.name != "predicted") continue;
                EXPECT_EQ(row.source, "Limited by " + name + ".");
            }
        }
    }
    EXPECT_GT(limits, 200);
    EXPECT_GT(on_their_way, 20);
}

// What the timeline of an SM draws takes as long as is predicted, and a tile no less than memory needs.
TEST(FlightBoard, TheTimelineOfTilesIsThePredictions) {
    std::mt19937 random(29);
    const Scenario& scenario = *find_scenario("async-copy");
    int waiting = 0;
    for (int i = 0; i < 40; ++i) {
        State state =
            initial_state(scenario, find_device(all_devices(), i % 2 == 0 ? "H200" : "B200").value());
        state.params = random_launch(scenario, random);
        state.board = find_board("flight");
        const OnBoard one{state};
        if (!one.evidence.report.does_not_fit.empty()) continue;
        SCOPED_TRACE(link_to(state, all_devices()));
        const std::vector<Quantity> rows = board_numbers(one.input());
        const auto amount = [&](const char* name) {
            const auto row = std::ranges::find(rows, std::string(name), &Quantity::name);
            return row == rows.end() ? 0 : row->amount.value_or(0);
        };
        const DeviceFacts& device = one.input().device();
        const InFlight flight = bytes_in_flight(scenario, state.params, device, false);
        const double launches =
            double(scenario.launch(state.params).grid.x) / (flight.blocks * device.sm_count);
        const double seconds = amount("tile") * scenario.info->streaming(state.params).rounds * launches /
                               (device.clock_mhz * 1e6);
        EXPECT_NEAR((seconds + limits::launch_seconds(seconds, false)) * 1e6, one.evidence.prediction.time_us,
                    1e-6 * one.evidence.prediction.time_us);
        EXPECT_NEAR(amount("waited") + amount("use of a tile"), amount("tile"), 1e-6 * amount("tile"));
        EXPECT_GE(amount("tile") * scenario.info->streaming(state.params).stages,
                  0.999 * (amount("latency") + amount("use of a tile")))
            << "Little's law";
        waiting += amount("waited") > 0.3 * amount("tile") ? 1 : 0;
    }
    EXPECT_GT(waiting, 10);
}

TEST(FlightBoard, ATimelineHasItsStagesAndBlocks) {
    for (const char* way : {"registers", "cp.async", "tma"}) {
        const OnBoard one =
            on(std::string("async-copy?stages=3&blocks=4&device=H200&board=flight&way=") + way);
        std::map<std::string, int> rows;
        for (const Vec2 size : {Vec2{900, 640}, Vec2{640, 460}, Vec2{420, 380}}) {
            const Picture picture = draw_board(one.input(), style_of(ThemeName::light, size));
            expect_readable(picture);
            for (const Label& label : all_of<Label>(picture)) ++rows[label.text];
        }
        for (const char* row : {"stage 0", "stage 2", "block 0", "block 3"}) EXPECT_EQ(rows[row], 3) << way;
        EXPECT_EQ(rows["stage 3"] + rows["block 4"], 0);
    }
    const auto room = [](const char* link, const char* name) {
        const std::vector<Quantity> rows = board_numbers(on(link).input());
        return std::ranges::find(rows, std::string(name), &Quantity::name)->text;
    };
    EXPECT_EQ(room("async-copy?tile=8&board=flight&device=H200", "room, 4 stages"), "6 blocks");
    EXPECT_EQ(room("async-copy?way=registers&tile=8&board=flight&device=H200", "room, 4 stages"), "4 blocks");
    EXPECT_EQ(room("async-copy?way=tma&stages=4&tile=8&board=flight&device=H200", "registers saved"), "64");
}

TEST(RooflineBoard, AProductOfRegisterTilesIsComputeBoundOnAV100) {
    State state =
        initial_state(*find_scenario("matrix-multiply"), find_device(all_devices(), "V100").value());
    state.params = apply_settings(*state.scenario, {"variant=vectorized,matrix=2048,tile=32"});
    state.board = find_board("roofline");
    const OnBoard one{state};
    EXPECT_TRUE(explain_board(one.input()).verdict.starts_with("Compute bound"))
        << one.evidence.prediction.value;
}

TEST(RooflineBoard, TheNaiveProductIsNotComputeBoundAtATenthOfThePeak) {
    const OnBoard one = on("matrix-multiply?variant=naive&matrix=4096&board=roofline&device=H200");
    EXPECT_LT(one.evidence.prediction.value, 0.15 * one.evidence.prediction.peak);
    EXPECT_TRUE(explain_board(one.input()).verdict.starts_with("Limited by the L1: "));
}

// An SM has room for 8 blocks, and the launch brings one to each.
TEST(OccupancyBoard, AGridThatIsTooSmallIsNotSaidToFillTheSms) {
    const OnBoard few = on("latency-hiding?board=occupancy&device=H200");
    const LaunchShape& shape = few.evidence.report.shape;
    ASSERT_EQ(shape.grid.x * shape.grid.y, 132);
    ASSERT_EQ(shape.block.x * shape.block.y, 256);
    EXPECT_EQ(explain_board(few.input()).headline, "The grid has only 132 blocks: 8 of 64 warps to an SM");
    EXPECT_EQ(explain_board(on("vector-add?board=occupancy&device=H200").input()).headline, "");
}

// One addition for 12 bytes: the example of every lecture. It had been said to compute nothing.
TEST(RooflineBoard, AVectorAdditionHasItsPointAndARegisterExchangeSaysThatItHasNone) {
    const OnBoard sum = on("vector-add?n=67108864&board=roofline&device=H200");
    const std::vector<Quantity> rows = board_numbers(sum.input());
    const auto flop = std::ranges::find(rows, std::string("FLOP / DRAM byte"), &Quantity::name);
    ASSERT_NE(flop, rows.end());
    EXPECT_NEAR(*flop->amount, 1.0 / 12, 0.001);
    EXPECT_THAT(explain_board(sum.input()).why,
                HasSubstr("Lanes get 0.125 FLOP out of each byte that they load"));
    const std::string said = explain_board(on("register-shuffle?board=roofline&device=H200").input()).verdict;
    EXPECT_THAT(said, HasSubstr("has no place under the roof"));
}

// What limits such a launch are wavefronts, and not the bytes that lanes want: a point far below the roof
// would refute the sentence.
TEST(RooflineBoard, ALaunchThatSharedMemoryLimitsLiesAtItsRoof) {
    const OnBoard one = on("matrix-multiply?variant=tiled&tile=32&board=roofline&device=H200");
    const FlowReport flows = flows_of(one, false);
    ASSERT_EQ(flows.limiting, Memory::shared);
    const std::vector<Quantity> rows = board_numbers(one.input());
    const auto row = std::ranges::find(rows, std::string("FLOP / wavefront byte"), &Quantity::name);
    ASSERT_NE(row, rows.end());
    const double roof = *row->amount * memory_info(Memory::shared, one.input().device()).gb_per_s;
    EXPECT_NEAR(one.evidence.prediction.value / roof, flows.utilization(Memory::shared), 1e-6);
    EXPECT_GT(one.evidence.prediction.value, 0.9 * roof);
    const std::string busy = format_percent(flows.utilization(Memory::shared), 1);
    EXPECT_THAT(explain_board(one.input()).why, HasSubstr("hared memory utilization is " + busy));
    // The same for a launch that computes nothing; that it is near its roof is nothing good.
    const OnBoard copy = on("transpose?variant=tile&board=roofline&device=H200");
    EXPECT_THAT(explain_board(copy.input()).why,
                HasSubstr("hared memory utilization is " +
                          format_percent(flows_of(copy, false).utilization(Memory::shared), 1)));
    EXPECT_FALSE(explain_board(copy.input()).good);
}

TEST(RooflineBoard, HasOneUnit) {
    EXPECT_EQ(flop_text(346), "0.346 TFLOP/s");
    EXPECT_EQ(flop_text(8812), "8.81 TFLOP/s");
    EXPECT_EQ(flop_text(66908), "66.9 TFLOP/s");
}

TEST(RooflineBoard, ARecordedSpeedHasItsMark) {
    const OnBoard one = on("matrix-multiply?board=roofline&device=H200");
    Observation recorded;
    recorded.point.value = 6940;
    recorded.where = "recorded on NVIDIA H200, 2026-11-21";
    recorded.provenance = Provenance::recorded;
    Observed observed;
    observed.recorded = recorded;
    const Evidence evidence = with_observed(one.evidence, observed);
    const BoardInput input{one.state, all_devices(), evidence};
    const Picture picture = draw_board(input, style_of(ThemeName::dark, {900, 700}));
    bool said = false;
    for (const Hit& hit : picture.hits)
        said = said || (hit.tooltip.find("recorded 6.94 TFLOP/s") != std::string::npos &&
                        hit.tooltip.find(recorded.where) != std::string::npos);
    EXPECT_TRUE(said);
    bool row = false;
    for (const Quantity& number : board_numbers(input))
        row = row || (number.provenance == Provenance::recorded && number.text == "6.94 TFLOP/s");
    EXPECT_TRUE(row);
}

}  // namespace warplens::test::boards_flow_tests
