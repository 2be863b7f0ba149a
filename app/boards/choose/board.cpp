#include "app/boards/choose/decisions.h"
#include "app/boards/list.h"
#include "app/boards/spaces/spaces_picture.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

DecisionPlace place_of(const BoardInput& input) {
    return follow_path(decisions(), input.state.boards[kChoosePath], input.device());
}

std::vector<std::string> choose_caption(const BoardInput& input) {
    const DecisionPlace place = place_of(input);
    std::vector<std::string> caption;
    if (place.end != nullptr) {
        caption.push_back(place.end->reason);
        caption.push_back(place.end->watch);
    }
    caption.push_back(fmt::format("{}, compute capability {}; {} sizes as documented, {} cycles recorded.",
                                  input.device().name, input.device().cc.text(),
                                  provenance_mark(Provenance::exact), provenance_mark(Provenance::recorded)));
    return caption;
}

/// The limits of the GPU that matter for the answer; before there is one, those of all that are possible.
std::vector<Quantity> choose_numbers(const BoardInput& input) {
    const DecisionPlace place = place_of(input);
    const auto facts = decision_facts(input.device());
    std::vector<Quantity> numbers;
    const auto add = [&](Quantity fact) {
        fact.source = fact.source.empty()
                          ? "No measurement of this is in the table."
                          : fmt::format("{}: {}", provenance_name(fact.provenance), fact.source);
        numbers.push_back(std::move(fact));
    };
    if (place.end != nullptr) {
        for (const std::string& limit : place.end->limits) add(facts.at(limit));
        return numbers;
    }
    for (const char* name :
         {"registers_per_thread", "shared_per_block", "shared_most", "constant", "l2", "dram"})
        add(facts.at(name));
    return numbers;
}

Explanation choose_explanation(const BoardInput& input) {
    const DecisionPlace place = place_of(input);
    if (place.end == nullptr)
        return {
            place.steps.empty() ? "Answer the questions: each answer takes rungs of the ladder away."
                                : place.question->ask,
            "The higher on the ladder, the nearer to the arithmetic, the smaller, and the fewer threads can reach "
            "it. A piece of data should live as high as those who need it allow.",
            true};
    Explanation explanation{place.end->title + ".", fmt::format("{} {}", place.end->reason, place.end->watch),
                            !place.end->warning};
    if (place.wished != nullptr)
        explanation.why += fmt::format(" From compute capability {} on there is better: {}.",
                                       place.wished->since, place.wished->title);
    return explanation;
}

constexpr float kRails = 44;                    // width of the ladder itself [points]
constexpr float kTallRow = 44, kLeastRow = 20;  // with two lines, and as low as it gets [points]
constexpr float kMostAnswerRow = 80, kAnswerPad = 10, kAnswerGap = 4;  // [points]

/// The ladder while it is drawn.
struct LadderCanvas {
    Canvas& canvas;
    const LadderView& view;
    Rect room;
    float row = 0;  ///< from one rung to the next [points]

    const Theme& theme() const { return canvas.theme; }
    Rect band(std::size_t i) const {
        return {room.x + kRails, room.y + row * float(i), room.w - kRails, row - kAnswerGap};
    }
    float middle(std::size_t i) const { return band(i).y + band(i).h / 2; }
    bool tall() const { return row >= kTallRow; }
};

bool is_lit(const LadderRung& rung) {
    return rung.state == RungState::open || rung.state == RungState::chosen;
}

void draw_text(LadderCanvas& d, Rect place, float center, const std::string& text, FontRole font,
               Color color) {
    const std::string fitting = d.canvas.elide(text, font, place.w);
    if (!fitting.empty()) d.canvas.label_middle({place.x, center}, fitting, font, color);
}

/// As much of a list of facts as fits into so many lines, none of them cut: half a number reads as another
/// one.
std::vector<std::string> whole_facts(const Canvas& canvas, const std::vector<std::string>& facts, float width,
                                     std::size_t most_lines) {
    for (std::size_t count = facts.size(); count > 0; --count) {
        const std::string text = fmt::format("{}", fmt::join(facts.begin(), facts.begin() + count, ""));
        std::vector<std::string> lines = canvas.wrap(text, FontRole::body, width);
        if (lines.size() <= most_lines) return lines;
    }
    return {};
}

/// Name and who reaches it at the left; sizes, or why not, at the right.
void draw_words(LadderCanvas& d, const LadderRung& rung, Rect band, Color strong, Color weak) {
    const float inner = band.w - 2 * kAnswerPad;
    // Names are never cut for the sake of what is said about them.
    float names = (d.tall() ? 0.38f : 0.34f) * inner;
    for (const LadderRung& one : d.view.rungs)
        names = std::max(names, d.canvas.width(one.name, FontRole::strong) + kAnswerPad + 1);
    names = std::min(names, inner);
    const Rect left{band.x + kAnswerPad, band.y, names - kAnswerPad, band.h};
    const Rect right{band.x + kAnswerPad + names, band.y, inner - names, band.h};
    const float line = line_height(FontRole::body) * 0.48f, center = band.y + band.h / 2;
    const Color second = is_lit(rung) ? strong : weak;
    const FontRole name = is_lit(rung) ? FontRole::strong : FontRole::body;
    draw_text(d, left, d.tall() ? center - line : center, rung.name, name, strong);
    if (d.tall()) draw_text(d, left, center + line, rung.who, FontRole::body, weak);
    const std::size_t room = band.h >= 4 * line - 2 ? 2 : 1;
    const std::vector<std::string> lines = is_lit(rung) ? whole_facts(d.canvas, rung.facts, right.w, room)
                                           : room > 1   ? d.canvas.wrap(rung.why, FontRole::body, right.w)
                                                        : std::vector<std::string>{rung.why};
    const std::size_t shown = std::min(lines.size(), room);
    for (std::size_t i = 0; i < shown; ++i) {
        const float shift = line * (2 * float(i) - float(shown) + 1);
        draw_text(d, right, center + shift, lines[i], FontRole::body, second);
    }
}

void draw_rung(LadderCanvas& d, std::size_t i) {
    const LadderRung& rung = d.view.rungs[i];
    const Rect band = d.band(i);
    const Color color = closeness_color(rung.closeness, d.theme());
    const bool chosen = rung.state == RungState::chosen;
    if (chosen) {
        d.canvas.fill(band, color, 6);
        draw_words(d, rung, band, text_on(color), text_on(color));
    } else if (is_lit(rung)) {
        d.canvas.box({.rect = band, .fill = with_alpha(color, 0.16f), .stroke = color, .rounding = 6});
        draw_words(d, rung, band, d.theme().text, d.theme().text_weak);
    } else {
        d.canvas.frame(band, d.theme().grid, 1, 6);
        draw_words(d, rung, band, d.theme().text_weak, d.theme().text_weak);
    }
    std::string tip = rung.tooltip;
    if (!rung.why.empty()) tip += fmt::format("\nNot here: {}.", rung.why);
    d.canvas.hit({.rect = {d.room.x, band.y, d.room.w, band.h}, .tooltip = tip, .link = rung.link});
}

/// Two rails with a bar for each rung, and how far up the data can climb.
void draw_rails(LadderCanvas& d) {
    const float left = d.room.x + 6, right = d.room.x + kRails - 12, middle = (left + right) / 2;
    const float top = d.room.y, bottom = d.room.y + d.row * float(d.view.rungs.size()) - kAnswerGap;
    for (const float x : {left, right}) d.canvas.line({x, top}, {x, bottom}, d.theme().outline, 2.5f);
    std::size_t highest = d.view.rungs.size();
    for (std::size_t i = d.view.rungs.size(); i-- > 0;) {
        const LadderRung& rung = d.view.rungs[i];
        if (is_lit(rung)) highest = i;
        const Color color = is_lit(rung) ? closeness_color(rung.closeness, d.theme()) : d.theme().grid;
        d.canvas.line({left, d.middle(i)}, {right, d.middle(i)}, color, is_lit(rung) ? 5.0f : 2.0f);
    }
    if (highest == d.view.rungs.size()) return;
    const float end = d.middle(highest);
    d.canvas.line({middle, bottom}, {middle, end}, d.theme().accent, 3);
    d.canvas.add(
        Mark{.center = {middle, end}, .shape = MarkShape::circle, .radius = 7, .color = d.theme().accent});
    d.canvas.hit({middle - 10, end - 10, 20, 20}, -1,
                 "As high as the data can live, by the answers so far. Higher is nearer to the arithmetic.");
}

/// A figure says what was asked and answered; in the window that stands above it.
float draw_answers(Canvas& canvas, const LadderView& view, float y) {
    const float width = canvas.inner_width();
    const auto lines = [&](const std::string& text, FontRole font, Color color) {
        for (const std::string& line : canvas.wrap(text, font, width)) {
            canvas.label({canvas.margin(), y + ascent(font)}, line, font, color);
            y += line_height(font);
        }
    };
    std::string said;
    for (const std::string& answer : view.said) said += (said.empty() ? "" : "  →  ") + answer;
    if (!said.empty()) lines(said, FontRole::body, canvas.theme.text_weak);
    lines(view.question, FontRole::heading, canvas.theme.text);
    return y + 6;
}

}  // namespace

constinit const Board kChooseBoard{
    {.key = "choose",
     .label = "Which memory?",
     .tooltip = "Which memory should a piece of data be in? Answer questions to find it.",
     .knobs = kChooseKnobs,
     .lesson = "board-choose",
     .least_height = 212},
    [](const BoardInput& input, const Style& style) {
        return draw_ladder(ladder_of(decisions(), place_of(input), input.device()), style);
    },
    choose_numbers,
    choose_explanation,
    choose_caption};

Picture draw_ladder(const LadderView& view, const Style& style) {
    Canvas canvas(style, "Which memory for this piece of data?", view.gpu);
    float top = canvas.draw_title();
    if (!style.embedded) top = draw_answers(canvas, view, top);
    const float margin = canvas.margin();
    const Legend legend = closeness_legend(canvas.theme);
    const int legend_rows = style.size.y < 440 ? 1 : 2;
    const auto rungs = float(std::max<std::size_t>(1, view.rungs.size()));
    float legend_height = legend.height(canvas, canvas.inner_width(), legend_rows);
    // The rungs have their room first.
    if (style.size.y - top - legend_height - margin < kLeastRow * rungs) legend_height = 0;
    const Rect room{margin, top, style.size.x - 2 * margin, style.size.y - top - legend_height - margin};
    LadderCanvas drawing{canvas, view, room, std::clamp(room.h / rungs, kLeastRow, kMostAnswerRow)};
    draw_rails(drawing);
    for (std::size_t i = 0; i < view.rungs.size(); ++i) draw_rung(drawing, i);
    if (legend_height > 0)
        legend.draw(canvas, margin, style.size.y - margin / 2 - legend_height, canvas.inner_width(),
                    legend_rows);
    return canvas.take();
}

}  // namespace warplens
