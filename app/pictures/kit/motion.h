#pragma once

#include "app/pictures/kit/picture.h"

#include <cstdint>
#include <optional>

namespace warplens {

/// The kinds of things that glide. Those of one kind are told apart by a number.
enum class MovingKind : std::uint32_t { cell, wire, bar, mark, curve, arrow };
constexpr std::uint32_t moving_key(MovingKind kind, int number) {
    return static_cast<std::uint32_t>(kind) << 24 | static_cast<std::uint32_t>(number);
}

/// A picture on the way from one to another: what both have stands in between, what only the later one has
/// becomes visible, and everything else is as in the later one. Its hits and its plot are those of the later
/// one, so that the mouse meets what is about to be there.
/// @param share  0 at the start to 1 at the end
Picture between(const Picture& from, const Picture& to, float share);

/// How far things are after a share of the time: quick at first, then slower, so that the eye follows them
/// to their end.
float eased(double share);

/// The picture that is shown while the one behind it changes. It reads no clock: callers pass the time [s].
class PictureMotion {
public:
    static constexpr double kSeconds = 0.2;  ///< that a thing takes to its new place

    /// Show another picture from now on.
    /// @param glide  whether things glide there from where they are now. Pictures of different sizes never
    /// do.
    void show(Picture next, double now, bool glide);
    /// The picture as it is now. Valid until the next call.
    const Picture& at(double now);
    const Picture& target() const { return target_; }  ///< the one that was shown last
    bool is_moving() const { return from_.has_value(); }

private:
    Picture target_, shown_;
    std::optional<Picture> from_;  ///< where the things began to move. Empty if nothing moves.
    double started_ = 0;
};

}  // namespace warplens
