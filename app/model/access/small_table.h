#pragma once

#include <cstdint>

namespace warplens {

/// A hash table for the few keys of one request, at most 128. It uses open addressing over 256 slots, so that
/// keys hardly ever collide, and a bit per slot instead of a cleared table, so that creating one costs
/// nothing.
class SmallTable {
public:
    static constexpr int kSlots = 256;

    /// Find a key, or insert it.
    /// @param is_new  set to whether it was inserted.
    /// @return        its slot, for data that the caller keeps beside the table.
    [[gnu::always_inline]] int slot_of(std::uint64_t key, bool& is_new) {
        auto slot = static_cast<std::uint32_t>(key * 0x9e37'79b9'7f4a'7c15ull >> 56);
        while (taken(slot) && keys_[slot] != key) slot = (slot + 1) % kSlots;
        is_new = !taken(slot);
        count_ += is_new;
        taken_[slot / 64] |= std::uint64_t{1} << slot % 64;
        keys_[slot] = key;
        return int(slot);
    }

    /// Insert a key. @return  whether it is new.
    [[gnu::always_inline]] bool add(std::uint64_t key) {
        bool is_new = false;
        slot_of(key, is_new);
        return is_new;
    }
    int count() const { return count_; }  ///< keys

private:
    bool taken(std::uint32_t slot) const { return (taken_[slot / 64] >> slot % 64 & 1u) != 0; }

    int count_ = 0;
    std::uint64_t taken_[kSlots / 64] = {};
    std::uint64_t keys_[kSlots];  // only occupied slots are read
};

}  // namespace warplens
