#include "app/claims.h"
#include "app/panels/board_panel.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warplens {
namespace {

using ui::px;

constexpr float kNarrow = 620;  // below this the reason stands only in the opened row [points]
constexpr float kGap = 14;      // between columns [points]

Color verdict_color(const Theme& theme, ClaimVerdict verdict) {
    const Color color = verdict == ClaimVerdict::right       ? theme.good
                        : verdict == ClaimVerdict::corrected ? theme.bad
                                                             : theme.series[0];
    return distinct_from(color, theme.panel, 4.5);
}

std::string verdict_text(ClaimVerdict verdict) {
    return fmt::format("{} {}", claim_verdict_mark(verdict), claim_verdict_name(verdict));
}

std::string_view verdict_meaning(ClaimVerdict verdict) {
    switch (verdict) {
        case ClaimVerdict::right:
            return "The model gives the same, as precisely as it was stated.";
        case ClaimVerdict::corrected:
            return "The model gives another number.";
        case ClaimVerdict::outdated:
            return "Right for the GPUs of its time; no longer.";
    }
    return "";
}

std::string_view kind_meaning(Kind kind) {
    return kind == Kind::exact         ? "exact: counted from addresses, or documented"
           : kind == Kind::approximate ? "approximate: by a formula"
                                       : "recorded: measured on a named GPU";
}

/// The columns of the list, as far as there is room [pixels from the left edge].
struct Columns {
    float claim, says, computed, verdict, why, end;
    bool shows_why = true;

    Columns(const Frame& frame, float left, float width) {
        const float gap = px(frame, kGap), word = ImGui::CalcTextSize("corrected").x + px(frame, 28);
        shows_why = width >= px(frame, kNarrow) && width - word >= ImGui::GetFontSize() * 38;
        const float free = width - word - (shows_why ? 4 : 3) * gap;
        const float shares[] = {shows_why ? 0.33f : 0.52f, shows_why ? 0.12f : 0.22f,
                                shows_why ? 0.15f : 0.26f};
        claim = left;
        says = claim + free * shares[0] + gap;
        computed = says + free * shares[1] + gap;
        verdict = computed + free * shares[2] + gap;
        why = verdict + word + (shows_why ? gap : 0);
        end = left + width;
    }
};

/// Height of a text in a column [pixels].
float height_in(std::string_view text, float width) {
    return ImGui::CalcTextSize(text.data(), text.data() + text.size(), false, width).y;
}

void text_in(const Frame&, std::string_view text, float x, float y, float width, Color color) {
    ImGui::SetCursorScreenPos(ImVec2(x, y));
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
    ui::text_colored(color, text);
    ImGui::PopTextWrapPos();
}

bool fits_filter(const View& view, const ClaimList& list, const Claim& claim) {
    if (view.claim_verdict >= 0 && claim.verdict != static_cast<ClaimVerdict>(view.claim_verdict))
        return false;
    return mentions(list, claim, view.claim_words.data());
}

/// Pills for the verdicts, and the search box.
void show_filters(const Frame& frame, const Theme& colors, View& view, const ClaimList& list) {
    const auto choice = [&](const std::string& label, int verdict, std::string_view name,
                            std::string_view tip) {
        if (ui::pill(frame, colors, label.c_str(), view.claim_verdict == verdict))
            view.claim_verdict = verdict;
        ui::mark(fmt::format("claims.filter.{}", name));
        ui::tip(frame, tip);
        ImGui::SameLine(0, px(frame, 4));
    };
    choice(fmt::format("all {}", list.claims.size()), -1, "all", "All numbers.");
    for (int k = 0; k < kVerdicts; ++k) {
        const auto verdict = static_cast<ClaimVerdict>(k);
        choice(fmt::format("{} {}", verdict_text(verdict), list.count(verdict)), k,
               claim_verdict_name(verdict), verdict_meaning(verdict));
    }
    const float box = std::min(px(frame, 240), ImGui::GetContentRegionAvail().x);
    if (box < px(frame, 90)) ImGui::NewLine();
    ImGui::SetNextItemWidth(box < px(frame, 90) ? -FLT_MIN : box);
    ImGui::InputTextWithHint("##words", "search: bank, H100, latency ...", view.claim_words.data(),
                             view.claim_words.size());
    ui::mark("claims.search");
}

void show_heads(const Frame& frame, const Theme& colors, const Columns& columns) {
    const ui::FontScope strong(frame, FontRole::strong);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float y = start.y;
    const auto head = [&](std::string_view text, float x) {
        text_in(frame, text, x, y, columns.end - x, colors.text_weak);
    };
    head("claim", columns.claim);
    head("says", columns.says);
    head("Warplens", columns.computed);
    head("verdict", columns.verdict);
    if (columns.shows_why) head("why", columns.why);
    const float below = y + ImGui::GetTextLineHeight() + px(frame, 4);
    ImGui::GetWindowDrawList()->AddLine(ImVec2(columns.claim, below), ImVec2(columns.end, below),
                                        ui::color(colors.outline));
    ImGui::SetCursorScreenPos(ImVec2(start.x, below + px(frame, 4)));
}

std::string source_line(const ClaimSource& source) {
    return source.about.empty() ? source.text() : fmt::format("{}, about {}", source.text(), source.about);
}

std::string computed_line(const Claim& claim) {
    return fmt::format("{} {}", kind_mark(claim.computed.kind), claim.computed_text());
}

/// What an opened row shows below its first lines.
void show_details(const Frame& frame, const Theme& colors, const Columns& columns, const Claim& claim,
                  float y, Wishes& wishes) {
    const float width = columns.end - columns.claim - px(frame, 12);
    const auto line = [&](std::string_view text, Color color) {
        text_in(frame, text, columns.claim, y, width, color);
        y += height_in(text, width) + px(frame, 3);
    };
    if (!columns.shows_why) line(claim.why, colors.text);
    line(fmt::format("from: {}", claim.inputs), colors.text);
    line(fmt::format("{} {}", kind_mark(claim.computed.kind), kind_meaning(claim.computed.kind)),
         colors.text_weak);
    ImGui::SetCursorScreenPos(ImVec2(columns.claim, y + px(frame, 2)));
    if (ui::chip(frame, colors, "show it", false)) {
        wishes.link = claim.link;
        wishes.claim = claim.id;
    }
    ui::mark(fmt::format("claims.show.{}", claim.id));
    ui::tip(frame, fmt::format("Sets the window up so that it shows this number.\n{}", claim.link));
}

float details_height(const Frame& frame, const Columns& columns, const Claim& claim) {
    const float width = columns.end - columns.claim - px(frame, 12);
    float height = ImGui::GetFrameHeight() + px(frame, 12);
    if (!columns.shows_why) height += height_in(claim.why, width) + px(frame, 3);
    return height + height_in(fmt::format("from: {}", claim.inputs), width) + ImGui::GetTextLineHeight() +
           px(frame, 6);
}

/// One claim; its texts lie over a selectable that fills the row.
void show_claim(const Frame& frame, const Theme& colors, const Columns& columns, const Claim& claim,
                View& view, Wishes& wishes) {
    struct Cell {
        std::string text;
        float x, width;
        Color color;
    };
    const float gap = px(frame, kGap), pad = px(frame, 5);
    std::vector<Cell> cells{
        {claim.claim, columns.claim, columns.says - columns.claim - gap, colors.text},
        {claim.says.text, columns.says, columns.computed - columns.says - gap, colors.text},
        {computed_line(claim), columns.computed, columns.verdict - columns.computed - gap, colors.text},
        {verdict_text(claim.verdict), columns.verdict, columns.end - columns.verdict,
         verdict_color(colors, claim.verdict)}};
    if (columns.shows_why)
        cells.push_back({claim.why, columns.why, columns.end - columns.why, colors.text_weak});
    float height = 0;
    for (const Cell& cell : cells) height = std::max(height, height_in(cell.text, cell.width));
    const bool open = view.claim_open == claim.id;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float head = height + 2 * pad;
    ImGui::PushID(claim.id.c_str());
    // Rows are as wide as the list and stand close together.
    ImGui::SetCursorScreenPos(ImVec2(columns.claim - pad, at.y));
    if (ImGui::Selectable("##row", open, ImGuiSelectableFlags_AllowDoubleClick,
                          ImVec2(columns.end - columns.claim + pad, head))) {
        if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
            wishes.link = claim.link;
            wishes.claim = claim.id;
        }
        view.claim_open = open ? std::string() : claim.id;
    }
    ui::mark(fmt::format("claims.row.{}", claim.id));
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    for (const Cell& cell : cells) text_in(frame, cell.text, cell.x, at.y + pad, cell.width, cell.color);
    float bottom = at.y + head;
    if (open) {
        show_details(frame, colors, columns, claim, bottom, wishes);
        bottom += details_height(frame, columns, claim);
    }
    ImGui::PopID();
    ImGui::GetWindowDrawList()->AddLine(ImVec2(columns.claim, bottom), ImVec2(columns.end, bottom),
                                        ui::color(colors.grid));
    ImGui::SetCursorScreenPos(ImVec2(columns.claim, bottom + 1));
    ImGui::Dummy(ImVec2(0, 0));
}

void show_list(const Frame& frame, const Theme& colors, const ClaimList& list, View& view, Wishes& wishes) {
    const float pad = px(frame, 6);
    const Columns columns(frame, ImGui::GetCursorScreenPos().x + pad,
                          ImGui::GetContentRegionAvail().x - 2 * pad);
    bool any = false;
    for (std::size_t source = 0; source < list.sources.size(); ++source) {
        bool headed = false;
        for (const Claim& claim : list.claims) {
            if (claim.source != source || !fits_filter(view, list, claim)) continue;
            if (!headed) {
                ImGui::Dummy(ImVec2(0, px(frame, any ? 10 : 2)));
                const ui::FontScope strong(frame, FontRole::strong);
                ImGui::SetCursorScreenPos(ImVec2(columns.claim, ImGui::GetCursorScreenPos().y));
                ui::wrapped(source_line(list.sources[source]));
            }
            headed = any = true;
            show_claim(frame, colors, columns, claim, view, wishes);
        }
    }
    if (!any) ui::wrapped("No number fits: choose \"all\", or empty the search box.");
}

}  // namespace

void show_claims(const Frame& frame, View& view, Wishes& wishes) {
    const Theme& colors = theme(view.theme);
    const ClaimList& list = worked_claims();
    show_filters(frame, colors, view, list);
    const float pad = px(frame, 6);
    const float scrollbar = ImGui::GetStyle().ScrollbarSize;
    show_heads(frame, colors,
               Columns(frame, ImGui::GetCursorScreenPos().x + pad,
                       ImGui::GetContentRegionAvail().x - 2 * pad - scrollbar));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    ui::begin_child("list", ImVec2(0, 0), false, ImGuiWindowFlags_AlwaysVerticalScrollbar);
    show_list(frame, colors, list, view, wishes);
    ImGui::EndChild();
    ImGui::PopStyleVar();
}

void show_claim_card(const Frame& frame, const Theme& colors, std::string_view id) {
    const ClaimList& list = worked_claims();
    const auto claim = std::ranges::find(list.claims, id, &Claim::id);
    if (claim == list.claims.end()) return;
    ui::text_weak(colors, "Worked number");
    ui::wrapped(claim->claim);
    ui::text_weak(colors, fmt::format("says {}, {}", claim->says.text, list.sources[claim->source].text()));
    {
        const ui::FontScope strong(frame, FontRole::strong);
        ui::wrapped(computed_line(*claim));
    }
    ui::text_colored(verdict_color(colors, claim->verdict), verdict_text(claim->verdict));
    ui::wrapped(claim->why);
    ImGui::Separator();
    ImGui::Dummy(ImVec2(0, px(frame, 4)));
}

}  // namespace warplens
