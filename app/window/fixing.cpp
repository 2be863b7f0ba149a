#include "app/window/fixing.h"

#include "app/window/host.h"

#include <chrono>
#include <utility>

namespace warplens {
namespace {

bool has_ended(const std::future<Fixes>& search) {
    return search.wait_for(std::chrono::seconds{0}) == std::future_status::ready;
}

}  // namespace

void Fixing::ask(const Setting& setting, const std::vector<DeviceFacts>& devices) {
    forget();
    const FixChoice choice = without_own(choices_[setting.scenario], setting.params);
    if (wait_) {
        fixes_ = find_fixes(setting, devices, choice);
        return;
    }
    stop_ = {};
    search_ =
        std::async(std::launch::async, [wake = wake_, setting, devices, choice, stop = stop_.get_token()] {
            const WakeAtEnd at_end{wake};
            return find_fixes(setting, devices, choice, stop);
        });
}

void Fixing::forget() {
    give_up();
    fixes_.reset();
}

bool Fixing::fetch() {
    std::erase_if(abandoned_, has_ended);
    if (!search_.valid() || !has_ended(search_)) return false;
    fixes_ = search_.get();
    return true;
}

void Fixing::give_up() {
    stop_.request_stop();
    if (search_.valid()) abandoned_.push_back(std::move(search_));
}

}  // namespace warplens
