#include "app/panels/numbers.h"

#include "app/experiment/quantities.h"
#include "app/panels/board_panel.h"
#include "app/panels/compare_panel.h"
#include "app/panels/learn/learn_panel.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

/// The place that an active lane accesses, in the words of its memory space.
std::string place_sentence(const Frame& frame, std::size_t k, int lane) {
    const WarpAccess& access = frame.evidence->report.instructions[k].access;
    const std::uint64_t address = access.byte_address[lane];
    const auto count = [](std::uint64_t value) { return format_count(static_cast<std::int64_t>(value)); };
    const std::string element = fmt::format("byte 0x{:x}, element {}", address,
                                            count(address / static_cast<unsigned>(access.bytes_per_lane)));
    switch (access.space) {
        case Space::shared:
        case Space::cluster: {
            const BankReport& banks = frame.evidence->banks[k];
            const BankRules& rules = frame.devices->at(frame.state->device).bank_rules;
            const int bank = bank_slot(rules, access.bytes_per_lane, address).column *
                             banks_per_column(rules, access.bytes_per_lane);
            return fmt::format("{}, bank {}, group {}, wavefront {}", element, bank,
                               lane / banks.lanes_per_group, banks.wavefront[lane] + 1);
        }
        case Space::constant:
            return fmt::format("{}, 64-byte line {}", element, count(address / kConstantLineBytes));
        case Space::texture: {
            if (is_outside(address)) return "outside the texture: the border's value, nothing is fetched";
            const Texel texel = texel_at(address, frame.evidence->report.shape.texture.x);
            return fmt::format("texel ({}, {}), group {} of four lanes", texel.x, texel.y, lane / kQuadLanes);
        }
        case Space::local:
            return fmt::format("word {} of its own array, which lies beside that word of the other lanes",
                               count(address / 4));
        case Space::registers:
            return is_load(access.op) ? fmt::format("takes the value of lane {}", address / 4)
                                      : std::string("keeps its value in a register");
        case Space::global:
        case Space::l2:
            break;
    }
    if (frame.evidence->report.sector_rules.coalescing != CoalescingRules::sectors)
        return fmt::format("{}, line {} of 128 bytes", element, count(address / kLineBytes));
    return fmt::format("{}, sector {}, line {}", element, count(address / kSectorBytes),
                       count(address / kLineBytes));
}

std::string lane_sentence(const Frame& frame, const View& view) {
    // In a board's picture it may be a thread of a block.
    if (view.hovered_lane < 0 || view.hovered_lane >= kWarpLanes) return {};
    const auto& rows = frame.evidence->report.instructions;
    const std::size_t k = std::max({0, view.focus, view.hovered_instruction});
    if (k >= rows.size()) return {};
    const WarpAccess& access = rows[k].access;
    if ((access.active >> view.hovered_lane & 1u) == 0)
        return fmt::format("Lane {}: not active.", view.hovered_lane);
    const std::string who = view.focus < 0
                                ? fmt::format("{}, lane {}", rows[k].instruction.label, view.hovered_lane)
                                : fmt::format("Lane {}", view.hovered_lane);
    return fmt::format("{}: {}.", who, place_sentence(frame, k, view.hovered_lane));
}

/// A value in its cell, shaded when it has just changed: not when there is room for more or less of its text.
void show_value(const PanelStyle& style, ChangeMarks& changes, const std::string& name, const Quantity& value,
                const std::string& text, Color color) {
    std::string number = value.text;
    for (const std::string_view more : {" (ideal", " ±"})
        number.resize(std::min(number.size(), number.find(more)));
    const float strength = changes.strength(name, number, ImGui::GetTime());
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x, width = ImGui::CalcTextSize(text.c_str()).x;
    const float x = start.x + std::max(0.0f, room - width);
    if (strength > 0) ui::shade(style, {x, start.y, width, ImGui::GetTextLineHeight()}, strength);
    ui::cell_right(text, color);
    ui::mark("value." + name);
}

/// A value with the mark of its kind.
std::string marked_text(const Quantity& quantity) {
    return fmt::format("{} {}", quantity.text, provenance_mark(quantity.provenance));
}

/// The ends of a table's rows, from the top of what scrolls [pixels].
using RowEnds = std::vector<float>;

/// The part that scrolls below the head of the panel. If it does not fit, no row of it is cut.
/// @param content  draws it, and adds the ends of its rows to what it gets
/// @return  height of the content [pixels]
float show_below_head(const char* id, Actions& actions, const auto& content) {
    const float room = ImGui::GetContentRegionAvail().y;
    float& whole = *ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID(id), room);  // of the last frame
    ui::begin_child(id, ImVec2(0, std::max(1.0f, std::min(whole, room))));
    RowEnds ends;
    content(ends);
    const float height = ImGui::GetCursorPosY();
    ImGui::EndChild();
    float fits = room;
    if (height > room)
        for (const float end : ends)
            if (end <= room) fits = end;
    if (fits != whole) actions.redraw(0);
    whole = fits;
    return height;
}

/// A new row with a name and its first value, if that is known.
void show_first_cells(const PanelStyle& style, ChangeMarks& changes, const Quantity& named,
                      const Quantity& value, RowEnds& ends) {
    ImGui::TableNextRow();
    ImGui::TableSetColumnIndex(0);
    ends.push_back(ImGui::GetCursorPosY() - ImGui::GetStyle().CellPadding.y);  // of the row before
    ui::wrapped(named.name);
    ui::mark(style, fmt::format("number.{}", named.name), named.source);
    const ui::FontScope mono(style, FontRole::mono);
    ImGui::TableSetColumnIndex(1);
    if (!value.text.empty())
        show_value(style, changes, named.name, value, marked_text(value), style.colors.text);
    ui::tip(style, value.source.empty() ? named.source : value.source);
}

/// [pixels]
float widest_word(const std::string& text) {
    float widest = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        widest = std::max(widest, ImGui::CalcTextSize(text.data() + at, text.data() + end).x);
        at = end + 1;
    }
    return widest;
}

void show_table(const PanelStyle& style, const Frame& frame, ChangeMarks& changes,
                const std::vector<QuantityPair>& rows, RowEnds& ends) {
    const std::optional<Observation>& recording = frame.evidence->observed.recorded;
    const bool recorded = frame.gpu.empty() && recording;
    bool measured = !frame.gpu.empty() || recorded;
    const float room = ImGui::GetContentRegionAvail().x;
    // A number is never cut, so the columns are as wide as their widest one. Where that leaves no room for
    // the names, the spread of what was measured stands in its tooltip only, and then the ideal as well.
    bool spread = true, ideals = true;
    const auto count_alone = [](Quantity count) {
        if (!count.brief.empty()) {
            count.source = count.text + ". " + count.source;
            count.text = count.brief;
        }
        return count;
    };
    const auto seen_text = [&](Quantity seen) {
        if (!spread && !seen.brief.empty()) seen.text = seen.brief;
        return marked_text(seen);
    };
    float wide[] = {style.px(measured ? 68 : 150), style.px(72)};
    {
        const ui::FontScope mono(style, FontRole::mono);
        for (const QuantityPair& row : rows) {
            wide[0] = std::max(wide[0], ImGui::CalcTextSize(marked_text(row.a).c_str()).x);
            wide[1] = std::max(wide[1], ImGui::CalcTextSize(seen_text(row.b).c_str()).x);
        }
        spread = room - wide[0] - wide[1] > style.px(146);
        if (!spread) wide[1] = style.px(72);
        ideals = room - wide[0] - wide[1] > style.px(118);
        if (!ideals) {
            wide[0] = style.px(88);
            for (const QuantityPair& row : rows)
                wide[0] = std::max(wide[0], ImGui::CalcTextSize(marked_text(count_alone(row.a)).c_str()).x);
        }
    }
    // A name is cut between words alone: what was seen gives way, and stands in the tooltip.
    const float around = 4 * ImGui::GetStyle().CellPadding.x;
    for (const QuantityPair& row : rows)
        measured = measured && room - wide[0] - wide[1] - around >= widest_word(row.named().name);
    if (!ImGui::BeginTable("numbers", measured ? 3 : 2, ImGuiTableFlags_BordersInnerH)) return;
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupColumn("predicted", ImGuiTableColumnFlags_WidthFixed, wide[0]);
    if (measured) ImGui::TableSetupColumn("measured", ImGuiTableColumnFlags_WidthFixed, wide[1]);
    ImGui::TableNextRow();
    ImGui::TableSetColumnIndex(1);
    ui::cell_right("predicted", style.colors.text_weak);
    ui::term_tip(style, "predicted");
    if (measured) {
        ImGui::TableSetColumnIndex(2);
        ui::cell_right(provenance_name(recorded ? Provenance::recorded : Provenance::measured),
                       style.colors.text_weak);
        ui::tip(style, recorded ? recording->where : "Measured on the GPU that is here: median and spread.");
    }
    for (const QuantityPair& row : rows) {
        const Quantity& named = row.named();
        show_first_cells(style, changes, named, ideals ? row.a : count_alone(row.a), ends);
        if (!measured && !row.b.text.empty())
            ui::tip(style, fmt::format("{}: {}", provenance_name(row.b.provenance), marked_text(row.b)));
        const ui::FontScope mono(style, FontRole::mono);
        if (!measured || row.b.text.empty()) continue;
        ImGui::TableSetColumnIndex(2);
        show_value(style, changes, named.name + ", measured", row.b, seen_text(row.b), style.colors.accent);
        ui::tip(style, fmt::format("{}\n{}", row.b.text, named.source));
    }
    ImGui::EndTable();
    ends.push_back(ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y);
}

/// The button that shows the numbers that are folded, and folds them again.
void show_more_numbers(const PanelStyle& style, const View& view, std::size_t folded, Actions& actions) {
    if (folded == 0 && !view.all_numbers) return;
    const std::string label =
        view.all_numbers ? std::string("▾ fewer numbers") : "▸ " + counted(int(folded), "more number");
    if (ui::pill(style, label.c_str(), false, 0)) actions.add(action::Toggle{&View::all_numbers});
    ui::mark(style, "numbers.more", "All numbers of this scope, or the few that matter most.");
}

/// The numbers of a board in place of the scenario's. Where it names none that matter most, all of them.
void show_board_numbers(const Screen& screen, RowEnds& ends) {
    const auto& [style, frame, view, memory, actions] = screen;
    std::vector<Quantity> rows = frame.board_words->numbers;
    const std::size_t all = rows.size();
    const bool folds = std::ranges::any_of(rows, &Quantity::main);
    if (folds && !view.all_numbers) std::erase_if(rows, [](const Quantity& row) { return !row.main; });
    if (!ImGui::BeginTable("board-numbers", 2, ImGuiTableFlags_BordersInnerH)) return;
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthFixed, style.px(150));
    for (const Quantity& row : rows) show_first_cells(style, memory.numbers.changes, row, row, ends);
    ImGui::EndTable();
    if (folds) show_more_numbers(style, view, all - rows.size(), actions);
    ends.push_back(ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y);
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

/// The title, and what is counted.
void show_scopes(const PanelStyle& style, const View& view, Actions& actions) {
    constexpr struct {
        const char *key, *label, *meaning;
    } kScopes[] = {{"warp", "one request", "The one request that the picture shows."},
                   {"block", "one block", "The block of the pictured warp, all steps."},
                   {"grid", "the whole grid", "Every warp of the grid, all steps."},
                   {"counters", "counters",
                    "The whole kernel as the GPU's own counters see it, beside what is expected of them."}};
    constexpr float kList = 128;  // [points]
    const auto& now = kScopes[view.scope];
    ImGui::AlignTextToFramePadding();
    ui::text(style, FontRole::strong, "Numbers");
    ui::mark("numbers.title");
    if (!view.all_numbers && view.scope == 0) {
        ui::text_right(now.label, style.colors.text_weak);
        return ui::tip(style, now.meaning);
    }
    ui::end_of_line(style.px(kList));
    ImGui::SetNextItemWidth(style.px(kList));
    const bool open = ImGui::BeginCombo("##scope", now.label);
    ui::mark("scope");
    if (!open) return ui::tip(style, now.meaning);
    for (int index = 0; const auto& scope : kScopes) {
        if (ImGui::Selectable(scope.label, view.scope == index))
            actions.add(action::set(&View::scope, index));
        ui::mark(style, fmt::format("scope.{}", scope.key), scope.meaning);
        ++index;
    }
    ImGui::EndCombo();
}

/// The numbers of the scenario, over the chosen scope.
void show_access_numbers(const Screen& screen, RowEnds& ends) {
    const auto& [style, frame, view, memory, actions] = screen;
    show_guessed_numbers(style, frame, view);
    const auto end_here = [&ends] {
        ends.push_back(ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y);
    };
    if (view.scope == 3) {
        show_counters(style, frame);
    } else {
        std::vector<QuantityPair> rows = shown_numbers(frame, view);
        const std::size_t all = rows.size();
        if (!view.all_numbers) std::erase_if(rows, [](const QuantityPair& row) { return !row.named().main; });
        show_table(style, frame, memory.numbers.changes, rows, ends);
        show_more_numbers(style, view, all - rows.size(), actions);
    }
    end_here();
    if (frame.learning->predict_first() && !frame.learning->has_card())
        show_predict_switch(style, *frame.learning, actions);
    end_here();
    const ImVec2 start = ImGui::GetCursorPos();
    const std::string sentence = lane_sentence(frame, view);
    ui::wrapped(sentence);
    ui::terms_tip(style, sentence);
    ImGui::SetCursorPos(ImVec2(start.x, start.y + 2 * ImGui::GetTextLineHeight()));
    ImGui::Dummy(ImVec2(1, 1));
}

}  // namespace

std::vector<QuantityPair> shown_numbers(const Frame& frame, const View& view) {
    const CountScope scope = view.scope == 0   ? CountScope::warp
                             : view.scope == 1 ? CountScope::block
                                               : CountScope::grid;
    return number_rows(*frame.evidence, view.focus, scope, frame.other != nullptr || frame.is_other);
}

void show_numbers(const Screen& screen) {
    const auto& [style, frame, view, memory, actions] = screen;
    ChangeMarks& changes = memory.numbers.changes;
    if (frame.counts_hidden) return show_hidden_numbers(screen);
    if (frame.other != nullptr) {
        show_compared_numbers(style, frame, view, actions);
        const float whole = ImGui::GetCursorPosY() / style.scale + 12;
        if (whole != memory.numbers.height) actions.redraw(0);
        memory.numbers.height = whole;
        return;
    }
    changes.begin(fmt::format("{} {} {} {} {}", frame.state->scenario->info->id, frame.state->board->key,
                              view.focus, view.scope, frame.state->device));
    if (frame.state->board->instructions) {
        show_scopes(style, view, actions);
    } else {
        ui::text(style, FontRole::strong, "Numbers");
        ui::mark("numbers.title");
    }
    const float head = ImGui::GetCursorPosY();
    const float height = show_below_head("numbers.rows", actions, [&](RowEnds& ends) {
        (screen.frame.state->board->instructions ? show_access_numbers : show_board_numbers)(screen, ends);
    });
    memory.numbers.height = (head + height) / style.scale + 12;
    if (const double due = changes.due(ImGui::GetTime()); due > 0) actions.redraw(due);
}

}  // namespace warplens
