// The verdict about a kernel: its worst instruction, its limit, and speeds only where they were recorded.
#include "app/boards/access/kernel_verdict.h"

#include "app/base/format.h"
#include "app/boards/spaces/spaces_picture.h"
#include "app/experiment/goal.h"
#include "app/experiment/link.h"
#include "app/experiment/recordings.h"
#include "app/experiment/typed_kernel.h"
#include "app/learn/courses.h"
#include "tests/app/pictures/kit/pictures_of_settings.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::test::kernel_verdict_tests {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Judged {
    State state;
    RecordingView view{.devices = &all_devices(), .device = state.device, .cold = state.cold};
    Evidence evidence = gather_evidence(
        state, all_devices(), {.recorded = shipped_recordings().find(*state.scenario, state.params, view)});
    Explanation said = explain_kernel(evidence, all_devices()[state.device]);
};

Judged of(const std::string& link) {
    return {follow_link(link, initial_state(all_scenarios().front(), 0), all_devices()).state};
}

Judged on_h200(const std::string& link) {
    const std::size_t device = find_device(all_devices(), "H200").value();
    return {follow_link(link, initial_state(all_scenarios().front(), device), all_devices()).state};
}

double recorded_us(std::string_view gpu, const State& state) {
    for (const OpenRecording& recording : shipped_recordings().all()) {
        if (recording.gpu.name != gpu) continue;
        const Timing* timing = find_timing(recording, *state.scenario, state.params);
        if (timing != nullptr) return timing->median_us;
    }
    return 0;
}

}  // namespace

TEST(KernelVerdict, NamesTheWorstInstruction) {
    EXPECT_TRUE(of("transpose?variant=naive&device=H200").said.verdict.starts_with("store"));
    EXPECT_FALSE(of("transpose?variant=naive&device=H200").said.good);
    EXPECT_THAT(of("transpose?variant=tile&padding=0&device=H200").said.verdict,
                HasSubstr("32-way bank conflict"));
    EXPECT_THAT(of("global-gather?device=H200").said.verdict, HasSubstr("is the minimum"));
}

// The last kernel stores its results once, scattered; nearly all that it takes are loads of its tiles.
TEST(KernelVerdict, IsAboutWhatTheWholeKernelSpendsMostOn) {
    const Judged lean = on_h200("matrix-ladder?variant=lean");
    EXPECT_TRUE(lean.said.verdict.starts_with("load tile B: Conflict-free")) << lean.said.verdict;
    EXPECT_EQ(lean.said.headline, "Limited by issued instructions");
    // Its other warps load five sectors, so that "Coalesced" was in green beside 13 % of the peak.
    EXPECT_EQ(on_h200("constant-convolution").said.headline, "Limited by the L1");
    EXPECT_EQ(on_h200("global-stride").said.headline, "Ideal accesses, limited by bytes in flight");
    // Half of the peak for want of bytes in flight: that its only load is coalesced is not the point.
    EXPECT_EQ(on_h200("latency-hiding?warps=16&element=16").said.headline, "Limited by bytes in flight");
    EXPECT_TRUE(lean.said.good);
    EXPECT_THAT(lean.said.why, HasSubstr(fmt::format("store C takes {} more sectors than its ideal",
                                                     format_count(6'291'456))));
}

TEST(KernelVerdict, AHistogramThatLosesUpdatesIsCalledWrong) {
    const Judged plain = on_h200("atomic-histogram?update=plain");
    EXPECT_EQ(plain.said.headline, "Updates are lost");
    EXPECT_THAT(plain.said.verdict, HasSubstr("The histogram is wrong"));
    EXPECT_FALSE(plain.said.good);
    EXPECT_EQ(on_h200("atomic-histogram?update=count").evidence.report.fault, Fault::none);
}

TEST(KernelVerdict, SharedMemoryWithoutConflictsIsABandwidth) {
    EXPECT_THAT(on_h200("matrix-multiply?variant=tiled").said.verdict,
                HasSubstr("Limited by shared memory bandwidth"));
    EXPECT_THAT(on_h200("transpose?variant=tile").said.verdict, HasSubstr("Limited by bank conflicts"));
}

// "Conflict-free" had stood beside "Limited by bank conflicts", of which the grid has 18,432.
TEST(KernelVerdict, OneRequestWithoutConflictsDoesNotPraiseTheGrid) {
    const Judged one = on_h200("shared-tile?padding=3&walk=row&swizzle_bits=2");
    EXPECT_EQ(one.said.headline, "Conflict-free here, but not over the whole grid");
    EXPECT_THAT(one.said.verdict,
                HasSubstr("the grid takes " + format_count(51200) + " wavefronts, " + format_count(32768) +
                          " is the minimum. Limited by shared memory"));
    EXPECT_FALSE(one.said.good);
}

// "Slower" only where nothing but the banks takes time; else what there is more of.
TEST(KernelVerdict, TheHeadlineIsForTheBackRow) {
    EXPECT_EQ(on_h200("shared-tile?padding=0&walk=column").said.headline, "32x slower: 32-way bank conflict");
    EXPECT_EQ(on_h200("transpose?variant=tile").said.headline, "32x the wavefronts: 32-way bank conflict");
    EXPECT_EQ(on_h200("global-stride?stride=8").said.headline,
              "8x the sectors: each lane has a sector to itself");
    EXPECT_EQ(on_h200("shared-tile?padding=1&walk=column").said.headline, "Conflict-free");
    for (const Scenario& scenario : all_scenarios()) {
        for (const Preset& preset : scenario.info->presets) {
            State state = initial_state(scenario, 0);
            state.params = preset_params(scenario, preset);
            const std::string line =
                explain_kernel(gather_evidence(state, all_devices()), all_devices().front()).headline;
            EXPECT_FALSE(line.empty()) << scenario.info->id << " " << preset.name;
            EXPECT_LE(line.size(), 90u) << line;
        }
    }
}

TEST(KernelVerdict, EveryPresetNamesItsLimitAndItsCounts) {
    int seen = 0;
    for (const char* gpu : {"H200", "A100 SXM4 80", "GTX 280"}) {
        for (const Scenario& scenario : all_scenarios()) {
            for (const Preset& preset : scenario.info->presets) {
                State state = initial_state(scenario, find_device(all_devices(), gpu).value());
                state.params = preset_params(scenario, preset);
                const Judged one{state};
                SCOPED_TRACE(link_to(state, all_devices()) + ": " + one.said.verdict);
                if (!one.evidence.report.does_not_fit.empty()) continue;
                if (one.evidence.report.fault != Fault::none) continue;  // which is all that counts then
                const Prediction& predicted = one.evidence.prediction;
                if (predicted.value > 0 && predicted.limiter != Limiter::none) {
                    EXPECT_THAT(one.said.verdict, HasSubstr(fmt::format("Limited by {} (predicted).",
                                                                        limiter_name(predicted.limiter))));
                }
                if (std::string_view(gpu) != "H200") {
                    EXPECT_THAT(one.said.verdict, Not(HasSubstr("recorded")));
                }
                // An instruction with more sectors or wavefronts than needed is never passed over as good.
                for (const InstructionReport& row : one.evidence.report.instructions) {
                    if (row.instruction.space != Space::shared ||
                        one.evidence.setting.scenario->info->time == TimeModel::walk)
                        continue;
                    if (row.warp.wavefronts > row.warp.ideal_wavefronts) {
                        EXPECT_FALSE(one.said.good);
                    }
                }
                ++seen;
            }
        }
    }
    EXPECT_GT(seen, 150);
}

TEST(KernelVerdict, SpeedUpsAreThoseOfTheRecording) {
    const Judged tiled = of("transpose?variant=tile&device=H200"),
                 naive = of("transpose?variant=naive&device=H200");
    const double ratio = recorded_us("NVIDIA H200", naive.state) / recorded_us("NVIDIA H200", tiled.state);
    ASSERT_GT(ratio, 1);
    EXPECT_THAT(tiled.said.verdict, HasSubstr(fmt::format("{:.3g} times as fast as naive", ratio)));
    EXPECT_THAT(tiled.said.verdict, HasSubstr("(recorded, NVIDIA H200)"));
    EXPECT_THAT(naive.said.verdict, Not(HasSubstr("as fast as tile"))) << "it is the first variant";
    EXPECT_THAT(of("transpose?variant=tile&device=L4").said.verdict, Not(HasSubstr("recorded")));
}

// What the window says beside the picture is what projector mode says in its huge line.
TEST(KernelVerdict, ASlowKernelIsNotPraisedForOneRequest) {
    for (const char* link : {"latency-hiding?warps=8", "matrix-multiply?variant=tiled"}) {
        const Judged one = on_h200(link);
        const DeviceFacts& device = all_devices()[one.state.device];
        EXPECT_TRUE(judge_kernel(one.evidence, device).slow_without_fault) << link;
        EXPECT_EQ(tone_of(one.evidence, device), Tone::plain);
        const std::string limit = fmt::format("imited by {}", limiter_name(one.evidence.prediction.limiter));
        EXPECT_TRUE(one.said.headline.ends_with(limit)) << one.said.headline;
        EXPECT_TRUE(limit_sentence(one.evidence).starts_with("L" + limit + " (predicted): "));
        const Theme& theme = warplens::theme(ThemeName::light);
        const FixedMeasure measure;
        const Picture picture =
            draw_instruction(one.evidence, static_cast<int>(worst_instruction(one.evidence)), one.state,
                             {.theme = &theme, .measure = &measure, .size = {640, 480}, .slow_kernel = true});
        int sentences = 0;
        for (const Shape& shape : picture.shapes) {
            const auto* label = std::get_if<Label>(&shape);
            if (label == nullptr || label->font != FontRole::heading) continue;
            EXPECT_NE(label->color, theme.good) << label->text;
            ++sentences;
        }
        EXPECT_GT(sentences, 0);
    }
    const Judged conflict = on_h200("transpose?variant=tile");
    EXPECT_FALSE(judge_kernel(conflict.evidence, all_devices()[conflict.state.device]).slow_without_fault)
        << "an instruction is at fault, and its verdict says so";
    EXPECT_FALSE(
        judge_kernel(on_h200("shared-stride?stride=1").evidence, all_devices().front()).slow_without_fault);
}

TEST(KernelVerdict, InShortItNamesTheLimitAndRepeatsNoPicture) {
    for (const Scenario& scenario : all_scenarios()) {
        for (const Preset& preset : scenario.info->presets) {
            State state = initial_state(scenario, find_device(all_devices(), "H200").value());
            state.params = preset_params(scenario, preset);
            const Judged one{state};
            SCOPED_TRACE(link_to(state, all_devices()));
            if (!one.evidence.report.does_not_fit.empty()) continue;
            const Prediction& predicted = one.evidence.prediction;
            if (predicted.value > 0 && predicted.limiter != Limiter::none) {
                EXPECT_THAT(
                    limit_sentence(one.evidence),
                    HasSubstr(fmt::format("Limited by {} (predicted)", limiter_name(predicted.limiter))));
            }
            for (std::size_t k = 0; k < one.evidence.report.instructions.size(); ++k)
                EXPECT_NE(one.said.headline + ".",
                          explain(view_of(one.evidence, static_cast<int>(k)), one.evidence.tiles[k]).verdict);
        }
    }
}

TEST(KernelVerdict, SpillsFootprintsAndTexelsHaveTheirOwnWords) {
    const Judged spilled = of("local-spill?registers=32&live=160&device=H200");
    EXPECT_THAT(spilled.said.verdict, HasSubstr("148 of 160 live values are spilled: 592 bytes"));
    EXPECT_FALSE(spilled.said.good);
    EXPECT_TRUE(of("local-spill?registers=80&live=64&device=H200").said.good);
    const std::pair<const char*, const char*> homes[] = {
        {"2^16", "fits in the L1"},
        {"2^22", "L2"},
        {"2^28", "the L2 has room for 23.4 % of it, and DRAM serves all of the loads"}};
    for (const auto& [footprint, where] : homes) {
        const Judged one = of(std::string("cache-footprint?footprint=") + footprint + "&device=H200");
        EXPECT_THAT(one.said.verdict, HasSubstr(where));
        EXPECT_THAT(one.said.verdict, Not(HasSubstr("sector")));
    }
    // A column of 32 texels of 4 bytes: 16 sectors hold 128 texels.
    EXPECT_THAT(of("texture-walk?walk=column&device=H200").said.verdict,
                HasSubstr("96 of 128 texels fetched are not used"));
}

// The verdict on a footprint says the number that is predicted, and that of no other way to measure.
TEST(KernelVerdict, AFootprintWaitsAsLongAsIsPredicted) {
    int said = 0;
    for (const DeviceFacts& device : all_devices()) {
        for (int log2 = 13; log2 <= 28; ++log2) {
            const std::string link =
                fmt::format("cache-footprint?footprint=2^{}&device={}", log2, device.name);
            const Judged waits = of(link + "&measure=latency");
            const double cycles = waits.evidence.prediction.value;
            const bool any = waits.evidence.report.does_not_fit.empty() && cycles > 0;
            if (any) {
                EXPECT_THAT(waits.said.verdict, HasSubstr(fmt::format("waits about {:.0f} cycles", cycles)))
                    << link;
            }
            said += any;
            EXPECT_THAT(of(link + "&measure=bandwidth").said.verdict, Not(HasSubstr("waits"))) << link;
        }
    }
    EXPECT_GT(said, 500);
}

TEST(Spaces, RememberedLatenciesAreNotMarkedAsRecorded) {
    int all = 0;
    for (const DeviceFacts& device : all_devices()) {
        for (const SpaceRow& row : spaces_of(device).rows) {
            if (row.latency.source.empty()) continue;
            const bool remembered = row.latency.source.find("as remembered") != std::string::npos;
            EXPECT_EQ(latency_provenance(row), remembered ? Provenance::approximate : Provenance::recorded)
                << device.name << ": " << row.name;
            all += remembered;
        }
    }
    EXPECT_GT(all, 0);
}

// Between blocks a barrier would not help.
TEST(KernelVerdict, ARaceSaysWhoRaces) {
    const auto headline = [](const std::string& line) {
        const std::string text =
            "// launch grid=2 block=64\n__global__ void k(float* a) { __shared__ float s[64]; " + line +
            " }\n";
        return Judged{initial_state(open_kernel(text, "k.cu"), 0)}.said.headline;
    };
    EXPECT_EQ(headline("a[threadIdx.x] = 1;"), "A race between blocks");
    EXPECT_EQ(headline("s[threadIdx.x] = 1; a[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];"),
              "A barrier is missing");
    EXPECT_EQ(headline("a[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x];"),
              "What is loaded was never stored");
}

// Rewording changes no behaviour: with nonsense for every text the judgements, choices and goals stay.
TEST(KernelVerdict, NothingIsReadOutOfSentences) {
    const auto reword = [](Quantity& one) {
        one.name = one.source = one.text = "Limited by 4 of 8, sectors: ideal = 1. measured";
    };
    for (const Scenario& scenario : all_scenarios()) {
        const Judged real{initial_state(scenario, find_device(all_devices(), "H200").value())};
        Evidence nonsense = real.evidence;
        for (InstructionReport& row : nonsense.report.instructions) row.instruction.label = "of, 4: line 2";
        for (auto& scopes : nonsense.counts)
            for (auto& counts : scopes) std::ranges::for_each(counts, reword);
        for (auto* numbers : {&nonsense.predicted, &nonsense.launch, &nonsense.seen})
            std::ranges::for_each(*numbers, reword);
        const DeviceFacts& device = all_devices()[real.state.device];
        const Explanation said = explain_kernel(nonsense, device);
        EXPECT_EQ(said.good, real.said.good);
        EXPECT_EQ(judge_kernel(nonsense, device), judge_kernel(real.evidence, device));
        EXPECT_EQ(tone_of(nonsense, device), tone_of(real.evidence, device));
        for (const Course& course : courses())
            for (const CourseStep& step : course.steps)
                if (step.goal) {
                    EXPECT_EQ(reached(*step.goal, real.state, nonsense, 0),
                              reached(*step.goal, real.state, real.evidence, 0));
                }
    }
}

}  // namespace warplens::test::kernel_verdict_tests
