#include "app/window/finder.h"

#include "app/base/system.h"
#include "app/base/text.h"
#include "app/learn/courses.h"
#include "app/learn/demo.h"
#include "app/learn/glossary.h"
#include "app/learn/manual.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace warplens {
namespace {

using FoundKind = Findable::Kind;

/// The title is its first name, unless it has one already.
void add_found(std::vector<Findable>& all, Findable one, std::vector<std::string_view> others = {}) {
    one.names.push_back(lower_case(one.title));
    for (const std::string_view name : others)
        if (!name.empty()) one.names.push_back(lower_case(name));
    all.push_back(std::move(one));
}

/// Two scenarios of different memories have the same title.
std::string title_of_scenario(const Scenario& scenario) {
    const std::string_view title = scenario.info->title;
    const auto same = [&](const Scenario& other) { return other.info->title == title; };
    if (std::ranges::count_if(all_scenarios(), same) == 1) return std::string(title);
    return fmt::format("{} ({} memory)", title, space_name(home_space(scenario)));
}

/// The keys of an action without the parentheses of a hint.
std::string keys_for(const Action& action) {
    const std::string hint = key_hint(action);
    return hint.empty() ? hint : hint.substr(1, hint.size() - 2);
}

void add_boards(std::vector<Findable>& all) {
    for (const BoardInfo* board : all_boards()) {
        const action::ShowBoard show{board};
        add_found(all,
                  {FoundKind::board,
                   std::string(board->label),
                   std::string(board->tooltip),
                   keys_for(show),
                   {show}},
                  {board->key});
    }
}

/// Its control is in the left column, which shows the scenario's parameters for boards about it.
void add_parameters(std::vector<Findable>& all, const State& state) {
    for (const Knob& knob : state.scenario->info->knobs) {
        std::vector<std::string_view> names{knob.key, knob.alias};
        for (const Choice& choice : knob.choices) names.insert(names.end(), {choice.name, choice.alias});
        std::string now = fmt::format("now {}", format_knob(knob, state.params));
        add_found(
            all,
            {FoundKind::parameter, std::string(knob.label), std::move(now), {}, {action::FocusKnob{&knob}}},
            std::move(names));
    }
}

void add_presets(std::vector<Findable>& all, const Scenario& scenario) {
    for (const Preset& preset : scenario.info->presets) {
        std::string link = fmt::format("{}?{}", scenario.info->id, preset.settings);
        std::ranges::replace(link, ',', '&');
        // Its own name comes first, so that whoever types the scenario's title does not get its presets
        // first.
        add_found(all,
                  {FoundKind::preset,
                   fmt::format("{}: {}", title_of_scenario(scenario), preset.name),
                   std::string(preset.settings),
                   {},
                   {action::FollowLink{std::move(link), {}}},
                   {lower_case(preset.name)}},
                  {scenario.info->id});
    }
}

void add_commands(std::vector<Findable>& all) {
    for (const KeyCommand& command : key_commands())
        add_found(all, {FoundKind::command, command.title, {}, command.keys, {command.action}});
    using action::Do;
    const std::pair<const char*, Action> without_keys[] = {
        {"Copy the picture", Do::copy_picture},
        {"Copy a link to what is set", Do::copy_link},
        {"Themes and palettes", action::Show{&View::theme_menu}},
        {"Tour of the window", action::set(&View::tour, 0)},
        {"Words of the field, explained", action::ShowHelp{HelpPage::words}},
    };
    for (const auto& [title, action] : without_keys)
        add_found(all, {FoundKind::command, title, {}, {}, {action}});
    if (!kHasPaths) add_found(all, {FoundKind::command, "Open a file", {}, {}, {Do::choose_files}});
}

void add_lessons(std::vector<Findable>& all) {
    const action::ShowTab lesson{2};
    for (const Scenario& scenario : all_scenarios())
        add_found(all,
                  {FoundKind::lesson,
                   fmt::format("Lesson: {}", title_of_scenario(scenario)),
                   {},
                   {},
                   {action::GoTo{&scenario}, action::ShowBoard{subject_board(scenario)}, lesson}},
                  {scenario.info->id});
    for (const BoardInfo* board : all_boards())
        if (!board->lesson.empty())
            add_found(all, {FoundKind::lesson,
                            fmt::format("Lesson: {}", board->label),
                            {},
                            {},
                            {action::ShowBoard{board}, lesson}});
    for (const Course& course : courses())
        add_found(all, {FoundKind::course, course.title, course.about, {}, {action::OpenCourse{course.id}}},
                  {course.id});
}

void add_demos(std::vector<Findable>& all) {
    for (const ShippedDemo& shipped : shipped_demos())
        add_found(all, {FoundKind::demo,
                        shipped.demo.title,
                        fmt::format("{} stops", shipped.demo.stops.size()),
                        {},
                        {action::OpenDemo{shipped.id}}});
}

void add_terms(std::vector<Findable>& all) {
    for (const Term& term : glossary())
        add_found(
            all,
            {FoundKind::term, term.term, term.meaning, {}, {action::ShowHelp{HelpPage::words, term.term}}},
            {term.forms.begin(), term.forms.end()});
}

void add_manual(std::vector<Findable>& all) {
    for (const Chapter& chapter : manual())
        for (const Block& block : chapter.blocks) {
            if (block.kind != BlockKind::heading) continue;
            const std::string title = plain_text(block),
                              about = fmt::format("in the chapter {}", chapter.title);
            const bool whole = block.level == 1;
            add_found(all, {FoundKind::manual,
                            whole ? fmt::format("Manual: {}", title) : title,
                            whole ? chapter.about : about,
                            {},
                            {action::ShowHelp{HelpPage::manual,
                                              whole ? chapter.id : chapter.id + '#' + anchor_of(block)}}});
        }
}

void add_gpus(std::vector<Findable>& all, const Frame& frame) {
    const std::vector<DeviceFacts>& devices = *frame.devices;
    for (std::size_t i = devices.size(); i-- > 0;)  // newest first
        add_found(all, {FoundKind::gpu,
                        devices[i].name,
                        fmt::format("compute capability {}", devices[i].cc.text()),
                        {},
                        {action::changed(*frame.state, &State::device, i)}});
}

void add_files(std::vector<Findable>& all, const Frame& frame) {
    for (const OpenRecording& open : frame.recordings->all())
        add_found(all,
                  {FoundKind::file,
                   open.label(),
                   "shows this recording",
                   {},
                   {action::ShowRecording{open.look, true}}},
                  {open.file});
    const std::vector<KernelDocument>& kernels = frame.typing->documents();
    for (std::size_t i = 0; i < kernels.size(); ++i)
        add_found(
            all,
            {FoundKind::file, title_of(kernels[i]), remark_on(kernels[i]), {}, {action::OpenDocument{i}}},
            {kernels[i].name});
    for (const std::string& path : *frame.recent)
        add_found(all, {FoundKind::file,
                        printable(std::filesystem::path(path).filename().string()),
                        printable(path),
                        {},
                        {action::OpenFile{path}}});
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
}

bool has_in_order(std::string_view name, std::string_view letters) {
    std::size_t at = 0;
    for (const char c : name)
        if (at < letters.size() && c == letters[at]) ++at;
    return at == letters.size();
}

/// How well a word fits a name: 0 best. Empty if it does not.
std::optional<int> cost_in(std::string_view name, std::string_view word) {
    if (name == word) return 0;
    std::size_t at = name.find(word);
    if (at == 0) return 1;
    const bool inside = at != std::string_view::npos;
    for (; at != std::string_view::npos; at = name.find(word, at + 1))
        if (!is_letter(name[at - 1])) return 2;
    if (inside) return 3;
    return has_in_order(name, word) ? std::optional(4) : std::nullopt;
}

std::optional<int> cost_of_word(const Findable& one, std::string_view word) {
    std::optional<int> best;
    for (std::size_t i = 0; i < one.names.size(); ++i) {
        const std::optional<int> cost = cost_in(one.names[i], word);
        const int other =
            i > 0 && cost.value_or(0) > 0;  // a title before other names; but whole names are equal
        const int with_place = 2 * cost.value_or(0) + other;
        if (cost && (!best || with_place < *best)) best = with_place;
    }
    return best;
}

std::vector<std::string> typed_words(std::string_view typed) {
    std::vector<std::string> words(1);
    for (const char c : lower_case(typed)) {
        if (c != ' ')
            words.back() += c;
        else if (!words.back().empty())
            words.emplace_back();
    }
    if (words.back().empty()) words.pop_back();
    return words;
}

}  // namespace

std::string_view kind_name(FoundKind kind) {
    constexpr std::string_view kNames[] = {"scenario", "board", "parameter", "preset", "command", "lesson",
                                           "course",   "demo",  "word",      "manual", "GPU",     "file"};
    return kNames[int(kind)];
}

std::vector<Findable> findables(const Frame& frame) {
    std::vector<Findable> all;
    for (const Scenario& scenario : all_scenarios())
        add_found(all,
                  {FoundKind::scenario,
                   title_of_scenario(scenario),
                   std::string(scenario.info->summary),
                   {},
                   {action::GoTo{&scenario}}},
                  {scenario.info->id, scenario.info->earlier_title});
    add_boards(all);
    add_parameters(all, *frame.state);
    for (const Scenario& scenario : all_scenarios()) add_presets(all, scenario);
    add_commands(all);
    add_lessons(all);
    add_demos(all);
    add_terms(all);
    add_manual(all);
    add_gpus(all, frame);
    add_files(all, frame);
    return all;
}

std::vector<std::size_t> find_in(std::span<const Findable> all, std::string_view typed, std::size_t most) {
    const std::vector<std::string> words = typed_words(typed);
    struct Match {
        int worst, sum;
        std::size_t index;
        auto operator<=>(const Match&) const = default;
    };
    std::vector<Match> matches;
    for (std::size_t i = 0; i < all.size(); ++i) {
        Match match{0, 0, i};
        const bool fits = std::ranges::all_of(words, [&](const std::string& word) {
            const std::optional<int> cost = cost_of_word(all[i], word);
            match.worst = std::max(match.worst, cost.value_or(0));
            match.sum += cost.value_or(0);
            return cost.has_value();
        });
        if (fits) matches.push_back(match);
    }
    std::ranges::sort(matches);
    std::vector<std::size_t> found;
    for (const Match& match : matches)
        if (found.size() < most) found.push_back(match.index);
    return found;
}

}  // namespace warplens
