#include "app/figures/figure_writer.h"

#include "app/base/errors.h"
#include "app/figures/figure_data.h"
#include "app/figures/formats/pdf.h"
#include "app/figures/formats/svg.h"
#include "app/gl/font_files.h"
#include "kernels/scenarios/texture_filter.h"
#include "kernels/trace/image_filter.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstring>

namespace warplens {
namespace {

/// The trace behind a figure's cells as words: from a kernel if there is a GPU, otherwise from the model, as
/// for PNG figures (TraceBuffer).
std::vector<std::uint32_t> trace_words(const Evidence& evidence, bool cpu) {
    Trace trace;
    if (cpu || trace_to_host({&evidence.trace_request, 1}, {&trace, 1})) trace = evidence.trace;
    std::vector<std::uint32_t> words(sizeof(Trace) / sizeof(std::uint32_t));
    std::memcpy(words.data(), &trace, sizeof(Trace));
    return words;
}

/// The image of one side as RGBA. Empty if it has none.
std::vector<std::uint8_t> draw_image(const FigurePlan& plan, bool cpu) {
    constexpr auto kSide = std::size_t{TextureFilter::kImage};
    if (plan.evidence().report.shape.image.x <= 0) return {};
    std::vector<std::uint8_t> rgba(kSide * kSide * 4);
    ImageFilter on_gpu;
    if (cpu || on_gpu.draw_to_host(plan.state().params, rgba)) {
        FilterImage model;
        rgba = model.draw(plan.state().params);
    }
    return rgba;
}

}  // namespace

std::unique_ptr<FigureFonts> open_figure_fonts() {
    std::array<FigureFonts::Files, kFontRoles> files;
    const FontFile* symbols = symbol_font_file();
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (const FontFile* main = font_file(FontRole(i))) files[i].main = main->bytes;
        if (symbols != nullptr) files[i].symbols = symbols->bytes;
    }
    return std::make_unique<FigureFonts>(files);
}

void FigureWriter::begin(const FigurePlan& plan) {
    const float scale = plan.options().scale;
    if (renderer_ == nullptr || renderer_scale_ != scale) {
        renderer_.reset();  // one context at a time
        renderer_ = in_window_ ? std::make_unique<FigureRenderer>(*in_window_, scale)
                               : std::make_unique<FigureRenderer>(cpu_, scale);
        renderer_scale_ = scale;
    }
    renderer_->begin(plan);
}

Image FigureWriter::draw(const FigurePlan& plan) {
    begin(plan);
    while (draw_piece() < 1) {
    }
    return take();
}

std::string FigureWriter::write(const FigurePlan& plan, FigureFormat format, const std::string& out) {
    if (format == FigureFormat::png) return figure_to_png(draw(plan), plan.metadata(out), plan.options());
    if (format == FigureFormat::csv) return figure_to_csv(plan);
    if (format == FigureFormat::json) return figure_to_json(plan, out).dump(1) + '\n';
    return write_vectors(plan, format, out);
}

std::string FigureWriter::write_vectors(const FigurePlan& plan, FigureFormat format, const std::string& out) {
    constexpr int kSide = TextureFilter::kImage;
    if (fonts_ == nullptr) fonts_ = open_figure_fonts();
    plan.check_size(*fonts_);
    FigureImage image{kSide, kSide, draw_image(plan, cpu_)};
    std::vector<std::uint32_t> of_a;
    if (const FigurePlan* a = plan.other()) {
        image.rgba_a = draw_image(*a, cpu_);
        of_a = trace_words(a->evidence(), cpu_);
    }
    const Drawing drawing =
        lower_figure(plan.compose(*fonts_), plan.size(), trace_words(plan.evidence(), cpu_),
                     !image.rgba.empty() || !image.rgba_a.empty(), of_a);
    if (format == FigureFormat::svg)
        return write_svg(drawing, image, *fonts_, plan.metadata(out), {plan.page(), plan.options().outlines});
    auto pdf = write_pdf(drawing, image, *fonts_, plan.metadata(out), plan.page());
    if (const auto* missing = std::get_if<Unavailable>(&pdf))
        throw UsageError(fmt::format("cannot write '{}': {}", out, missing->reason));
    return std::get<std::string>(std::move(pdf));
}

}  // namespace warplens
