#pragma once

#include <fmt/chrono.h>

#include <cstddef>
#include <ctime>
#include <deque>
#include <string>

namespace warplens {

/// Something that happened, in words for a person.
struct Message {
    enum class Severity { info, error };
    Severity severity = Severity::info;
    std::string text;  ///< one sentence. Empty if there is no message.
    std::string time;  ///< time of day, for example "14:03:59"
    int repeats = 1;   ///< how often it came in a row
};

/// Everything that the person was told in this run of the window, the latest message last.
class Messages {
public:
    static constexpr std::size_t kMost = 50;  ///< older ones are forgotten

    /// The same text again counts as a repeat. Nothing happens for an empty text.
    /// @param time  time of day, as it is to be shown
    void add(Message::Severity severity, const std::string& text, const std::string& time) {
        if (text.empty()) return;
        if (last().text == text && last().severity == severity) {
            ++all_.back().repeats;
            all_.back().time = time;
            return;
        }
        all_.push_back({severity, text, time});
        if (all_.size() > kMost) all_.pop_front();
    }

    const std::deque<Message>& all() const { return all_; }
    /// The latest message. Its text is empty if there is none.
    const Message& last() const {
        static const Message none;
        return all_.empty() ? none : all_.back();
    }

private:
    std::deque<Message> all_;
};

/// The time of day here: "14:03:59".
inline std::string time_of_day() { return fmt::format("{:%H:%M:%S}", fmt::localtime(std::time(nullptr))); }

}  // namespace warplens
