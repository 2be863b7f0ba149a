#pragma once

#include "app/experiment/state.h"
#include "app/gl/window.h"
#include "app/window/action.h"
#include "app/window/saved_state.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warplens {

/// Frames in an open window, until a person closes it or as many as the options ask for. What is set is kept
/// in the state's file from time to time and at the end.
class Frames {
public:
    /// @param options  with what was kept, where the command line says nothing else
    /// @param loaded   what load_state says of the state's file
    Frames(std::unique_ptr<Window> window, const State& start, const std::vector<DeviceFacts>& devices,
           const WindowOptions& options, const LoadedState& loaded);
    ~Frames();
    Frames& operator=(Frames&&) = delete;

    /// Show the next frame when it is due (Window::run_frame). @return  whether there will be another one
    bool step();

    /// Keep what is set; to be called when step() has returned false.
    /// @return  the last frame, if their number was given
    /// Errors: Failure "the window cannot be drawn any further: …" if a frame has thrown.
    std::optional<Image> end();

    /// The link to what is shown (app/experiment/link.h); empty for the start page.
    std::string link();
    /// Do what the page around the window asks for, between two steps.
    void act(const Action& action);
    /// Keep what is set, before the window may be gone without end().
    void keep();

private:
    struct Running;
    std::unique_ptr<Running> running_;
};

/// Steps until the end, or lets the system step where a program must not wait: then the result is empty.
/// Errors: as Frames::end.
std::optional<Image> show_frames(std::unique_ptr<Frames> frames);

}  // namespace warplens
