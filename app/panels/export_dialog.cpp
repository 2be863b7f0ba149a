#include "app/panels/overlays.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

constexpr float kOptions = 372, kPreview = 440, kLabel = 92;  // widths [points]

void begin_row(const PanelStyle& style, const char* label) {
    ImGui::AlignTextToFramePadding();
    ui::text_weak(style, label);
    ImGui::SameLine(style.px(kLabel));
}

/// One of a row of choices.
bool show_choice(const PanelStyle& style, const char* label, bool chosen, const std::string& name,
                 std::string_view tooltip, bool enabled = true) {
    ImGui::BeginDisabled(!enabled);
    const bool pressed = ui::chip(style, label, chosen);
    ImGui::EndDisabled();
    ui::mark(style, name, tooltip);
    ImGui::SameLine(0, style.px(3));
    return pressed && enabled;
}

void show_parts(const PanelStyle& style, const ExportView& dialog, FigureForm& form) {
    constexpr struct {
        FigurePart part;
        const char *label, *tooltip;
    } kParts[] = {
        {FigurePart::slide, "a slide", "The verdict as headline, one picture, type of 20 points and more."},
        {FigurePart::picture, "this picture", "The instruction that is shown."},
        {FigurePart::pictures, "pictures", "The pictures of all instructions, without the plot."},
        {FigurePart::plot, "plot", "The plot alone."},
        {FigurePart::all, "all", "Pictures and plot."},
        {FigurePart::board, "this board", "The map that the window shows."},
    };
    begin_row(style, "What");
    for (const auto& [part, label, tooltip] : kParts) {
        if (std::ranges::find(dialog.parts, part) == dialog.parts.end()) continue;
        const std::string name = fmt::format("export.part.{}", part_name(part));
        if (show_choice(style, label, dialog.part == part, name, tooltip)) form.part = part;
    }
    ImGui::NewLine();
}

void show_formats(const PanelStyle& style, const ExportView& dialog, FigureForm& form) {
    constexpr struct {
        FigureFormat format;
        const char *label, *name, *tooltip;
    } kFormats[] = {
        {FigureFormat::png, "PNG", "png", "Pixels: for slides and web pages."},
        {FigureFormat::svg, "SVG", "svg", "Lines and text that slide programs can change."},
        {FigureFormat::pdf, "PDF", "pdf", "For documents and LaTeX."},
        {FigureFormat::csv, "CSV", "csv", "The numbers behind the figure, for spreadsheets."},
        {FigureFormat::json, "JSON", "json", "The same for programs."},
    };
    begin_row(style, "Format");
    for (const auto& [format, label, name, tooltip] : kFormats) {
        const bool here = format != FigureFormat::pdf || dialog.no_pdf.empty();
        const bool chosen = !form.steps && form.format == format;
        if (show_choice(style, label, chosen, fmt::format("export.format.{}", name),
                        here ? std::string_view(tooltip) : std::string_view(dialog.no_pdf), here)) {
            form.format = format;
            form.steps = false;
        }
    }
    ImGui::NewLine();
    if (!dialog.has_steps) return;
    ImGui::SetCursorPosX(style.px(kLabel));
    if (show_choice(style, "animated steps", form.steps && !form.play, "export.steps",
                    "Every step as a PNG of its own, and all of them as an animation."))
        form.steps = !form.steps || form.play, form.play = false;
    if (show_choice(style, "played", form.steps && form.play, "export.play",
                    dialog.can_play ? "One animation in motion: bytes travel, elements glide to their places."
                                    : "These pictures have no wavefronts or sectors to play.",
                    dialog.can_play))
        form.steps = form.play = !(form.steps && form.play);
    if (show_choice(style, "GIF", form.steps && form.gif, "export.gif",
                    dialog.no_gif.empty() ? "The animation as a GIF, which slide programs play, not as a PNG."
                                          : std::string_view(dialog.no_gif),
                    form.steps && dialog.no_gif.empty()))
        form.gif = !form.gif;
    ImGui::NewLine();
}

void show_look(const PanelStyle& style, const ExportView& dialog, const View& view, FigureForm& form) {
    constexpr const char* kLabels[] = {"dark", "light", "contrast", "print"};
    constexpr const char* kTips[] = {"", "For slides and projectors.", "White on black, for bright rooms.",
                                     "Black on white with patterns in place of colours."};
    begin_row(style, "Theme");
    for (std::size_t i = 0; i < std::size(kThemeNames); ++i) {
        const ThemeName name = kThemeNames[i];
        if (show_choice(style, kLabels[i], form.theme.value_or(view.look.theme) == name,
                        fmt::format("export.theme.{}", theme_key(name)), kTips[i]))
            form.theme = name;
    }
    ImGui::NewLine();
    begin_row(style, "Size");
    constexpr struct {
        FigureSize size;
        const char *label, *tooltip;
    } kSizes[] = {{FigureSize::slide, "16:9", "1280 x 720 points; a slide 672 x 378."},
                  {FigureSize::classic, "4:3", "1024 x 768 points; a slide 504 x 378."},
                  {FigureSize::a4, "A4 column", "As wide as the text of an A4 page: 642 x 480 points."},
                  {FigureSize::window, "window", "As large as this window."}};
    const bool slide = dialog.part == FigurePart::slide;
    for (const auto& [size, label, tooltip] : kSizes) {
        const bool fits = !slide || size == FigureSize::slide || size == FigureSize::classic;
        const bool chosen =
            form.size == size || (slide && size == FigureSize::slide && form.size != FigureSize::classic);
        if (show_choice(style, label, fits && chosen, fmt::format("export.size.{}", size_name(size)), tooltip,
                        fits))
            form.size = size;
    }
    ImGui::NewLine();
    begin_row(style, "Scale");
    for (int scale = 1; scale <= 4; ++scale) {
        const float finer = slide ? kSlideScale / float(FigureForm().scale) : 1;
        const Vec2 points{dialog.preview_size.x * finer, dialog.preview_size.y * finer};
        if (show_choice(
                style, fmt::format("{}x", scale).c_str(), form.scale == scale,
                fmt::format("export.scale.{}", scale),
                fmt::format("{:.0f} x {:.0f} pixels", points.x * float(scale), points.y * float(scale)),
                form.steps || form.format == FigureFormat::png))
            form.scale = scale;
    }
    ImGui::NewLine();
}

void show_switch(const PanelStyle& style, const char* label, const char* name, bool& value,
                 const char* tooltip, bool enabled = true) {
    ImGui::BeginDisabled(!enabled);
    ImGui::Checkbox(label, &value);
    ImGui::EndDisabled();
    ui::mark(style, name, tooltip);
}

void show_switches(const PanelStyle& style, FigureForm& form) {
    const bool picture =
        form.steps || (form.format != FigureFormat::csv && form.format != FigureFormat::json);
    ImGui::SetCursorPosX(style.px(kLabel));
    show_switch(style, "caption", "export.caption", form.caption,
                "The lines below the pictures: settings, GPU, kinds of numbers.", picture);
    ImGui::SameLine(style.px(kLabel + 144));
    show_switch(style, "licence", "export.license", form.license,
                "\"Warplens, CC BY 4.0\": figures may be used by anyone who names where they are from.",
                picture);
    ImGui::SetCursorPosX(style.px(kLabel));
    show_switch(style, "transparent background", "export.transparent", form.transparent,
                "No page behind the panels.", picture);
    ImGui::SetCursorPosX(style.px(kLabel));
    show_switch(style, "text as outlines", "export.outlines", form.outlines,
                "SVG: text as shapes. It looks the same everywhere, and cannot be searched or changed.",
                !form.steps && form.format == FigureFormat::svg);
}

void show_path(const PanelStyle& style, const View& view, Actions& actions) {
    begin_row(style, "File");
    ImGui::SetNextItemWidth(style.px(kOptions - kLabel));
    std::string path = view.export_path;
    ui::text_field("##export-path", "", path, ImGuiInputTextFlags_AutoSelectAll);
    ui::mark(style, "export.path", path);
    if (!ui::is_key_pressed(ImGuiKey_Escape))  // which closes; what is typed stays
        actions.set(view, &View::export_path, path);
}

void show_progress(const PanelStyle& style, const ExportView& dialog) {
    const float share = (float(dialog.done) + 0.5f * (dialog.drawn + dialog.packed)) / float(dialog.total);
    ImGui::PushStyleColor(ImGuiCol_PlotHistogram, ui::color(style.colors.accent));
    ImGui::ProgressBar(share, ImVec2(-FLT_MIN, style.px(6)), "");
    ImGui::PopStyleColor();
    const char* doing = dialog.drawn < 1 ? "drawing" : "writing";
    ui::text_weak(style, dialog.total == 1
                             ? fmt::format("{} …", doing)
                             : fmt::format("{} {} of {} …", doing, dialog.done + 1, dialog.total));
}

/// The reason why nothing is written, in words; two lines keep their place whether there is something or not.
void show_note(const PanelStyle& style, const ExportView& dialog) {
    const ImVec2 start = ImGui::GetCursorPos();
    ImGui::PushTextWrapPos(style.px(kOptions));
    if (dialog.running) {
        show_progress(style, dialog);
    } else if (!dialog.problem.empty()) {
        ui::text_colored(style.colors.bad, dialog.problem);
    } else if (dialog.asks) {
        ui::text_colored(style.colors.bad, "This file exists: overwrite it? Enter: yes, Esc: no.");
    } else if (dialog.exists) {
        ui::text_weak(style, "This file exists; you will be asked before it is overwritten.");
    }
    ui::mark("export.note");
    ImGui::PopTextWrapPos();
    ImGui::SetCursorPos(ImVec2(start.x, start.y + 2 * ImGui::GetTextLineHeightWithSpacing()));
}

void show_buttons(const PanelStyle& style, const ExportView& dialog, Actions& actions) {
    ImGui::BeginDisabled(dialog.running || dialog.parts.empty());
    const char* label = dialog.asks ? "Overwrite" : "Export";
    if (ImGui::Button(label, ImVec2(style.px(110), 0))) actions.add(action::Do::start_export);
    ImGui::EndDisabled();
    ui::mark(style, "export.start", "Enter");
    ImGui::SameLine(0, style.px(8));
    if (ImGui::Button("Cancel", ImVec2(style.px(90), 0))) actions.add(action::Do::close_export);
    ui::mark(style, "export.cancel", "Esc");
}

void show_preview(const PanelStyle& style, const ExportView& dialog) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 room(style.px(kPreview), ImGui::GetContentRegionAvail().y);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled(at, ImVec2(at.x + room.x, at.y + room.y), ui::color(style.colors.control),
                        style.px(6));
    if (!dialog.preview_text.empty()) {
        const ui::FontScope mono(style, FontRole::mono);
        const float pad = style.px(10);
        draw->PushClipRect(at, ImVec2(at.x + room.x, at.y + room.y), true);
        draw->AddText(ImVec2(at.x + pad, at.y + pad), ui::color(style.colors.text),
                      dialog.preview_text.c_str());
        draw->PopClipRect();
    } else if (dialog.preview != 0 && dialog.preview_size.x > 0) {
        const float pad = style.px(8), w = room.x - 2 * pad, h = room.y - 2 * pad;
        const float fit = std::min(w / dialog.preview_size.x, h / dialog.preview_size.y);
        const float wide = dialog.preview_size.x * fit, tall = dialog.preview_size.y * fit;
        ui::add_image(draw, dialog.preview, at.x + (room.x - wide) / 2, at.y + (room.y - tall) / 2, wide,
                      tall);
    }
    ImGui::Dummy(room);
    ui::mark("export.preview");
}

void show_options(const PanelStyle& style, const ExportView& dialog, const View& view, Actions& actions) {
    FigureForm form = view.figure;
    ImGui::BeginDisabled(dialog.running);
    show_parts(style, dialog, form);
    show_formats(style, dialog, form);
    show_look(style, dialog, view, form);
    show_switches(style, form);
    show_path(style, view, actions);
    actions.set(view, &View::figure, form);
    ImGui::EndDisabled();
    show_note(style, dialog);
    show_buttons(style, dialog, actions);
}

}  // namespace

void show_export_dialog(const PanelStyle& style, const ExportView* dialog, const View& view,
                        Actions& actions) {
    const bool was_open = ImGui::IsPopupOpen("export");
    if (dialog != nullptr && !was_open) ImGui::OpenPopup("export");
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos(ImVec2(screen.x / 2, screen.y / 2), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(style.px(24), style.px(20)));
    constexpr ImGuiWindowFlags kFlags =
        ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove;
    if (ImGui::BeginPopupModal("export", nullptr, kFlags)) {
        if (dialog == nullptr) {
            ImGui::CloseCurrentPopup();
        } else {
            ui::text(style, FontRole::heading, "Export");
            ImGui::Dummy(ImVec2(0, style.px(4)));
            const float tall = std::min(style.px(410), screen.y - style.px(110));
            ui::begin_child("options", ImVec2(style.px(kOptions), tall));
            show_options(style, *dialog, view, actions);
            ImGui::EndChild();
            if (style.px(kOptions + kPreview + 90) < screen.x) {  // large type in a small window has no room
                ImGui::SameLine(0, style.px(20));
                ui::begin_child("preview", ImVec2(style.px(kPreview), tall));
                show_preview(style, *dialog);
                ImGui::EndChild();
            }
        }
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
}

}  // namespace warplens
