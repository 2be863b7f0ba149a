// The page of Nsight Compute's counters: the launches of a file on the left, those with the most beyond their
// ideal first, and the counters of the chosen one beside what is expected of it on the right. Also those of
// the kernel that is shown.
#include "app/base/format.h"
#include "app/base/text.h"
#include "app/experiment/evidence.h"
#include "app/experiment/ncu/ncu_words.h"
#include "app/experiment/quantities.h"
#include "app/panels/file_page.h"
#include "app/panels/numbers.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <cmath>

namespace warplens {
namespace {

Color color_of(Verdict verdict, const Theme& colors) {
    return verdict == Verdict::off ? colors.bad : verdict == Verdict::equal ? colors.good : colors.text;
}

/// "7,936 sectors and 31 wavefronts beyond the ideal"
std::string excess_text(const NcuExcess& excess) {
    if (!excess.known()) return "excess not counted";
    if (excess.sum() == 0) return "ideal";
    std::string text;
    const auto add = [&](std::optional<double> count, const char* unit) {
        if (count.value_or(0) == 0) return;
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", format_count(std::llround(*count)), unit);
    };
    add(excess.sectors, "sectors");
    add(excess.wavefronts, "wavefronts");
    return text + " beyond ideal";
}

/// "12 equal, 1 off"; "not compared"
std::string verdicts_text(const ComparedLaunch& launch) {
    const auto times = count_verdicts({&launch, 1});
    std::string text;
    for (const Verdict verdict : {Verdict::equal, Verdict::within, Verdict::off}) {
        const int count = times[int(verdict)];
        if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, verdict_name(verdict));
    }
    return text.empty() ? "not compared" : text;
}

PageItem item_of(const Screen& screen, std::size_t index) {
    const ComparedLaunch& launch = screen.frame.counters.page->launches[index];
    const Theme& colors = screen.style.colors;
    return {launch.launch->kernel, fmt::format("launch {}: {}", launch.launch->id, verdicts_text(launch)),
            excess_text(launch.excess),
            !launch.excess.known()    ? colors.text_weak
            : launch.excess.sum() > 0 ? colors.bad
                                      : colors.good,
            short_kernel_name(launch.launch->kernel)};
}

std::vector<HeadChip> chips_of(const Screen& screen) {
    std::vector<HeadChip> chips;
    chips.push_back({"Copy command", "counters.copy", "Copy the command that prints this comparison.",
                     action::Do::copy_counters_command});
    add_file_chips(chips, screen, action::Do::close_counters);
    return chips;
}

std::string summary_of(const ComparedPage& page) {
    const auto times = count_verdicts(page.launches);
    std::string text = fmt::format("page {} of Nsight Compute, launches: {}", page_name(page.file->page),
                                   page.launches.size());
    if (times[0] + times[1] + times[2] > 0)
        text += fmt::format("; counts: {} equal, {} within, {} off", times[0], times[1], times[2]);
    return text;
}

void head_cell(const PanelStyle& style, int column, std::string_view text) {
    ImGui::TableSetColumnIndex(column);
    ui::cell_right(text, style.colors.text_weak);
}

/// @param remarks  whether there is room for a column of them, or of what the counters mean; otherwise they
/// are tooltips only
void show_counter(const PanelStyle& style, const ComparedCounter& counter, bool predicted, bool remarks) {
    ImGui::TableNextRow();
    ImGui::TableSetColumnIndex(0);
    ui::wrapped(style.colors.text, counter.words->name());
    ui::mark(style, fmt::format("counters.{}", counter.words->name()),
             fmt::format("{}\n{}{}{}", counter.words->meaning, counter.words->metric,
                         counter.remark.empty() ? "" : "\n", counter.remark));
    const Color verdict =
        counter.judgement ? color_of(counter.judgement->verdict, style.colors) : style.colors.text;
    {
        const ui::FontScope mono(style, FontRole::mono);
        if (predicted && counter.predicted) {
            ImGui::TableSetColumnIndex(1);
            ui::cell_right(fmt::format("{} {}", ncu_number_text(counter.predicted->expected),
                                       provenance_mark(counter.predicted->kind)),
                           style.colors.text);
        }
        ImGui::TableSetColumnIndex(predicted ? 2 : 1);
        ui::cell_right(counted_text(counter), style.colors.text);
    }
    if (predicted && counter.judgement) {
        ImGui::TableSetColumnIndex(3);
        ui::cell_right(verdict_name(counter.judgement->verdict), verdict);
    }
    if (!remarks) return;
    ImGui::TableSetColumnIndex(predicted ? 4 : 2);
    ui::wrapped(style.colors.text_weak,
                counter.remark.empty() ? counter.words->meaning : std::string_view(counter.remark));
}

void show_table(const PanelStyle& style, const ComparedLaunch& launch, bool predicted) {
    if (launch.counters.empty()) {
        ui::wrapped(
            "None of the counters that mean something here was collected: 'warplens import-ncu --metrics' lists "
            "them.");
        return;
    }
    constexpr float kRemarks = 620;  // [points]
    const float wide = ImGui::GetContentRegionAvail().x / style.scale;
    const bool remarks = wide >= kRemarks;
    const int columns = (predicted ? 4 : 2) + (remarks ? 1 : 0);
    if (!ImGui::BeginTable("counters", columns, ImGuiTableFlags_BordersInnerH)) return;
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, 1.2f);
    const float number = style.px(wide < 480 ? 84 : 110);
    for (int i = 0; i < (predicted ? 2 : 1); ++i)
        ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, number);
    if (predicted) ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, style.px(56));
    if (remarks) ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, 1.4f);
    ImGui::TableNextRow();
    if (predicted) {
        head_cell(style, 1, "predicted");
        ui::tip(style, "What the model says of the whole grid. ● exact, ○ approximate, ▲ recorded.");
    }
    head_cell(style, predicted ? 2 : 1, "counted");
    ui::tip(style, "What Nsight Compute has counted, without prefixes such as K.");
    if (predicted) {
        head_cell(style, 3, "verdict");
        ui::tip(style,
                "equal to the last digit; within: different for a known and bounded reason; off otherwise.");
    }
    for (const ComparedCounter& counter : launch.counters) show_counter(style, counter, predicted, remarks);
    ImGui::EndTable();
}

void show_facts(const PanelStyle& style, const ComparedLaunch& launch) {
    if (launch.facts.empty()) return;
    ui::text(style, FontRole::strong, "What follows");
    if (!ImGui::BeginTable("facts", 2, ImGuiTableFlags_BordersInnerH)) return;
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, style.px(110));
    for (const NcuFact& fact : launch.facts) {
        ImGui::TableNextRow();
        ImGui::TableSetColumnIndex(0);
        ui::text(fact.name);
        ui::tip(style, fact.meaning);
        ImGui::TableSetColumnIndex(1);
        const ui::FontScope mono(style, FontRole::mono);
        ui::cell_right(fmt::format("{:.2f}{}{}", fact.value, fact.unit.empty() ? "" : " ", fact.unit),
                       style.colors.text);
    }
    ImGui::EndTable();
}

void show_launch(const Screen& screen, const Rect& place) {
    const PanelStyle& style = screen.style;
    const ComparedPage& page = *screen.frame.counters.page;
    const ComparedLaunch& launch = page.launches[screen.frame.counters.chosen];
    const bool predicted = !launch.device.empty();
    const ui::Panel panel(style, "launch", ImVec2(place.x, place.y), ImVec2(place.w, place.h), 10);
    ui::wrapped(style, FontRole::strong,
                fmt::format("{} of {}: {}", screen.frame.counters.chosen + 1, page.launches.size(),
                            short_kernel_name(launch.launch->kernel)));
    std::string about = fmt::format("Launch {}, {}", launch.launch->id, launch_shape_text(*launch.launch));
    if (!launch.launch->cc.empty()) about += ", compute capability " + launch.launch->cc;
    ui::wrapped(style.colors.text_weak,
                fmt::format("{}. {}.", about, capitalized(excess_text(launch.excess))));
    if (predicted)
        ui::wrapped(style.colors.text_weak,
                    fmt::format("Predicted: {}, by the rules of {}.", basis_text(page.basis), launch.device));
    for (const std::string& remark : launch.remarks) ui::wrapped(remark);
    ImGui::Spacing();
    show_table(style, launch, launch.predicts());
    if (const std::string missing = missing_text(launch); !missing.empty())
        ui::wrapped(style.colors.text_weak, missing);
    ImGui::Spacing();
    show_facts(style, launch);
    for (const std::string& line : launch.differences) ui::wrapped(line);
    if (!launch.differences.empty()) ui::wrapped(style.colors.text_weak, address_and_hardware());
    if (const std::string unread = unread_text(*page.file); !unread.empty())
        ui::wrapped(style.colors.text_weak, unread + ".");
}

/// Marks that say at a glance how a counter and its expectation get on, by Verdict.
constexpr const char* kVerdictMarks[] = {"=", "≈", "≠"};

/// With one full stop.
std::string sentence(std::string text) {
    if (!text.ends_with('.')) text += '.';
    return text;
}

/// One line under the table: how the counters were read, or why there are none.
std::string remark(const Frame& frame) {
    const std::string_view nothing = not_comparable(*frame.state->scenario, frame.state->params);
    if (!nothing.empty()) return fmt::format("Not compared: {}.", nothing);
    if (frame.evidence->expected.counters.empty())
        return "This kernel moves none of the counters that the model knows.";
    if (!frame.no_gpu.empty()) return "Not counted: " + sentence(frame.no_gpu);
    const std::optional<CountResult>& counted = frame.evidence->observed.counted;
    if (!counted && frame.state->scenario->typed != nullptr)
        return "Not counted yet: run, above the text, launches this kernel.";
    if (!counted) return "Counting …";
    if (const auto* why = std::get_if<Unavailable>(&counted->outcome))
        return "Not counted: " + sentence(why->reason);
    const auto& reading = std::get<CounterReading>(counted->outcome);
    return fmt::format("Counted on {} from a cold L2: {} {} of the kernel, {:.0f} ms.", frame.gpu,
                       reading.passes, reading.passes == 1 ? "pass" : "passes", reading.elapsed_ms);
}

}  // namespace

void show_counters(const PanelStyle& style, const Frame& frame) {
    const std::vector<QuantityPair>& rows = frame.evidence->counters;
    const bool counted = frame.no_gpu.empty();
    if (!rows.empty() && ImGui::BeginTable("counters", counted ? 3 : 2, ImGuiTableFlags_BordersInnerH)) {
        ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
        ImGui::TableSetupColumn("expected", ImGuiTableColumnFlags_WidthFixed, style.px(100));
        if (counted) ImGui::TableSetupColumn("counted", ImGuiTableColumnFlags_WidthFixed, style.px(104));
        ImGui::TableNextRow();
        ImGui::TableSetColumnIndex(1);
        ui::cell_right("expected", style.colors.text_weak);
        if (counted) {
            ImGui::TableSetColumnIndex(2);
            ui::cell_right("counted", style.colors.text_weak);
        }
        std::string_view group;
        for (const QuantityPair& row : rows) {
            const CounterWords& words = *frame.evidence->expected.find(row.a.key)->words;
            if (words.group != group) {
                group = words.group;
                ImGui::TableNextRow();
                ImGui::TableSetColumnIndex(0);
                ui::text_weak(style, std::string(group));
            }
            ImGui::TableNextRow();
            ImGui::TableSetColumnIndex(0);
            ui::text(fmt::format("  {}", words.what));
            ui::mark(style, fmt::format("counter.{}", row.a.name), row.named().source);
            const ui::FontScope mono(style, FontRole::mono);
            ImGui::TableSetColumnIndex(1);
            ui::cell_right(fmt::format("{} {}", row.a.text, provenance_mark(row.a.provenance)),
                           style.colors.text);
            const std::optional<Judgement> judgement = judgement_of(*frame.evidence, row);
            if (!judgement) continue;
            ImGui::TableSetColumnIndex(2);
            const bool off = judgement->verdict == Verdict::off && row.a.provenance == Provenance::exact;
            ui::cell_right(fmt::format("{} {}", row.b.text, kVerdictMarks[int(judgement->verdict)]),
                           off ? style.colors.bad : style.colors.accent);
        }
        ImGui::EndTable();
    }
    ui::wrapped(remark(frame));
}

void show_counted_launches(const Screen& screen, CountersPage& page) {
    const CountersView& counters = screen.frame.counters;
    show_page_head(screen, counters.page->name, summary_of(*counters.page), chips_of(screen));
    const PageList items{"launches", counters.page->launches.size(), counters.chosen,
                         [&](std::size_t index) { return item_of(screen, index); },
                         [](std::size_t index) { return Action(action::ChooseLaunch{index}); }};
    show_list_and_chosen(screen, items, page.scrolled,
                         [&](const Rect& place) { show_launch(screen, place); });
    show_page_bars(screen);
}

}  // namespace warplens
