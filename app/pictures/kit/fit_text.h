#pragma once

#include "app/pictures/kit/canvas.h"

#include <string>
#include <vector>

namespace warplens {

/// The first of some texts, longest first, that fits into a width; the last one if none does.
inline std::string fit_text(const Canvas& canvas, const std::vector<std::string>& texts, FontRole font,
                            float width) {
    for (const std::string& text : texts) {
        if (canvas.width(text, font) <= width) return text;
    }
    return texts.back();
}

}  // namespace warplens
