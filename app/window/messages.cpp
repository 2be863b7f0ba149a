#include "app/window/messages.h"

#include <fmt/chrono.h>

#include <ctime>

namespace warplens {

void Messages::add(Message::Severity severity, const std::string& text, const std::string& time) {
    if (text.empty()) return;
    if (!all_.empty() && all_.back().text == text && all_.back().severity == severity) {
        ++all_.back().repeats;
        all_.back().time = time;
        return;
    }
    all_.push_back({severity, text, time});
    if (all_.size() > kMost) all_.pop_front();
}

const Message& Messages::last() const {
    static const Message none;
    return all_.empty() ? none : all_.back();
}

std::string time_of_day() { return fmt::format("{:%H:%M:%S}", fmt::localtime(std::time(nullptr))); }

}  // namespace warplens
