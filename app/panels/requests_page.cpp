// The page of recorded requests: the instructions of a file on the left, the worst first, and what the chosen
// one does on the right.
#include "app/figures/request_figure.h"
#include "app/panels/file_page.h"
#include "app/panels/screen.h"
#include "app/panels/widgets.h"
#include "app/pictures/access/explain.h"
#include "app/pictures/kit/lit_cell.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

namespace warplens {
namespace {

constexpr const char* kHowTo =
    "Drop a file on the window: rows id,space,op,width,mask,a0..a31 as 'warplens analyze' takes them, or what "
    "NVBit's mem_trace tool prints. What 'ncu --csv' prints is laid beside them, or beside the setting.";

std::vector<HeadChip> chips_of(const Screen& screen) {
    const Frame& frame = screen.frame;
    std::vector<HeadChip> chips;
    if (frame.requests.evidence != nullptr) {
        chips.push_back({"bits", "requests.bits",
                         fmt::format("The addresses in binary {}.", key_hint(action::Do::toggle_bits)),
                         action::Do::toggle_bits, frame.state->bits});
        chips.push_back(
            {"Save figure", "requests.save",
             fmt::format("Writes this picture to a file, in the format and size of the dialog Export {}.",
                         key_hint(action::Do::open_export)),
             action::Do::open_export});
        chips.push_back({"Copy command", "requests.copy", "Copy the command that draws this as a figure.",
                         action::Do::copy_requests_command});
    }
    add_file_chips(chips, screen,
                   frame.requests.list != nullptr ? Action(action::Do::close_requests) : Action());
    return chips;
}

std::string summary_of(const AccessList& list) {
    std::string text = fmt::format("{}, {}", counted(list.rows, "request"),
                                   counted(static_cast<std::int64_t>(list.groups.size()), "instruction"));
    if (list.others > 0)
        text += fmt::format("; {} more with less beyond their ideal", counted(list.others, "request"));
    if (list.skipped > 0)
        text += fmt::format("; {} not counted, such as {}", format_count(list.skipped), list.skipped_opcode);
    return text;
}

PageItem item_of(const Screen& screen, std::size_t index) {
    const Frame& frame = screen.frame;
    const AccessGroup& group = frame.requests.list->groups[index];
    const SectorRules& rules = frame.devices->at(frame.state->device).sector_rules;
    const Theme& colors = screen.style.colors;
    return {group.name + (group.kernel.empty() ? "" : "  in " + group.kernel),
            fmt::format("{}, {}", request_kind(group), counted(group.rows, "request")),
            request_cost(group, rules), excess_of(group, rules) > 0 ? colors.bad : colors.good,
            fmt::format("{}\n{}{}\nworst: {}", group.name, group.kernel, group.kernel.empty() ? "" : "\n",
                        request_place(group))};
}

Explanation words_of(const Screen& screen) {
    const InstructionView view = view_of(*screen.frame.requests.evidence, 0);
    return screen.frame.state->bits && has_bits(view) ? explain_bits(view, {}) : explain(view);
}

void show_picture(const Screen& screen, RequestsPage& page, const Rect& place) {
    const PanelStyle& style = screen.style;  // names that a lambda can take along
    const Frame& frame = screen.frame;
    const View& view = screen.view;
    const AccessGroup& group = frame.requests.list->groups[frame.requests.chosen];
    const Evidence& evidence = *frame.requests.evidence;
    const ui::Panel panel(style, "request", ImVec2(place.x, place.y), ImVec2(place.w, place.h), 8);
    const std::string head = fmt::format("{} of {}: {}", frame.requests.chosen + 1,
                                         frame.requests.list->groups.size(), group.name);
    ui::text(style, FontRole::strong,
             elide(head, FontRole::strong, ImGui::GetContentRegionAvail().x / style.scale, style.fonts));
    const std::string place_text =
        fmt::format("{}. Its worst request: {}.", request_kind(group), request_place(group));
    ui::wrapped(style.colors.text_weak, place_text);
    const Explanation words = words_of(screen);
    const float below = view.projector ? verdict_height(style, words) / style.scale : 0;
    Vec2 room = room_here(style, 200);
    room.y = std::max(kLeastRoom.y, room.y - below);
    PictureKey key = picture_key(
        style, frame, view,
        {.size = room, .hovered_lane = lit_lane(view), .embedded = true, .silent = view.projector});
    key.answers = frame.requests.evidence;
    const Picture& picture =
        shown_picture(page.picture, key, frame, view, screen.actions, [&](const Style& look) {
            const auto cells =
                std::bit_cast<std::array<std::uint32_t, sizeof(Trace) / sizeof(std::uint32_t)>>(
                    evidence.trace);
            State shown = *frame.state;
            shown.player_step = shown.player_percent = -1;
            shown.by_tile = false;
            return for_view(view, with_lit_cells(draw_instruction(evidence, 0, shown, look), cells));
        });
    const Hit* hit = paint(style, frame, picture, "request.picture");
    ui::mark("request.picture");
    if (hit != nullptr && hit->lane >= 0) screen.actions.hover.lane = hit->lane;
    if (view.projector) show_verdict(style, words, words.good ? Tone::good : Tone::bad);
}

}  // namespace

void show_requests(const Screen& screen, RequestsPage& page) {
    const RequestsView& requests = screen.frame.requests;
    const AccessList* list = requests.list.get();
    show_page_head(screen, list == nullptr ? "Recorded requests" : list->name,
                   list == nullptr ? "" : summary_of(*list), chips_of(screen));
    if (requests.evidence == nullptr) {
        const Rect place = page_place(screen);
        const ui::Panel panel(screen.style, "request", ImVec2(place.x, place.y), ImVec2(place.w, place.h));
        ui::wrapped(screen.frame.busy.empty() ? kHowTo : screen.frame.busy);
    } else {
        const PageList items{"requests", list->groups.size(), requests.chosen,
                             [&](std::size_t index) { return item_of(screen, index); },
                             [](std::size_t index) { return Action(action::ChooseRequest{index}); }};
        show_list_and_chosen(screen, items, page.scrolled,
                             [&](const Rect& place) { show_picture(screen, page, place); });
    }
    show_page_bars(screen);
}

}  // namespace warplens
