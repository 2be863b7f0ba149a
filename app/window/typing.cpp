#include "app/window/typing.h"

#include "app/base/assets.h"
#include "app/base/output.h"
#include "app/base/text.h"
#include "app/code/code_page.h"
#include "app/code/code_text.h"
#include "app/experiment/typed_kernel.h"
#include "app/typed/parse/source.h"
#include "app/window/apply_parts.h"
#include "app/window/host.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace warplens {
namespace {

/// A pause of typing after which a text is read [s].
constexpr double kPause = 0.15;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Whether a name stands in a text as a word of its own.
bool has_word(std::string_view text, std::string_view name) {
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
        const bool begins = at == 0 || !is_word(text[at - 1]),
                   ends = at + name.size() >= text.size() || !is_word(text[at + name.size()]);
        if (begins && ends) return true;
    }
    return false;
}

/// "32, 8" of "const dim3 grid(32, 8)" in the host code.
std::string shape_of(std::string_view host, std::string_view name) {
    const std::string head = fmt::format("{}(", name);
    const std::string_view shape = split_once(split_once(host, "dim3 ").second, head).second;
    return shape.empty() ? "1" : std::string(split_once(shape, ")").first);
}

/// The parameters of a kernel: "// let n = 4096" for each "const int n = 4096" of the host code
/// whose name stands in the kernel.
std::string lets_of(std::string_view kernel, std::string_view host) {
    std::string lets;
    for (std::string_view line : lines_of_code(host)) {
        line = line.substr(0, line.find(';'));
        constexpr std::string_view kTypes[] = {"    const int ", "    const unsigned ", "    const size_t "};
        const auto* type =
            std::ranges::find_if(kTypes, [&](std::string_view one) { return line.starts_with(one); });
        if (type == std::end(kTypes)) continue;
        if (line.find_first_of("<{\"'.[?") != std::string_view::npos)
            continue;  // no expression of the subset
        line.remove_prefix(type->size());
        while (!line.empty()) {
            const auto [one, others] = split_once(line, ", ");
            const auto [name, value] = split_once(one, " = ");
            if (value.empty()) break;
            if (has_word(kernel, name)) lets += fmt::format("// let {} = {}\n", name, value);
            line = others;
        }
    }
    return lets;
}

}  // namespace

void Typing::open(const std::string& text, const std::string& name, const std::string& path, double now) {
    open_ = true;
    text_ = text;
    name_ = name;
    path_ = path;
    problem_.reset();
    ++replaced_;
    due_ = now;
}

void Typing::type(const std::string& text, double now) {
    if (text == text_) return;
    text_ = text;
    due_ = now + kPause;
}

void Typing::follow(const Scenario& scenario) {
    if (&scenario == shown_) return;
    shown_ = &scenario;
    if (scenario.typed == nullptr) return;
    open_ = true;
    if (scenario.typed->text() == text_) return;
    text_ = scenario.typed->text();
    name_ = scenario.typed->file();
    path_.clear();
    problem_.reset();
    due_.reset();
    ++replaced_;
}

Work<KernelText> answer(const KernelKey& key, Store&) {
    return in_one_piece<KernelText>([key](const std::stop_token&) -> std::optional<KernelText> {
        KernelText read;
        try {
            read.scenario = &open_kernel(key.text, key.name);
        } catch (const typed::SourceError& error) {
            read.problem = {error.position().line, error.position().column, error.what()};
        } catch (const std::exception& error) {
            read.problem = {1, 1, error.what()};
        }
        return read;
    });
}

const Scenario* Typing::advance(Store& store, double now) {
    if (due_ && now >= *due_) {
        due_.reset();
        wanted_ = KernelKey{text_, name_};
    }
    if (!wanted_) return nullptr;
    const Answer<KernelText> answer = store.get(*wanted_);
    if (is_pending(answer)) return nullptr;
    const Ready<KernelText> read = known_of(answer);
    const bool typed_on = std::exchange(wanted_, std::nullopt)->text != text_;
    if (read == nullptr || typed_on) return nullptr;
    problem_ = read->problem;
    if (read->scenario != nullptr) shown_ = read->scenario;
    return read->scenario;
}

std::optional<double> Typing::due_in(double now) const {
    if (!due_) return std::nullopt;
    return std::max(0.0, *due_ - now);
}

State state_after_typing(const Scenario& scenario, const State& before) {
    State now = initial_state(scenario, before.device);
    for (const Knob& knob : before.scenario->info->knobs) {
        const auto same = std::ranges::find_if(scenario.info->knobs, [&](const Knob& other) {
            return other.key == knob.key && other.kind == knob.kind;
        });
        if (same == scenario.info->knobs.end()) continue;
        // The text counts, unless the person has turned the knob away from what it said before.
        const int value = before.params.*knob.field;
        if (value != before.scenario->info->defaults.*knob.field) now.params.*same->field = value;
        if (!can_be_axis(scenario, *same)) continue;
        if (before.axis == &knob) now.axis = &*same;
        if (before.second_axis == &knob) now.second_axis = &*same;
    }
    clamp_knobs(scenario, now.params);
    // All else stays as it was, but for what names knobs of the kernel.
    State after = before;
    after.scenario = now.scenario;
    after.params = now.params;
    after.axis = now.axis;
    after.second_axis = now.second_axis;
    return after;
}

std::string first_kernel() { return std::string(asset("assets/typed/own-stride.cu")); }

std::string kernel_to_edit(const State& state) {
    if (state.scenario->typed != nullptr) return state.scenario->typed->text();
    const CodePage page = code_page(*state.scenario, state.params);
    const LaunchShape shape = state.scenario->launch(state.params);
    std::string kernel, host;
    for (const CodeSection& section : page.sections)
        for (const CodeLine& line : section.lines)
            (section.part == CodePart::host ? host : kernel) += line.text + '\n';
    std::string text =
        fmt::format("// launch grid=({}) block=({})", shape_of(host, "grid"), shape_of(host, "block"));
    if (has_word(kernel, "extern __shared__")) text += fmt::format(" shared={}", shape.shared_bytes);
    return text + '\n' + lets_of(kernel, host) + kernel;
}

void open_kernel_text(Session& s, const std::string& text, const std::string& name, const std::string& path) {
    if (text != s.typing.text()) give_up_kernel_quiz(s);
    s.typing.open(text, name, path, s.host.now());
    View& view = s.view;
    view.start_page = view.requests = view.help = view.finder = view.tour_due = false;
    if (view.projector) leave_projector(s);
    view.editing = true;
    if (!s.state().board->about_scenario) s.state().board = first_board();
    show_section(view, Section::words);
    view.tab = 0;
    view.reading = view.reading_code = true;  // below the picture, where there is room for lines
}

void edit_kernel(Session& s) {
    try {
        if (s.state().scenario->typed == nullptr)
            open_kernel_text(s, kernel_to_edit(s.state()), fmt::format("{}.cu", s.state().scenario->info->id),
                             {});
        else
            open_kernel_text(s, s.typing.text(), s.typing.name(), s.typing.path());
    } catch (const std::exception& why) {
        s.complain(why.what());
    }
}

void save_kernel(Session& s) {
    namespace fs = std::filesystem;
    if (!s.typing.is_open()) return s.say("no kernel is being typed");
    fs::path path = s.typing.path();
    if (path.empty()) {
        const std::string name = s.typing.name().empty() ? "kernel.cu" : s.typing.name();
        path = fs::absolute(fs::path(s.view.figure.folder) / name);
        for (int copy = 2; fs::exists(path); ++copy)
            path.replace_filename(fmt::format("{}-{}.cu", fs::path(name).stem().string(), copy));
    }
    try {
        write_output(path.string(), s.typing.text());
        s.typing.set_path(path.string());
        s.files.shelf.remember(path.string());
        s.say(fmt::format("saved '{}'", printable(path.string())));
    } catch (const std::exception& why) {
        s.complain(why.what());
    }
}

void run_kernel(Session& s) {
    const State& now = s.state();
    if (s.measuring.run.running()) return s.measuring.run.stop();
    if (now.scenario->typed == nullptr) return s.say("no kernel is being typed");
    if (s.measuring.no_gpu() != nullptr)
        return s.say(fmt::format("not launched: {}", s.measuring.no_gpu()->reason));
    if (s.typing.problem() || s.typing.reading())
        return s.say("not launched: the text is not understood yet");
    if (const std::string problem = now.scenario->typed->problem(now.params); !problem.empty())
        return s.complain("not launched: " + problem);
    s.measuring.run.start({now.scenario, now.params, now.cold});
}

}  // namespace warplens
