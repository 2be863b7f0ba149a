#pragma once

#include "app/figures/figure.h"

#include <string>
#include <vector>

namespace warplens {

/// The page of a figure: title, panels, caption.
class FigurePage {
public:
    static constexpr float kGap = 10;  ///< between panels [points]

    /// The texts around the pictures.
    struct Words {
        std::string title, subtitle;
        std::vector<std::string> caption;  ///< its sentences. Empty if there is no caption.
        bool license = true;               ///< whether the caption, if there is one, names the licence
    };
    FigurePage(const Words& words, const Theme& theme, const TextMeasure& measure, Vec2 size);

    /// The area between title and caption.
    Rect body() const;
    void panel(const Rect& rect);
    /// The area of a picture in a panel. Pictures have their own margins.
    static Rect inside(const Rect& panel);

    Picture picture;

private:
    void text(Vec2 baseline, std::string words, FontRole font, Color color);
    bool draw_head(const Words& words, const TextMeasure& measure);
    void draw_caption();

    const Theme& theme_;
    std::vector<std::string> caption_;
    float top_ = 0, bottom_ = 0;
};

/// A grid of `count` panels, two side by side if there is room.
std::vector<Rect> figure_panels(const Rect& area, int count);

}  // namespace warplens
