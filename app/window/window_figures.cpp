#include "app/window/window_figures.h"

#include "app/base/errors.h"
#include "app/base/output.h"
#include "app/base/system.h"
#include "app/base/text.h"
#include "app/figures/figure_data.h"
#include "app/figures/formats/pdf.h"
#include "app/window/host.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace warplens {
namespace {

namespace fs = std::filesystem;

FigureSource source_of(const FigureDesk& desk) {
    return {desk.state, desk.view.focus, desk.view.look, int(desk.size.x), int(desk.size.y)};
}

/// Why the board cannot be exported. Empty if it can.
std::string no_picture(const FigureDesk& desk) {
    if (!figure_parts(source_of(desk)).empty()) return {};
    return fmt::format("'{}' is a list without a picture: 'warplens worked' writes what is in it",
                       desk.state.board->label);
}

/// Recordings as `export` would open them: those of the program first, then the files.
struct FigureRecordings {
    RecordingChoice choice;
    Recordings open;
};
FigureRecordings recordings_of(const FigureDesk& desk) {
    FigureRecordings result;
    std::vector<const OpenRecording*> picked;
    result.choice.shipped = false;
    bool hidden = false;  // one of the program's is switched off: the command line can name all or none
    for (const OpenRecording& one : desk.recordings.all()) {
        if (!one.shipped()) continue;
        hidden = hidden || one.tick == false;
        result.choice.shipped = true;
        picked.push_back(&one);
    }
    if (hidden) result.choice.shipped = false, picked.clear();
    for (const OpenRecording& one : desk.recordings.all()) {
        if (one.shipped() || !desk.recordings.shown(one, desk.recording_view)) continue;
        result.choice.files.push_back(one.path);
        picked.push_back(&one);
    }
    result.open = Recordings::of(picked);
    return result;
}

bool has_steps(const FigureDesk& desk) {
    if (desk.state.compared || !no_picture(desk).empty()) return false;
    try {
        return steps_of(desk.state, desk.devices, StepBy::any).size() > 1;
    } catch (const UsageError&) {
        return false;
    }
}

bool can_be_played(const FigureDesk& desk) {
    return !desk.state.compared && no_picture(desk).empty() && can_play(desk.state, desk.devices);
}

/// A figure of what the window shows, with everything that it refers to.
struct PlannedFigure {
    FigureRecordings recordings;
    FigureOptions options;
    FigurePlan plan;
    explicit PlannedFigure(const FigureDesk& desk, FigureRecordings open)
        : recordings(std::move(open)),
          options(with(desk, recordings.choice)),
          plan(desk.state, desk.devices, options, recordings.open) {}
    static FigureOptions with(const FigureDesk& desk, const RecordingChoice& choice) {
        if (const std::string none = no_picture(desk); !none.empty()) throw UsageError(none);
        const FigureSource source = source_of(desk);
        FigureOptions options =
            figure_options(desk.view.figure, chosen_part(desk.view.figure, source), source);
        options.recordings = choice;
        options.web_address = desk.web_address;
        return options;
    }
};

/// The name of a file with the figure.
std::string name_of(const FigureDesk& desk, const FigureForm& form) {
    const FigureSource source = source_of(desk);
    return figure_name(form, chosen_part(form, source), source);
}

std::string proposal(const FigureDesk& desk) {
    return (fs::path(desk.view.figure.folder) / name_of(desk, desk.view.figure)).string();
}

/// "~/x" as shells read it.
std::string with_home(std::string path) {
    const char* home = std::getenv("HOME");
    const auto below = after(path, "~/");
    return below && home != nullptr ? fmt::format("{}/{}", home, *below) : path;
}

/// Draw at least one piece, and more while the window stays responsive, but never wait for the GPU.
/// @param draw_piece  as that of Offscreen. @return  how much is drawn, 0 to 1
template <class DrawPiece>
float draw_for_a_frame(DrawPiece draw_piece) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(kDrawnElsewhere ? 0 : 10);
    float before = -1, drawn = draw_piece();
    while (drawn < 1 && drawn != before && std::chrono::steady_clock::now() < end)
        before = std::exchange(drawn, draw_piece());
    return drawn;
}

}  // namespace

WindowFigures::~WindowFigures() = default;

void WindowFigures::open(const FigureDesk& desk) {
    if (open_) return;
    open_ = true;
    dialog_ = {};
    shown_.reset();
    form_.reset();
    if (pdf_unavailable()) dialog_.no_pdf = pdf_unavailable()->reason;
    if (gif_unavailable()) dialog_.no_gif = gif_unavailable()->reason;
    propose_path(desk);
    refresh(desk);
}

void WindowFigures::close() {
    if (work_ && busy().empty()) given_up_.push_back(std::move(work_));
    dialog_.running = false;
    if (std::exchange(dialog_.asks, false)) return;
    open_ = false;
}

/// The name follows the options until a person has typed one. After that only its ending follows them.
void WindowFigures::propose_path(const FigureDesk& desk) {
    FigureForm& form = desk.view.figure;
    if (!no_picture(desk).empty()) return;
    const std::string typed = desk.view.export_path;
    const std::string wanted = proposal(desk);
    const bool changed = form_ && *form_ != form;
    if (!form_ || typed == proposed_) {
        desk.view.export_path = wanted;
        proposed_ = wanted;
    } else if (changed && format_of(*form_) != format_of(form)) {
        fs::path path(typed);
        desk.view.export_path = path.replace_extension(ending_of(form)).string();
    } else if (fs::path(typed).has_extension()) {
        try {  // a name that ends in .svg asks for SVG
            const FigureFormat by_name = format_of({}, typed);
            if (!form.steps && by_name != form.format && by_name != FigureFormat::gif) form.format = by_name;
        } catch (const UsageError&) {  // the ending is not completely typed yet
        }
    }
    form_ = form;
}

std::string WindowFigures::path(const FigureDesk& desk) const {
    std::string path = with_home(desk.view.export_path);
    if (path.empty() || path.ends_with('/')) return path;
    const std::string ending = fmt::format(".{}", ending_of(desk.view.figure));
    return fs::path(path).extension() == ending ? path : path + ending;
}

void WindowFigures::refresh(const FigureDesk& desk) {
    const FigureSource source = source_of(desk);
    dialog_.parts = figure_parts(source);
    if (dialog_.parts.empty()) {
        dialog_.problem = no_picture(desk);
        return;
    }
    dialog_.part = chosen_part(desk.view.figure, source);
    propose_path(desk);
    std::error_code error;
    const bool existed = std::exchange(dialog_.exists, fs::is_regular_file(path(desk), error));
    if (existed && !dialog_.exists) dialog_.asks = false;
    const Shown now{desk.state,    desk.view.figure, desk.view.focus,          source.width,
                    source.height, desk.view.look,   desk.recordings.changes()};
    if (shown_ == now) return continue_preview(desk);
    shown_ = now;
    previews_ = false;
    dialog_.problem.clear();
    dialog_.can_play = can_be_played(desk);
    dialog_.has_steps = dialog_.can_play || has_steps(desk);
    if (!dialog_.has_steps) desk.view.figure.steps = false;
    if (!dialog_.can_play) desk.view.figure.play = false;
    try {
        draw_preview(desk);
    } catch (const std::exception& why) {  // the view does not fit, or OpenGL refuses
        dialog_.problem = why.what();
    }
}

void WindowFigures::draw_preview(const FigureDesk& desk) {
    FigureForm form = desk.view.figure;
    PlannedFigure figure(desk, recordings_of(desk));
    dialog_.preview_size = figure.plan.size();
    dialog_.preview_text.clear();
    if (!form.steps && (form.format == FigureFormat::csv || form.format == FigureFormat::json)) {
        constexpr std::size_t kMost = 2000;
        const std::string text = form.format == FigureFormat::csv ? figure_to_csv(figure.plan)
                                                                  : figure_to_json(figure.plan, "").dump(1);
        dialog_.preview_text = text.substr(0, kMost);
        return;
    }
    constexpr float kEnough = 1280;  // points; wider figures are drawn smaller
    FigureOptions options = figure.options;
    options.scale = std::clamp(kEnough / figure.plan.size().x, 0.5f, 1.0f);
    if (!preview_writer_) preview_writer_ = std::make_unique<FigureWriter>(desk.cpu, desk.mode);
    const FigurePlan small(desk.state, desk.devices, options, figure.recordings.open);
    preview_writer_->begin(small);
    previews_ = true;
    continue_preview(desk);
}

/// What is shown meanwhile is the preview before.
void WindowFigures::continue_preview(const FigureDesk& desk) {
    if (!previews_) return;
    desk.wake();
    if (draw_for_a_frame([this] { return preview_writer_->draw_piece(false); }) < 1) return;
    dialog_.preview = preview_writer_->take_texture();
    previews_ = false;
}

/// @param picture  whether to make a single PNG, regardless of the form's format
ExportJob WindowFigures::make_job(const FigureDesk& desk, const std::string& path, bool picture) const {
    if (const std::string none = no_picture(desk); !none.empty()) throw UsageError(none);
    FigureRecordings recordings = recordings_of(desk);
    ExportRequest command;
    command.figure = PlannedFigure::with(desk, recordings.choice);
    if (picture) command.figure.format = FigureFormat::png;
    command.device.cpu = desk.cpu;
    command.output_path = path;
    command.steps = desk.view.figure.steps && !picture;
    command.play = command.steps && desk.view.figure.play;
    return ExportJob(std::move(command), Experiment{desk.devices, desk.state}, std::move(recordings.open));
}

void WindowFigures::start(const FigureDesk& desk) {
    if (!open_ || work_ || dialog_.parts.empty()) return;
    refresh(desk);
    if (dialog_.exists && !std::exchange(dialog_.asks, true)) return;
    dialog_.asks = false;
    try {
        const std::string out = path(desk);
        if (out.empty() || out.ends_with('/'))
            throw UsageError("name the file: for example " + fs::path(proposal(desk)).filename().string());
        check_output(out);
        work_ = std::make_unique<Work>(make_job(desk, out, false), desk.cpu, desk.mode);
        dialog_.problem.clear();
        dialog_.running = true;
    } catch (const std::exception& why) {
        dialog_.problem = why.what();
    }
    desk.wake();
}

void WindowFigures::copy_picture(const FigureDesk& desk) {
    if (work_) return;
    FigureForm form = desk.view.figure;
    form.steps = false;
    form.format = FigureFormat::png;
    const std::string name = no_picture(desk).empty() ? name_of(desk, form) : "figure.png";
    work_ = std::make_unique<Work>(make_job(desk, name, true), desk.cpu, desk.mode);
    work_->copy = true;
    desk.wake();
}

void WindowFigures::write_request(const FigureDesk& desk, RequestFigure request, const State& state,
                                  const FigureOptions& options, const std::string& path) {
    if (work_) throw UsageError("another figure is still being made: wait a moment, and try again");
    check_output(path);
    ExportRequest command;
    command.figure = options;
    command.device.cpu = desk.cpu;
    command.output_path = path;
    work_ = std::make_unique<Work>(
        ExportJob(std::move(request), std::move(command), Experiment{desk.devices, state}), desk.cpu,
        desk.mode);
    work_->request = true;
    desk.wake();
}

std::string WindowFigures::busy() const {
    if (work_ && work_->copy) return "copying the picture";
    if (work_ && work_->request)
        return "writing " + printable(fs::path(work_->job.path()).filename().string());
    return {};
}

std::string WindowFigures::cancel() {
    if (busy().empty()) return {};
    const std::string message =
        work_->copy ? std::string("did not copy the picture: cancelled")
                    : fmt::format("did not write '{}': cancelled", printable(work_->job.path()));
    given_up_.push_back(std::move(work_));
    return message;
}

std::string WindowFigures::data(const FigureDesk& desk) const {
    return figure_to_csv(PlannedFigure(desk, recordings_of(desk)).plan);
}

std::string WindowFigures::command(const FigureDesk& desk) const {
    return PlannedFigure(desk, recordings_of(desk)).plan.metadata(name_of(desk, desk.view.figure)).command;
}

std::string WindowFigures::advance(const FigureDesk& desk, Store& store) {
    std::erase_if(given_up_, [](const std::unique_ptr<Work>& work) { return !work->is_used(); });
    std::string message;
    if (work_) {
        try {
            message = continue_work(desk, store);
        } catch (const std::exception& why) {
            const bool alone = !busy().empty();
            work_.reset();
            dialog_.running = false;
            if (alone || !open_) return why.what();
            dialog_.problem = why.what();
        }
    }
    if (open_ && !dialog_.running) refresh(desk);
    return message;
}

/// Draws only for a short time per frame. What needs no OpenGL continues elsewhere.
std::string WindowFigures::continue_work(const FigureDesk& desk, Store& store) {
    Work& work = *work_;
    if (work.copying) {
        const Answer<std::string> copied = store.get(PieceKey<std::string>{work.copying});
        if (is_pending(copied)) return {};
        const auto* why = std::get_if<Unavailable>(&copied);
        const std::string problem = why != nullptr ? why->reason : *known_of(copied);
        work_.reset();
        return problem.empty() ? "copied the picture as PNG" : problem;
    }
    if (work.making) {
        const Answer<ExportJob::Made> made = store.get(PieceKey<ExportJob::Made>{work.making});
        if (const auto* pending = std::get_if<Pending<ExportJob::Made>>(&made)) {
            dialog_.packed = float(pending->done);
            return {};
        }
        if (const auto* why = std::get_if<Unavailable>(&made)) throw UsageError(why->reason);
        work.job.take(*known_of(made));
        work.making.reset();
        dialog_.done = work.job.done();
    }
    if (work.job.complete()) return finish(desk);
    dialog_.total = work.job.figures();
    if (!std::exchange(work.drawing, true)) {
        work.job.begin(work.writer);
        desk.wake();
        if (kDrawnElsewhere) return {};  // it has been enough for a frame
    }
    dialog_.drawn = draw_for_a_frame([&work] { return work.job.draw_piece(work.writer, false); });
    if (dialog_.drawn == 1) {
        work.drawing = false;
        dialog_.packed = 0;
        work.making = std::make_shared<const Piece<ExportJob::Made>>(
            Piece<ExportJob::Made>{[&work] { return work.job.rest(work.writer); }});
    }
    desk.wake();
    return {};
}

std::string WindowFigures::finish(const FigureDesk& desk) {
    Work& work = *work_;
    if (work.copy) {
        work.copying = std::make_shared<const Piece<std::string>>(Piece<std::string>{[&job = work.job] {
            return in_one_piece<std::string>(
                [&job](const std::stop_token&) { return std::optional(copy_png(job.bytes())); });
        }});
        desk.wake();
        return {};
    }
    const std::size_t files = work.job.write().size();
    const fs::path path(work.job.path());
    if (work.request) {
        work_.reset();
        return fmt::format("wrote {}", printable(path.string()));
    }
    desk.view.figure.folder = path.parent_path().string();
    work_.reset();
    dialog_.running = false;
    open_ = false;
    std::error_code error;
    const std::string name = path.filename().string(),
                      folder = printable(fs::absolute(path, error).parent_path().string());
    if (!kHasPaths) return "exported " + printable(name);
    return files == 1
               ? fmt::format("exported {} to {}", name, folder)
               : fmt::format("exported {}, and its {} steps one by one, to {}", name, files - 1, folder);
}

}  // namespace warplens
