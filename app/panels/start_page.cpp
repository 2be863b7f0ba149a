// The start page: a living picture, three doors, all scenarios as small pictures, the maps.

#include "app/boards/access/kernel_verdict.h"
#include "app/experiment/plot.h"
#include "app/gl/painter.h"
#include "app/learn/courses.h"
#include "app/panels/controls.h"
#include "app/panels/screen.h"
#include "app/panels/speed.h"
#include "app/panels/widgets.h"
#include "app/pictures/kit/canvas.h"
#include "app/pictures/kit/lit_cell.h"
#include "app/pictures/plot/curve.h"
#include "app/window/apply_parts.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <iterator>
#include <memory>

namespace warplens {
namespace {

constexpr float kLeastTile = 156, kTileGap = 10, kTilePadding = 8, kThumbnailHeight = 76;  // [points]
constexpr float kMiniature = 3;    // a thumbnail is a picture so many times its size, without its words
constexpr std::size_t kLines = 2;  ///< of a tile's title

/// The place of a scenario's tile.
struct TilePlace {
    std::size_t scenario;
    std::size_t row, column;
    const SpaceEntry* head = nullptr;  ///< its memory space, on the first tile of it
};

/// All tiles in order. A memory space begins beside the one before where all of its tiles have room there.
std::vector<TilePlace> place_tiles(std::size_t columns) {
    std::vector<TilePlace> places;
    std::size_t row = 0, column = 0;
    for (const SpaceEntry& space : space_entries()) {
        bool first = true;
        const auto count = static_cast<std::size_t>(std::ranges::count(
            all_scenarios(), space.space, [](const Scenario& one) { return home_space(one); }));
        if (column > 0 && column + count > columns) ++row, column = 0;
        for (std::size_t i = 0; i < all_scenarios().size(); ++i) {
            if (home_space(all_scenarios()[i]) != space.space) continue;
            if (column == columns) ++row, column = 0;
            places.push_back({i, row, column++, std::exchange(first, false) ? &space : nullptr});
        }
    }
    return places;
}

/// The scenario that an arrow key leads to.
/// @param right, down  one step, or none
std::size_t moved(const std::vector<TilePlace>& places, std::size_t from, int right, int down) {
    const auto at = std::ranges::find(places, from, &TilePlace::scenario);
    if (at == places.end()) return from;
    if (right < 0) return at == places.begin() ? from : std::prev(at)->scenario;
    if (right > 0) return std::next(at) == places.end() ? from : std::next(at)->scenario;
    std::size_t there = from;
    for (const TilePlace& one : places)  // the last one of a shorter row
        if (one.row == at->row + static_cast<std::size_t>(down) && one.column <= at->column)
            there = one.scenario;
    return there;
}

/// The access picture of a scenario's costliest instruction, in the model's colours; or its plot, see
/// ScenarioInfo::board.
Picture thumbnail(const PictureKey& key, const std::vector<DeviceFacts>& devices) {
    const Evidence evidence = gather_evidence(key.state, devices);
    const int shown = costliest_instruction(key.state, devices[key.state.device]);
    const bool plot = !key.state.scenario->info->board.empty();
    Picture picture = plot ? draw_plot_strip(model_curve(key.state, devices, evidence.prediction), key.look)
                           : draw_instruction(evidence, shown, key.state, key.look);
    picture.hits.clear();
    picture = with_thick_lines(std::move(picture), kMiniature / 2);
    const auto words =
        std::bit_cast<std::array<std::uint32_t, sizeof(Trace) / sizeof(std::uint32_t)>>(evidence.trace);
    return with_lit_cells(std::move(picture), words);
}

/// Draws tiles, and makes at most one thumbnail in a frame.
class Tiles {
public:
    Tiles(const Screen& screen, StartPage& page, float width)
        : screen_(screen),
          page_(page),
          width_(width),
          size_{std::max(width / screen.style.scale - 2 * kTilePadding, kLeastRoom.x / kMiniature),
                kThumbnailHeight} {
        page_.thumbnails.resize(all_scenarios().size());
    }

    float height() const {
        const float text = ImGui::GetTextLineHeight() * float(kLines);
        return screen_.style.px(kThumbnailHeight + 3 * kTilePadding) + text;
    }

    /// @return  whether it was clicked.
    bool show(std::size_t index, bool scroll_to) {
        const PanelStyle& style = screen_.style;
        const Scenario& scenario = all_scenarios()[index];
        const std::string id = fmt::format("start.{}", scenario.info->id);
        const ImVec2 at = ImGui::GetCursorScreenPos(), end(at.x + width_, at.y + height());
        const bool pressed = ui::press_area(id.c_str(), ImVec2(width_, height()));
        ui::mark(style, id, scenario.info->summary);
        const float above = ImGui::GetWindowPos().y, below = above + ImGui::GetWindowHeight();
        if (scroll_to && (at.y < above || end.y > below)) ImGui::SetScrollHereY(at.y < above ? 0.1f : 0.9f);
        const ImVec2 mouse = ImGui::GetIO().MouseDelta;
        if (ImGui::IsItemHovered() && (mouse.x != 0 || mouse.y != 0)) page_.chosen = index;
        if (!ImGui::IsItemVisible()) return pressed;
        ImDrawList* draw = ImGui::GetWindowDrawList();
        const bool chosen = page_.chosen == index;
        draw->AddRectFilled(at, end, ui::color(style.colors.panel), style.px(6));
        ui::add_rect(draw, at, end, ui::color(chosen ? style.colors.accent : style.colors.panel_border),
                     style.px(6), chosen ? style.px(2) : 1);
        show_picture(index, at);
        show_words(scenario, at);
        return pressed;
    }
    bool any_missing() const { return missing_; }

private:
    void show_picture(std::size_t index, ImVec2 at) {
        CachedPicture& kept = page_.thumbnails[index];
        const PictureKey key{{std::shared_ptr<void>(), screen_.frame.devices},
                             initial_state(all_scenarios()[index], screen_.frame.state->device),
                             {.theme = &screen_.style.colors,
                              .measure = &screen_.style.fonts,
                              .size = {kMiniature * size_.x, kMiniature * size_.y},
                              .embedded = true,
                              .silent = true,
                              .wordless = true},
                             screen_.style.scale};
        if (kept.key != key) {
            if (std::exchange(made_, true)) {
                missing_ = true;
                return;
            }
            kept.motion.show(thumbnail(key, *screen_.frame.devices), 0, false);
            kept.key = key;
        }
        const PanelStyle& style = screen_.style;
        ImDrawList* draw = ImGui::GetWindowDrawList();
        const float inset = style.px(kTilePadding);
        draw->PushClipRect(ImVec2(at.x, at.y + inset),
                           ImVec2(at.x + width_, at.y + style.px(kThumbnailHeight) + inset), true);
        style.painter.paint(kept.motion.target(), draw, at.x + inset, at.y + inset, style.scale / kMiniature,
                            style.fonts, 0, 0);
        draw->PopClipRect();
    }
    void show_words(const Scenario& scenario, ImVec2 at) const {
        const PanelStyle& style = screen_.style;
        ImDrawList* draw = ImGui::GetWindowDrawList();
        const float room = size_.x, line = ImGui::GetTextLineHeight();
        ImVec2 pen(at.x + style.px(kTilePadding), at.y + style.px(kThumbnailHeight + 2 * kTilePadding));
        const std::vector<std::string> lines = wrap(scenario.info->title, FontRole::body, room, style.fonts);
        for (std::size_t i = 0; i < std::min(lines.size(), kLines); ++i, pen.y += line) {
            const bool cut = i + 1 == kLines && lines.size() > kLines;
            const std::string shown =
                cut ? elide(lines[i] + " " + lines[i + 1], FontRole::body, room, style.fonts) : lines[i];
            draw->AddText(pen, ui::color(style.colors.text), shown.c_str());
        }
    }

    const Screen& screen_;
    StartPage& page_;
    float width_;  ///< of a tile [pixels]
    Vec2 size_;    ///< of a thumbnail [points]
    bool made_ = false, missing_ = false;
};

void show_start_head(const Screen& screen) {
    const auto& [style, frame, view, memory, actions] = screen;
    struct Chip {
        const char *label, *name;
        std::string tooltip;
        Action press;
    };
    const Chip chips[] = {
        {"Find anything   Ctrl+K", "start.find", "Whatever you type: a scenario, a board, a word.",
         action::Toggle{&View::finder}},
        {"Tour", "start.tour", "The parts of the window, in half a minute.", action::set(&View::tour, 0)},
        {"Close", "start.close", "Back to all panels (Esc).", action::Show{&View::start_page, false}}};
    ui::text(style, FontRole::heading, "Warplens");
    float width = 0;
    for (const Chip& chip : chips) width += ui::pill_width(style, chip.label) + style.px(4);
    ImGui::SameLine(ImGui::GetWindowWidth() - width - style.px(kGap));
    for (const Chip& chip : chips) {
        if (ui::chip(style, chip.label, false)) actions.add(chip.press);
        ui::mark(style, chip.name, chip.tooltip);
        ImGui::SameLine(0, style.px(4));
    }
    ImGui::NewLine();
}

/// A card that leads somewhere: what it is, what is there, and how it begins.
/// @param size  [pixels]
bool show_door(const PanelStyle& style, const char* name, const char* title, const std::string& what,
               const std::string& begin, ImVec2 size) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool pressed = ui::press_area(name, size);
    ui::mark(name);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const ImVec2 end(at.x + size.x, at.y + size.y);
    draw->AddRectFilled(at, end, ui::color(style.colors.panel), style.px(8));
    ui::add_rect(draw, at, end,
                 ui::color(ImGui::IsItemHovered() ? style.colors.accent : style.colors.panel_border),
                 style.px(8), 1);
    const float room = size.x / style.scale - 32;
    ImVec2 pen(at.x + style.px(16), at.y + style.px(10));
    const auto say = [&](const std::string& text, FontRole font, Color color, std::size_t most) {
        const ui::FontScope scope(style, font);
        const std::vector<std::string> lines = wrap(text, font, room, style.fonts);
        for (std::size_t i = 0; i < std::min(lines.size(), most);
             ++i, pen.y += ImGui::GetTextLineHeight() * 1.2f)
            draw->AddText(pen, ui::color(color), lines[i].c_str());
    };
    say(title, FontRole::heading, style.colors.text, 1);
    say(what, FontRole::body, style.colors.text_weak, 2);
    say(begin, FontRole::body, style.colors.accent, 1);
    return pressed;
}

void show_doors(const Screen& screen, ImVec2 at, float width, float height) {
    const auto& [style, frame, view, memory, actions] = screen;
    const float gap = style.px(12);
    const ImVec2 size(width, (height - 2 * gap) / 3);
    ui::begin_line_at(at);
    if (show_door(
            style, "start.courses", "Learn",
            fmt::format("{} courses, from registers to a product as fast as the library's", courses().size()),
            "choose a course, or a quiz", size))
        actions.add(action::Show{&View::learn_menu});
    ui::begin_line_at(ImVec2(at.x, at.y + size.y + gap));
    if (show_door(style, "start.explore", "Explore",
                  fmt::format("{} experiments and {} maps, every parameter a slider", all_scenarios().size(),
                              all_boards().size() - 1),
                  fmt::format("open: {}", frame.state->scenario->info->title), size))
        actions.add(action::Show{&View::start_page, false});
    ui::begin_line_at(ImVec2(at.x, at.y + 2 * (size.y + gap)));
    if (show_door(style, "start.kernel", "My kernel",
                  "Paste CUDA, or drop a .cu file, and see its sectors, banks, races and the remedy",
                  frame.typing->documents().empty()
                      ? std::string("begin with an example")
                      : fmt::format("go on: {}", title_of(frame.typing->documents().front())),
                  size))
        actions.add(action::Do::my_kernel);
}

/// The picture that lives: a column of a tile, and the padding that frees its banks. It plays by itself for a
/// while, where things may move, until somebody takes the slider.
void show_living(const Screen& screen, StartPage& page, ImVec2 at, float width, float height) {
    const auto& [style, frame, view, memory, actions] = screen;
    constexpr double kTurn = 2.5, kTurns = 8;  // [s]
    const float head = style.px(70), foot = style.px(40);
    ui::begin_line_at(at);
    ui::text(style, FontRole::title, "What does a warp do to memory?");
    ui::begin_line_at(ImVec2(at.x, at.y + style.px(36)));
    ui::text_weak(style,
                  elide("Move the slider. 32 threads read a column of a tile: watch which bank serves whom.",
                        FontRole::body, width / style.scale, style.fonts));
    State state = initial_state(*find_scenario("shared-tile"), frame.state->device);
    const double now = ImGui::GetTime(), since = now - page.since;
    const bool plays = !page.padding && frame.motion && view.motion && since < kTurn * kTurns;
    state.params.padding = page.padding ? *page.padding : plays ? int(since / kTurn) % 2 : 1;
    if (plays) actions.redraw(kTurn - std::fmod(since, kTurn));
    const PictureKey key{{std::shared_ptr<void>(), frame.devices},
                         state,
                         {.theme = &style.colors,
                          .measure = &style.fonts,
                          .size = {std::max(width / style.scale, kLeastRoom.x),
                                   std::max((height - head - foot) / style.scale, kLeastRoom.y)},
                          .embedded = true,
                          .silent = true},
                         style.scale};
    if (page.living.key != key) {
        const bool glide =
            page.living.key && page.living.key->look == key.look && frame.motion && view.motion;
        const Evidence evidence = gather_evidence(state, *frame.devices);
        const auto words =
            std::bit_cast<std::array<std::uint32_t, sizeof(Trace) / sizeof(std::uint32_t)>>(evidence.trace);
        page.verdict = explain_kernel(evidence, frame.devices->at(state.device));
        page.living.motion.show(with_lit_cells(draw_instruction(evidence, 0, state, key.look), words), now,
                                glide);
        page.living.key = key;
    }
    style.painter.paint(page.living.motion.at(now), ImGui::GetWindowDrawList(), at.x, at.y + head,
                        style.scale, style.fonts, 0, 0);
    if (page.living.motion.is_moving()) actions.redraw(0);
    ui::begin_line_at(ImVec2(at.x, at.y + height - foot + style.px(8)));
    ui::text("Padding");
    ImGui::SameLine(0, style.px(12));
    int padding = state.params.padding;
    ImGui::SetNextItemWidth(style.px(200));
    if (ui::slider(style, "##start.padding", padding, 0, 4)) page.padding = padding;
    ui::mark("start.padding");
    ImGui::SameLine(0, style.px(12));
    ui::text(std::to_string(padding));
    ImGui::SameLine(0, style.px(24));
    const ui::FontScope large(style, FontRole::heading);
    ui::text_colored(
        page.verdict.good ? style.colors.good : style.colors.bad,
        elide(short_verdict(page.verdict), FontRole::heading, width / style.scale - 330, style.fonts));
    ui::mark("start.verdict");
}

/// The kernels of the person's own, the last one first.
void show_own_kernels(const Screen& screen) {
    constexpr std::size_t kMost = 12;  // the finder lists all of them
    const PanelStyle& style = screen.style;
    const std::vector<KernelDocument>& all = screen.frame.typing->documents();
    if (all.empty()) return;
    ui::text(style, FontRole::strong, "My kernels");
    for (std::size_t i = 0; i < std::min(all.size(), kMost); ++i) {
        const std::string label = title_of(all[i]);
        if (i > 0) ui::beside_if_room(style, 4, ui::pill_width(style, label));
        if (ui::chip(style, fmt::format("{}##{}", label, i).c_str(), false))
            screen.actions.add(action::OpenDocument{i});
        ui::mark(style, fmt::format("start.own.{}", i), remark_on(all[i]));
    }
    ui::beside_if_room(style, 4, ui::pill_width(style, "+ new"));
    if (ui::chip(style, "+ new", false)) screen.actions.add(action::Do::new_kernel);
    ui::mark(style, "start.own.new", fmt::format("One more kernel {}.", key_hint(action::Do::new_kernel)));
    ImGui::Dummy(ImVec2(0, style.px(8)));
}

/// All boards but the first, which the scenarios open.
void show_maps(const Screen& screen) {
    const PanelStyle& style = screen.style;
    ui::text(style, FontRole::strong, "Maps");
    bool first = true;
    for (const BoardInfo* board : all_boards().subspan(1)) {
        const std::string label(board->label);
        if (!std::exchange(first, false)) ui::beside_if_room(style, 4, ui::pill_width(style, label));
        if (ui::chip(style, label.c_str(), false)) screen.actions.add(action::ShowBoard{board});
        ui::mark(style, fmt::format("start.board.{}", board->key), board->tooltip);
    }
    ImGui::Dummy(ImVec2(0, style.px(8)));
}

void open_scenario(std::size_t index, Actions& actions) {
    actions.add(action::GoTo{&all_scenarios()[index]});
    actions.add(action::ShowBoard{subject_board(all_scenarios()[index])});
}

}  // namespace

void show_start_page(const Screen& screen, StartPage& page) {
    const PanelStyle& style = screen.style;
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const bool opened = !page.chosen;
    if (opened) page.since = ImGui::GetTime();
    if (opened) page.chosen = index_of(*screen.frame.state->scenario).value_or(0);
    ui::begin_line_at(ImVec2(style.px(14), style.px(8)));
    show_start_head(screen);
    show_bar_menus(screen);
    const float top = style.px(44), gap = style.px(kTileGap);
    ui::begin_line_at(ImVec2(style.px(kGap), top));
    ImGui::PushStyleColor(ImGuiCol_ChildBg, IM_COL32_BLACK_TRANS);
    ui::begin_child("start", ImVec2(window.x - 2 * style.px(kGap), window.y - top - style.px(kGap)));
    const float wide = ImGui::GetContentRegionAvail().x;
    // A small window has room for the doors and the gallery alone.
    constexpr float kLiving = 380, kMostLiving = 600, kLeastWide = 820, kLeastHigh = 560, kDoors = 330,
                    kLowDoors = 300;
    const bool living = wide >= style.px(kLeastWide) && window.y >= style.px(kLeastHigh);
    const float hero =
        living ? std::clamp(0.52f * window.y, style.px(kLiving), style.px(kMostLiving)) : style.px(kLowDoors);
    {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float doors = living ? style.px(kDoors) : wide;
        if (living)
            show_living(screen, page, ImVec2(at.x + style.px(8), at.y), wide - doors - style.px(40), hero);
        show_doors(screen, ImVec2(at.x + wide - doors, at.y), doors, hero);
        ui::begin_line_at(ImVec2(at.x, at.y + hero + style.px(14)));
        show_own_kernels(screen);
    }
    const auto columns =
        static_cast<std::size_t>(std::max(1.0f, (wide + gap) / (style.px(kLeastTile) + gap)));
    const float tile = std::max(std::floor((wide + gap) / float(columns) - gap), 1.0f);
    const std::vector<TilePlace> places = place_tiles(columns);
    bool scroll = opened;
    // Keys belong to what lies on top.
    if (!ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel)) {
        // With the frame of the keyboard they are those of the control that has it.
        const auto pressed = [](ImGuiKey key) {
            return !ImGui::GetIO().NavVisible && ui::is_key_pressed(key) ? 1 : 0;
        };
        const int right = pressed(ImGuiKey_RightArrow) - pressed(ImGuiKey_LeftArrow),
                  down = pressed(ImGuiKey_DownArrow) - pressed(ImGuiKey_UpArrow);
        if (right != 0 || down != 0) page.chosen = moved(places, *page.chosen, right, down);
        scroll = scroll || right != 0 || down != 0;
        if (pressed(ImGuiKey_Enter) + pressed(ui::kKeyEnterOfNumbers) > 0)
            open_scenario(*page.chosen, screen.actions);
    }
    Tiles tiles(screen, page, tile);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float head = ImGui::GetTextLineHeightWithSpacing() + style.px(4);
    float y = start.y;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const TilePlace& place = places[i];
        const auto begins = [&](const TilePlace& one) { return one.row == place.row && one.head != nullptr; };
        const bool has_head = std::ranges::any_of(places, begins);
        const float x = start.x + float(place.column) * (tile + gap);
        if (place.head != nullptr) {
            ui::begin_line_at(ImVec2(x, y));
            ui::text(style, FontRole::strong, place.head->label);
            ui::term_tip(style, place.head->term);
        }
        ui::begin_line_at(ImVec2(x, y + (has_head ? head : 0)));
        if (tiles.show(place.scenario, scroll && page.chosen == place.scenario))
            open_scenario(place.scenario, screen.actions);
        if (i + 1 < places.size() && places[i + 1].row > place.row)
            y += (has_head ? head : 0) + tiles.height() + gap;
    }
    ui::begin_line_at(ImVec2(start.x, y + head + tiles.height() + gap));
    show_maps(screen);
    if (tiles.any_missing()) screen.actions.redraw_within = 0;
    ImGui::EndChild();
    ImGui::PopStyleColor();
}

}  // namespace warplens
