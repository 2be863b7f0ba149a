#pragma once

#include "app/figures/figure.h"

#include <string>
#include <string_view>
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
    /// Lines of text between the panels.
    void note(const Rect& room, std::string_view words, const TextMeasure& measure);
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

/// The smallest size of a page, near the wanted one, that leaves a picture some room [points].
/// @param least  of the area between title and caption [points]
Vec2 size_with_body(const FigurePage::Words& words, const TextMeasure& measure, Vec2 wanted, Vec2 least);

/// A grid of `count` panels, two side by side if there is room.
std::vector<Rect> figure_panels(const Rect& area, int count);

/// The smallest panel in which a small picture can be read [points].
inline constexpr Vec2 kLeastPanel{245, 86};

/// The places of small pictures of instructions.
struct SmallPanels {
    std::vector<Rect> panels;        ///< as many as can be read
    std::vector<std::size_t> shown;  ///< which instruction each has, in order
    Rect note;                       ///< for the words. Height 0 if there are none.
    std::string words;  ///< "4 of 7 instructions shown; not shown: 5 load tile A, ...". Empty if all are.
};
SmallPanels small_panels(const Rect& area, const FigureContent& content, const TextMeasure& measure);

}  // namespace warplens
