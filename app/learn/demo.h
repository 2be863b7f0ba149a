#pragma once

#include "app/experiment/codec.h"

#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// A place where a demo stops, and what the lecturer says there.
struct DemoStop {
    std::string link;  ///< app/experiment/link.h
    std::string note;  ///< may have several lines, and may be empty

    friend bool operator==(const DemoStop&, const DemoStop&) = default;
};

/// A talk: places in the program, one after the other.
struct Demo {
    std::string title;  ///< may be empty
    std::vector<DemoStop> stops;

    friend bool operator==(const Demo&, const Demo&) = default;
};

/// The beginning of every file with a demo names it.
inline constexpr std::string_view kDemoFormat = "warplens demo";

inline constexpr std::size_t kMostDemoStops = 200;  ///< that a demo has
/// The longest title, link and note [bytes].
inline constexpr std::size_t kMostTitleBytes = 200, kMostLinkBytes = 4000, kMostNoteBytes = 4000;

/// Reads a demo, which may come from anybody:
///
///     {"format": "warplens demo", "version": 1, "title": "…", "stops": [{"link": "…", "note": "…"}]}
///
/// Control characters become spaces, but for the line ends of notes. Links are not followed.
/// Errors: UsageError with one sentence: where it is wrong, what was expected, what was found.
Demo parse_demo(std::string_view json, const std::stop_token& stop = {});

/// The text of which parse_demo makes the same demo.
std::string write_demo(const Demo& demo);

/// The place of a stop. All that its link does not say is as at the start of the program.
/// @param device  for links without one, index into `devices`
/// Errors: UsageError as follow_link.
Place place_of(const DemoStop& stop, std::size_t device, const std::vector<DeviceFacts>& devices);

/// Errors: UsageError that names the first stop whose link leads nowhere, and why.
void check_stops(const Demo& demo, const std::vector<DeviceFacts>& devices);

/// A demo of the program: assets/demos/<id>.json.
struct ShippedDemo {
    std::string id;
    Demo demo;
};
/// All of them, read once.
const std::vector<ShippedDemo>& shipped_demos();

/// The demo of a window: the one that is open, where it plays, and what was changed in it. It follows no
/// link; the window does. Indices of stops must be below the number of stops.
class DemoRun {
public:
    const Demo& demo() const { return demo_; }
    const std::string& path() const { return path_; }  ///< of its file. Empty if it has none.
    bool changed() const { return changed_; }          ///< whether something is not in its file

    /// @param path  of its file. Empty if it has none.
    void open(Demo demo, std::string path);
    void saved(std::string path);
    /// Open one that an earlier run of the window had not saved.
    void restore(Demo demo, std::string path);

    // While it plays.
    bool playing() const { return playing_; }
    std::size_t at() const { return at_; }  ///< the stop that is shown
    bool ended() const { return ended_; }   ///< whether the person went on from the last stop
    bool note_shown() const { return note_shown_; }
    void show_note(bool shown) { note_shown_ = shown; }
    /// @param now  of any clock that does not go backwards [s]
    void play(std::size_t stop, double now);
    double began() const { return began_; }  ///< when it began to play, by that clock [s]
    void end() { playing_ = ended_ = false; }
    /// Go on by one (1) or back (-1). @return  whether another stop is shown now.
    bool go(int by);

    // While it is made.
    /// Errors: UsageError if it has as many stops as it may have.
    void record(std::string link);
    void set_link(std::size_t stop, std::string link);
    void set_note(std::size_t stop, std::string note);
    void set_title(std::string title);
    void remove(std::size_t stop);
    void move(std::size_t stop, int by);  ///< exchange it with a neighbour; nothing happens at the ends

private:
    Demo demo_;
    std::string path_;
    std::size_t at_ = 0;
    double began_ = 0;
    bool playing_ = false, ended_ = false, note_shown_ = true, changed_ = false;
};

}  // namespace warplens
