#pragma once

#include "app/pictures/kit/canvas.h"

#include <functional>
#include <string>
#include <vector>

namespace warplens {

/// Small samples with their names, in rows that wrap to a width: the one way in which pictures say what their
/// colours, marks and lines mean.
class Legend {
public:
    /// Draws a sample into its place. Empty if the name has no sample.
    using Sample = std::function<void(Canvas&, Rect)>;
    static constexpr float kRowHeight = 21;  ///< [points]

    void add(std::string name, float sample_width, Sample draw);
    /// A name without a sample.
    void add(std::string name) { add(std::move(name), 0, {}); }
    void add_box(std::string name, Box look, float sample_width = 14);
    void add_mark(std::string name, MarkShape shape, float radius, Color color, float sample_width = 12);
    void add_line(std::string name, Color color, float line_width, Dash dash, float sample_width);
    void drop_last() { items_.pop_back(); }

    bool empty() const { return items_.empty(); }
    /// Whether all names have room.
    bool fits(const Canvas& canvas, float width, int max_rows) const {
        return arrange(canvas, 0, 0, width, max_rows).size() == items_.size();
    }
    /// Of the rows that are drawn [points].
    float height(const Canvas& canvas, float width, int max_rows) const;

    /// As many as fit, from the top left corner on.
    /// @param first  colour of the first name; the others are weak.
    /// @return       y below them.
    float draw(Canvas& canvas, float x, float y, float width, int max_rows, Color first) const;
    float draw(Canvas& canvas, float x, float y, float width, int max_rows) const {
        return draw(canvas, x, y, width, max_rows, canvas.theme.text_weak);
    }

private:
    struct Item {
        std::string name;
        float sample_width = 14;  ///< [points]
        Sample draw;
    };
    struct Place {
        Rect sample;
        Vec2 baseline;
        int row = 0;
    };
    /// One place per item that fits.
    std::vector<Place> arrange(const Canvas& canvas, float x, float y, float width, int max_rows) const;

    std::vector<Item> items_;
};

}  // namespace warplens
