// What a window session does with recordings.
#include "app/window/window_session.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

namespace warplens {
namespace {

/// The window looks at once when a thread has come to its end, also when that end is an error.
struct WakeAtEnd {
    Window& window;
    ~WakeAtEnd() { window.wake(); }
};

}  // namespace

RecordingView WindowSession::recording_view() const {
    // As long as a GPU is being looked for it counts as here: nothing is drawn that would vanish again.
    const bool none = gpu_ && std::holds_alternative<Unavailable>(*gpu_);
    return {&devices_, state_.device, !none};
}

/// After the first frame: reading them takes longer than a frame may.
void WindowSession::load_shipped_recordings() {
    shipped_loaded_ = true;
    if (!list_shipped_) return;
    try {
        recordings_.add_shipped(devices_);
    } catch (const RecordingError& error) {
        recording_message_ = fmt::format("a recording of the program cannot be read: {}", error.what());
        complain(recording_message_);
    }
    refresh_points();
}

/// Whatever it is that was dropped or typed: the window goes on. It is read on a thread of its own, because
/// large ones take seconds; files are opened one after the other.
void WindowSession::open_recording(const std::string& path) {
    to_open_.push_back(path);
    window_.keep_awake(1);
}

/// What became of the file that is being read, and on to the next one.
void WindowSession::continue_loading() {
    constexpr std::chrono::milliseconds kNobodyNotices{80};  // small ones are there in the same frame
    while (loading_ || !to_open_.empty()) {
        const bool fresh = !loading_;
        if (fresh) {
            loading_.emplace(to_open_.front(),
                             std::async(std::launch::async, [this, path = to_open_.front()] {
                                 const WakeAtEnd wake{window_};
                                 return warplens::open_recording(path);
                             }));
            to_open_.pop_front();
        }
        if (loading_->read.wait_for(fresh ? kNobodyNotices : std::chrono::milliseconds{0}) !=
            std::future_status::ready)
            return;
        Loading done = std::move(*loading_);
        loading_.reset();
        finish_loading(done);
    }
}

void WindowSession::finish_loading(Loading& done) {
    try {
        const OpenRecording& open = recordings_.put(done.read.get(), done.path, devices_);
        recording_message_ = fmt::format("opened {}: {}, {} points", open.file, open.label(),
                                         format_count(std::int64_t(open.points)));
        remember_recent(std::filesystem::absolute(done.path).string());
        if (!open.skipped.empty()) recording_message_ += "; " + open.skipped;
        if (view_.recording_path.data() == done.path) view_.recording_path = {};
        say(recording_message_);
    } catch (const RecordingError& error) {
        recording_message_ = error.what();
        complain(recording_message_);
    }
    if (!changed_) refresh_points();
    window_.keep_awake(2);
}

/// The thread cannot be stopped; what it reads is thrown away.
void WindowSession::cancel_loading() {
    if (!loading_) return;
    recording_message_ = fmt::format("did not open '{}': cancelled", loading_->path);
    say(recording_message_);
    abandoned_.push_back(std::move(loading_->read));
    loading_.reset();
    to_open_.clear();
    window_.keep_awake(2);
}

/// What the status bar shows as going on.
void WindowSession::cancel_busy() {
    if (loading_) {
        cancel_loading();
    } else if (figures_.copying()) {
        figures_.cancel_copy();
        say("did not copy the picture: cancelled");
        window_.keep_awake(2);
    }
}

}  // namespace warplens
