#include "app/window/apply_parts.h"

#include "app/base/errors.h"
#include "app/base/input.h"
#include "app/base/json_place.h"
#include "app/base/text.h"
#include "app/experiment/link.h"
#include "app/experiment/typed_kernel.h"
#include "app/figures/export_job.h"
#include "app/figures/export_options.h"
#include "app/figures/figure_command.h"
#include "app/figures/figure_form.h"
#include "app/figures/request_figure.h"
#include "app/measure/ncu/ncu_csv.h"
#include "app/measure/recording_columns.h"
#include "app/typed/parse/source.h"
#include "app/window/measuring.h"
#include "app/window/saved_state.h"
#include "app/window/window_figures.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace warplens {
namespace {

namespace fs = std::filesystem;

/// The index of the device with the name of one of another list. It is added if there is none.
std::size_t device_like(Session& s, const DeviceFacts& wanted) {
    const Devices& devices = s.devices();
    const auto found = std::ranges::find(devices, wanted.name, &DeviceFacts::name);
    return found == devices.end() ? s.add_device(wanted) : std::size_t(found - devices.begin());
}

/// A recording that a figure names may be read at once where it stands beside the figure, or where the person
/// has opened it before. Anything else is for the person to open: the figure may come from a stranger.
/// @return  its path, or why it is not read
std::variant<std::string, Unavailable> recording_of_figure(const Session& s, const std::string& figure,
                                                           const fs::path& recording) {
    const fs::path beside = fs::absolute(figure).parent_path() / recording.filename();
    std::error_code ignored;
    if (fs::is_regular_file(beside, ignored)) return beside.string();
    if (!fs::is_regular_file(recording, ignored))
        return Unavailable{fmt::format("its recording '{}' is not here", printable(recording.string()))};
    const fs::path whole = fs::absolute(recording);
    if (std::ranges::find(s.files.shelf.recent, whole.string()) != s.files.shelf.recent.end())
        return whole.string();
    return Unavailable{
        fmt::format("its recording '{}' is not beside it: open it yourself", printable(recording.string()))};
}

/// Set the window up like a figure: place, knobs, device, theme, and what it was compared with.
/// @return  what the figure refers to and was not opened, as the end of a sentence. Empty if nothing is
/// missing.
std::string open_figure(Session& s, const std::string& path, const ExportRequest& command) {
    std::string missing;
    ExportRequest here = command;
    here.device.cpu = true;  // a figure names its device
    const Experiment figure = make_export_experiment(here);
    const FigureOptions& options = command.figure;
    State state = figure.state;
    state.device = device_like(s, figure.device());
    if (state.compared) state.compared->device = device_like(s, figure.devices[state.compared->device]);
    for (const std::string& file : options.recordings.files) {
        const auto recording = recording_of_figure(s, path, file);
        if (const auto* found = std::get_if<std::string>(&recording))
            s.files.shelf.read(*found);
        else
            missing += "; " + std::get<Unavailable>(recording).reason;
    }
    s.past.device_chosen = true;
    set_state(s, state);
    const int count = state.scenario->instruction_count(state.params);
    s.view.focus = options.instruction >= 0 ? options.instruction : count == 1 ? 0 : -1;
    s.view.look = options.look;
    return missing;
}

/// Restore the place and the arrangement of a saved state. It can be undone.
void open_saved(Session& s, const SavedState& saved) {
    static_cast<Arrangement&>(s.view) = saved;
    s.host.set_user_scale(saved.scale);
    if (!saved.place.empty()) go_to_place(s, follow_link(saved.place, s.state(), s.devices()));
}

void copy_text(Session& s, const std::string& text) {
    s.host.set_clipboard(text);
    s.say("copied: " + text);
}

/// Our JSON files name their kind in so many bytes, so that it is known even if the file is cut off.
constexpr std::size_t kHeadBytes = 4096;
/// NVBit, Nsight Compute and the program may print so much before the first request or counter.
constexpr std::size_t kRequestHeadBytes = std::size_t{256} << 10;

/// More than the text of a kernel may have, so that a longer one is refused and not cut.
constexpr std::size_t kMostKernelBytes = typed::kMostSourceBytes + 1;

constexpr const char* kExpected =
    "expected a figure (PNG, SVG, JSON), a demo, a saved state or a recording of Warplens, a kernel (.cu), "
    "recorded requests (CSV, mem_trace) or what ncu printed";

/// The export request of the command that a figure contains.
ExportRequest export_of(const std::vector<std::string>& arguments) {
    if (!arguments.empty() && arguments.front() == "view")
        throw UsageError("it shows a recorded request: open the file of requests that its command names");
    ExportRequest request;
    try {
        request = read_export(arguments);
    } catch (const UsageError& problem) {
        throw UsageError(fmt::format("the command in it is not understood: {}", problem.what()));
    }
    // The figure may come from a stranger, and its kernel from anywhere.
    if (is_kernel_file(request.choice.scenario))
        throw UsageError(fmt::format("its kernel is not in it but in a file: open '{}' yourself",
                                     printable(request.choice.scenario)));
    return request;
}

ExportRequest figure_in(std::string_view bytes, const char* kind) {
    const auto arguments = figure_arguments(bytes);
    if (!arguments)
        throw UsageError(
            fmt::format("it is {} without the command of a Warplens figure in it: {}", kind, kExpected));
    return export_of(*arguments);
}

OpenedFile json_file(std::string_view text, const std::stop_token& stop) {
    if (text.substr(0, kHeadBytes).find(kDemoFormat) != std::string_view::npos) return parse_demo(text, stop);
    if (text.find(fmt::format("\"{}\"", kStateFormat)) != std::string_view::npos) return read_state(text);
    nlohmann::json parsed;
    try {
        parsed = parse_json(text, stop);
    } catch (const JsonError& error) {
        throw UsageError(
            fmt::format("it is no complete JSON, or none of ours ({}): {}", error.what(), kExpected));
    }
    const nlohmann::json command = parsed.is_object() ? parsed.value("command", nlohmann::json()) : parsed;
    if (!parsed.is_object() || !command.is_string())
        throw UsageError(fmt::format("it is JSON of something else: {}", kExpected));
    auto words = split_command(command.get<std::string>());
    if (!words || words->size() < 2 || words->front() != "warplens")
        throw UsageError(fmt::format("it is JSON of another program: {}", kExpected));
    words->erase(words->begin());
    return export_of(*words);
}

enum class FileKind { recording, json, picture };

/// From the first bytes.
FileKind kind_of(std::string_view head) {
    const std::size_t start = head.find_first_not_of(" \t\r\n");
    if (head.empty()) throw UsageError(fmt::format("it is empty: {}", kExpected));
    if (after(head, "%PDF"))
        throw UsageError("it is a PDF: of figures, PNG and SVG files can be opened again");
    if (is_png(head)) return FileKind::picture;
    if (start != std::string_view::npos && head[start] == '<') return FileKind::picture;
    if (const std::string other = other_profiler(head); !other.empty()) throw UsageError(other);
    if (start == std::string_view::npos || head[start] != '{')
        throw UsageError(fmt::format("it is neither: {}", kExpected));
    return head.find(kRecordingSchema) != std::string_view::npos ? FileKind::recording : FileKind::json;
}

/// The header of a CSV file of requests, or the text of mem_trace.
bool looks_like_requests(std::string_view head) {
    if (looks_like_mem_trace(head)) return true;
    const std::string line = lower_case(head.substr(0, head.find('\n', head.find_first_not_of(" \t\r\n"))));
    return std::ranges::all_of(
               std::initializer_list<const char*>{"space", "op", "width", "mask", "a0", "a31"},
               [&](const char* name) { return line.find(name) != std::string::npos; }) &&
           line.find_first_of("{<") == std::string::npos;
}

OpenedFile picture_file(const std::string& bytes) {
    if (is_png(bytes)) return figure_in(bytes, "a PNG picture");
    if (!is_svg(bytes)) throw UsageError(fmt::format("it is XML or HTML of something else: {}", kExpected));
    return figure_in(bytes, "an SVG picture");
}

}  // namespace

void open_found(Session& s, const std::string& path, const FoundFile& file) {
    if (std::holds_alternative<CountersFile>(file)) {
        s.files.counters.open(path, s.counters_basis());
        return s.files.shelf.remember(std::filesystem::absolute(path).string());
    }
    if (std::holds_alternative<RequestFile>(file)) {
        s.files.requests.open(path, s.device());
        return s.files.shelf.remember(std::filesystem::absolute(path).string());
    }
    if (const auto* kernel = std::get_if<KernelFile>(&file)) {
        open_kernel_text(s, kernel->text, printable(std::filesystem::path(path).filename().string()),
                         std::filesystem::absolute(path).string());
        return s.files.shelf.remember(std::filesystem::absolute(path).string());
    }
    std::string missing;
    if (const auto* saved = std::get_if<SavedState>(&file))
        open_saved(s, *saved);
    else if (const auto* demo = std::get_if<Demo>(&file))
        open_demo(s, *demo, std::filesystem::absolute(path).string());
    else
        missing = open_figure(s, path, std::get<ExportRequest>(file));
    s.files.shelf.remember(std::filesystem::absolute(path).string());
    const auto* demo = std::get_if<Demo>(&file);
    s.files.shelf.message = fmt::format(
        "opened {}: {}{}", printable(std::filesystem::path(path).filename().string()),
        demo != nullptr ? std::string_view(demo->title) : s.state().scenario->info->title, missing);
    s.say(s.files.shelf.message);
}

namespace {

/// Begin to write the figure of the chosen recorded request, in the form of the window's other figures;
/// numbers are no figure of it, so it is then a PNG. A file that exists is only replaced when asked for
/// again.
void save_request_figure(Session& s) {
    const RequestsView shown = s.files.requests.view();
    if (shown.evidence == nullptr) return;
    FigureForm form = s.view.figure;
    form.steps = form.play = form.gif = false;
    if (form.format == FigureFormat::csv || form.format == FigureFormat::json)
        form.format = FigureFormat::png;
    State state = initial_state(all_scenarios().front(), s.state().device);
    state.bits = s.state().bits;
    const std::filesystem::path file =
        fmt::format("{}-{}.{}", std::filesystem::path(s.files.requests.path()).stem().string(),
                    shown.chosen + 1, ending_of(form));
    const std::string path = std::filesystem::absolute(std::filesystem::path(form.folder) / file).string();
    if (std::filesystem::exists(path) && std::exchange(s.view.request_asked, path) != path)
        return s.say(fmt::format("'{}' is there already: write again to replace it", printable(path)));
    const FigureDesk desk = s.figure_desk();
    s.figures.write_request(
        desk,
        request_figure(*shown.list, shown.chosen, s.device(),
                       request_command(s.files.requests.path(), s.device(), shown.chosen, state.bits, path)),
        state,
        figure_options(form, FigurePart::picture,
                       {state, 0, s.view.look, int(desk.size.x), int(desk.size.y)}),
        path);
    s.view.request_asked = path;
}

}  // namespace

void do_with_picture(Session& s, action::Do what) {
    using action::Do;
    const bool copies_numbers = what == Do::copy_picture || what == Do::copy_data || what == Do::open_export;
    if (copies_numbers && !s.view.requests && s.frame().counts_hidden)
        return s.say("the numbers are hidden until the answer: nothing is copied or exported");
    try {
        switch (what) {
            case Do::open_export:
                if (s.view.requests && s.view.counters)
                    return s.say("counters are a table: the command that Copy command copies prints them");
                if (s.view.requests) return save_request_figure(s);
                return s.figures.open(s.figure_desk());
            case Do::start_export:
                return s.figures.start(s.figure_desk());
            case Do::close_export:
                return s.figures.close();
            case Do::copy_picture:
                return s.figures.copy_picture(s.figure_desk());
            case Do::copy_data: {
                const std::string data = s.figures.data(s.figure_desk());
                s.host.set_clipboard(data);
                return s.say(fmt::format("copied {} numbers as CSV", std::ranges::count(data, '\n') - 1));
            }
            case Do::copy_command:
                return copy_text(s, s.figures.command(s.figure_desk()));
            case Do::copy_link:
                return copy_text(s, s.shared_link());
            case Do::copy_requests_command:
                if (!s.files.requests.is_open()) return;
                return copy_text(s, request_command(s.files.requests.path(), s.device(),
                                                    s.files.requests.view().chosen, s.state().bits));
            case Do::copy_counters_command:
                if (!s.files.counters.is_open()) return;
                return copy_text(s, s.files.counters.command());
            default:
                return;
        }
    } catch (const std::exception& why) {
        s.complain(why.what());
    }
}

void cancel_busy(Session& s) {
    if (s.files.shelf.reading().empty() && !s.files.requests.busy().empty())
        return s.say(s.files.requests.cancel());
    if (s.files.shelf.reading().empty() && !s.files.counters.busy().empty())
        return s.say(s.files.counters.cancel());
    if (!s.files.shelf.reading().empty()) {
        s.say(s.files.shelf.cancel());
    } else if (!s.figures.busy().empty()) {
        s.say(s.figures.cancel());
    } else {
        s.learning.give_up_quiz();
    }
}

OpenedFile recognize(const std::string& bytes, const std::stop_token& stop) {
    const std::string_view head = std::string_view(bytes).substr(0, kRequestHeadBytes);
    if (looks_like_requests(head)) return RequestFile{};
    if (looks_like_ncu(head)) return CountersFile{};
    switch (kind_of(head.substr(0, kHeadBytes))) {
        case FileKind::recording:
            return RecordingFile{};
        case FileKind::json:
            return json_file(bytes, stop);
        default:
            return picture_file(bytes);
    }
}

OpenedFile recognize_file(const std::string& path, const std::stop_token& stop) {
    constexpr std::uintmax_t kMostPictureBytes = 64u << 20;  // the command stands at its beginning
    try {
        const std::string head = read_input_start(path, kRequestHeadBytes);
        if (looks_like_requests(head)) return RequestFile{};
        if (looks_like_ncu(head)) return CountersFile{};
        // Other texts contain kernels, too, such as pages about them.
        if (is_kernel_file(path)) return KernelFile{head.substr(0, kMostKernelBytes)};
        switch (kind_of(std::string_view(head).substr(0, kHeadBytes))) {
            case FileKind::recording:
                return RecordingFile{};
            case FileKind::json:
                return recognize(read_input(path, kMostJsonBytes, stop), stop);
            default:
                return recognize(read_input_start(path, kMostPictureBytes, stop), stop);
        }
    } catch (const std::runtime_error& problem) {
        throw UsageError(fmt::format("cannot open '{}': {}", printable(path), problem.what()));
    }
}

bool names_a_file(const std::string& word) {
    const std::string_view before = std::string_view(word).substr(0, word.find('?'));
    return word.starts_with('/') || before.find_first_of("./") != std::string_view::npos;
}

}  // namespace warplens
