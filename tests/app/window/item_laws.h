#pragma once

#include "app/gl/imgui_compat.h"
#include "app/panels/widgets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace warplens::test {

inline constexpr float kSlack = 1.5f;  ///< [pixels] of rounding

/// An item lies within its panel's width, and within its height where the panel does not scroll.
inline void expect_inside(const std::string& name, const ui::ItemRect& r) {
    const float width = ImGui::GetIO().DisplaySize.x, height = ImGui::GetIO().DisplaySize.y;
    EXPECT_GE(r.x, -kSlack) << name;
    EXPECT_LE(r.x + r.w, width + kSlack) << name << " leaves the window";
    if (r.scrolls && !r.visible()) return;
    EXPECT_LE(r.left - r.x, kSlack) << name << " is cut off at the left";
    EXPECT_LE(r.x + r.w - r.right, kSlack) << name << " is cut off at the right";
    if (r.scrolls) return;
    EXPECT_LE(r.y + r.h - r.bottom, kSlack) << name << " is cut off below";
    EXPECT_LE(r.y + r.h, height + kSlack) << name << " leaves the window below";
}

/// Two items of one panel do not overlap, and no two controls count as one: a press of either would be one of
/// both.
inline void expect_apart(const std::pair<std::string, ui::ItemRect>& a,
                         const std::pair<std::string, ui::ItemRect>& b) {
    const ui::ItemRect &p = a.second, &q = b.second;
    const bool same = p.x == q.x && p.y == q.y && p.w == q.w && p.h == q.h;  // one item with two names
    EXPECT_TRUE(same || p.id == 0 || p.id != q.id)
        << a.first << " and " << b.first << " are one to Dear ImGui";
    if (p.panel != q.panel) return;
    const float x = std::min(p.x + p.w, q.x + q.w) - std::max(p.x, q.x);
    const float y = std::min(p.y + p.h, q.y + q.h) - std::max(p.y, q.y);
    EXPECT_FALSE(x > kSlack && y > kSlack) << a.first << " and " << b.first << " overlap";
}

/// All laws for what the last frame has drawn.
inline void expect_items_in_place() {
    std::vector<std::pair<std::string, ui::ItemRect>> all(ui::items().begin(), ui::items().end());
    std::erase_if(all, [](const auto& item) { return item.second.frame != ImGui::GetFrameCount(); });
    for (std::size_t i = 0; i < all.size(); ++i) {
        expect_inside(all[i].first, all[i].second);
        for (std::size_t k = 0; k < i; ++k) expect_apart(all[i], all[k]);
    }
    EXPECT_GT(all.size(), 5u) << "there is something to check";
}

}  // namespace warplens::test
