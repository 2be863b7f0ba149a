// What a window session does with recordings.
#include "app/commands/window_session.h"

#include <fmt/format.h>

#include <filesystem>

namespace warplens {

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
    }
    refresh_points();
}

/// Whatever it is that was dropped or typed: the window goes on.
bool WindowSession::open_recording(const std::string& path) {
    bool opened = false;
    try {
        const OpenRecording& open = recordings_.open(path, devices_);
        recording_message_ = fmt::format("opened {}: {}, {} points", open.file, open.label(),
                                         format_count(std::int64_t(open.points)));
        opened = true;
        remember_recent(std::filesystem::absolute(path).string());
        if (!open.skipped.empty()) recording_message_ += "; " + open.skipped;
    } catch (const RecordingError& error) {
        recording_message_ = error.what();
    }
    message_ = recording_message_;
    if (!changed_) refresh_points();
    window_.keep_awake(2);
    return opened;
}

void WindowSession::change_recordings(const Wishes& wishes) {
    if (wishes.open_recording && open_file(*wishes.open_recording)) view_.recording_path = {};
    if (wishes.tick_recording) recordings_.tick(wishes.tick_recording->first, wishes.tick_recording->second);
    if (wishes.remove_recording) {
        message_ = recording_message_ = "closed " + recordings_.all().at(*wishes.remove_recording).file;
        recordings_.remove(*wishes.remove_recording);
    }
    if (!wishes.tick_recording && !wishes.remove_recording) return;
    refresh_points();
    window_.keep_awake(2);
}

}  // namespace warplens
