#pragma once

// The only text form of a Setting and its Look. Links, `--set`, the options of `export`, the command in a
// figure, saved states and descriptions of differences all use the rows of fields(). Here is how one value is
// written, read and described, and its error messages. Elsewhere are the knobs of scenarios and boards, which
// have their own tables (kernels/scenarios, app/boards), and how values are joined to a link (link.h) or a
// command (app/figures/figure_command.h). To add a field, add it to Setting or Look (state.h) and a row in
// codec.cpp.

#include "app/experiment/state.h"
#include "app/model/device/device.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// A state, and what the window shows of it. Empty members leave the window unchanged.
struct Place {
    State state;
    std::optional<int> instruction;  ///< the instruction in the large picture. -1 for all.
    std::optional<int> scope;        ///< scope of the numbers: 0 warp, 1 block, 2 grid
    std::optional<int> tab;          ///< 0 why, 1 code, 2 lesson; with more room 3 lesson, 4 code
};

/// One `key=value`, with all escapes decoded.
struct Item {
    std::string key, value;
};

enum class FieldOf {
    setting,  ///< it changes numbers, and the sides of a comparison can differ in it
    look,     ///< it changes what is shown, but no number
    place,    ///< it occurs only in links
};

/// One of a few named values: as it is written, and in words for people.
struct FieldWord {
    std::string_view value, words;
};

/// One row: how one member of Setting, Look or Place is written, read and described.
struct Field {
    std::string_view key;                   ///< in links and for --set: "bank-mode"
    FieldOf of = FieldOf::look;             //
    std::string_view label = {};            ///< for people, before the value. Empty if the words need none.
    std::span<const FieldWord> words = {};  ///< all values. Empty if there are too many to list.
    std::optional<int> most = {};           ///< it takes whole numbers from 0 to this one, if set
    std::string_view help = {};        ///< help of the option --key. Empty if no command has that option.
    std::string_view value_name = {};  ///< name of the value in the help. Empty if there are `words`.
    /// Sets the member. If `words` or `most` are given, the value has been checked against them.
    /// Errors: UsageError with what was expected, without key and value.
    void (*read)(Place&, const Field&, std::string_view value, const std::vector<DeviceFacts>&) = nullptr;
    /// Returns the value as `read` takes it. Empty if nothing needs to be written.
    std::string (*write)(const Place&, const Field&, const std::vector<DeviceFacts>&) = nullptr;
    /// Describes a value, which may be any text, for people. Null if `words` describe it. @param scenario
    /// null if it is unknown.
    std::string (*describe)(std::string_view value, const Scenario* scenario) = nullptr;

    /// Whether it can only be on or off, so that its option has no value.
    bool is_flag() const { return words.size() == 2 && words[0].value == "0"; }
};

/// All fields, in the order in which they are written and read. Fields that others depend on come first.
std::span<const Field> fields();
/// The field with this key. Null if there is none.
const Field* find_field(std::string_view key);

/// Cut "a=1,b=2" at the separator and decode keys and values. Takes any text, so keys and values may be
/// empty.
std::vector<Item> split_any_items(std::string_view text, char separator);

/// @param where  what the message begins with: "link 'x?a'".
/// Errors: UsageError for an item without key or value.
void require_values(const std::vector<Item>& items, std::string_view where);

/// split_any_items, then require_values. Errors: as require_values.
std::vector<Item> split_items(std::string_view text, char separator, std::string_view where);

/// "a=1,b=2": a list for --set and --compare, which split_items can cut again.
std::string join_items(const std::vector<Item>& items);
/// One item of such a list: "device=RTX 4090". Only characters that would be mistaken for a separator are
/// encoded.
std::string item_text(const Item& item);

/// Set knobs of the scenario, knobs of boards, and fields. If there are knobs of the scenario, its other
/// knobs get their defaults. If a key occurs twice, the later item counts. Errors: UsageError with key, value
/// and what was expected.
Place read_items(Place start, const std::vector<Item>& items, const std::vector<DeviceFacts>& devices);

/// Everything in which a place differs from `usual`, a place of the same scenario, so that read_items leads
/// from `usual` to the place: knobs, knobs of boards, fields.
std::vector<Item> write_items(const Place& place, const Place& usual,
                              const std::vector<DeviceFacts>& devices);

/// Check a value as far as that is possible without a scenario.
/// Errors: UsageError with what was expected, without key and value.
void check_value(const Field& field, std::string_view value);

/// The value of a field for people: "empty L2", "H200".
std::string describe_value(const Field& field, std::string_view value, const Scenario* scenario);

/// An item in words for people: "Padding 1", "device RTX 4090", "empty L2". Takes any text; unknown keys and
/// values stay unchanged. @param scenario  null if it is unknown.
std::string describe_item(const Item& item, const Scenario* scenario);

}  // namespace warplens
