#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

namespace warplens {

/// The last few results of a function that takes long, kept with what they were computed from, because
/// pictures, numbers and words ask for the same. Any thread may ask.
template <class Key, class Value>
class Recent {
public:
    /// @param most  so many results are kept, at least 1
    explicit Recent(std::size_t most) : most_(most) {}

    /// The result for an equal key, or else that of compute(), which must depend on nothing but the key. Two
    /// threads may compute the same. Never null.
    /// @param key  or what equals one and is made into one, such as references to what a key holds
    template <class Asked, class Compute>
    std::shared_ptr<const Value> get(const Asked& key, Compute compute) {
        if (auto found = find(key)) return found;
        auto made = std::make_shared<const Value>(compute());
        const std::scoped_lock lock(mutex_);
        if (kept_.size() >= most_) kept_.pop_front();
        kept_.emplace_back(Key(key), made);
        return made;
    }

private:
    template <class Asked>
    std::shared_ptr<const Value> find(const Asked& key) {
        const std::scoped_lock lock(mutex_);
        for (const auto& [of, value] : kept_)
            if (of == key) return value;
        return nullptr;
    }

    const std::size_t most_;
    std::mutex mutex_;
    std::deque<std::pair<Key, std::shared_ptr<const Value>>> kept_;
};

}  // namespace warplens
