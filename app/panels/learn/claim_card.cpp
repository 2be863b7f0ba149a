#include "app/boards/worked/claims.h"
#include "app/panels/board_panel.h"
#include "app/panels/learn/claim_words.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {

Color verdict_color(const Theme& theme, ClaimVerdict verdict) {
    const Color color = verdict == ClaimVerdict::right       ? theme.good
                        : verdict == ClaimVerdict::corrected ? theme.bad
                                                             : theme.series[0];
    return distinct_from(color, theme.panel, 4.5);
}

std::string verdict_text(ClaimVerdict verdict) {
    return fmt::format("{} {}", claim_verdict_mark(verdict), claim_verdict_name(verdict));
}

std::string computed_line(const Claim& claim) {
    return fmt::format("{} {}", provenance_mark(claim.computed.kind), claim.computed_text());
}

void show_claim_card(const PanelStyle& style, std::string_view id) {
    const ClaimList& list = worked_claims();
    const auto claim = std::ranges::find(list.claims, id, &Claim::id);
    if (claim == list.claims.end()) return;
    ui::text_weak(style, "Worked number");
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
