#pragma once

#include <atomic>
#include <chrono>
#include <coroutine>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

namespace warplens {

/// A function that is executed in pieces, because a page has no threads: it says `co_yield far;`, 0 to 1,
/// about every millisecond, and ends with `co_return result;`. It may show what it has so far,
/// `co_yield std::make_shared<const T>(part);`. It is given up by destroying this object. Its parameters
/// outlive the call, so they must be values.
template <class T>
class [[nodiscard]] InSteps {
public:
    struct promise_type {
        std::optional<T> result;
        std::shared_ptr<const T> so_far;
        std::atomic<double> far = 0;
        std::exception_ptr error;

        InSteps get_return_object() {
            return InSteps(std::coroutine_handle<promise_type>::from_promise(*this));
        }
        std::suspend_always initial_suspend() const noexcept { return {}; }
        std::suspend_always final_suspend() const noexcept { return {}; }
        std::suspend_always yield_value(double now) noexcept {
            far = now;
            return {};
        }
        std::suspend_always yield_value(std::shared_ptr<const T> part) noexcept {
            so_far = std::move(part);
            return {};
        }
        void return_value(T value) { result = std::move(value); }
        void unhandled_exception() { error = std::current_exception(); }
    };

    InSteps(InSteps&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
    InSteps& operator=(InSteps&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~InSteps() {
        if (handle_) handle_.destroy();
    }

    /// @return  whether there is more to do. Throws what the function throws.
    bool step() {
        handle_.resume();
        if (handle_.promise().error) std::rethrow_exception(handle_.promise().error);
        return !handle_.done();
    }
    /// How far it is, 0 to 1. May be called on any thread while a step runs.
    double how_far() const { return handle_.promise().far; }
    /// What it showed last. Null if it has shown nothing.
    const std::shared_ptr<const T>& so_far() const { return handle_.promise().so_far; }
    /// The result, once, after the last step.
    T take() { return std::move(*handle_.promise().result); }
    /// All steps at once.
    T done() {
        while (step()) {
        }
        return take();
    }

private:
    explicit InSteps(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
    std::coroutine_handle<promise_type> handle_;
};

/// Tells when it is time to yield.
class StepClock {
public:
    explicit StepClock(std::chrono::microseconds step = std::chrono::milliseconds(1)) : step_(step) {}

    bool is_up() {
        const auto now = std::chrono::steady_clock::now();
        if (now - began_ < step_) return false;
        began_ = now;
        return true;
    }

private:
    const std::chrono::microseconds step_;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace warplens
