#include "app/window/recording_shelf.h"

#include "app/window/host.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <utility>

namespace warplens {

std::vector<RecordingShelf::Outcome> RecordingShelf::advance(const std::vector<DeviceFacts>& devices) {
    constexpr std::chrono::milliseconds kNobodyNotices{80};  // small files appear in the same frame
    std::vector<Outcome> outcomes;
    while (reading_ || !to_read_.empty()) {
        const bool fresh = !reading_;
        if (fresh) {
            reading_.emplace(to_read_.front(),
                             std::async(std::launch::async, [wake = wake_, path = to_read_.front()] {
                                 const WakeAtEnd at_end{wake};
                                 return open_recording(path);
                             }));
            to_read_.pop_front();
        }
        if (reading_->read.wait_for(fresh ? kNobodyNotices : std::chrono::milliseconds{0}) !=
            std::future_status::ready)
            break;
        Reading done = std::move(*reading_);
        reading_.reset();
        outcomes.push_back(finish(std::move(done), devices));
        message = outcomes.back().message;
    }
    return outcomes;
}

RecordingShelf::Outcome RecordingShelf::finish(Reading done, const std::vector<DeviceFacts>& devices) {
    try {
        const OpenRecording& open = recordings.put(done.read.get(), done.path, devices);
        std::string said = fmt::format("opened {}: {}, {} points", open.file, open.label(),
                                       format_count(std::int64_t(open.points)));
        if (!open.skipped.empty()) said += "; " + open.skipped;
        remember(std::filesystem::absolute(done.path).string());
        return {done.path, said, true};
    } catch (const RecordingError& error) {
        return {done.path, error.what(), false};
    }
}

std::string RecordingShelf::cancel() {
    message = fmt::format("did not open '{}': cancelled", reading_->path);
    abandoned_.push_back(std::move(reading_->read));
    reading_.reset();
    to_read_.clear();
    return message;
}

void RecordingShelf::remember(const std::string& path) {
    std::erase(recent, path);
    recent.insert(recent.begin(), path);
    constexpr std::size_t kMost = 8;
    if (recent.size() > kMost) recent.resize(kMost);
}

}  // namespace warplens
