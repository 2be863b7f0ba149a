#include "app/gl/fonts.h"
#include "app/panels/numbers.h"
#include "app/panels/widgets.h"
#include "app/pictures/layout.h"

#include <fmt/format.h>

namespace warplens {

void show_status_bar(const Frame& frame, const View& view) {
    const Theme& colors = theme(view.theme);
    const auto gap = [&] { ImGui::SameLine(0, ui::px(frame, 10)); };
    ui::text_colored(frame.gpu.empty() ? colors.text_weak : colors.good, frame.gpu.empty() ? "○" : "●");
    gap();
    if (!frame.gpu.empty()) {
        ui::text(frame.gpu);
    } else if (frame.no_gpu.empty()) {
        ui::text("looking for a GPU …");
    } else {
        ui::text(fmt::format("CPU model of {}, no GPU", frame.devices->at(frame.state->device).name));
        ui::tip(frame, frame.no_gpu);
    }
    gap();
    ui::text_weak(colors, fmt::format("·  {}", frame.drawing));
    ui::tip(frame, frame.drawing_why.empty() ? "How the values behind the cells get into the picture."
                                             : frame.drawing_why);
    gap();
    ui::text_weak(colors, fmt::format("·  {}", frame.renderer));
    ui::tip(frame, "What draws the window: the OpenGL renderer.");
    gap();
    if (frame.jobs_waiting > 0) {
        ui::text(fmt::format("·  measuring, {} to go", frame.jobs_waiting));
    } else if (const auto* why =
                   frame.measured == nullptr ? nullptr : std::get_if<Unavailable>(frame.measured)) {
        ui::text_colored(colors.bad, "·  not measured: point here for the reason");
        ui::tip(frame, why->reason);
    }
    gap();
    const float left = ImGui::GetCursorPosX(), end = ImGui::GetWindowWidth() - ui::px(frame, 16);
    const std::string message =
        elide(frame.message, FontRole::body, (end - left) / frame.scale, *frame.fonts);
    ImGui::SameLine(end - ImGui::CalcTextSize(message.c_str()).x);
    ui::text_weak(colors, message);
    ui::tip(frame, fmt::format("{}{}The last change took {:.2f} ms: model and pictures.", frame.message,
                               frame.message.empty() ? "" : "\n", frame.compute_ms));
}

}  // namespace warplens
