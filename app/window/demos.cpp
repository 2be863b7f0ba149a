#include "app/base/errors.h"
#include "app/base/output.h"
#include "app/base/text.h"
#include "app/window/apply_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace warplens {
namespace {

/// The present setting and how it is looked at.
std::string link_to_present(Session& s) {
    Place place{s.state(), {}, {}, {}};
    if (s.view.focus != first_focus(s.state(), s.device())) place.instruction = s.view.focus;
    if (s.view.scope != 0 && s.view.scope < 3) place.scope = s.view.scope;
    return link_to(place, s.devices());
}

void set_up_stop(Session& s) {
    const DemoRun& run = s.learning.demo;
    const Place place = place_of(run.demo().stops.at(run.at()), s.state().device, s.devices());
    go_to_place(s, place);
    if (!place.instruction) s.view.focus = first_focus(s.state(), s.device());
    if (!place.scope) s.view.scope = 0;
    if (s.view.projector) focus_for_projector(s);
    s.view.hovered_lane = -1;
    show_section(s.view, Section::picture);
}

/// Names the file of the demo that has just been opened, in its menu.
void name_file(View& view, const std::string& path) {
    view.demo_stop = 0;
    view.demo_path = path;
}

}  // namespace

void open_demo(Session& s, Demo demo, const std::string& path) {
    const DemoRun& now = s.learning.demo;
    if (now.changed() && !now.demo().stops.empty())
        throw UsageError("the demo that is open has changes that are not saved: save it, or press New there");
    if (demo.stops.empty()) throw UsageError("it is a demo without stops");
    check_stops(demo, s.devices());
    s.learning.demo.open(std::move(demo), path);
    name_file(s.view, path);
    play_demo(s, 0);
}

void restore_demo(Session& s, const Demo& demo, const std::string& path) {
    if (demo.stops.empty() || s.learning.demo.changed()) return;  // the one that is being made stays
    try {
        check_stops(demo, s.devices());
    } catch (const UsageError& problem) {
        return s.complain(fmt::format("the demo that was not saved is given up: {}", problem.what()));
    }
    s.learning.demo.restore(demo, path);
    name_file(s.view, path);
    s.say("the demo that you had not saved is here again (D)");
}

void open_shipped_demo(Session& s, const std::string& id) {
    const auto found = std::ranges::find(shipped_demos(), id, &ShippedDemo::id);
    if (found == shipped_demos().end()) return;
    try {
        open_demo(s, found->demo, "");
    } catch (const UsageError& problem) {
        s.complain(problem.what());
    }
}

void play_demo(Session& s, int stop) {
    DemoRun& run = s.learning.demo;
    if (stop < 0 || std::cmp_greater_equal(stop, run.demo().stops.size())) {
        run.end();
        return;
    }
    s.learning.leave_course();
    s.learning.leave_quiz();
    s.view.tour_due = false;
    run.play(static_cast<std::size_t>(stop), s.host.now());
    set_up_stop(s);
}

void toggle_notes_window(Session& s) {
    s.view.notes_window = !s.view.notes_window;
    s.learning.demo.show_note(!s.view.notes_window && !s.view.projector);
}

void next_of_demo(Session& s, int by) {
    DemoRun& run = s.learning.demo;
    if (run.go(by)) set_up_stop(s);
    if (run.ended()) s.say(fmt::format("this was the last stop of the demo '{}'", run.demo().title));
}

void edit_demo(Session& s, const action::EditDemo& edit) {
    using What = action::EditDemo::What;
    DemoRun& run = s.learning.demo;
    s.view.close_asked = false;
    const std::size_t count = run.demo().stops.size();
    const bool of_stop =
        edit.what != What::record && edit.what != What::title && edit.what != What::begin_anew;
    if (of_stop && edit.stop >= count) return;
    try {
        switch (edit.what) {
            case What::record:
                run.record(link_to_present(s));
                s.view.demo_stop = count;
                return s.say(fmt::format("recorded as stop {} of the demo", count + 1));
            case What::set_again:
                return run.set_link(edit.stop, link_to_present(s));
            case What::remove:
                run.remove(edit.stop);
                if (s.view.demo_stop >= run.demo().stops.size() && s.view.demo_stop > 0) --s.view.demo_stop;
                return;
            case What::up:
            case What::down: {
                const int by = edit.what == What::up ? -1 : 1;
                const auto there = static_cast<std::ptrdiff_t>(edit.stop) + by;
                run.move(edit.stop, by);
                if (there >= 0 && std::cmp_less(there, count))
                    s.view.demo_stop = static_cast<std::size_t>(there);
                return;
            }
            case What::note:
                return run.set_note(edit.stop, edit.text.substr(0, kMostNoteBytes));
            case What::title:
                return run.set_title(edit.text);
            case What::begin_anew:
                run.open({}, "");
                s.view.demo_stop = 0;
                s.view.demo_path = {};
                return;
        }
    } catch (const UsageError& problem) {
        s.complain(problem.what());
    }
}

void close_window(Session& s) {
    const DemoRun& run = s.learning.demo;
    if (s.keeps_state() || !run.changed() || run.demo().stops.empty() || s.view.close_asked)
        return s.host.close();
    s.view.close_asked = s.view.demo_menu = true;
    s.complain("the demo is not saved: save it, or close again to lose it");
}

void save_demo(Session& s, const std::string& path) {
    DemoRun& run = s.learning.demo;
    try {
        if (path.empty()) throw UsageError("expected the name of a file to save the demo to");
        std::error_code ignored;
        const std::string whole = std::filesystem::absolute(path, ignored).string();
        const bool known = whole == run.path() || std::exchange(s.view.demo_asked, whole) == whole;
        if (!known && std::filesystem::exists(path, ignored))
            return s.say(fmt::format("'{}' is there already: save again to replace it", printable(path)));
        write_output(path, write_demo(run.demo()));
        run.saved(whole);
        s.files.shelf.remember(whole);
        s.say(fmt::format("saved the demo: {}", printable(whole)));
    } catch (const UsageError& problem) {
        s.complain(problem.what());
    }
}

}  // namespace warplens
