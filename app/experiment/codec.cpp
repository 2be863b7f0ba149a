#include "app/experiment/codec.h"

#include "app/base/errors.h"
#include "app/base/parse_number.h"
#include "app/base/text.h"
#include "app/experiment/link.h"
#include "app/experiment/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

namespace warplens {
namespace {

using Devices = std::vector<DeviceFacts>;

constexpr FieldWord kColdWords[] = {{"0", "warm L2"}, {"1", "empty L2"}};
constexpr FieldWord kBankModes[] = {{"4", "4-byte bank mode"}, {"8", "8-byte bank mode"}};
constexpr FieldWord kShows[] = {{"model", "the model's heatmap"},
                                {"measured", "the measured heatmap"},
                                {"difference", "the heatmap of the difference"}};
constexpr FieldWord kFits[] = {{"0", "the plot"}, {"1", "cycles against wavefronts"}};
constexpr FieldWord kColors[] = {
    {"wavefront", "coloured by wavefront"}, {"words", "coloured by words"}, {"lane", "coloured by lane"}};
constexpr FieldWord kRows[] = {{"banks", "rows of all banks"}, {"tile", "rows of the tile"}};
constexpr FieldWord kDrawn[] = {{"memory", "memory as it is laid out"},
                                {"bits", "the bits of the addresses"}};
constexpr FieldWord kLogAxes[] = {{"0", "linear axes"}, {"1", "logarithmic axes"}};
constexpr FieldWord kPlotted[] = {{"sectors", "sectors"}, {"speed", "the speed"}};
constexpr FieldWord kLogColors[] = {{"0", "linear colours"}, {"1", "logarithmic colours"}};
constexpr FieldWord kScopes[] = {
    {"warp", "numbers of the warp"}, {"block", "numbers of the block"}, {"grid", "numbers of the grid"}};
constexpr FieldWord kTabs[] = {{"why", ""}, {"code", ""}, {"lesson", ""}, {"reading", ""}, {"source", ""}};
constexpr int kMostWavefront = 1023;

// Members of a place by pointer, as numbers: words are counted from 0, and -1 is an empty optional.
template <class Owner, class T>
T& member_of(Place& place, T Owner::*member) {
    if constexpr (std::is_same_v<Owner, Place>)
        return place.*member;
    else
        return place.state.*member;
}
template <auto member>
int number_of(const Place& place) {
    const auto& value = member_of(const_cast<Place&>(place), member);  // only read
    if constexpr (requires { value.has_value(); })
        return value ? int(*value) : -1;
    else
        return int(value);
}
template <auto member>
void set_number(Place& place, int number) {
    auto& value = member_of(place, member);
    using Value = std::remove_reference_t<decltype(value)>;
    if constexpr (requires { value.has_value(); })
        value = static_cast<typename Value::value_type>(number);
    else
        value = Value(number);
}

template <auto member>
void read_word(Place& place, const Field& field, std::string_view value, const Devices&) {
    const auto found = std::ranges::find(field.words, value, &FieldWord::value);
    set_number<member>(place, int(found - field.words.begin()));
}
template <auto member>
std::string write_word(const Place& place, const Field& field, const Devices&) {
    const int number = number_of<member>(place);
    return number < 0 ? std::string() : std::string(field.words[number].value);
}
template <auto member>
void read_number(Place& place, const Field&, std::string_view value, const Devices&) {
    set_number<member>(place, *parse_number<int>(value));
}
template <auto member>
std::string write_number(const Place& place, const Field&, const Devices&) {
    const int number = number_of<member>(place);
    return number < 0 ? std::string() : std::to_string(number);
}

/// A field whose values are words.
template <auto member>
constexpr Field word_field(std::string_view key, std::span<const FieldWord> words, std::string_view help = {},
                           FieldOf of = FieldOf::look) {
    return {.key = key,
            .of = of,
            .words = words,
            .help = help,
            .read = read_word<member>,
            .write = write_word<member>};
}

template <const Knob* Look::*axis>
void read_axis(Place& place, const Field&, std::string_view value, const Devices&) {
    place.state.*axis = &require_axis(*place.state.scenario, value);
}
template <const Knob* Look::*axis>
std::string write_axis(const Place& place, const Field&, const Devices&) {
    const Knob* knob = place.state.*axis;
    return std::string(knob == nullptr ? "" : knob->key);
}
std::string axis_name(std::string_view key, const Scenario* scenario) {
    const Knob* knob = scenario == nullptr ? nullptr : find_knob(*scenario, key);
    return std::string(knob == nullptr ? key : knob->label);
}
template <const Knob* Look::*axis>
constexpr Field axis_field(std::string_view key, std::string_view label, std::string_view help) {
    return {.key = key,
            .label = label,
            .help = help,
            .value_name = "NAME",
            .read = read_axis<axis>,
            .write = write_axis<axis>,
            .describe = axis_name};
}

void read_device(Place& place, const Field&, std::string_view value, const Devices& devices) {
    const auto found = find_device(devices, value);
    if (!found) throw UsageError(no_such_device(devices, value));
    place.state.device = *found;
}
std::string write_device(const Place& place, const Field&, const Devices& devices) {
    return place.state.device < devices.size() ? devices[place.state.device].name : std::string();
}

void read_board(Place& place, const Field&, std::string_view value, const Devices&) {
    if (const BoardInfo* board = find_board(value)) {
        place.state.board = board;
        return;
    }
    const auto keys = names_of(all_boards(), &BoardInfo::key);
    throw UsageError(
        fmt::format("there is no such board{} (boards: {})", did_you_mean(value, keys), join_names(keys)));
}
std::string write_board(const Place& place, const Field&, const Devices&) {
    return std::string(place.state.board->key);
}
std::string board_name(std::string_view key, const Scenario*) {
    const BoardInfo* info = find_board(key);
    return std::string(info == nullptr ? key : info->label);
}

void read_compared(Place& place, const Field&, std::string_view value, const Devices& devices) {
    place.state.compared.reset();
    if (value != "none") place.state.compared = compared_state(value, place.state, devices);
}
std::string write_compared(const Place& place, const Field&, const Devices& devices) {
    if (!place.state.compared) return {};
    return compared_text(state_of(*place.state.compared, place.state), place.state, devices);
}

void read_instruction(Place& place, const Field&, std::string_view value, const Devices&) {
    const int count = place.state.scenario->instruction_count(place.state.params);
    const auto number = value == "all" ? -1 : parse_number<int>(value);
    if (!number || *number < -1 || *number >= count || (*number == -1 && value != "all"))
        throw UsageError(
            fmt::format("expected all or a whole number: {} has instructions 0 to {} as it is set",
                        place.state.scenario->info->id, count - 1));
    place.instruction = *number;
}
std::string write_instruction(const Place& place, const Field&, const Devices&) {
    if (!place.instruction) return {};
    return *place.instruction < 0 ? "all" : std::to_string(*place.instruction);
}
std::string picture_name(std::string_view value, const Scenario*) {
    if (value == "all") return "all pictures side by side";
    return fmt::format("picture {}", parse_number<int>(value).value_or(0) + 1);
}

const Field kFields[] = {
    axis_field<&Look::axis>("axis", "plot against", "The parameter along the bandwidth plot"),
    axis_field<&Look::second_axis>("second-axis", "and", "The parameter up the heatmap"),
    word_field<&Look::heatmap_show>(
        "show", kShows, "What a heatmap shows; measured and difference need a recording; default model"),
    word_field<&Look::fit>("fit", kFits),
    word_field<&Look::color_by>("color-by", kColors, "Shared memory's cells"),
    word_field<&Look::by_tile>("bank-rows", kRows,
                               "What a row of shared memory's picture is, where it has a tile"),
    word_field<&Look::bits>("draw", kDrawn, "What the pictures of accesses show"),
    {.key = "wavefront",
     .label = "only wavefront",
     .most = kMostWavefront,
     .help = "Only this wavefront, or sector of global memory, counted from 0",
     .value_name = "K",
     .read = read_number<&Look::player_step>,
     .write = write_number<&Look::player_step>},
    {.key = "passed",
     .label = "of it passed",
     .most = 100,
     .help = "How much of --wavefront has passed in percent, as while it is played; of a board's step: of "
             "the way to it",
     .value_name = "PERCENT",
     .read = read_number<&Look::player_percent>,
     .write = write_number<&Look::player_percent>},
    word_field<&Look::log_axes>("log", kLogAxes, "Logarithmic axes"),
    word_field<&Look::plots_speed>(
        "plot", kPlotted, "What the plot shows of a scenario that takes the same time at every setting"),
    word_field<&Look::log_colors>("log-colors", kLogColors),
    word_field<&Setting::cold>(kColdKey, kColdWords, "Predict launches that find an empty L2",
                               FieldOf::setting),
    word_field<&Setting::bank_mode>(
        "bank-mode", kBankModes,
        "GPUs of compute capability 3.x: bytes of a shared memory bank's word; default 4", FieldOf::setting),
    {.key = "board",
     .label = "on the board",
     .read = read_board,
     .write = write_board,
     .describe = board_name},
    {.key = "device",
     .of = FieldOf::setting,
     .label = "device",
     .help = "For which GPU: words of its name, a compute capability, or here",
     .value_name = "NAME|CC",
     .read = read_device,
     .write = write_device},
    word_field<&Place::scope>("scope", kScopes, "", FieldOf::place),
    word_field<&Place::tab>("tab", kTabs, "", FieldOf::place),
    {.key = "instruction",
     .of = FieldOf::place,
     .read = read_instruction,
     .write = write_instruction,
     .describe = picture_name},
    {.key = "compare",
     .label = "beside",
     .read = read_compared,
     .write = write_compared,
     .describe = describe_compared},
};

/// Says in one sentence why an item is wrong.
UsageError wrong(const Item& item, std::string_view what) {
    return UsageError(fmt::format("{}={}: {}", printable(item.key), printable(item.value), what));
}

bool is_board_key(std::string_view key) {
    return find_board_knob(key) != nullptr || key.find('.') != std::string_view::npos;
}

void read_board_value(BoardValues& values, const Item& item) {
    const BoardKnob* knob = find_board_knob(item.key);
    if (knob == nullptr) {
        const auto keys = names_of(all_board_knobs(), &BoardKnob::key);
        throw wrong(item, fmt::format("there is no such setting of a board{} (settings: {})",
                                      did_you_mean(item.key, keys), join_names(keys)));
    }
    const auto number = parse_number<int>(item.value);
    if (!number || *number < knob->min || *number > knob->max)
        throw wrong(item, fmt::format("{} takes {} to {}", knob->label, knob->min, knob->max));
    values.set(*knob, *number);
}

void read_field(Place& place, const Field& field, const Item& item, const Devices& devices) {
    try {
        check_value(field, item.value);
        field.read(place, field, item.value, devices);
    } catch (const UsageError& why) {
        throw wrong(item, why.what());
    }
}

UsageError unknown_key(const Scenario& scenario, const Item& item) {
    return wrong(item, no_such_knob(scenario, item.key, names_of(kFields, &Field::key)));
}

}  // namespace

std::span<const Field> fields() { return kFields; }

const Field* find_field(std::string_view key) {
    const auto found = std::ranges::find(kFields, key, &Field::key);
    return found == std::end(kFields) ? nullptr : &*found;
}

void require_values(const std::vector<Item>& items, std::string_view where) {
    for (const Item& item : items) {
        if (!item.key.empty() && !item.value.empty()) continue;
        throw UsageError(fmt::format("{}: expected key=value, not '{}{}{}'", where, item.key,
                                     item.value.empty() ? "" : "=", item.value));
    }
}

std::vector<Item> split_items(std::string_view text, char separator, std::string_view where) {
    std::vector<Item> items = split_any_items(text, separator);
    require_values(items, where);
    return items;
}

std::vector<Item> split_any_items(std::string_view text, char separator) {
    std::vector<Item> items;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(separator, start), text.size());
        const std::string_view piece = text.substr(start, end - start);
        const std::size_t equals = std::min(piece.find('='), piece.size());
        items.push_back({percent_decode(piece.substr(0, equals)),
                         percent_decode(piece.substr(std::min(equals + 1, piece.size())))});
        start = end + 1;
    }
    return items;
}

std::string item_text(const Item& item) {
    return fmt::format("{}={}", item.key, percent_encode(item.value, " !\"#$'()*+-./:;<=>@[\\]^_`{|}~"));
}

std::string join_items(const std::vector<Item>& items) {
    std::string text;
    for (const Item& item : items) text += (text.empty() ? "" : ",") + item_text(item);
    return text;
}

Place read_items(Place start, const std::vector<Item>& items, const Devices& devices) {
    Place place = std::move(start);
    std::vector<Item> knobs;
    const Item* given[std::size(kFields)] = {};  // if a field occurs twice, the later item
    for (const Item& item : items) {
        if (const Field* field = find_field(item.key))
            given[field - kFields] = &item;
        else if (is_board_key(item.key))
            read_board_value(place.state.boards, item);
        else if (find_knob(*place.state.scenario, item.key) != nullptr)
            knobs.push_back(item);
        else
            throw unknown_key(*place.state.scenario, item);
    }
    clamp_board(place.state.boards);
    if (!knobs.empty()) place.state.params = apply_knobs(*place.state.scenario, knobs);
    for (std::size_t i = 0; i < std::size(kFields); ++i) {
        if (given[i] != nullptr) read_field(place, kFields[i], *given[i], devices);
    }
    return place;
}

std::vector<Item> write_items(const Place& place, const Place& usual, const Devices& devices) {
    std::vector<Item> items;
    for (const Knob& knob : place.state.scenario->info->knobs) {
        if (place.state.params.*knob.field != usual.state.params.*knob.field)
            items.push_back({std::string(knob.key), format_knob(knob, place.state.params)});
    }
    for (const BoardKnob* knob : all_board_knobs()) {
        const int value = place.state.boards[*knob];
        if (value != usual.state.boards[*knob])
            items.push_back({std::string(knob->key), std::to_string(value)});
    }
    for (const Field& field : kFields) {
        std::string value = field.write(place, field, devices);
        if (!value.empty() && value != field.write(usual, field, devices))
            items.push_back({std::string(field.key), std::move(value)});
    }
    return items;
}

void check_value(const Field& field, std::string_view value) {
    if (field.most) {
        const auto number = parse_number<int>(value);
        if (!number || *number < 0 || *number > *field.most)
            throw UsageError(fmt::format("expected a whole number from 0 to {}", *field.most));
    } else if (!field.words.empty() &&
               std::ranges::find(field.words, value, &FieldWord::value) == field.words.end()) {
        const auto values = names_of(field.words, &FieldWord::value);
        throw UsageError(values.size() == 2 ? fmt::format("expected {} or {}", values[0], values[1])
                                            : fmt::format("expected one of {}", join_names(values)));
    }
}

std::string describe_value(const Field& field, std::string_view value, const Scenario* scenario) {
    if (field.describe != nullptr) return field.describe(value, scenario);
    const auto found = std::ranges::find(field.words, value, &FieldWord::value);
    if (found != field.words.end()) return std::string(found->words);
    return field.label.empty() ? fmt::format("{} {}", field.key, value) : std::string(value);
}

std::string describe_item(const Item& item, const Scenario* scenario) {
    std::string text;
    if (const Field* field = find_field(item.key)) {
        const std::string value = describe_value(*field, item.value, scenario);
        text = field->label.empty() ? value : fmt::format("{} {}", field->label, value);
    } else if (const BoardKnob* of_board = find_board_knob(item.key)) {
        text = fmt::format("{} {}", of_board->label, item.value);
    } else {
        const Knob* knob = scenario == nullptr ? nullptr : find_knob(*scenario, item.key);
        text = fmt::format("{} {}", knob == nullptr ? item.key : knob->label, item.value);
    }
    std::erase(text, '%');  // no valid value contains one, so these are the rest of a damaged escape
    return text;
}

}  // namespace warplens
