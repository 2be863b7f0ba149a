#include "app/figures/formats/pdf.h"

#include <cairo-ft.h>
#include <cairo-pdf.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <stdexcept>

namespace warplens {
namespace {

constexpr double kPdfUnitsPerPoint = 72.0 / 96.0;  // the unit of a PDF is 1/72 inch

template <auto destroy>
struct Destroy {
    template <class T>
    void operator()(T* object) const {
        destroy(object);
    }
};
using Surface = std::unique_ptr<cairo_surface_t, Destroy<cairo_surface_destroy>>;
using Context = std::unique_ptr<cairo_t, Destroy<cairo_destroy>>;
using FontFace = std::unique_ptr<cairo_font_face_t, Destroy<cairo_font_face_destroy>>;

void check(cairo_status_t status) {
    if (status != CAIRO_STATUS_SUCCESS)
        throw std::runtime_error(std::string("cannot write a PDF: ") + cairo_status_to_string(status));
}

cairo_status_t append(void* bytes, const unsigned char* data, unsigned length) {
    static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
}

/// The faces of the figure's fonts in Cairo. Cairo may keep a face after its last use here, and with it
/// FreeType's face, so each is freed when Cairo releases it, and FreeType itself is kept until the program
/// ends.
class Faces {
public:
    explicit Faces(const FigureFonts& fonts) {
        for (int i = 0; i < fonts.faces(); ++i) faces_.push_back(open(fonts.face_bytes(i)));
    }
    cairo_font_face_t* at(int face) const { return faces_.at(face).get(); }

private:
    static FT_Library library() {
        static const FT_Library library = [] {
            FT_Library made = nullptr;
            return FT_Init_FreeType(&made) == 0 ? made : nullptr;
        }();
        return library;
    }

    static FontFace open(std::span<const unsigned char> bytes) {
        FT_Face face = nullptr;
        if (library() == nullptr ||
            FT_New_Memory_Face(library(), bytes.data(), static_cast<FT_Long>(bytes.size()), 0, &face) != 0)
            throw std::runtime_error("cannot write a PDF: FreeType cannot read a font file");
        static const cairo_user_data_key_t kKey{};
        FontFace made(cairo_ft_font_face_create_for_ft_face(face, FT_LOAD_NO_HINTING));
        const auto done = [](void* ft_face) { FT_Done_Face(static_cast<FT_Face>(ft_face)); };
        check(cairo_font_face_set_user_data(made.get(), &kKey, face, done));
        return made;
    }

    std::vector<FontFace> faces_;
};

class PdfWriter {
public:
    PdfWriter(cairo_t* cairo, const FigureImage& image, const FigureFonts& fonts)
        : cairo_(cairo), image_(image), fonts_(fonts), faces_(fonts) {
        cairo_set_line_join(cairo_, CAIRO_LINE_JOIN_ROUND);
    }

    void operator()(const DrawnBox& box) {
        const double inset = 0.5 * double(box.stroke_width);
        rectangle(box.rect.x + inset, box.rect.y + inset, box.rect.w - 2 * inset, box.rect.h - 2 * inset,
                  double(box.rounding));
        if (box.fill.a > 0) {
            color(box.fill);
            cairo_fill_preserve(cairo_);
        }
        if (box.stroke.a > 0) stroke(box.stroke, box.stroke_width);
        cairo_new_path(cairo_);
    }

    void operator()(const DrawnLines& drawn) {
        for (const auto& line : drawn.lines) {
            for (std::size_t i = 0; i < line.size(); ++i) {
                if (i == 0)
                    cairo_move_to(cairo_, line[i].x, line[i].y);
                else
                    cairo_line_to(cairo_, line[i].x, line[i].y);
            }
        }
        const double dash[] = {drawn.dash_on, drawn.dash_off};
        if (drawn.dash_on > 0) cairo_set_dash(cairo_, dash, 2, 0);
        stroke(drawn.color, drawn.width);
        cairo_set_dash(cairo_, nullptr, 0, 0);
    }

    void operator()(const DrawnCurve& curve) {
        const auto& p = curve.points;
        cairo_move_to(cairo_, p[0].x, p[0].y);
        cairo_curve_to(cairo_, p[1].x, p[1].y, p[2].x, p[2].y, p[3].x, p[3].y);
        stroke(curve.color, curve.width);
    }

    void operator()(const DrawnPolygon& polygon) {
        for (const Vec2 corner : polygon.corners) cairo_line_to(cairo_, corner.x, corner.y);
        cairo_close_path(cairo_);
        fill(polygon.color);
    }

    void operator()(const DrawnDisk& disk) {
        cairo_new_sub_path(cairo_);
        cairo_arc(cairo_, disk.center.x, disk.center.y, disk.radius, 0, 2 * std::numbers::pi);
        if (disk.ring_width > 0)
            stroke(disk.color, disk.ring_width);
        else
            fill(disk.color);
    }

    // Cairo places each glyph behind the one before it by that one's exact width, but writes widths without
    // their fractions of a thousandth of the font's size: what a reader would lose is added here.
    // Runs of one face; each hands Cairo the text as well, so that it can be searched and copied.
    void operator()(const Label& drawn) {
        double x = drawn.position.x;
        if (drawn.anchor != Anchor::start)
            x -= double(fonts_.width(drawn.text, drawn.font)) * (drawn.anchor == Anchor::middle ? 0.5 : 1.0);
        color(drawn.color);
        const std::vector<FigureFonts::Glyph> glyphs = fonts_.set(drawn.text, drawn.font);
        const double thousandth = double(font_points(drawn.font)) / 1000;
        double lost = 0;  // [points]
        const char* text = drawn.text.data();
        for (std::size_t first = 0; first < glyphs.size();) {
            std::size_t last = first;
            std::vector<cairo_glyph_t> run;
            std::vector<cairo_text_cluster_t> clusters;
            int bytes = 0;
            for (; last < glyphs.size() && glyphs[last].face == glyphs[first].face; ++last) {
                const FigureFonts::Glyph& glyph = glyphs[last];
                run.push_back({static_cast<unsigned long>(glyph.index), x + double(glyph.x) + lost,
                               double(drawn.position.y)});
                if (last + 1 < glyphs.size())
                    lost += std::fmod(double(glyphs[last + 1].x - glyph.x), thousandth);
                clusters.push_back({int(glyph.bytes), 1});
                bytes += int(glyph.bytes);
            }
            cairo_set_font_face(cairo_, faces_.at(glyphs[first].face));
            cairo_set_font_size(cairo_, double(font_points(drawn.font)));
            cairo_show_text_glyphs(cairo_, text, bytes, run.data(), int(run.size()), clusters.data(),
                                   int(clusters.size()), static_cast<cairo_text_cluster_flags_t>(0));
            text += bytes;
            first = last;
        }
    }

    void operator()(const DrawnImage& drawn) {
        const Surface pixels(cairo_image_surface_create(CAIRO_FORMAT_RGB24, image_.width, image_.height));
        check(cairo_surface_status(pixels.get()));
        const std::vector<std::uint8_t>& rgba = drawn.of_a ? image_.rgba_a : image_.rgba;
        unsigned char* rows = cairo_image_surface_get_data(pixels.get());
        const int stride = cairo_image_surface_get_stride(pixels.get());
        for (int y = 0; y < image_.height; ++y) {
            for (int x = 0; x < image_.width; ++x) {
                const std::uint8_t* from = &rgba[std::size_t(y * image_.width + x) * 4];
                const std::uint32_t pixel =
                    std::uint32_t{from[0]} << 16 | std::uint32_t{from[1]} << 8 | from[2];
                std::memcpy(rows + y * stride + x * 4, &pixel, sizeof pixel);
            }
        }
        cairo_surface_mark_dirty(pixels.get());
        cairo_save(cairo_);
        cairo_translate(cairo_, drawn.rect.x, drawn.rect.y);
        cairo_scale(cairo_, drawn.rect.w / float(image_.width), drawn.rect.h / float(image_.height));
        cairo_set_source_surface(cairo_, pixels.get(), 0, 0);
        if (drawn.rect.w > float(image_.width))
            cairo_pattern_set_filter(cairo_get_source(cairo_), CAIRO_FILTER_NEAREST);
        cairo_paint(cairo_);
        cairo_restore(cairo_);
    }

private:
    void color(Color c) const {
        cairo_set_source_rgba(cairo_, c.r / 255.0, c.g / 255.0, c.b / 255.0, c.a / 255.0);
    }
    void fill(Color c) const {
        color(c);
        cairo_fill(cairo_);
    }
    void stroke(Color c, float width) const {
        color(c);
        cairo_set_line_width(cairo_, double(width));
        cairo_stroke(cairo_);
    }

    void rectangle(double x, double y, double w, double h, double rounding) const {
        const double r = std::min({rounding, 0.5 * w, 0.5 * h});
        if (r <= 0) return cairo_rectangle(cairo_, x, y, std::max(w, 0.0), std::max(h, 0.0));
        constexpr double kQuarter = std::numbers::pi / 2;
        cairo_new_sub_path(cairo_);
        cairo_arc(cairo_, x + w - r, y + r, r, -kQuarter, 0);
        cairo_arc(cairo_, x + w - r, y + h - r, r, 0, kQuarter);
        cairo_arc(cairo_, x + r, y + h - r, r, kQuarter, 2 * kQuarter);
        cairo_arc(cairo_, x + r, y + r, r, 2 * kQuarter, 3 * kQuarter);
        cairo_close_path(cairo_);
    }

    cairo_t* cairo_;
    const FigureImage& image_;
    const FigureFonts& fonts_;
    Faces faces_;
};

void write_metadata(cairo_surface_t* surface, const FigureMetadata& metadata) {
    const auto set = [surface](cairo_pdf_metadata_t key, const std::string& text) {
        cairo_pdf_surface_set_metadata(surface, key, text.c_str());
    };
    set(CAIRO_PDF_METADATA_TITLE, metadata.title);
    set(CAIRO_PDF_METADATA_SUBJECT, metadata.description);
    set(CAIRO_PDF_METADATA_KEYWORDS, metadata.command);
    set(CAIRO_PDF_METADATA_CREATOR, metadata.software);
    // There is no date in it, so that the same figure gives the same file.
    set(CAIRO_PDF_METADATA_CREATE_DATE, "");
}

}  // namespace

std::optional<Unavailable> pdf_unavailable() { return {}; }

std::variant<std::string, Unavailable> write_pdf(const Drawing& drawing, const FigureImage& image,
                                                 const FigureFonts& fonts, const FigureMetadata& metadata,
                                                 Color page) {
    if (fonts.faces() == 0)
        return Unavailable{"there is no font to set a PDF in: install fonts-inter or fonts-dejavu-core"};
    std::string bytes;
    const Surface surface(cairo_pdf_surface_create_for_stream(
        append, &bytes, drawing.size.x * kPdfUnitsPerPoint, drawing.size.y * kPdfUnitsPerPoint));
    check(cairo_surface_status(surface.get()));
    // PDF 1.4 is enough, and no TeX warns of it. Since Cairo 1.18 newer versions pack title and
    // command.
    cairo_pdf_surface_restrict_to_version(surface.get(), CAIRO_PDF_VERSION_1_4);
    write_metadata(surface.get(), metadata);
    {
        const Context cairo(cairo_create(surface.get()));
        cairo_scale(cairo.get(), kPdfUnitsPerPoint, kPdfUnitsPerPoint);
        PdfWriter writer(cairo.get(), image, fonts);
        if (page.a > 0) writer(DrawnBox{{0, 0, drawing.size.x, drawing.size.y}, page, {0, 0, 0, 0}, 0, 0});
        for (const DrawnGroup& group : drawing.groups) {
            for (const Drawn& shape : group.shapes) std::visit(writer, shape);
        }
        check(cairo_status(cairo.get()));
    }
    cairo_surface_finish(surface.get());
    check(cairo_surface_status(surface.get()));
    return bytes;
}

}  // namespace warplens
