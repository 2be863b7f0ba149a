#include "app/gl/tab_walk.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace warplens::ui {
namespace {

struct Stop {
    ImGuiID id;
    const ImGuiWindow* root;  ///< of the window, the menu or the part that it belongs to
};

/// The controls of this frame and of the one before, which walk() looks at.
struct Walk {
    std::vector<Stop> now, before;
    ImGuiID wanted = 0;  ///< gets the keyboard when it is drawn next
    ImGuiID taken = 0;   ///< has got it in this frame
    std::string at;      ///< the name of the one that has it
    ImU32 color = IM_COL32_WHITE;
    float width = 2;  ///< [pixels]
};

Walk& walk_state() {
    static Walk state;
    return state;
}

void take_focus(ImGuiID id) {
    ImGuiContext& context = *ImGui::GetCurrentContext();
    ImGui::ClearActiveID();  // a field that is being typed into
    ImGui::SetFocusID(id, ImGui::GetCurrentWindow());
#if IMGUI_VERSION_NUM >= 19140
    context.NavCursorVisible = true;
#else
    context.NavDisableHighlight = false;
#endif
    // No further than needed, so that what stands above it stays.
#if IMGUI_VERSION_NUM >= 18600
    ImGui::ScrollToItem(ImGuiScrollFlags_KeepVisibleEdgeY);
#else
    if (!ImGui::IsItemVisible()) ImGui::SetScrollHereY(1);
#endif
}

bool is_disabled() {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
#if IMGUI_VERSION_NUM >= 19140
    return (context.LastItemData.ItemFlags & ImGuiItemFlags_Disabled) != 0;
#else
    return (context.LastItemData.InFlags & ImGuiItemFlags_Disabled) != 0;
#endif
}

/// Dear ImGui must not walk as well.
void keep_tab_from_imgui(bool indents) {
#if IMGUI_VERSION_NUM >= 18900
    if (!indents) ImGui::SetKeyOwner(ImGuiKey_Tab, ImGui::GetID("walk"));
#elif IMGUI_VERSION_NUM < 18700
    static const int usual = ImGui::GetIO().KeyMap[ImGuiKey_Tab];
    ImGui::GetIO().KeyMap[ImGuiKey_Tab] = indents ? usual : -1;
#endif
}

}  // namespace

void begin_walk(bool indents) {
    Walk& walk = walk_state();
    walk.before = std::move(walk.now);
    walk.now.clear();
    walk.at.clear();
    walk.taken = 0;
    keep_tab_from_imgui(indents);
}

void walk(int by) {
    Walk& walk = walk_state();
    if (walk.before.empty()) return;
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    const ImGuiWindow* top = walk.before.back().root;  // what is drawn last lies on top
    if (!context.OpenPopupStack.empty() && context.OpenPopupStack.back().Window != nullptr)
        top = context.OpenPopupStack.back().Window->RootWindow;
    std::vector<ImGuiID> stops;
    for (const Stop& stop : walk.before)
        if (stop.root == top) stops.push_back(stop.id);
    if (stops.empty()) return;
    const auto count = std::ptrdiff_t(stops.size());
    const ImGuiID now = ImGui::GetIO().WantTextInput ? context.ActiveId
                        : ImGui::GetIO().NavVisible  ? context.NavId
                                                     : 0;
    const auto found = std::ranges::find(stops, now);
    const std::ptrdiff_t at = found == stops.end() ? (by > 0 ? -1 : 0) : found - stops.begin();
    walk.wanted = stops[std::size_t((at + by + count) % count)];
}

ImGuiID last_item_id() { return ImGui::GetItemID(); }

void press_walked_to() {
#if IMGUI_VERSION_NUM < 18900
    ImGui::ActivateItem(ImGui::GetCurrentContext()->NavId);
#endif
}

void stop_of_walk(std::string_view name) {
    Walk& walk = walk_state();
    const ImGuiID id = last_item_id();
    const bool again = !walk.now.empty() && walk.now.back().id == id;  // an item may have several names
    if (id == 0 || again || is_disabled()) return;
    walk.now.push_back({id, ImGui::GetCurrentWindow()->RootWindow});
    if (std::exchange(walk.wanted, walk.wanted == id ? 0 : walk.wanted) == id) take_focus(walk.taken = id);
    if (!ImGui::IsItemFocused() || !ImGui::GetIO().NavVisible) return;
    walk.at = name;
    add_rect(ImGui::GetWindowDrawList(), ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), walk.color,
             2 * walk.width, walk.width);
}

void walk_to_last() {
    if ((ImGui::GetIO().ConfigFlags & ImGuiConfigFlags_NavEnableKeyboard) != 0) take_focus(last_item_id());
}

void type_if_walked_to() {
    if (const ImGuiID id = last_item_id(); id != 0 && id == walk_state().taken) take_keyboard(-1);
}

int take_arrows(ImGuiKey less, ImGuiKey more) {
    if (!ImGui::IsItemFocused() || ImGui::IsItemActive() || !ImGui::GetIO().NavVisible) return 0;
    const int by = int(is_key_pressed(more)) - int(is_key_pressed(less));
    if (by != 0) ImGui::NavMoveRequestCancel();
    return by;
}

const std::string& walked_to() { return walk_state().at; }

void set_walk_color(ImU32 color, float width) {
    walk_state().color = color;
    walk_state().width = width;
}

bool is_typed_into(const char* id) { return ImGui::TempInputIsActive(ImGui::GetID(id)); }

}  // namespace warplens::ui
