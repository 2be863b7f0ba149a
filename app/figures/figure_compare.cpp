
#include "app/figures/figure_page.h"
#include "app/pictures/kit/canvas.h"
#include "app/pictures/plot/bandwidth.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

constexpr float kHead = 34;  // of a side: its letter and name

/// The places of all parts [points].
struct Places {
    Rect a, b, curve, numbers;  ///< width 0 if it is not there
};

std::size_t differing(const ComparedContent& content) {
    return std::size_t(std::ranges::count_if(content.numbers, &QuantityPair::differs));
}

/// The band below the sides: curve and numbers side by side if there is room, otherwise only the curve.
void place_band(Places& places, const ComparedContent& content, const Rect& band, float table) {
    constexpr float kLeast = 420;
    if (content.b->curve == nullptr) {
        places.numbers = band;
        return;
    }
    places.curve = band;
    if (differing(content) == 0 || band.w < 2 * kLeast) return;
    const float around = band.w - FigurePage::inside(band).w;
    const float wide = std::clamp(table + around, kLeast, band.w - kLeast);
    places.numbers = {band.x + band.w - wide, band.y, wide, band.h};
    places.curve.w -= wide + FigurePage::kGap;
}

/// The size that the table of numbers asks for.
Vec2 table_of(const ComparedContent& content, const Style& style) {
    constexpr std::size_t kMostRows = 6;
    const std::size_t rows = std::min(differing(content), kMostRows);
    return size_of_compared_numbers(content.numbers, rows, style);
}

Places lay_out(const ComparedContent& content, const Rect& body, Vec2 table) {
    Places places;
    if (!content.b->board && content.b->instructions.empty()) {
        place_band(places, content, body, table.x);
        return places;
    }
    const float low = differing(content) == 0 ? 0 : table.y + 4;
    constexpr float kLeastCurve = 150;
    const float wanted = content.b->curve == nullptr ? low : std::max({low, kLeastCurve, 0.32f * body.h});
    constexpr float kLeastWithBand = 260;  // with less height there is room for the pictures only
    const float band = body.h < kLeastWithBand ? 0.0f : std::min(wanted, 0.45f * body.h);
    Rect sides = body;
    if (band > 0) {
        sides.h -= band + FigurePage::kGap;
        place_band(places, content, {body.x, body.y + body.h - band, body.w, band}, table.x);
    }
    const bool beside = sides.w >= 1.15f * sides.h;
    const float w = beside ? (sides.w - FigurePage::kGap) / 2 : sides.w,
                h = beside ? sides.h : (sides.h - FigurePage::kGap) / 2;
    places.a = {sides.x, sides.y, w, h};
    places.b = {beside ? sides.x + w + FigurePage::kGap : sides.x,
                beside ? sides.y : sides.y + h + FigurePage::kGap, w, h};
    return places;
}

FigurePage::Words words_of(const ComparedContent& content) {
    return {comparison_title(content), content.a->title == content.b->title ? content.b->subtitle : "",
            content.b->caption ? comparison_caption(content) : std::vector<std::string>{},
            content.b->license};
}

class Comparison {
public:
    Comparison(const ComparedContent& content, const Theme& theme, const TextMeasure& measure, Vec2 size)
        : content_(content),
          page_(words_of(content), theme, measure, size),
          style_{.theme = &theme, .measure = &measure, .size = {}} {}

    std::vector<PlacedPicture> compose() {
        const Places places = lay_out(content_, page_.body(), table_of(content_, style_));
        placed_.resize(1);  // the page comes first, once its panels are known
        if (places.a.w > 0) {
            draw_side('A', *content_.a, content_.name_a, places.a);
            draw_side('B', *content_.b, content_.name_b, places.b);
        }
        if (places.curve.w > 0)
            in_panel(places.curve, [&] { return draw_bandwidth(*content_.b->curve, style_); });
        if (places.numbers.w > 0)
            in_panel(places.numbers, [&] { return draw_compared_numbers(content_.numbers, style_); });
        placed_.front() = {std::move(page_.picture), {0, 0}};
        return std::move(placed_);
    }

private:
    template <class Draw>
    void at(const Rect& room, bool of_a, Draw draw) {
        if (room.w < 1 || room.h < 1) return;
        style_.size = {room.w, room.h};
        placed_.push_back({draw(), {room.x, room.y}, of_a});
    }
    template <class Draw>
    void in_panel(const Rect& panel, Draw draw) {
        page_.panel(panel);
        at(FigurePage::inside(panel), false, draw);
    }

    Picture head(char side, const std::string& name) const {
        Canvas canvas(style_, std::string(1, side), name);
        const float middle = kHead / 2 + 3, left = canvas.margin() + kBadge + 8;
        draw_side_badge(canvas, {canvas.margin() + kBadge / 2, middle}, side);
        canvas.label_middle({left, middle},
                            elide(name.empty() ? "the same setting" : name, FontRole::heading,
                                  style_.size.x - left - canvas.margin(), *style_.measure),
                            FontRole::heading, name.empty() ? canvas.theme.text_weak : canvas.theme.text);
        return canvas.take();
    }

    void draw_side(char side, const FigureContent& content, const std::string& name, const Rect& panel) {
        page_.panel(panel);
        const bool of_a = side == 'A';
        Rect room = FigurePage::inside(panel);
        if (room.h < 2 * kHead) return;  // the page is too small even for the names
        at({room.x, room.y, room.w, kHead}, of_a, [&] { return head(side, name); });
        room.y += kHead;
        room.h -= kHead;
        if (!content.board) return draw_instructions(content, room, of_a);
        at(room, of_a, [&] { return content.board(style_); });
    }

    void draw_instructions(const FigureContent& content, const Rect& room, bool of_a) {
        const SmallPanels small = small_panels(room, content, *style_.measure);
        style_.compact = content.instructions.size() > 1;
        style_.slow_kernel = content.slow_kernel;
        style_.whole = content.whole.verdict.empty() ? nullptr : &content.whole;
        for (std::size_t i = 0; i < small.panels.size(); ++i) {
            const FigureContent::Item& item = content.instructions[small.shown[i]];
            at(small.panels[i], of_a,
               [&] { return draw_access(item.view, item.tile, content.look, style_); });
        }
        Rect note = small.note;
        note.x += 8;
        page_.note(note, small.words, *style_.measure);
        style_.compact = false;
    }

    const ComparedContent& content_;
    FigurePage page_;
    Style style_;
    std::vector<PlacedPicture> placed_;
};

}  // namespace

std::string comparison_title(const ComparedContent& content) {
    const std::string &a = content.a->title, &b = content.b->title;
    return a == b ? b : fmt::format("{} / {}", a, b);
}

std::vector<std::string> comparison_caption(const ComparedContent& content) {
    const std::vector<std::string> a = figure_caption(*content.a), b = figure_caption(*content.b);
    const auto in = [](const std::vector<std::string>& list, const std::string& sentence) {
        return std::ranges::find(list, sentence) != list.end();
    };
    std::vector<std::string> caption;
    for (const std::string& sentence : a)
        if (!in(b, sentence)) caption.push_back("A: " + sentence);
    for (const std::string& sentence : b)
        if (!in(a, sentence)) caption.push_back("B: " + sentence);
    for (const std::string& sentence : b)
        if (in(a, sentence)) caption.push_back(sentence);
    return caption;
}

Vec2 legible_size(const ComparedContent& content, const TextMeasure& measure, Vec2 wanted) {
    const auto least_side = [](const FigureContent& side) {
        constexpr float kNote = 64;  // below small pictures
        const std::size_t count = side.instructions.size();
        return side.board || count == 0 ? Vec2{470, 250 + kHead}
               : count == 1             ? Vec2{300, 130 + kHead}
                                        : Vec2{kLeastPanel.x + 8, kLeastPanel.y + kNote + kHead};
    };
    const Vec2 a = least_side(*content.a), b = least_side(*content.b);
    const Vec2 least{std::max(a.x, b.x), std::max(a.y, b.y)};
    constexpr Vec2 kLeast{568, 300};
    Vec2 size = size_with_body(words_of(content), measure, wanted, kLeast);
    const Vec2 table =
        table_of(content, {.theme = &theme(ThemeName::light), .measure = &measure, .size = {}});
    // Wider pages have other captions, and stand the sides beside rather than above each other: try.
    for (;;) {
        const FigurePage page(words_of(content), theme(ThemeName::light), measure, size);
        const Places places = lay_out(content, page.body(), table);
        if (places.a.w == 0) return size;  // only the band
        const float wider = least.x - places.a.w, higher = least.y - places.a.h;
        if (wider <= 0 && higher <= 0) return size;
        const float step = 8;
        size = {size.x + (wider > 0 ? step : 0), size.y + (higher > 0 ? step : 0)};
    }
}

std::vector<PlacedPicture> compose_comparison(const ComparedContent& content, const Theme& theme,
                                              const TextMeasure& measure, Vec2 size) {
    return Comparison(content, theme, measure, size).compose();
}

}  // namespace warplens
