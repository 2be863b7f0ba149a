#pragma once

#include "app/learn/fixes.h"

#include <functional>
#include <future>
#include <map>
#include <optional>
#include <stop_token>
#include <vector>

namespace warplens {

/// Searches, on a thread of its own, for what would fix the present setting (app/learn/fixes.h).
class Fixing {
public:
    /// @param wake  called from any thread when a search has ended
    /// @param wait  search within ask(), so that every run of a test shows the same
    Fixing(std::function<void()> wake, bool wait) : wake_(std::move(wake)), wait_(wait) {}
    ~Fixing() { give_up(); }  // the future waits for the thread
    Fixing& operator=(Fixing&&) = delete;

    /// Search for a setting, unless it is known already. What is being searched for another one is given up.
    void ask(const Setting& setting, const std::vector<DeviceFacts>& devices);
    /// Forget the answers, because something else is set now.
    void forget();
    /// Take what was found. @return  whether there is something new
    bool fetch();
    /// What was found for the setting of the last ask(). Null while it is searched for, or if nothing was
    /// asked.
    const Fixes* fixes() const { return fixes_ ? &*fixes_ : nullptr; }

    /// What the person chose for a scenario.
    FixChoice& choice(const Scenario& scenario) { return choices_[&scenario]; }

private:
    void give_up();

    std::function<void()> wake_;
    bool wait_;
    std::map<const Scenario*, FixChoice> choices_;
    std::optional<Fixes> fixes_;
    std::stop_source stop_;
    std::future<Fixes> search_;
    std::vector<std::future<Fixes>> abandoned_;  ///< kept until their threads have ended, which is soon
};

}  // namespace warplens
