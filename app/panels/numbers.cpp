#include "app/panels/numbers.h"

#include "app/experiment/quantities.h"
#include "app/panels/board_panel.h"
#include "app/panels/compare_panel.h"
#include "app/panels/learn/learn_panel.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

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
    // the names, the spread of what was measured stands in its tooltip only, then the ideal or the error.
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
    const float around = 4 * ImGui::GetStyle().CellPadding.x;
    float name = 0, word = 0;
    for (const QuantityPair& row : rows) {
        name = std::max(name, ImGui::CalcTextSize(row.named().name.c_str()).x);
        word = std::max(word, widest_word(row.named().name));
    }
    const std::string observed(provenance_name(recorded ? Provenance::recorded : Provenance::measured));
    float wide[2];
    const auto has_room = [&] {
        wide[0] = ImGui::CalcTextSize("predicted").x;
        wide[1] = ImGui::CalcTextSize(observed.c_str()).x;
        const ui::FontScope mono(style, FontRole::mono);
        for (const QuantityPair& row : rows) {
            const Quantity count = ideals ? row.a : count_alone(row.a);
            wide[0] = std::max(wide[0], ImGui::CalcTextSize(marked_text(count).c_str()).x);
            wide[1] = std::max(wide[1], ImGui::CalcTextSize(seen_text(row.b).c_str()).x);
        }
        return room - around - wide[0] - (measured ? wide[1] : 0);
    };
    for (bool* part : {&spread, &ideals})
        if (has_room() < name) *part = false;
    // A name is cut between words alone: what was seen gives way, and stands in the tooltip.
    measured = measured && has_room() >= word;
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
        ui::cell_right(observed, style.colors.text_weak);
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

/// The numbers of a board in place of the scenario's.
void show_board_numbers(const Screen& screen, RowEnds& ends) {
    const auto& [style, frame, view, memory, actions] = screen;
    std::vector<QuantityPair> rows;
    for (const Quantity& row : frame.board_words->numbers) rows.push_back({{}, row});
    const std::size_t folded = fold_numbers(rows, view);
    float widest = 0;
    {
        const ui::FontScope mono(style, FontRole::mono);
        for (const QuantityPair& row : rows)
            widest = std::max(widest, ImGui::CalcTextSize(marked_text(row.b).c_str()).x);
    }
    if (!ImGui::BeginTable("board-numbers", 2, ImGuiTableFlags_BordersInnerH)) return;
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthFixed, widest);
    for (const QuantityPair& row : rows) show_first_cells(style, memory.numbers.changes, row.b, row.b, ends);
    ImGui::EndTable();
    show_more_numbers(style, view, folded, actions);
    ends.push_back(ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y);
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
        const std::size_t folded = fold_numbers(rows, view);
        show_table(style, frame, memory.numbers.changes, rows, ends);
        show_more_numbers(style, view, folded, actions);
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

std::size_t fold_numbers(std::vector<QuantityPair>& rows, const View& view) {
    constexpr std::size_t kFirst = 5;
    const auto is_main = [](const QuantityPair& row) { return row.a.main || row.b.main; };
    if (std::ranges::none_of(rows, is_main))
        for (std::size_t i = 0; i < rows.size() && (i < kFirst || rows.size() == kFirst + 1); ++i)
            rows[i].b.main = true;
    const std::size_t folded = rows.size() - std::size_t(std::ranges::count_if(rows, is_main));
    if (!view.all_numbers) std::erase_if(rows, [&](const QuantityPair& row) { return !is_main(row); });
    return folded;
}

void show_more_numbers(const PanelStyle& style, const View& view, std::size_t folded, Actions& actions) {
    if (folded == 0) return;
    const std::string label =
        view.all_numbers ? std::string("▾ fewer numbers") : "▸ " + counted(int(folded), "more number");
    if (ui::pill(style, label.c_str(), false, 0)) actions.add(action::Toggle{&View::all_numbers});
    ui::mark(style, "numbers.more", "All numbers of this scope, or the few that matter most.");
}

void show_numbers_head(const PanelStyle& style, const View& view, bool scopes, bool compared,
                       Actions& actions) {
    constexpr struct {
        const char *key, *label, *meaning;
    } kScopes[] = {{"warp", "one request", "The one request that the picture shows."},
                   {"block", "one block", "The block of the pictured warp, all steps."},
                   {"grid", "the whole grid", "Every warp of the grid, all steps."},
                   {"counters", "counters",
                    "The whole kernel as the GPU's own counters see it, beside what is expected of them."}};
    constexpr float kList = 128;                         // [points]
    const std::span choices(kScopes, compared ? 3 : 4);  // counters of one launch have no second side
    const auto& now = choices[std::min(std::size_t(view.scope), choices.size() - 1)];
    ImGui::AlignTextToFramePadding();
    ui::text(style, FontRole::strong, "Numbers");
    ui::mark("numbers.title");
    if (!scopes) return;
    if (!compared && !view.all_numbers && view.scope == 0) {
        ui::text_right(now.label, style.colors.text_weak);
        return ui::tip(style, now.meaning);
    }
    ui::end_of_line(style.px(kList));
    ImGui::SetNextItemWidth(style.px(kList));
    const bool open = ImGui::BeginCombo("##scope", now.label);
    ui::mark("scope");
    if (!open) return ui::tip(style, now.meaning);
    for (int index = 0; const auto& scope : choices) {
        if (ui::entry(scope.label, &now == &scope)) actions.add(action::set(&View::scope, index));
        ui::mark(style, fmt::format("scope.{}", scope.key), scope.meaning);
        ++index;
    }
    ImGui::EndCombo();
}

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
    show_numbers_head(style, view, frame.state->board->instructions, false, actions);
    const float head = ImGui::GetCursorPosY();
    const float height = show_below_head("numbers.rows", actions, [&](RowEnds& ends) {
        (screen.frame.state->board->instructions ? show_access_numbers : show_board_numbers)(screen, ends);
    });
    memory.numbers.height = (head + height) / style.scale + 12;
    if (const double due = changes.due(ImGui::GetTime()); due > 0) actions.redraw(due);
}

}  // namespace warplens
