#include "app/pictures/kit/legend.h"

namespace warplens {

void Legend::add(std::string name, float sample_width, Sample draw) {
    items_.push_back({std::move(name), sample_width, std::move(draw)});
}

void Legend::add_box(std::string name, Box look, float sample_width) {
    add(std::move(name), sample_width, [look](Canvas& canvas, Rect place) mutable {
        look.rect = place;
        canvas.box(look);
    });
}

void Legend::add_mark(std::string name, MarkShape shape, float radius, Color color, float sample_width) {
    add(std::move(name), sample_width, [=](Canvas& canvas, Rect place) {
        canvas.mark({place.x + place.w / 2, place.y + place.h / 2}, shape, radius, color);
    });
}

void Legend::add_line(std::string name, Color color, float line_width, Dash dash, float sample_width) {
    add(std::move(name), sample_width, [=](Canvas& canvas, Rect place) {
        const float y = place.y + place.h / 2;
        canvas.line({place.x, y}, {place.x + place.w, y}, color, line_width, dash);
    });
}

std::vector<Legend::Place> Legend::arrange(const Canvas& canvas, float x, float y, float width,
                                           int max_rows) const {
    constexpr float kToName = 6, kToNext = 18;
    std::vector<Place> places;
    places.reserve(items_.size());
    float at = x;
    int row = 0;
    for (const Item& item : items_) {
        const float to_name = item.sample_width > 0 ? kToName : 0;
        const float wide = item.sample_width + to_name + canvas.width(item.name, FontRole::body);
        if (at > x && at + wide > x + width) {
            at = x;
            ++row;
        }
        if (row >= max_rows || wide > width) break;
        const float middle = y + (static_cast<float>(row) + 0.5f) * kRowHeight;
        places.push_back({{at, middle - 6, item.sample_width, 12},
                          {at + item.sample_width + to_name, middle_baseline(middle, FontRole::body)},
                          row});
        at += wide + kToNext;
    }
    return places;
}

float Legend::height(const Canvas& canvas, float width, int max_rows) const {
    const std::vector<Place> places = arrange(canvas, 0, 0, width, max_rows);
    return places.empty() ? 0 : kRowHeight * static_cast<float>(places.back().row + 1);
}

float Legend::draw(Canvas& canvas, float x, float y, float width, int max_rows, Color first) const {
    const std::vector<Place> places = arrange(canvas, x, y, width, max_rows);
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (items_[i].draw) items_[i].draw(canvas, places[i].sample);
        canvas.label(places[i].baseline, items_[i].name, FontRole::body,
                     i == 0 ? first : canvas.theme.text_weak);
    }
    return places.empty() ? y : y + kRowHeight * static_cast<float>(places.back().row + 1);
}

}  // namespace warplens
