// What a window session keeps for the next time.
#include "app/base/errors.h"
#include "app/experiment/link.h"
#include "app/window/window_session.h"

#include <algorithm>

namespace warplens {

/// Widths, tabs, choices: all that is no place.
void WindowSession::arrange(const SavedState& saved) {
    view_.left = saved.left;
    view_.right = saved.right;
    view_.plot_share = saved.plot_share;
    view_.figure = saved.figure;
    if (linked_) return;  // the link that the window began with says these
    view_.scope = saved.scope;
    view_.tab = saved.tab;
}

void WindowSession::restore(const SavedState& saved, bool with_place) {
    arrange(saved);
    recent_ = saved.recent;
    for (const SavedCourse& course : saved.courses) learning_.restore(course.id, course.at, course.done);
    learning_.set_predict_first(saved.predict_first);
    // Where the command line says the place, a course would take the person elsewhere.
    if (with_place && !saved.course.empty()) learning_.open_course(saved.course);
    for (const std::string& link : saved.scenarios) {
        try {
            State state = follow_link(link, state_, devices_).state;
            state.compared.reset();
            remembered_[state.scenario] = state;
        } catch (const UsageError&) {  // of an older or newer program: that scenario starts as usual
        }
    }
    if (with_place && !saved.place.empty()) follow(saved.place);
    keep_device_ = keep_device_ && !with_place;  // a GPU that is found here takes the place of the saved one
    history_ = History(state_);
}

SavedState WindowSession::saved() const {
    SavedState saved;
    saved.place = link_to(state_, devices_);
    for (const auto& [scenario, state] : remembered_) saved.scenarios.push_back(link_to(state, devices_));
    std::ranges::sort(saved.scenarios);
    saved.look = view_.look;
    saved.scale = window_.user_scale();
    saved.width = static_cast<int>(size_.x);
    saved.height = static_cast<int>(size_.y);
    saved.left = view_.left;
    saved.right = view_.right;
    saved.plot_share = view_.plot_share;
    saved.scope = view_.scope;
    saved.tab = view_.tab;
    saved.toured = view_.tour < 0;
    saved.figure = view_.figure;
    saved.recent = recent_;
    for (const Course& course : courses()) {
        const CourseProgress progress = learning_.progress(course);
        SavedCourse one{course.id, progress.at, {}};
        for (std::size_t i = 0; i < progress.done.size(); ++i) {
            if (progress.done[i]) one.done.push_back(static_cast<int>(i));
        }
        if (one.at > 0 || !one.done.empty()) saved.courses.push_back(std::move(one));
    }
    if (learning_.course() != nullptr) saved.course = learning_.course()->id;
    saved.predict_first = learning_.predict_first();
    return saved;
}

void WindowSession::remember_recent(const std::string& path) {
    std::erase(recent_, path);
    recent_.insert(recent_.begin(), path);
    constexpr std::size_t kMost = 8;
    if (recent_.size() > kMost) recent_.resize(kMost);
}

}  // namespace warplens
