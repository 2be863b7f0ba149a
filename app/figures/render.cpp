#include "app/figures/render.h"

#include "app/base/errors.h"
#include "app/base/text.h"
#include "app/base/version.h"
#include "app/boards/access/kernel_verdict.h"
#include "app/experiment/compare.h"
#include "app/experiment/link.h"
#include "app/experiment/quantities.h"
#include "app/figures/figure_command.h"
#include "app/model/access/counts.h"
#include "app/model/time/bank_loop.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

/// The first CUDA device, or -1.
int cuda_device(bool cpu) {
    if (cpu) return -1;
    const auto gpus = list_gpus();
    const auto* list = std::get_if<std::vector<GpuInfo>>(&gpus);
    return list == nullptr || list->empty() ? -1 : list->front().index;
}

std::unique_ptr<HeadlessContext> make_context(int device) {
    auto context = HeadlessContext::create(device);
    if (auto* here = std::get_if<std::unique_ptr<HeadlessContext>>(&context)) return std::move(*here);
    throw NoDisplay(std::get<Unavailable>(context).reason);
}

std::string device_text(const DeviceFacts& device) {
    return fmt::format("{}, compute capability {}{}", device.name, device.cc.text(),
                       device.bank_rules.wide_words ? ", 8-byte bank mode" : "");
}

bool shows_plot(const State& state, const FigureOptions& options) {
    return (options.view == FigureView::bandwidth ||
            (options.view == FigureView::all && options.instruction < 0)) &&
           options.board->instructions && state.axis != nullptr;
}

FigureContent content_of(const State& state, const Evidence& evidence, const Curve& curve,
                         const DeviceFacts& device, const FigureOptions& options) {
    const ScenarioInfo& info = *state.scenario->info;
    FigureContent content;
    content.title = info.title;
    content.subtitle = fmt::format("{}   ·   {}", info.id, info.formula);
    content.settings = describe_settings(*state.scenario, state.params);
    content.device = device_text(device);
    content.count_kind = evidence.report.kind;
    for (const InstructionReport& row : evidence.report.instructions) {
        if (row.kind == content.count_kind && !row.source.empty()) content.count_source = row.source;
    }
    content.look = access_look(state);
    content.slow_kernel = judge_kernel(evidence, device).slow_without_fault;
    if (judged_as_a_whole(*state.scenario)) content.whole = explain_kernel(evidence, device);
    const int judged = int(worst_instruction(evidence));
    for (const int index : instructions_of_view(state, options)) {
        const InstructionView view = view_of(evidence, index);
        const CostWords words = cost_of(view.report->instruction.space, evidence.report.sector_rules);
        const auto ideal = double(std::max<std::int64_t>(1, words.ideal(view.report->grid)));
        content.instructions.push_back(
            {view, evidence.tiles[index], double(words.cost(view.report->grid)) / ideal, index == judged});
    }
    // Small pictures have no sentence.
    if (!content.whole.verdict.empty() && content.instructions.size() > 1)
        content.subtitle = fmt::format("{}   ·   {}", content.whole.headline, info.formula);
    if (shows_plot(state, options) && (!options.slide || content.instructions.empty()))
        content.curve = &curve;
    return content;
}

void show_board(FigureContent& content, const BoardInput& input) {
    content.subtitle = input.state.board->about_scenario ? content.title : "";
    content.title = input.state.board->label;
    content.board = [&input](const Style& style) { return draw_board(input, style); };
    content.board_caption = board_caption(input);
}

/// The state as it is plotted: whoever asks for the bandwidth gets it.
State plotted(State state, const FigureOptions& options) {
    if (options.view == FigureView::bandwidth) state.plots_speed = true;
    return state;
}

State on_board(State state, const BoardInfo* board) {
    state.board = board;
    return state;
}

/// A slide has one picture: of a scenario whose subject is a board, that board, unless another is asked for.
FigureOptions with_subject(FigureOptions options, const State& state) {
    const bool any = options.view == FigureView::all && options.instruction < 0;
    if (options.slide && any && options.board->instructions) options.board = subject_board(*state.scenario);
    return options;
}

/// The only instruction that a figure shows. -1 if it shows several or none.
int only_instruction(const FigureContent& content) {
    return content.instructions.size() == 1 ? content.instructions.front().view.index : -1;
}

std::vector<Quantity> numbers_of(const FigurePlan& plan, bool single) {
    if (plan.content().board) return board_numbers(plan.board());
    std::vector<Quantity> numbers =
        count_rows(plan.evidence(), single ? only_instruction(plan.content()) : -1, CountScope::warp, true);
    numbers.push_back(plan.evidence().predicted.front());
    return numbers;
}

}  // namespace

/// The side A of a comparison.
struct FigurePlan::Side {
    std::vector<DeviceFacts> devices;  ///< with A's bank mode
    FigurePlan plan;

    Side(const State& state, const std::vector<DeviceFacts>& table, const FigureOptions& options,
         const Recordings& recordings)
        : devices(with_mode(table, state.bank_mode)), plan(state, devices, options, recordings) {}
    static std::vector<DeviceFacts> with_mode(std::vector<DeviceFacts> table, BankMode mode) {
        set_bank_mode(table, mode);
        return table;
    }
};

FigurePlan::~FigurePlan() = default;
const FigurePlan* FigurePlan::other() const { return a_ == nullptr ? nullptr : &a_->plan; }

void FigurePlan::make_slide() {
    const BoardWords words = words_of_board(board_, evidence_);
    if (words.example)
        throw UsageError(fmt::format("a slide of {} would be empty: {} One with a picture: {}",
                                     state_.board->label, words.explanation.verdict, words.example->link));
    content_.slide = true;
    content_.headline = !options_.title.empty()               ? options_.title
                        : !words.explanation.headline.empty() ? words.explanation.headline
                                                              : words.explanation.verdict;
    content_.tone = options_.title.empty() ? words.tone : Tone::plain;
    if (state_.board->about_scenario && state_.board->timed)
        for (const bool with_limit : {true, false})
            content_.speeds.push_back(speed_words_of(evidence_, with_limit));
}

FigurePlan::FigurePlan(const State& state, const std::vector<DeviceFacts>& devices,
                       const FigureOptions& options, const Recordings& recordings)
    : state_(on_board(state, with_subject(options, state).board)),
      devices_(devices),
      options_(with_subject(options, state)),
      evidence_(gather_evidence(state, devices)),
      curve_(shows_plot(state, options_) ? model_curve(plotted(state, options), devices, evidence_.prediction)
                                         : Curve{}),
      board_{state_, devices_, evidence_} {
    if (state.compared && options_.instruction >= state.scenario->instruction_count(state.params))
        options_.instruction = -1;  // only A has that instruction
    // Nothing is measured for a figure, even if this machine has a GPU.
    const RecordingView view{&devices, state.device, false};
    const OpenRecording* recording = recordings.of_device(view);
    const MeasuredOn on{Provenance::recorded, recording == nullptr ? std::string() : recording->label()};
    if (shows_plot(state, options_) && !plots_sectors(plotted(state, options)))
        curve_.series = recordings.series(*state.scenario, state.params, *state.axis, view);
    evidence_ = with_observed(std::move(evidence_),
                              {.recorded = recordings.find(*state.scenario, state.params, view)});
    content_ = content_of(state_, evidence_, curve_, device(), options_);
    if (options.view == FigureView::heatmap) {
        heatmap_ = all_cells(state, device());
        if (recording != nullptr)
            add_measured(heatmap_, state, *recording->measurements, recording->device, on);
        content_.heatmap = &heatmap_;
    } else if (options.view == FigureView::fit) {
        const Measurements none;
        fit_ = bank_fit(
            state, recording == nullptr ? none : *recording->measurements,
            recording == nullptr ? device() : recording->device, on,
            "No points: there is no recording of this GPU; the window and 'warplens measure' measure.");
        content_.fit = &fit_;
    }
    if (!state_.board->instructions) show_board(content_, board_);
    if (!options.title.empty()) content_.title = options.title;
    if (options.slide) make_slide();
    content_.caption = options.caption;
    content_.license = options.license;
    if (state_.compared && state_.board->can_compare()) compare(recordings);
}

FigurePlan::FigurePlan(RequestFigure request, const State& state, const std::vector<DeviceFacts>& devices,
                       const FigureOptions& options)
    : state_(state),
      devices_(devices),
      options_(options),
      evidence_(std::move(request.evidence)),
      board_{state_, devices_, evidence_},
      command_(std::move(request.command)),
      group_(std::move(request.group)) {
    content_.title = options.title.empty() ? request.title : options.title;
    content_.subtitle = request.subtitle;
    content_.recorded = request.recorded;
    content_.device = device_text(device());
    content_.count_kind = evidence_.report.kind;
    content_.count_source = evidence_.report.instructions.front().source;
    content_.look = access_look(state_);
    content_.instructions.push_back({view_of(evidence_, 0), evidence_.tiles.front()});
    content_.caption = options.caption;
    content_.license = options.license;
}

void FigurePlan::compare(const Recordings& recordings) {
    const State a = state_of(*state_.compared, state_);
    FigureOptions options = options_;
    if (options.instruction >= a.scenario->instruction_count(a.params)) options.instruction = -1;
    a_ = std::make_unique<Side>(a, devices_, options, recordings);
    const FigurePlan& other = a_->plan;
    if (content_.curve != nullptr) add_other_curve(curve_, other.curve_);
    const bool single = only_instruction(content_) >= 0 && only_instruction(other.content_) >= 0;
    // Both sides show the same instructions, as far as they have the same.
    const std::size_t count = content_.instructions.size();
    for (std::size_t i = 0; i < count && count == other.content_.instructions.size(); ++i) {
        double &here = content_.instructions[i].cost, &there = a_->plan.content_.instructions[i].cost;
        here = there = std::max(here, there);
    }
    const SideNames names = side_names(other.state_, state_, devices_);
    compared_ = {&other.content_, &content_, names.a, names.b,
                 compare_numbers(numbers_of(other, single), numbers_of(*this, single))};
}

std::vector<std::string> FigurePlan::caption() const {
    return a_ == nullptr ? figure_caption(content_) : comparison_caption(compared_);
}

void FigurePlan::check_size(const TextMeasure& measure) const {
    const Vec2 least =
        a_ == nullptr ? legible_size(content_, measure, size()) : legible_size(compared_, measure, size());
    if (least.x <= size().x && least.y <= size().y) return;
    throw UsageError(fmt::format("--size {}x{}: too small for the texts of this figure, which need {}x{}",
                                 options_.width, options_.height, least.x, least.y));
}

std::vector<PlacedPicture> FigurePlan::compose(const TextMeasure& measure) const {
    const Theme& colors = theme(options_.look);
    return a_ == nullptr ? compose_figure(content_, colors, measure, size())
                         : compose_comparison(compared_, colors, measure, size());
}

Vec2 FigurePlan::size() const { return {float(options_.width), float(options_.height)}; }

Color FigurePlan::page() const {
    return options_.transparent ? Color{0, 0, 0, 0} : theme(options_.look).page;
}

FigureMetadata FigurePlan::metadata(const std::string& out) const {
    FigureMetadata metadata{
        a_ == nullptr ? content_.title : comparison_title(compared_),
        "",
        fmt::format("warplens {}", version()),
        command_.empty() ? export_command_line(state_, devices_, options_, out) : command_,
        options_.license ? std::string(kLicenseAddress) : std::string(),
        ""};
    std::vector<std::string> sentences = caption();
    sentences.insert(sentences.begin(), content_.subtitle);
    for (const std::string& sentence : sentences) {
        if (!metadata.description.empty() && !sentence.empty()) metadata.description += ". ";
        metadata.description += sentence;
    }
    // An address of the person's own disk is nobody else's business.
    if (after(options_.web_address, "http") && command_.empty())
        metadata.address = web_link(options_.web_address, link_to(state_, devices_));
    if (!metadata.address.empty()) metadata.description += ". " + metadata.address;
    return metadata;
}

FigureRenderer::FigureRenderer(bool cpu, float scale) {
    const int device = cuda_device(cpu);
    context_ = make_context(device);
    const TraceMode mode = device < 0 ? TraceMode::model : TraceMode::interop;
    trace_ = std::make_unique<TraceBuffer>(mode);
    image_ = std::make_unique<ImageTexture>(mode);
    offscreen_ = std::make_unique<Offscreen>(scale);
}

FigureRenderer::FigureRenderer(TraceMode mode, float scale)
    : trace_(std::make_unique<TraceBuffer>(mode)),
      image_(std::make_unique<ImageTexture>(mode)),
      offscreen_(std::make_unique<Offscreen>(scale)) {}

void FigureRenderer::begin(const FigurePlan& plan) {
    const auto fill = [](const FigurePlan& side, TraceBuffer& trace, ImageTexture& image) {
        const Evidence& evidence = side.evidence();
        trace.update(evidence.trace_request, evidence.trace);
        if (evidence.report.shape.image.x > 0) image.update(side.state().params);
    };
    fill(plan, *trace_, *image_);
    if (const FigurePlan* a = plan.other()) {
        if (trace_of_a_ == nullptr) {
            trace_of_a_ = std::make_unique<TraceBuffer>(trace_->mode());
            image_of_a_ = std::make_unique<ImageTexture>(trace_->mode());
        }
        fill(*a, *trace_of_a_, *image_of_a_);
    }
    plan.check_size(offscreen_->fonts());
    const std::vector<PlacedPicture> figure = plan.compose(offscreen_->fonts());
    std::vector<Offscreen::Placed> placed;
    for (const PlacedPicture& part : figure) {
        const TraceBuffer& trace = part.of_a ? *trace_of_a_ : *trace_;
        const ImageTexture& image = part.of_a ? *image_of_a_ : *image_;
        placed.push_back({&part.picture, part.position, trace.gl_texture(), image.gl_texture()});
    }
    offscreen_->begin(placed, plan.size(), plan.page());
}

Recordings open_figure_recordings(const RecordingChoice& choice, const std::vector<DeviceFacts>& devices) {
    Recordings recordings;
    if (choice.shipped) recordings.add_shipped();
    for (const std::string& path : choice.files) recordings.open(path, devices);
    return recordings;
}

std::vector<int> instructions_of_view(const State& state, const FigureOptions& options) {
    const Scenario& scenario = *state.scenario;
    const int count = scenario.instruction_count(state.params);
    if (options.instruction >= count) {
        throw UsageError(fmt::format("--instruction {}: {} has instructions 0 to {} as it is set",
                                     options.instruction, scenario.info->id, count - 1));
    }
    std::vector<int> result;
    if (!options.board->instructions) return result;
    if (options.view == FigureView::bandwidth || options.view == FigureView::heatmap) return result;
    if (options.view == FigureView::fit) {
        if (has_bank_loop(scenario, state.params)) return result;
        throw UsageError(
            fmt::format("--view fit shows cycles of requests to shared memory, and {} as it is set "
                        "is not timed in those: try --view bandwidth",
                        scenario.info->id));
    }
    for (int k = 0; k < count; ++k) {
        const Space space = scenario.instruction(state.params, k).space;
        const bool fits = options.view == FigureView::all || options.view == FigureView::access ||
                          options.view == FigureView::bits ||
                          (options.view == FigureView::banks ? has_banks(space)
                                                             : has_sectors(space) || space == Space::texture);
        if (fits && (options.instruction < 0 || options.instruction == k)) result.push_back(k);
    }
    if (!result.empty()) return result;
    const std::string_view memory =
        options.view == FigureView::banks ? "shared memory" : "global, local or texture memory";
    const std::string who = options.instruction < 0 ? fmt::format("{} as it is set", scenario.info->id)
                                                    : fmt::format("instruction {}", options.instruction);
    throw UsageError(fmt::format("--view {} shows {}, and {} does not touch it: try --view access",
                                 view_name(options), memory, who));
}

PngPacker figure_packer(const Image& image, const FigureMetadata& metadata, const FigureOptions& options) {
    std::vector<PngText> texts{{"Title", metadata.title},
                               {"Description", metadata.description},
                               {"Software", metadata.software},
                               {"Command", metadata.command}};
    if (!metadata.license.empty()) texts.push_back({"Copyright", metadata.license});
    return {image.width, image.height, image.rgba, options.scale, texts, options.transparent};
}

std::string figure_to_png(const Image& image, const FigureMetadata& metadata, const FigureOptions& options) {
    PngPacker packer = figure_packer(image, metadata, options);
    while (packer.step()) {
    }
    return packer.take();
}

}  // namespace warplens
