#include "app/pictures/kit/mark_names.h"

#include <algorithm>

namespace warplens {
namespace {

constexpr float kFromLine = 6, kBetweenNames = 8;

bool collide(const MarkName& a, const MarkName& b) {
    return a.row == b.row && a.begin < b.begin + b.width + kBetweenNames &&
           b.begin < a.begin + a.width + kBetweenNames;
}

}  // namespace

std::vector<MarkName> place_mark_names(const Curve& curve, const PlotArea& plot, const TextMeasure& measure) {
    std::vector<MarkName> names;
    const auto place = [&](float x, float width) {
        for (int row = 0;; ++row) {
            for (const float begin : {x - kFromLine - width, x + kFromLine}) {
                const MarkName name{begin, width, row};
                const bool inside = begin >= plot.rect.x && begin + width <= plot.rect.x + plot.rect.w;
                const bool free =
                    std::ranges::none_of(names, [&](const MarkName& other) { return collide(name, other); });
                // Names wider than the plot stick out, in a row of their own.
                if (free && (inside || row > static_cast<int>(names.size()))) return name;
            }
        }
    };
    for (const CurveMark& mark : curve.marks)
        names.push_back(place(plot.x_of(mark.x), measure.width(mark.label, FontRole::body)));
    return names;
}

}  // namespace warplens
