#include "app/figures/formats/svg.h"

#include "app/base/base64.h"
#include "app/base/text.h"
#include "app/figures/formats/png.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace warplens {
namespace {

std::string hex(Color c) { return fmt::format("#{:02x}{:02x}{:02x}", c.r, c.g, c.b); }

/// ` fill="#0072b2"`, and how opaque, where it is not.
std::string paint_of(std::string_view what, Color c) {
    if (c.a == 0) return fmt::format(R"( {}="none")", what);
    std::string text = fmt::format(R"( {}="{}")", what, hex(c));
    if (c.a < 255) text += fmt::format(R"( {}-opacity="{}")", what, svg_number(float(c.a) / 255));
    return text;
}

std::string point_of(Vec2 p) { return svg_number(p.x) + ' ' + svg_number(p.y); }

/// Families that look alike where ours is not installed.
std::string families(const FigureFonts& fonts, FontRole role) {
    const std::string& own = fonts.family(role);
    const std::string_view others = role == FontRole::mono ? "Consolas, 'DejaVu Sans Mono', monospace"
                                                           : "Arial, 'DejaVu Sans', sans-serif";
    if (own.empty()) return std::string(others);
    const std::string_view quote = own.find(' ') == std::string::npos ? "" : "'";
    return fmt::format("{}{}{}, {}", quote, own, quote, others);
}

class SvgWriter {
public:
    SvgWriter(const FigureImage& image, const FigureFonts& fonts, const SvgOptions& options)
        : image_(image), fonts_(fonts), options_(options) {
        for (std::size_t i = 0; i < kFontRoles; ++i) families_[i] = families(fonts, FontRole(i));
    }

    std::string text;

    void operator()(const DrawnBox& box) {
        const float inset = 0.5f * box.stroke_width;
        const Rect r{box.rect.x + inset, box.rect.y + inset, box.rect.w - 2 * inset, box.rect.h - 2 * inset};
        add(R"(<rect x="{}" y="{}" width="{}" height="{}")", svg_number(r.x), svg_number(r.y),
            svg_number(std::max(r.w, 0.0f)), svg_number(std::max(r.h, 0.0f)));
        if (box.rounding > 0) add(R"( rx="{}")", svg_number(box.rounding));
        text += paint_of("fill", box.fill);
        if (box.stroke.a > 0)
            add(R"({} stroke-width="{}")", paint_of("stroke", box.stroke), svg_number(box.stroke_width));
        text += "/>\n";
    }

    void operator()(const DrawnLines& drawn) {
        text += R"(<path d=")";
        for (const auto& line : drawn.lines) {
            for (std::size_t i = 0; i < line.size(); ++i) text += (i == 0 ? 'M' : 'L') + point_of(line[i]);
        }
        add(R"(" fill="none"{} stroke-width="{}" stroke-linejoin="round")", paint_of("stroke", drawn.color),
            svg_number(drawn.width));
        if (drawn.dash_on > 0)
            add(R"( stroke-dasharray="{} {}")", svg_number(drawn.dash_on), svg_number(drawn.dash_off));
        text += "/>\n";
    }

    void operator()(const DrawnCurve& curve) {
        add(R"(<path d="M{}C{} {} {}" fill="none"{} stroke-width="{}"/>)", point_of(curve.points[0]),
            point_of(curve.points[1]), point_of(curve.points[2]), point_of(curve.points[3]),
            paint_of("stroke", curve.color), svg_number(curve.width));
        text += '\n';
    }

    void operator()(const DrawnPolygon& polygon) {
        text += R"(<polygon points=")";
        for (std::size_t i = 0; i < polygon.corners.size(); ++i)
            add("{}{},{}", i == 0 ? "" : " ", svg_number(polygon.corners[i].x),
                svg_number(polygon.corners[i].y));
        add("\"{}/>\n", paint_of("fill", polygon.color));
    }

    void operator()(const DrawnDisk& disk) {
        add(R"(<circle cx="{}" cy="{}" r="{}")", svg_number(disk.center.x), svg_number(disk.center.y),
            svg_number(disk.radius));
        if (disk.ring_width > 0)
            add(R"( fill="none"{} stroke-width="{}")", paint_of("stroke", disk.color),
                svg_number(disk.ring_width));
        else
            text += paint_of("fill", disk.color);
        text += "/>\n";
    }

    void operator()(const Label& drawn) {
        if (options_.outlines && !fonts_.family(drawn.font).empty()) return outline(drawn);
        add(R"(<text x="{}" y="{}" font-family="{}" font-size="{}")", svg_number(drawn.position.x),
            svg_number(drawn.position.y), families_[int(drawn.font)], svg_number(font_points(drawn.font)));
        if (drawn.font != FontRole::body && drawn.font != FontRole::mono) text += R"( font-weight="600")";
        if (drawn.anchor != Anchor::start)
            add(R"( text-anchor="{}")", drawn.anchor == Anchor::middle ? "middle" : "end");
        // Otherwise several spaces would become one.
        constexpr auto kTwoSpaces = [](char a, char b) { return a == ' ' && b == ' '; };
        if (std::ranges::adjacent_find(drawn.text, kTwoSpaces) != drawn.text.end())
            text += R"( xml:space="preserve")";
        add("{}>{}</text>\n", paint_of("fill", drawn.color), xml_text(drawn.text));
    }

    void operator()(const DrawnImage& drawn) {
        // Keeps pixels sharp when the image is enlarged; `optimizeSpeed` is the value for that in SVG 1.1.
        const bool enlarged = drawn.rect.w > float(image_.width);
        add(R"(<image x="{}" y="{}" width="{}" height="{}" preserveAspectRatio="none"{})",
            svg_number(drawn.rect.x), svg_number(drawn.rect.y), svg_number(drawn.rect.w),
            svg_number(drawn.rect.h), enlarged ? R"( image-rendering="optimizeSpeed")" : "");
        add(" xlink:href=\"data:image/png;base64,{}\"/>\n",
            base64(encode_png(image_.width, image_.height, drawn.of_a ? image_.rgba_a : image_.rgba, 1, {})));
    }

private:
    template <class... T>
    void add(fmt::format_string<T...> format, T&&... values) {
        fmt::format_to(std::back_inserter(text), format, std::forward<T>(values)...);
    }

    /// One path for a whole text.
    void outline(const Label& drawn) {
        const float em = font_points(drawn.font);
        Vec2 origin = drawn.position;
        if (drawn.anchor != Anchor::start)
            origin.x -= fonts_.width(drawn.text, drawn.font) * (drawn.anchor == Anchor::middle ? 0.5f : 1.0f);
        std::string path;
        for (const FigureFonts::Glyph& glyph : fonts_.set(drawn.text, drawn.font)) {
            const auto at = [&](Vec2 p) {
                return point_of({origin.x + glyph.x + em * p.x, origin.y + em * p.y});
            };
            bool open = false;
            for (const FigureFonts::Step& step : fonts_.outline(glyph)) {
                constexpr std::string_view kLetters = "MLQC";
                if (step.kind == FigureFonts::Step::move && open) path += 'Z';
                open = true;
                path += kLetters[step.kind];
                const int points = step.kind < 2 ? 1 : step.kind;
                for (int i = 0; i < points; ++i) path += (i == 0 ? "" : " ") + at(step.points[i]);
            }
            if (open) path += 'Z';
        }
        if (!path.empty()) add("<path d=\"{}\"{}/>\n", path, paint_of("fill", drawn.color));
    }

    const FigureImage& image_;
    const FigureFonts& fonts_;
    const SvgOptions& options_;
    std::array<std::string, kFontRoles> families_;
};

std::string head_of(const Drawing& drawing, const FigureMetadata& metadata) {
    const std::string w = svg_number(drawing.size.x), h = svg_number(drawing.size.y);
    std::string text = fmt::format(R"(<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" version="1.1" )"
                                   R"(width="{}" height="{}" viewBox="0 0 {} {}">
<title>{}</title>
<desc>{}</desc>
)",
                                   w, h, w, h, xml_text(metadata.title), xml_text(metadata.description));
    // Other programs read Dublin Core, as Inkscape and browsers' tools write it.
    text += fmt::format(R"(<metadata>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/" )"
                        R"(xmlns:cc="http://creativecommons.org/ns#">
<cc:Work rdf:about="">
<dc:format>image/svg+xml</dc:format>
<dc:title>{}</dc:title>
<dc:publisher>{}</dc:publisher>
<dc:source>{}</dc:source>
)",
                        xml_text(metadata.title), xml_text(metadata.software), xml_text(metadata.command));
    if (!metadata.license.empty())
        text += fmt::format("<cc:license rdf:resource=\"{}\"/>\n", xml_text(metadata.license));
    return text + "</cc:Work>\n</rdf:RDF>\n</metadata>\n";
}

}  // namespace

std::string svg_number(float value) {
    std::string text = fmt::format("{:.2f}", double(value));
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

std::string xml_text(std::string_view text) {
    constexpr std::pair<char, std::string_view> kEntities[] = {
        {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};
    std::string result;
    while (!text.empty()) {
        const Utf8Character next = first_character(text);
        const auto entity = std::ranges::find(kEntities, text[0], &std::pair<char, std::string_view>::first);
        if (entity != std::end(kEntities))
            result += entity->second;
        else if (!next.valid)
            result += '?';
        else if (is_xml_character(next.code))
            result += text.substr(0, next.bytes);
        text.remove_prefix(next.bytes);
    }
    return result;
}

std::string write_svg(const Drawing& drawing, const FigureImage& image, const FigureFonts& fonts,
                      const FigureMetadata& metadata, const SvgOptions& options) {
    SvgWriter writer(image, fonts, options);
    writer.text = head_of(drawing, metadata);
    if (options.page.a > 0)
        writer(DrawnBox{{0, 0, drawing.size.x, drawing.size.y}, options.page, {0, 0, 0, 0}, 0, 0});
    for (const DrawnGroup& group : drawing.groups) {
        writer.text += "<g>\n";
        for (const Drawn& shape : group.shapes) std::visit(writer, shape);
        writer.text += "</g>\n";
    }
    writer.text += "</svg>\n";
    return std::move(writer.text);
}

}  // namespace warplens
