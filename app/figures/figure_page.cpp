#include "app/figures/figure_page.h"

#include "app/pictures/kit/canvas.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

constexpr float kMargin = 16;  // round the figure
constexpr float kPadding = 2;  // inside a panel
constexpr float kRounding = 6;

std::string credit_line() { return fmt::format("Warplens, {}", kLicenseName); }

/// The lines of the caption, with as many sentences on each as fit.
/// @param credit  written at its end. Empty for none.
std::vector<std::string> caption_lines(std::vector<std::string> sentences, const std::string& credit,
                                       float width, const TextMeasure& measure) {
    if (sentences.empty()) return {};
    if (!credit.empty()) sentences.push_back(credit);
    std::vector<std::string> lines;
    std::string line;
    for (const std::string& sentence : sentences) {
        const std::string longer = line.empty() ? sentence : line + "   ·   " + sentence;
        if (!line.empty() && measure.width(longer, FontRole::body) > width) {
            lines.push_back(line);
            line = sentence;
        } else {
            line = longer;
        }
    }
    lines.push_back(line);
    std::vector<std::string> wrapped;
    for (const std::string& one : lines) {
        for (std::string& part : wrap(one, FontRole::body, width, measure))
            wrapped.push_back(std::move(part));
    }
    return wrapped;
}

}  // namespace

FigurePage::FigurePage(const Words& words, const Theme& theme, const TextMeasure& measure, Vec2 size)
    : theme_(theme) {
    picture.size = size;
    picture.title = words.title;
    picture.subtitle = words.subtitle;
    const bool credited = draw_head(words, measure);
    const std::string credit = words.license && !credited ? credit_line() : std::string();
    caption_ = caption_lines(words.caption, credit, size.x - 2 * kMargin, measure);
    top_ = kMargin + line_height(FontRole::title) + 4;
    bottom_ = size.y - kMargin - static_cast<float>(caption_.size()) * line_height(FontRole::body);
    draw_caption();
}

Rect FigurePage::body() const { return {kMargin, top_, picture.size.x - 2 * kMargin, bottom_ - 8 - top_}; }

void FigurePage::panel(const Rect& rect) {
    picture.shapes.emplace_back(
        Box{.rect = rect, .fill = theme_.panel, .stroke = theme_.panel_border, .rounding = kRounding});
}

Rect FigurePage::inside(const Rect& panel) {
    return {panel.x + kPadding, panel.y + kPadding, panel.w - 2 * kPadding, panel.h - 2 * kPadding};
}

void FigurePage::text(Vec2 baseline, std::string words, FontRole font, Color color) {
    if (words.empty()) return;
    picture.shapes.emplace_back(
        Label{.position = baseline, .text = std::move(words), .font = font, .color = color});
}

/// Draws title and subtitle, and at the right the credit line if there is room for all three.
/// @return  whether the credit line is there.
bool FigurePage::draw_head(const Words& words, const TextMeasure& measure) {
    constexpr float kBetween = 14;
    float width = picture.size.x - 2 * kMargin;
    const float baseline = kMargin + ascent(FontRole::title);
    const std::string title = elide(words.title, FontRole::title, width, measure);
    text({kMargin, baseline}, title, FontRole::title, theme_.text);
    const float after = measure.width(title, FontRole::title) + kBetween;
    const std::string credit = words.license && !words.caption.empty() ? credit_line() : std::string();
    const float right = credit.empty() ? 0 : measure.width(credit, FontRole::body) + 2 * kBetween;
    const float subtitle = measure.width(words.subtitle, FontRole::body);
    const bool credited = !credit.empty() && after + subtitle + right <= width;
    if (credited) {
        text({kMargin + width - right + 2 * kBetween, baseline}, credit, FontRole::body, theme_.text_weak);
        width -= right;
    }
    text({kMargin + after, baseline},
         elide(words.subtitle, FontRole::body, std::max(0.0f, width - after), measure), FontRole::body,
         theme_.text_weak);
    return credited;
}

void FigurePage::draw_caption() {
    float y = bottom_ + ascent(FontRole::body) + 2;
    for (const std::string& line : caption_) {
        text({kMargin, y}, line, FontRole::body, theme_.text_weak);
        y += line_height(FontRole::body);
    }
}

std::vector<Rect> figure_panels(const Rect& area, int count) {
    constexpr float kGap = FigurePage::kGap;
    const int columns = count > 2 || (count == 2 && area.w >= 1.2f * area.h) ? 2 : 1;
    const int rows = (count + columns - 1) / columns;
    const float w = (area.w - kGap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
    const float h = (area.h - kGap * static_cast<float>(rows - 1)) / static_cast<float>(rows);
    std::vector<Rect> panels;
    for (int i = 0; i < count; ++i) {
        const auto column = static_cast<float>(i % columns), row = static_cast<float>(i / columns);
        panels.push_back({area.x + column * (w + kGap), area.y + row * (h + kGap), w, h});
    }
    return panels;
}

}  // namespace warplens
