#include "app/window/typing.h"

#include "app/base/assets.h"
#include "app/base/errors.h"
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
#include <filesystem>

namespace warplens {
namespace {

/// A pause of typing after which a text is read [s].
constexpr double kPause = 0.15;

/// Whether a kernel stays in the list when another one is opened.
bool is_kept(const KernelDocument& document) {
    return document.own && document.text.find_first_not_of(" \t\r\n") != std::string::npos;
}

/// Whether a name stands in a text as a word of its own.
bool has_word(std::string_view text, std::string_view name) {
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
        const bool begins = at == 0 || !is_word_letter(text[at - 1]),
                   ends = at + name.size() >= text.size() || !is_word_letter(text[at + name.size()]);
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
/// whose name stands in the kernel, or in its launch.
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

InSteps<KernelText> read_kernel(KernelKey key) {
    KernelText read;
    try {
        auto opening = open_kernel_in_steps(key.text, key.name);
        while (opening.step()) co_yield 0;
        const Scenario* scenario = opening.take();
        auto counting = scenario->typed->count_first(scenario->info->defaults, key.device);
        while (counting.step()) co_yield 0;
        auto race = scenario->typed->look_for_race(scenario->info->defaults);
        while (race.step()) co_yield 0;
        read.scenario = scenario;
    } catch (const typed::SourceError& error) {
        read.problem = {error.position().line, error.position().column, error.what()};
    } catch (const std::exception& error) {
        read.problem = {1, 1, error.what()};
    }
    co_return read;
}

}  // namespace

const KernelDocument& Typing::current() const {
    static const KernelDocument kNone;
    return open_ ? documents_.front() : kNone;
}

void Typing::to_front(std::size_t document) {
    const auto first = documents_.begin();
    std::rotate(first, first + std::ptrdiff_t(document), first + std::ptrdiff_t(document) + 1);
    // A kernel that was only looked at can be looked at again, and an emptied one is not wanted.
    if (open_ && document > 0 && !is_kept(documents_[1])) documents_.erase(first + 1);
    open_ = true;
}

void Typing::put_first(KernelDocument document) {
    documents_.push_back(std::move(document));
    to_front(documents_.size() - 1);
    if (documents_.size() > kMostKernels) documents_.pop_back();
}

void Typing::show_replaced(std::optional<double> due) {
    problem_.reset();
    due_ = due;
    ++replaced_;
}

void Typing::open(const std::string& text, const std::string& name, const std::string& path, double now) {
    const auto same = std::ranges::find_if(documents_, [&](const KernelDocument& one) {
        const bool file_alone = !path.empty() && one.path == path && !one.changed;
        return file_alone || (one.text == text && (one.path.empty() || one.path == path));
    });
    if (same == documents_.end()) {
        // The text of this file that was changed here stays, and the next file that it is written into is
        // new.
        for (KernelDocument& one : documents_)
            if (!path.empty() && one.path == path) one.path.clear();
        put_first({{name, path, {}, text, {}}, {}, !path.empty()});
    } else {
        to_front(std::size_t(same - documents_.begin()));
        KernelDocument& here = documents_.front();
        here.text = text;
        if (!path.empty()) here.name = name, here.path = path, here.own = true;
    }
    show_replaced(now);
}

std::optional<State> Typing::open(std::size_t document, double now) {
    to_front(document);
    show_replaced(now);
    return documents_.front().state;
}

void Typing::leave() {
    open_ = false;
    wanted_.reset();
    show_replaced({});
}

void Typing::type(const std::string& text, double now) {
    if (!open_ || text == current().text) return;
    KernelDocument& here = documents_.front();
    here.history.change(here.text, text);
    here.text = text;
    here.own = here.changed = true;
    due_ = now + kPause;
    ++edits_;
}

void Typing::rewrite(const std::string& text, double now) {
    type(text, now);
    step(&TextHistory::undo, now);  // and back again, which knows where they differ
    step(&TextHistory::redo, now);
}

void Typing::step(std::optional<TextHistory::Step> (TextHistory::*way)(const std::string&), double now) {
    if (!open_) return;
    KernelDocument& here = documents_.front();
    const std::optional<TextHistory::Step> there = (here.history.*way)(here.text);
    if (!there) return;
    here.text = there->text;
    caret_ = there->caret;
    due_ = now + kPause;
    ++undone_;
    ++edits_;
}

void Typing::saved_as(const std::string& path) {
    if (!open_) return;
    documents_.front().path = path;
    documents_.front().own = true;
    documents_.front().changed = false;
}

void Typing::follow(const State& state, double now) {
    const Scenario& scenario = *state.scenario;
    const bool other = std::exchange(shown_, &scenario) != &scenario;
    if (scenario.typed == nullptr) return;
    const std::string& text = scenario.typed->text();
    const auto shows = [&](const KernelDocument& one) {
        return one.state && one.state->scenario == &scenario;
    };
    if (other) {
        const auto has_been = [&](const KernelDocument& one) {
            return one.text == text || std::ranges::find(one.versions, &scenario) != one.versions.end();
        };
        const auto found = std::ranges::find_if(documents_, has_been);
        const bool here = open_ && found == documents_.begin();
        if (found == documents_.end())
            put_first({{scenario.typed->file(), {}, {}, text, {}}, {}, !comes_with_program(scenario)});
        else
            to_front(std::size_t(found - documents_.begin()));
        KernelDocument& first = documents_.front();
        if (shows(first)) {  // beside it there may be a draft, which stays
            if (!here) show_replaced(first.text == text ? std::nullopt : std::optional(now));
        } else if (!here || first.text != text) {
            if (here) first.history.change(first.text, text);
            first.text = text;
            show_replaced({});
        }
    }
    if (!open_) return;
    KernelDocument& first = documents_.front();
    if (!shows(first) && first.text != text) return;  // it is not understood yet
    first.state = state;
    first.title = scenario.info->title;
    if (first.versions.empty() || first.versions.back() != &scenario) first.versions.push_back(&scenario);
}

std::vector<SavedKernel> Typing::saved(const std::function<std::string(const State&)>& link) const {
    std::vector<SavedKernel> kernels;
    std::size_t bytes = 0;
    for (const KernelDocument& one : documents_) {
        if (!is_kept(one) || (bytes += one.text.size()) > kMostKernelTexts) continue;
        kernels.push_back(one);
        // The link has a text of its own, which is an earlier one while this one is not understood.
        if (one.state && one.state->scenario->typed->text() == one.text)
            kernels.back().place = link(*one.state);
    }
    return kernels;
}

void Typing::restore(const std::vector<SavedKernel>& kernels) {
    for (const SavedKernel& one : kernels) {
        const auto same = [&](const KernelDocument& other) {
            return other.text == one.text && other.path == one.path;
        };
        if (documents_.size() < kMostKernels && std::ranges::none_of(documents_, same))
            documents_.push_back({one, {}, true});
    }
}

void Typing::was_shown_as(const State& state) {
    shown_ = state.scenario;
    if (shown_->typed == nullptr ||
        std::ranges::find(documents_, shown_->typed->text(), &KernelDocument::text) != documents_.end())
        return;
    documents_.front().state = state;
    documents_.front().versions = {shown_};
}

Work<KernelText> answer(const KernelKey& key, Store&) { return in_steps(read_kernel(key)); }

const Scenario* Typing::advance(Store& store, const DeviceFacts& device, double now) {
    if (due_ && now >= *due_) {
        due_.reset();
        wanted_ = KernelKey{text(), name(), device};
    }
    if (!wanted_) return nullptr;
    const Answer<KernelText> answer = store.get(*wanted_);
    if (is_pending(answer)) return nullptr;
    const Ready<KernelText> read = known_of(answer);
    const bool typed_on = std::exchange(wanted_, std::nullopt)->text != text();
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
        if (!can_be_axis(scenario, *same)) continue;
        if (before.axis == &knob) now.axis = &*same;
        if (before.second_axis == &knob) now.second_axis = &*same;
    }
    // All else stays as it was, but for what names knobs of the kernel.
    State after = before;
    after.scenario = now.scenario;
    after.params = params_after_typing(scenario, *before.scenario, before.params);
    after.axis = now.axis;
    after.second_axis = now.second_axis;
    return after;
}

std::string title_of(const KernelDocument& document) {
    for (const std::string& name : {document.title, document.name})
        if (!name.empty()) return printable(name, 40);
    return "kernel";
}

std::string remark_on(const KernelDocument& document) {
    const auto lines = std::ranges::count(document.text, '\n');
    return document.path.empty()
               ? fmt::format("your kernel of {} lines", lines)
               : fmt::format("your kernel of {} lines, {}", lines, printable(document.path));
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
    return text + '\n' + lets_of(text + '\n' + kernel, host) + kernel;
}

void show_kernel_editor(Session& s) {
    View& view = s.view;
    view.start_page = view.requests = view.help = view.finder = view.tour_due = false;
    if (view.projector) leave_projector(s);
    view.editing = true;
    if (!s.state().board->about_scenario) s.state().board = first_board();
    show_section(view, Section::words);
    view.tab = 0;
    s.past.read_for_typing |= !view.reading;
    view.reading = view.reading_code = true;  // below the picture, where there is room for lines
}

void open_kernel_text(Session& s, const std::string& text, const std::string& name, const std::string& path) {
    if (text != s.typing.text()) give_up_kernel_quiz(s);
    s.typing.open(text, name, path, s.host.now());
    show_kernel_editor(s);
}

void open_document(Session& s, std::size_t document) {
    if (document >= s.typing.documents().size()) return;
    if (const std::optional<State> shown = s.typing.open(document, s.host.now())) set_state(s, *shown);
    show_kernel_editor(s);
}

void my_kernel(Session& s) {
    s.typing.documents().empty() ? open_kernel_text(s, first_kernel(), {}, {}) : open_document(s, 0);
}

void edit_kernel(Session& s) {
    try {
        if (s.state().scenario->typed == nullptr)
            open_kernel_text(s, kernel_to_edit(s.state()), fmt::format("{}.cu", s.state().scenario->info->id),
                             {});
        else
            show_kernel_editor(s);
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
        s.typing.saved_as(path.string());
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
    if (s.typing.problem() || s.typing.reading())
        return s.say("not launched: the text is not understood yet");
    if (const std::string problem = now.scenario->typed->problem(now.params); !problem.empty())
        return s.complain("not launched: " + problem);
    try {
        const KernelRun::Job job{now.scenario, now.params, now.cold};
        s.measuring.no_gpu() != nullptr ? s.measuring.run.compile(job, s.device())
                                        : s.measuring.run.start(job);
    } catch (const UsageError& why) {
        s.complain(why.what());
    }
}

}  // namespace warplens
