#pragma once

#include "app/window/action.h"
#include "app/window/frame.h"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// Something that a person can go to, or do, by typing a part of its name.
struct Findable {
    /// In the order in which equally good ones are listed.
    enum class Kind {
        scenario,
        board,
        parameter,
        preset,
        command,
        lesson,
        course,
        demo,
        term,
        manual,
        gpu,
        file
    };
    Kind kind = Kind::command;
    std::string title;
    std::string remark;  ///< a few words more. Empty if there are none.
    std::string keys;    ///< the keys that do it: "Ctrl+E". Empty if there are none.
    std::vector<Action> actions;
    /// Its names, in lower case: the title, then ids, earlier names, other forms of a term.
    std::vector<std::string> names;
};

/// For the list: "scenario", "parameter".
std::string_view kind_name(Findable::Kind kind);

/// Everything that can be found in the present state: scenarios with their presets and lessons, boards, the
/// parameters of the present scenario, commands, courses, demos, words, headings of the manual, GPUs, and
/// files that are or were open.
std::vector<Findable> findables(const Frame& frame);

/// Things that a person probably means, best first, as indices into `all`. Every word typed must occur, in
/// any order and in upper or lower case: the beginning of a name before that of a word in it, that before
/// letters inside of words, and that before letters with others between. The first ones if nothing is typed.
/// @param most  so many are returned at most
std::vector<std::size_t> find_in(std::span<const Findable> all, std::string_view typed, std::size_t most);

/// The list while it is open (View::finder).
struct Finder {
    static constexpr std::size_t kMostRows = 12;

    std::vector<Findable> all;  ///< made once when it opens
    std::array<char, 128> typed{};
    std::vector<std::size_t> found;  ///< of `all`
    std::size_t row = 0;             ///< the chosen one of `found`
};

}  // namespace warplens
