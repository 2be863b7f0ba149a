#include "app/pictures/kit/motion.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <unordered_map>
#include <utility>

namespace warplens {
namespace {

float blend(float a, float b, float share) { return a + (b - a) * share; }
Vec2 blend(Vec2 a, Vec2 b, float share) { return {blend(a.x, b.x, share), blend(a.y, b.y, share)}; }
Rect blend(const Rect& a, const Rect& b, float share) {
    return {blend(a.x, b.x, share), blend(a.y, b.y, share), blend(a.w, b.w, share), blend(a.h, b.h, share)};
}
Color blend(Color a, Color b, float share) {
    const auto part = [share](std::uint8_t x, std::uint8_t y) {
        return static_cast<std::uint8_t>(std::lround(blend(x, y, share)));
    };
    return {part(a.r, b.r), part(a.g, b.g), part(a.b, b.b), part(a.a, b.a)};
}

// Each moves a shape back from its new place towards its old one. Words and patterns are new at once.
void move(Box& shape, const Box& old, float share) {
    shape.rect = blend(old.rect, shape.rect, share);
    shape.fill = blend(old.fill, shape.fill, share);
    shape.stroke = blend(old.stroke, shape.stroke, share);
}
void move(Path& shape, const Path& old, float share) {
    if (shape.points.size() != old.points.size()) return;
    for (std::size_t i = 0; i < shape.points.size(); ++i)
        shape.points[i] = blend(old.points[i], shape.points[i], share);
}
void move(Wire& shape, const Wire& old, float share) {
    shape.from = blend(old.from, shape.from, share);
    shape.to = blend(old.to, shape.to, share);
    shape.color = blend(old.color, shape.color, share);
}
void move(Label& shape, const Label& old, float share) {
    shape.position = blend(old.position, shape.position, share);
    shape.color = blend(old.color, shape.color, share);
}
void move(Mark& shape, const Mark& old, float share) {
    shape.center = blend(old.center, shape.center, share);
    shape.color = blend(old.color, shape.color, share);
}
void move(HeatCell& shape, const HeatCell& old, float share) {
    shape.rect = blend(old.rect, shape.rect, share);
    shape.opacity = blend(old.opacity, shape.opacity, share);
}
void move(ImageBox& shape, const ImageBox& old, float share) {
    shape.rect = blend(old.rect, shape.rect, share);
}

/// Makes a shape that was not there before visible by degrees.
void appear(Shape& shape, float share) {
    const auto fade = [share](Color& color) {
        color.a = static_cast<std::uint8_t>(std::lround(float(color.a) * share));
    };
    std::visit(
        [&](auto& one) {
            using T = std::decay_t<decltype(one)>;
            if constexpr (std::is_same_v<T, Box>) {
                fade(one.fill);
                fade(one.stroke);
                fade(one.hatch);
            } else if constexpr (std::is_same_v<T, HeatCell>) {
                one.opacity *= share;
            } else if constexpr (!std::is_same_v<T, ImageBox>) {
                fade(one.color);
            }
        },
        shape);
}

}  // namespace

float eased(double share) { return float(1 - std::pow(1 - share, 3)); }

Picture between(const Picture& from, const Picture& to, float share) {
    std::unordered_map<std::uint32_t, const Moving*> old;
    for (const Moving& one : from.moving) old.emplace(one.key, &one);
    Picture now = to;
    for (const Moving& one : to.moving) {
        const auto before = old.find(one.key);
        for (std::size_t i = 0; i < one.count; ++i) {
            Shape& there = now.shapes[one.first + i];
            const bool known = before != old.end() && i < before->second->count;
            const Shape* was = known ? &from.shapes[before->second->first + i] : nullptr;
            if (was == nullptr || was->index() != there.index()) {
                appear(there, share);
                continue;
            }
            std::visit(
                [&](auto& shape) { move(shape, std::get<std::decay_t<decltype(shape)>>(*was), share); },
                there);
        }
    }
    return now;
}

void PictureMotion::show(Picture next, double now, bool glide) {
    const bool same_size = next.size.x == target_.size.x && next.size.y == target_.size.y;
    if (glide && same_size && !next.moving.empty()) {
        from_ = at(now);
        started_ = now;
    } else {
        from_.reset();
    }
    target_ = std::move(next);
}

const Picture& PictureMotion::at(double now) {
    const double share = (now - started_) / kSeconds;
    if (from_ && share < 1) {
        shown_ = between(*from_, target_, eased(std::max(share, 0.0)));
        return shown_;
    }
    from_.reset();
    return target_;
}

}  // namespace warplens
