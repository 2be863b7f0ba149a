#include "app/learn/demo.h"

#include "app/base/assets.h"
#include "app/base/errors.h"
#include "app/base/json_place.h"
#include "app/base/text.h"
#include "app/experiment/link.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace warplens {
namespace {

constexpr int kDemoVersion = 1;

/// Printable, with its line ends.
std::string clean_note(const JsonPlace& place) {
    const std::string text = place.lines();
    if (text.size() > kMostNoteBytes)
        place.fail(fmt::format("expected at most {} bytes of text, found {}", kMostNoteBytes, text.size()));
    std::string clean;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        clean += (from > 0 ? "\n" : "") +
                 printable(std::string_view(text).substr(from, end - from), kMostNoteBytes);
        from = end + 1;
    }
    return clean;
}

Demo demo_of(const nlohmann::json& parsed) {
    const JsonPlace file(parsed, "");
    file.allow({"format", "version", "title", "stops"});
    if (file.member("format").value() != kDemoFormat)
        file.member("format").wrong(fmt::format("\"{}\"", kDemoFormat));
    const int version = file.member("version").whole(1, 1'000'000);
    if (version > kDemoVersion)
        file.fail(fmt::format("it is of version {}, which a newer program wrote", version));
    Demo demo{file.member("title").text(kMostTitleBytes), {}};
    const JsonPlace stops = file.member("stops");
    if (stops.size() > kMostDemoStops)
        stops.fail(fmt::format("expected at most {} stops, found {}", kMostDemoStops, stops.size()));
    for (const JsonPlace& from : stops.elements()) {
        from.allow({"link", "note"});
        DemoStop& stop = demo.stops.emplace_back();
        stop.link = from.member("link").text(kMostLinkBytes);
        if (stop.link.empty()) from.member("link").wrong("a link");
        if (from.has("note")) stop.note = clean_note(from.member("note"));
    }
    return demo;
}

}  // namespace

Demo parse_demo(std::string_view json, const std::stop_token& stop) {
    try {
        return demo_of(parse_json(json, stop));
    } catch (const JsonError& error) {
        throw UsageError(error.what());
    }
}

std::string write_demo(const Demo& demo) {
    nlohmann::ordered_json stops = nlohmann::ordered_json::array();
    for (const DemoStop& stop : demo.stops) stops.push_back({{"link", stop.link}, {"note", stop.note}});
    const nlohmann::ordered_json file = {{"format", kDemoFormat},
                                         {"version", kDemoVersion},
                                         {"title", demo.title},
                                         {"stops", std::move(stops)}};
    return file.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Place place_of(const DemoStop& stop, std::size_t device, const std::vector<DeviceFacts>& devices) {
    return follow_link(stop.link, initial_state(all_scenarios().front(), device), devices);
}

void check_stops(const Demo& demo, const std::vector<DeviceFacts>& devices) {
    for (std::size_t i = 0; i < demo.stops.size(); ++i) {
        try {
            place_of(demo.stops[i], 0, devices);
        } catch (const UsageError& problem) {
            throw UsageError(fmt::format("the link of stop {} leads nowhere: {}", i + 1, problem.what()));
        }
    }
}

const std::vector<ShippedDemo>& shipped_demos() {
    static const std::vector<ShippedDemo> all = [] {
        constexpr std::string_view kFolder = "assets/demos/", kEnd = ".json";
        std::vector<ShippedDemo> demos;
        for (const std::string_view path : asset_paths(kFolder)) {
            const std::string_view id =
                path.substr(kFolder.size(), path.size() - kFolder.size() - kEnd.size());
            demos.push_back({std::string(id), parse_demo(asset(path))});
        }
        return demos;
    }();
    return all;
}

void DemoRun::open(Demo demo, std::string path) {
    const bool note = note_shown_;
    *this = {};
    note_shown_ = note;
    demo_ = std::move(demo);
    path_ = std::move(path);
}

void DemoRun::saved(std::string path) {
    path_ = std::move(path);
    changed_ = false;
}

void DemoRun::restore(Demo demo, std::string path) {
    open(std::move(demo), std::move(path));
    changed_ = true;
}

void DemoRun::play(std::size_t stop, double now) {
    if (!playing_) began_ = now;
    at_ = stop;
    playing_ = true;
    ended_ = false;
}

bool DemoRun::go(int by) {
    if (demo_.stops.empty()) return false;
    const auto last = static_cast<std::ptrdiff_t>(demo_.stops.size()) - 1;
    // The end is a place of its own, after the last stop.
    const std::ptrdiff_t there = static_cast<std::ptrdiff_t>(at_) + (ended_ ? 1 : 0) + by;
    const std::size_t before = at_;
    ended_ = there > last;
    at_ = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(there, 0, last));
    return at_ != before;
}

void DemoRun::record(std::string link) {
    if (demo_.stops.size() >= kMostDemoStops)
        throw UsageError(fmt::format("a demo has {} stops at most", kMostDemoStops));
    demo_.stops.push_back({std::move(link), ""});
    changed_ = true;
}

void DemoRun::set_link(std::size_t stop, std::string link) {
    demo_.stops.at(stop).link = std::move(link);
    changed_ = true;
}

void DemoRun::set_note(std::size_t stop, std::string note) {
    demo_.stops.at(stop).note = std::move(note);
    changed_ = true;
}

void DemoRun::set_title(std::string title) {
    demo_.title = std::move(title);
    changed_ = true;
}

void DemoRun::remove(std::size_t stop) {
    demo_.stops.erase(demo_.stops.begin() + static_cast<std::ptrdiff_t>(stop));
    if (at_ > stop || at_ == demo_.stops.size()) at_ -= at_ > 0 ? 1 : 0;
    if (demo_.stops.empty()) end();
    changed_ = true;
}

void DemoRun::move(std::size_t stop, int by) {
    const auto other = static_cast<std::ptrdiff_t>(stop) + by;
    if (other < 0 || other >= std::ssize(demo_.stops)) return;
    std::swap(demo_.stops.at(stop), demo_.stops.at(other));
    // The stop that is shown stays the one that is shown.
    if (at_ == stop)
        at_ = static_cast<std::size_t>(other);
    else if (std::cmp_equal(at_, other))
        at_ = stop;
    changed_ = true;
}

}  // namespace warplens
