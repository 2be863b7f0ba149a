#pragma once

// The one text form of a Setting and its Look. Links, `--set`, the options of `export`, the command that a
// figure carries, kept windows and the words for a difference all read and write the rows of fields(). What
// lives here: how one value is written, read, described, and what is said when it is wrong. What does not:
// the knobs of scenarios and boards, which have tables of their own (kernels/scenarios, app/boards), and how
// values are joined to a link (link.h) or to a command (app/figures/figure_command.h). To add a field, add
// it to Setting or Look (state.h) and a row in codec.cpp.

#include "app/experiment/state.h"
#include "app/model/device/device.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// A state, and which part of the window is in front. What is empty stays as it is.
struct Place {
    State state;
    std::optional<int> instruction;  ///< the one in the large picture; -1: all of them
    std::optional<int> scope;        ///< of the numbers: 0 warp, 1 block, 2 grid
    std::optional<int> tab;          ///< 0 why, 1 code, 2 lesson, 3 and 4 lesson and code with more room
};

/// One `key=value`, both as they are, without escapes.
struct Item {
    std::string key, value;
};

enum class FieldOf {
    setting,  ///< numbers depend on it; two settings of a comparison can differ in it
    look,     ///< it changes what is shown, and no number
    place,    ///< only links have it
};

/// A value that is one of a few: as it is written, and for people.
struct FieldWord {
    std::string_view value, words;
};

/// One row: everything that text knows of one member of Setting, Look or Place.
struct Field {
    std::string_view key;                   ///< in links and for --set: "bank-mode"
    FieldOf of = FieldOf::look;             //
    std::string_view label = {};            ///< for people, before the value; empty: the words say it all
    std::span<const FieldWord> words = {};  ///< all values; empty: there are more than a few
    std::optional<int> most = {};           ///< it takes whole numbers from 0 to this one
    std::string_view help = {};             ///< of the option --key; empty: no command has such an option
    std::string_view value_name = {};       ///< what its help calls the value; empty with `words`
    /// Set it. The value is one of `words` or within `most` where those are given.
    /// Errors: UsageError with what was expected, without key and value.
    void (*read)(Place&, const Field&, std::string_view value, const std::vector<DeviceFacts>&) = nullptr;
    /// The value that `read` takes; empty: there is nothing to say.
    std::string (*write)(const Place&, const Field&, const std::vector<DeviceFacts>&) = nullptr;
    /// The value for people; null: as `words` say. Takes any text. @param scenario  null if it is unknown.
    std::string (*describe)(std::string_view value, const Scenario* scenario) = nullptr;

    /// Whether it is on or off: its option has no value.
    bool is_flag() const { return words.size() == 2 && words[0].value == "0"; }
};

/// All fields, in the order in which they are written and read: what others refer to comes first.
std::span<const Field> fields();
/// By key; null if there is none.
const Field* find_field(std::string_view key);

/// Cut "a=1,b=2" at the separator and decode both sides of each. Takes any text: keys and values may be
/// empty.
std::vector<Item> split_any_items(std::string_view text, char separator);

/// @param where  stands before the message: "link 'x?a'".
/// Errors: UsageError for an item without key or value.
void require_values(const std::vector<Item>& items, std::string_view where);

/// Both. Errors: as require_values.
std::vector<Item> split_items(std::string_view text, char separator, std::string_view where);

/// "a=1,b=2": a list for --set and --compare, which split_items cuts again.
std::string join_items(const std::vector<Item>& items);
/// One of them: "device=RTX 4090". Only what would be mistaken for a separator is encoded.
std::string item_text(const Item& item);

/// Set what the items say: knobs of the scenario (all others are then at their defaults), knobs of boards,
/// fields. Of two for one key the later wins.
/// Errors: UsageError with key, value and what was expected.
Place read_items(Place start, const std::vector<Item>& items, const std::vector<DeviceFacts>& devices);

/// Everything in which a place differs from a usual one of the same scenario, so that read_items leads from
/// there to the place: knobs, knobs of boards, fields. The device is always said.
std::vector<Item> write_items(const Place& place, const Place& usual,
                              const std::vector<DeviceFacts>& devices);

/// Check a value without a scenario at hand, as far as that can be told.
/// Errors: UsageError with what was expected, without key and value.
void check_value(const Field& field, std::string_view value);

/// The value of a field for people: "empty L2", "H200".
std::string describe_value(const Field& field, std::string_view value, const Scenario* scenario);

/// An item for people: "Padding 1", "device RTX 4090", "empty L2". Takes any text; what is not known stands
/// as it is. @param scenario  null if it is unknown.
std::string describe_item(const Item& item, const Scenario* scenario);

}  // namespace warplens
