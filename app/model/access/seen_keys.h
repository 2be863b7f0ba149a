#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace warplens {

/// Which small numbers were seen since the last begin(), which costs nothing: a number was seen if the number
/// of the present round stands at its place. Without branches, for the inner loops over the lanes of a
/// request.
template <std::size_t size>
class SeenKeys {
public:
    static constexpr std::size_t kSize = size;

    /// Forget all of them.
    void begin() {
        if (++round_ != 0) return;
        seen_.fill(0);
        round_ = 1;
    }
    /// @param key  below kSize. @return  whether it is new
    bool add(std::size_t key) {
        const bool is_new = seen_[key] != round_;
        seen_[key] = round_;
        return is_new;
    }

private:
    std::array<std::uint16_t, size> seen_{};
    std::uint16_t round_ = 0;
};

}  // namespace warplens
