#include "app/figures/figure.h"

#include "app/figures/figure_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace warplens {
namespace {

constexpr float kPanelGap = FigurePage::kGap;

/// How many small pictures can be read in an area.
int most_small(const Rect& area, int count) {
    while (count > 1) {
        const Rect panel = figure_panels(area, count).front();
        if (panel.w >= kLeastPanel.x && panel.h >= kLeastPanel.y) break;
        --count;
    }
    return count;
}

/// The instructions that cost the most compared with their ideal, in the order of the kernel.
std::vector<std::size_t> costliest_pictures(const FigureContent& content, int count) {
    std::vector<std::size_t> all(content.instructions.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::ranges::stable_sort(all, std::greater(),
                             [&](std::size_t i) { return content.instructions[i].cost; });
    all.resize(count);
    std::ranges::sort(all);
    return all;
}

std::string words_for_missing(const FigureContent& content, const std::vector<std::size_t>& shown) {
    std::string text =
        fmt::format("{} of {} instructions shown; not shown: ", shown.size(), content.instructions.size());
    bool first = true;
    for (std::size_t i = 0; i < content.instructions.size(); ++i) {
        if (std::ranges::binary_search(shown, i)) continue;
        const InstructionView& view = content.instructions[i].view;
        text += fmt::format("{}{} {}", std::exchange(first, false) ? "" : ", ", view.index + 1,
                            view.report->instruction.label);
    }
    return text;
}

/// The places of all parts [points].
struct Layout {
    SmallPanels instructions;
    Rect bandwidth;
    bool compact = false;
};

/// Rows of 128 bytes that a picture of banks has; 0 for global memory.
int rows_of_banks(const FigureContent::Item& item) {
    if (item.view.banks == nullptr) return 0;
    std::set<std::uint64_t> rows;
    const WarpAccess& access = item.view.report->access;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        if ((access.active >> lane & 1u) != 0) rows.insert(access.byte_address[lane] / kLineBytes);
    }
    const TileShape& tile = item.tile;
    const int tile_bytes = (tile.width + tile.padding) * tile.height * tile.element_bytes;
    return std::max(int(rows.size()), tile_bytes / kLineBytes);
}

bool has_plot(const FigureContent& content) {
    return content.curve != nullptr || content.heatmap != nullptr || content.fit != nullptr || content.board;
}

constexpr float kLeastPlot = 140;

/// Picture above picture, the plot below. Small pictures that have no room are named in a note.
Layout stack(const Rect& area, const FigureContent& content, const TextMeasure& measure) {
    constexpr float kUsualPlot = 150;
    const auto count = int(content.instructions.size());
    const bool plot = has_plot(content);
    Layout layout{.compact = count > 2};
    // The instructions are what the figure is about, but a plot without numbers at its axis says nothing.
    float below = plot ? std::max(0.38f * area.h, std::min(kUsualPlot, 0.45f * area.h)) : 0.0f;
    Rect upper{area.x, area.y, area.w, area.h - below - (plot ? kPanelGap : 0)};
    if (layout.compact && most_small(upper, count) < count) {
        const float more = std::max(0.0f, below - kLeastPlot);
        below -= more;
        upper.h += more;
    }
    layout.instructions =
        layout.compact ? small_panels(upper, content, measure)
                       : SmallPanels{figure_panels(upper, count), costliest_pictures(content, count), {}, {}};
    if (plot) layout.bandwidth = {area.x, area.y + area.h - below, area.w, below};
    return layout;
}

/// Pictures at the left, one below the other, and the plot beside them.
Layout side_by_side(const Rect& area, const FigureContent& content, const TextMeasure& measure) {
    const auto count = int(content.instructions.size());
    const bool compact = count > 2;
    // Two small pictures beside each other can be read.
    const float small = compact ? area.w - 2 * (kLeastPanel.x + kPanelGap) : area.w;
    const float plot = std::min(0.4f * area.w, small);
    const Rect left{area.x, area.y, area.w - plot - kPanelGap, area.h};
    SmallPanels pictures{{left}, costliest_pictures(content, count), {}, {}};
    if (count == 2) {
        const float height = (left.h - kPanelGap) / 2;
        pictures.panels = {{left.x, left.y, left.w, height},
                           {left.x, left.y + height + kPanelGap, left.w, height}};
    } else if (compact) {
        pictures = small_panels(left, content, measure);
    }
    return {.instructions = std::move(pictures),
            .bandwidth = {area.x + area.w - plot, area.y, plot, area.h},
            .compact = compact};
}

Layout lay_out(const Rect& area, const FigureContent& content, const TextMeasure& measure) {
    if (content.instructions.empty()) return {.bandwidth = area};
    // A picture with many rows of cells wants to stand beside the plot, not above it; and on a low slide
    // there is height for one of them only.
    constexpr float kLow = 440, kWide = 720;
    const auto count = int(content.instructions.size());
    const bool tall = count == 1 && rows_of_banks(content.instructions.front()) > 8;
    const bool low = area.h < kLow && area.w >= std::max(kWide, 2 * area.h);
    const bool beside = has_plot(content) && ((tall && area.w >= 1.2f * area.h) || low);
    return beside ? side_by_side(area, content, measure) : stack(area, content, measure);
}

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

std::vector<std::string> figure_caption(const FigureContent& content) {
    if (content.board) return content.board_caption;
    std::vector<std::string> caption;
    caption.push_back(!content.recorded.empty()  ? content.recorded
                      : content.settings.empty() ? "all parameters at their defaults"
                                                 : content.settings + ", other parameters at their defaults");
    caption.push_back(content.device);
    if (!content.instructions.empty()) {
        caption.push_back(
            content.count_kind == Provenance::exact
                ? fmt::format("{} exact: counted from addresses", provenance_mark(Provenance::exact))
                : fmt::format("{} {} counts{}{}", provenance_mark(content.count_kind),
                              provenance_name(content.count_kind), content.count_source.empty() ? "" : ": ",
                              content.count_source));
    }
    const auto by_model = [&](SpeedUnit speed_unit) {
        caption.push_back(fmt::format("{} approximate: {} by a model",
                                      provenance_mark(Provenance::approximate),
                                      speed_words(speed_unit).unit));
    };
    if (content.curve != nullptr) {
        if (content.curve->speed_unit != SpeedUnit::sectors) by_model(content.curve->speed_unit);
        const auto& series = content.curve->series;
        if (std::any_of(series.begin(), series.end(),
                        [](const MeasuredSeries& s) { return s.kind == Provenance::recorded; }))
            caption.push_back(
                fmt::format("{} recorded: median and quartiles", provenance_mark(Provenance::recorded)));
    }
    if (content.heatmap != nullptr) {
        by_model(content.heatmap->speed_unit);
        const MeasuredOn& on = content.heatmap->measured_on;
        if (content.heatmap->show != HeatmapShow::model && !on.gpu.empty())
            caption.push_back(
                fmt::format("{} {}: medians", provenance_mark(on.kind), provenance_name(on.kind)));
    }
    if (content.fit != nullptr) {
        caption.push_back(fmt::format("{} {}: wavefronts, counted from addresses",
                                      provenance_mark(content.count_kind),
                                      provenance_name(content.count_kind)));
        if (!content.fit->points.empty())
            caption.push_back(fmt::format("{} {}: cycles, by the SM's clock",
                                          provenance_mark(content.fit->measured_on.kind),
                                          provenance_name(content.fit->measured_on.kind)));
    }
    return caption;
}

namespace {

FigurePage::Words words_of(const FigureContent& content) {
    return {content.title, content.subtitle,
            content.caption ? figure_caption(content) : std::vector<std::string>{}, content.license};
}

/// The least area between title and caption in which a figure can be read: tests compose all of them.
Vec2 least_body(const FigureContent& content) {
    constexpr float kLeastPicture = 110, kLeastBoard = 315, kLeastWidth = 488, kNote = 44,
                    kLeastBoardWidth = 606;
    const std::size_t count = content.instructions.size();
    if (content.board) return {kLeastBoardWidth, kLeastBoard};
    if (count == 0) return {kLeastPanel.x, kLeastPlot};
    const float pictures = count > 2 ? kLeastPanel.y + kNote : kLeastPicture;
    return {kLeastWidth, has_plot(content) ? pictures + kPanelGap + kLeastPlot : pictures};
}

}  // namespace

Vec2 legible_size(const FigureContent& content, const TextMeasure& measure, Vec2 wanted) {
    if (content.slide) return wanted;
    return size_with_body(words_of(content), measure, wanted, least_body(content));
}

namespace {

/// A slide: the verdict, the costliest picture, the speed, and one line of what it holds for.
std::vector<PlacedPicture> compose_slide(const FigureContent& content, const Theme& theme,
                                         const TextMeasure& measure, Vec2 size) {
    const float width = size.x - 2 * kMargin;
    Picture page;
    page.size = size;
    std::string headline = content.headline;
    if (headline.ends_with('.')) headline.pop_back();
    page.title = headline;
    float top = kMargin - 4, bottom = size.y - kMargin + 4;
    const auto say = [&](float y, const std::string& words, FontRole font, Color color) {
        page.shapes.emplace_back(
            Label{.position = {kMargin, y + ascent(font)}, .text = words, .font = font, .color = color});
    };
    const FontRole font =
        measure.width(headline, FontRole::title) <= width ? FontRole::title : FontRole::heading;
    for (const std::string& line : wrap(headline, font, width, measure)) {
        say(top, line, font, color_of(theme, content.tone));
        top += line_height(font);
    }
    const FigureContent::Item* item = nullptr;
    for (const FigureContent::Item& one : content.instructions)
        if (item == nullptr || one.judged || (!item->judged && one.cost > item->cost)) item = &one;
    if (content.caption) {
        // The slide's subject, unless its headline is that; on which GPU, and what is not at its default.
        std::vector<std::string> notes{content.headline == content.title ? "" : content.title};
        if (content.board && !content.subtitle.empty()) notes.back() += ": " + content.subtitle;
        if (item != nullptr && content.instructions.size() > 1)
            notes.back() += fmt::format(": {}", item->view.report->instruction.label);
        std::vector<std::string> facts = content.board_caption;
        if (!content.board) facts = {content.settings, content.device};
        for (std::string& fact : facts) {
            if (fact.empty()) continue;
            if (fact.ends_with('.')) fact.pop_back();
            const std::string longer = notes.back().empty() ? fact : notes.back() + "   ·   " + fact;
            if (measure.width(longer, FontRole::body) <= width)
                notes.back() = longer;
            else if (!content.board || (notes.size() == 1 && measure.width(fact, FontRole::body) <= width))
                for (const std::string& line : wrap(fact, FontRole::body, width, measure))
                    notes.back().empty() ? notes.back() = line : notes.emplace_back(line);
        }
        bottom -= float(notes.size()) * line_height(FontRole::body);
        for (std::size_t i = 0; i < notes.size(); ++i)
            say(bottom + float(i) * line_height(FontRole::body), notes[i], FontRole::body, theme.text_weak);
    }
    if (!content.speeds.empty()) {
        // The headline says what limits it, and the picture needs a second line more.
        const bool fits = measure.width(content.speeds.front(), FontRole::strong) <= width;
        const std::vector<std::string> lines =
            wrap(fits ? content.speeds.front() : content.speeds.back(), FontRole::strong, width, measure);
        bottom -= float(lines.size()) * line_height(FontRole::strong);
        float y = bottom;
        for (const std::string& line : lines) {
            say(y, line, FontRole::strong, theme.text);
            y += line_height(FontRole::strong);
        }
    }
    const Rect panel{kMargin, top + 4, width, bottom - top - 10}, inner = FigurePage::inside(panel);
    page.shapes.emplace_back(
        Box{.rect = panel, .fill = theme.panel, .stroke = theme.panel_border, .rounding = kRounding});
    const Style style{.theme = &theme,
                      .measure = &measure,
                      .size = {inner.w, inner.h},
                      .embedded = true,
                      .silent = true,
                      .far = true};
    Picture picture;
    if (item != nullptr) {
        picture = draw_access(item->view, item->tile, content.look, style);
    } else {
        picture = content.board                ? content.board(style)
                  : content.heatmap != nullptr ? draw_heatmap(*content.heatmap, style)
                  : content.fit != nullptr     ? draw_fit(*content.fit, style)
                                               : draw_bandwidth(*content.curve, style);
    }
    std::vector<PlacedPicture> placed(1);
    placed.front().picture = std::move(page);
    placed.push_back({std::move(picture), {inner.x, inner.y}});
    return placed;
}

}  // namespace

std::vector<PlacedPicture> compose_figure(const FigureContent& content, const Theme& theme,
                                          const TextMeasure& measure, Vec2 size) {
    if (content.slide) return compose_slide(content, theme, measure, size);
    FigurePage page(words_of(content), theme, measure, size);
    const Layout layout = lay_out(page.body(), content, measure);
    std::vector<PlacedPicture> placed(1);  // the page comes first, once its panels are known
    Style style{.theme = &theme, .measure = &measure, .size = {}};
    const auto place = [&](const Rect& panel, auto&& draw) {
        page.panel(panel);
        const Rect inner = FigurePage::inside(panel);
        style.size = {inner.w, inner.h};
        placed.push_back({draw(), {inner.x, inner.y}});
    };
    style.compact = layout.compact;
    style.slow_kernel = content.slow_kernel;
    if (!content.whole.verdict.empty()) style.whole = &content.whole;
    for (std::size_t i = 0; i < layout.instructions.panels.size(); ++i) {
        const FigureContent::Item& item = content.instructions[layout.instructions.shown[i]];
        place(layout.instructions.panels[i],
              [&] { return draw_access(item.view, item.tile, content.look, style); });
    }
    style.compact = false;
    page.note(layout.instructions.note, layout.instructions.words, measure);
    if (has_plot(content)) {
        place(layout.bandwidth, [&] {
            return content.board                ? content.board(style)
                   : content.heatmap != nullptr ? draw_heatmap(*content.heatmap, style)
                   : content.fit != nullptr     ? draw_fit(*content.fit, style)
                                                : draw_bandwidth(*content.curve, style);
        });
    }
    placed.front() = {std::move(page.picture), {0, 0}};
    return placed;
}

FigurePage::FigurePage(const Words& words, const Theme& theme, const TextMeasure& measure, Vec2 size)
    : theme_(theme) {
    picture.size = size;
    picture.title = words.title;
    picture.subtitle = words.subtitle;
    const bool credited = draw_head(words, measure);
    const std::string credit = words.license && !credited ? credit_line() : std::string();
    caption_ = caption_lines(words.caption, credit, size.x - 2 * kMargin, measure);
    top_ = kMargin + line_height(FontRole::title) + 4;
    bottom_ = size.y - kMargin - float(caption_.size()) * line_height(FontRole::body);
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

void FigurePage::note(const Rect& room, std::string_view words, const TextMeasure& measure) {
    float y = room.y;
    for (std::string& line : wrap(words, FontRole::body, room.w, measure)) {
        text({room.x, y + ascent(FontRole::body) + 3}, std::move(line), FontRole::body, theme_.text_weak);
        y += line_height(FontRole::body);
    }
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

SmallPanels small_panels(const Rect& area, const FigureContent& content, const TextMeasure& measure) {
    const auto count = int(content.instructions.size());
    if (most_small(area, count) == count)
        return {figure_panels(area, count), costliest_pictures(content, count), {}, {}};
    const std::string longest = words_for_missing(content, costliest_pictures(content, 1));
    const auto lines = float(wrap(longest, FontRole::body, area.w, measure).size());
    const float note = lines * line_height(FontRole::body);
    const Rect rest{area.x, area.y, area.w, area.h - note - 4};
    const std::vector<std::size_t> shown = costliest_pictures(content, most_small(rest, count));
    return {figure_panels(rest, int(shown.size())),
            shown,
            {rest.x, rest.y + rest.h + 2, rest.w, note},
            words_for_missing(content, shown)};
}

Vec2 size_with_body(const FigurePage::Words& words, const TextMeasure& measure, Vec2 wanted, Vec2 least) {
    const Vec2 wide{std::max(wanted.x, least.x + 2 * kMargin), wanted.y};
    const Rect body = FigurePage(words, theme(ThemeName::light), measure, wide).body();
    return {wide.x, std::ceil(wide.y + std::max(0.0f, least.y - body.h))};
}

std::vector<Rect> figure_panels(const Rect& area, int count) {
    constexpr float kThreeColumns = 3 * kLeastPanel.x + 2 * kPanelGap;
    const int columns = count > 4 && area.w >= kThreeColumns                   ? 3
                        : count > 2 || (count == 2 && area.w >= 1.2f * area.h) ? 2
                                                                               : 1;
    const int rows = (count + columns - 1) / columns;
    const float w = (area.w - kPanelGap * float(columns - 1)) / float(columns);
    const float h = (area.h - kPanelGap * float(rows - 1)) / float(rows);
    std::vector<Rect> panels;
    for (int i = 0; i < count; ++i) {
        const auto column = float(i % columns), row = float(i / columns);
        panels.push_back({area.x + column * (w + kPanelGap), area.y + row * (h + kPanelGap), w, h});
    }
    return panels;
}

}  // namespace warplens
