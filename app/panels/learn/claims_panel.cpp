#include "app/boards/worked/claims.h"
#include "app/gl/fonts.h"
#include "app/panels/board_panel.h"
#include "app/panels/learn/claim_words.h"
#include "app/panels/widgets.h"
#include "app/pictures/kit/canvas.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace warplens {
namespace {

constexpr float kGap = 14;  // between columns [points]

std::string_view verdict_meaning(ClaimVerdict verdict) {
    switch (verdict) {
        case ClaimVerdict::right:
            return "An exact computation or a recording gives the same, as precisely as it was stated.";
        case ClaimVerdict::corrected:
            return "An exact computation or a recording gives another number.";
        case ClaimVerdict::outdated:
            return "Right for the GPUs of its time; no longer.";
        case ClaimVerdict::undecided:
            return "Neither an exact computation nor a recording decides it; the number beside it is predicted.";
        case ClaimVerdict::in_part:
            return "A saying that is true of some GPUs or accesses.";
        case ClaimVerdict::wrong:
            return "A saying that is not true as it stands.";
    }
    return "";
}

std::string_view kind_meaning(Provenance kind) {
    return kind == Provenance::exact         ? "exact: counted from addresses, or documented"
           : kind == Provenance::approximate ? "approximate: by a formula"
                                             : "recorded: measured on a named GPU";
}

/// The columns of the list, as far as there is room [pixels].
ClaimColumns columns_in(const PanelStyle& style, float left, float width) {
    ClaimColumns c;
    const float em = ImGui::GetFontSize(), gap = style.px(kGap);
    const float word = ImGui::CalcTextSize("corrected").x + 2 * em;
    c.stacked = width < 34 * em;
    c.shows_why = width >= 54 * em;
    const float free = width - word - (c.shows_why ? 4 : 3) * gap;
    const float parts[] = {c.shows_why ? 0.33f : 0.50f, c.shows_why ? 0.13f : 0.23f,
                           c.shows_why ? 0.16f : 0.27f};
    c.claim = left;
    c.says = c.claim + free * parts[0] + gap;
    c.computed = c.says + free * parts[1] + gap;
    c.verdict = c.stacked ? left + width - word : c.computed + free * parts[2] + gap;
    c.why = c.verdict + word + (c.shows_why ? gap : 0);
    c.end = left + width;
    return c;
}

/// A text in lines of a width [pixels]. ImGui's own wrapping breaks numbers at their point.
std::vector<std::string> lines_of(const PanelStyle& style, std::string_view text, float width) {
    return wrap(text, FontRole::body, width / style.scale, style.fonts);
}

void draw_cell(const PanelStyle& style, const ClaimCell& cell, float y, Color color) {
    for (const std::string& line : cell.lines) {
        ImGui::SetCursorScreenPos(ImVec2(cell.x, y));
        ui::text_colored(color, line);
        ui::terms_tip(style, line);
        y += ImGui::GetTextLineHeight();
    }
}

bool fits_filter(const ClaimRows& shown, const ClaimList& list, const Claim& claim) {
    if (shown.verdict >= 0 && claim.verdict != static_cast<ClaimVerdict>(shown.verdict)) return false;
    return mentions(list, claim, shown.words.data());
}

/// Pills for the verdicts, and the search box; on as many lines as they take.
void show_filters(const PanelStyle& style, ClaimRows& shown, const ClaimList& list) {
    const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
    const auto choice = [&](const std::string& label, int verdict, std::string_view name,
                            std::string_view tip) {
        const float width = ImGui::CalcTextSize(label.c_str()).x + style.px(20);
        if (verdict >= 0 && ImGui::GetItemRectMax().x + style.px(4) + width < right)
            ImGui::SameLine(0, style.px(4));
        if (ui::pill(style, label.c_str(), shown.verdict == verdict)) shown.verdict = verdict;
        ui::mark(fmt::format("claims.filter.{}", name));
        ui::tip(style, tip);
    };
    choice(fmt::format("all {}", list.claims.size()), -1, "all", "All numbers and sayings.");
    for (int k = 0; k < kVerdicts; ++k) {
        const auto verdict = static_cast<ClaimVerdict>(k);
        choice(fmt::format("{} {}", verdict_text(verdict), list.count(verdict)), k,
               claim_verdict_name(verdict), verdict_meaning(verdict));
    }
    const float box = right - ImGui::GetItemRectMax().x - style.px(12);
    const bool beside = box > style.px(150);
    if (beside) ImGui::SameLine(0, style.px(12));
    const float wide = beside ? std::min(box, style.px(260)) : ImGui::GetContentRegionAvail().x;
    const char* hint = "search: bank, H100, latency ...";
    for (const char* shorter : {"search: bank, H100", "search"})
        if (ImGui::CalcTextSize(hint).x + 2 * ImGui::GetStyle().FramePadding.x > wide) hint = shorter;
    ImGui::SetNextItemWidth(wide);
    ImGui::InputTextWithHint("##words", hint, shown.words.data(), shown.words.size());
    ui::mark("claims.search");
}

void show_heads(const PanelStyle& style, const ClaimColumns& columns) {
    const ui::FontScope strong(style, FontRole::strong);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float y = start.y;
    const auto head = [&](const char* text, float x) {
        draw_cell(style, {{text}, x}, y, style.colors.text_weak);
    };
    head("claim", columns.claim);
    if (!columns.stacked) head("says", columns.says);
    if (!columns.stacked) head("Warplens", columns.computed);
    head("verdict", columns.verdict);
    if (columns.shows_why) head("why", columns.why);
    const float below = y + ImGui::GetTextLineHeight() + style.px(4);
    ImGui::GetWindowDrawList()->AddLine(ImVec2(columns.claim, below), ImVec2(columns.end, below),
                                        ui::color(style.colors.outline));
    ImGui::SetCursorScreenPos(ImVec2(start.x, below + style.px(4)));
}

std::string source_line(const ClaimSource& source) {
    return source.about.empty() ? source.text() : fmt::format("{}, about {}", source.text(), source.about);
}

ClaimRow lay_out_row(const PanelStyle& style, const ClaimColumns& columns, const Claim& claim) {
    const float gap = style.px(kGap);
    const auto cell = [&](std::string_view text, float x, float end) {
        return ClaimCell{lines_of(style, text, end - x), x};
    };
    ClaimRow row;
    row.claim = cell(claim.claim, columns.claim, (columns.stacked ? columns.verdict : columns.says) - gap);
    row.verdict = cell(verdict_text(claim.verdict), columns.verdict, columns.end);
    if (columns.stacked) {
        row.says = cell(fmt::format("says {}", claim.says.text), columns.claim, columns.end);
        row.computed = cell(fmt::format("Warplens {}", computed_line(claim)), columns.claim, columns.end);
    } else {
        row.says = cell(claim.says.text, columns.says, columns.computed - gap);
        row.computed = cell(computed_line(claim), columns.computed, columns.verdict - gap);
    }
    if (columns.shows_why) row.why = cell(claim.why, columns.why, columns.end);
    const auto own = row.claim.lines.size(), said = row.says.lines.size(),
               computed = row.computed.lines.size();
    const std::size_t lines = columns.stacked ? std::max<std::size_t>(own, 1) + said + computed
                                              : std::max({own, said, computed, row.why.lines.size()});
    row.height = float(lines) * ImGui::GetTextLineHeight();
    return row;
}

/// Lays the rows out anew where columns or font have changed.
void lay_out_rows(const PanelStyle& style, const ClaimColumns& columns, const ClaimList& list,
                  ClaimRows& laid_out) {
    const float font_size = ImGui::GetFontSize();
    if (!laid_out.rows.empty() && laid_out.columns == columns && laid_out.font_size == font_size) return;
    laid_out.columns = columns;
    laid_out.font_size = font_size;
    laid_out.rows.clear();
    for (const Claim& claim : list.claims) laid_out.rows.push_back(lay_out_row(style, columns, claim));
}

/// The lines that an opened row has below its first ones. @return  y below it.
float show_details(const PanelStyle& style, const ClaimColumns& columns, const Claim& claim, float y,
                   Actions& actions) {
    const float width = columns.end - columns.claim - style.px(12);
    const auto paragraph = [&](std::string_view text, Color color) {
        const ClaimCell cell{lines_of(style, text, width), columns.claim};
        draw_cell(style, cell, y, color);
        y += float(cell.lines.size()) * ImGui::GetTextLineHeight() + style.px(3);
    };
    if (!columns.shows_why) paragraph(claim.why, style.colors.text);
    paragraph(fmt::format("from: {}", claim.inputs), style.colors.text);
    if (!claim.is_saying())
        paragraph(
            fmt::format("{} {}", provenance_mark(claim.computed.kind), kind_meaning(claim.computed.kind)),
            style.colors.text_weak);
    ImGui::SetCursorScreenPos(ImVec2(columns.claim, y + style.px(2)));
    if (ui::chip(style, "show it", false)) {
        actions.add(action::FollowLink{claim.link, claim.id});
    }
    ui::mark(fmt::format("claims.show.{}", claim.id));
    ui::tip(style, fmt::format("Sets the window up so that it shows this.\n{}", claim.link));
    return ImGui::GetItemRectMax().y + style.px(6);
}

void draw_row(const PanelStyle& style, const ClaimColumns& columns, const Claim& claim, const ClaimRow& row,
              float y) {
    const float line = ImGui::GetTextLineHeight();
    const float below = columns.stacked ? y + float(row.claim.lines.size()) * line : y;
    const float second = columns.stacked ? below + float(row.says.lines.size()) * line : y;
    draw_cell(style, row.claim, y, style.colors.text);
    draw_cell(style, row.says, below, columns.stacked ? style.colors.text_weak : style.colors.text);
    draw_cell(style, row.computed, second, style.colors.text);
    draw_cell(style, row.verdict, y, verdict_color(style.colors, claim.verdict));
    draw_cell(style, row.why, y, style.colors.text_weak);
}

/// One claim; its texts lie over a selectable that fills the row.
void show_claim(const PanelStyle& style, const ClaimColumns& columns, const Claim& claim, const ClaimRow& row,
                std::string& unfolded, Actions& actions) {
    const float pad = style.px(5);
    const bool open = unfolded == claim.id;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float head = row.height + 2 * pad;
    ImGui::PushID(claim.id.c_str());
    ImGui::SetCursorScreenPos(ImVec2(columns.claim - pad, at.y));
    if (ImGui::Selectable("##row", open, ImGuiSelectableFlags_AllowDoubleClick,
                          ImVec2(columns.end - columns.claim + pad, head))) {
        if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
            actions.add(action::FollowLink{claim.link, claim.id});
        }
        unfolded = open ? std::string() : claim.id;
    }
    ui::mark(fmt::format("claims.row.{}", claim.id));
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (ImGui::IsItemVisible()) draw_row(style, columns, claim, row, at.y + pad);
    float bottom = at.y + head;
    if (open) bottom = show_details(style, columns, claim, bottom, actions);
    ImGui::PopID();
    ImGui::GetWindowDrawList()->AddLine(ImVec2(columns.claim, bottom), ImVec2(columns.end, bottom),
                                        ui::color(style.colors.grid));
    ImGui::SetCursorScreenPos(ImVec2(columns.claim - pad, bottom + 1));
    ImGui::Dummy(ImVec2(0, 0));
}

void show_source(const PanelStyle& style, const ClaimColumns& columns, const ClaimSource& source,
                 bool first) {
    ImGui::Dummy(ImVec2(0, style.px(first ? 2 : 14)));
    {
        const ui::FontScope strong(style, FontRole::strong);
        ImGui::SetCursorScreenPos(ImVec2(columns.claim, ImGui::GetCursorScreenPos().y));
        ui::wrapped(source_line(source));
        ui::terms_tip(style, source_line(source));
    }
    ImGui::Dummy(ImVec2(0, style.px(4)));
}

void show_list(const PanelStyle& style, ClaimRows& shown, const ClaimList& list, Actions& actions) {
    const ClaimColumns& columns = shown.columns;
    std::size_t last = list.sources.size();
    for (std::size_t i = 0; i < list.claims.size(); ++i) {
        const Claim& claim = list.claims[i];
        if (!fits_filter(shown, list, claim)) continue;
        if (claim.source != last)
            show_source(style, columns, list.sources[claim.source], last == list.sources.size());
        last = claim.source;
        show_claim(style, columns, claim, shown.rows[i], shown.open, actions);
    }
    if (last == list.sources.size()) ui::wrapped("Nothing fits: choose \"all\", or empty the search box.");
}

}  // namespace

void show_claims(const PanelStyle& style, ClaimRows& shown, Actions& actions) {
    const ClaimList& list = worked_claims();
    ui::forget_items("claims");
    show_filters(style, shown, list);
    const float pad = style.px(6), scrollbar = ImGui::GetStyle().ScrollbarSize;
    const ClaimColumns columns = columns_in(style, ImGui::GetCursorScreenPos().x + pad,
                                            ImGui::GetContentRegionAvail().x - 2 * pad - scrollbar);
    show_heads(style, columns);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    ui::begin_child("list", ImVec2(0, 0), false, ImGuiWindowFlags_AlwaysVerticalScrollbar);
    lay_out_rows(style, columns, list, shown);
    show_list(style, shown, list, actions);
    ImGui::EndChild();
    ImGui::PopStyleVar();
}

Color verdict_color(const Theme& theme, ClaimVerdict verdict) {
    const Color color = verdict == ClaimVerdict::right ? theme.good
                        : verdict == ClaimVerdict::corrected || verdict == ClaimVerdict::wrong
                            ? theme.bad
                            : theme.series[0];
    return distinct_from(color, theme.panel, 4.5);
}

std::string verdict_text(ClaimVerdict verdict) {
    return fmt::format("{} {}", claim_verdict_mark(verdict), claim_verdict_name(verdict));
}

void show_claim_card(const PanelStyle& style, std::string_view id) {
    const ClaimList& list = worked_claims();
    const auto claim = std::ranges::find(list.claims, id, &Claim::id);
    if (claim == list.claims.end()) return;
    ui::text_weak(style, claim->is_saying() ? "Saying" : "Worked number");
    ui::wrapped(claim->claim);
    ui::wrapped(style.colors.text_weak,
                fmt::format("says {} ({})", claim->says.text, list.sources[claim->source].text()));
    {
        const ui::FontScope strong(style, FontRole::strong);
        ui::wrapped(computed_line(*claim));
        ui::text_colored(verdict_color(style.colors, claim->verdict), verdict_text(claim->verdict));
    }
    ui::wrapped(claim->why);
    ImGui::Dummy(ImVec2(0, style.px(4)));
    ImGui::Separator();
    ImGui::Dummy(ImVec2(0, style.px(4)));
}

}  // namespace warplens
