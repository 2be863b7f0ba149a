#pragma once

#include "app/gl/imgui_compat.h"
#include "app/learn/glossary.h"
#include "app/panels/panel_style.h"
#include "app/window/action.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::ui {

ImU32 color(Color c);

/// Selects a font by its role until the end of the scope.
class FontScope {
public:
    FontScope(const PanelStyle& style, FontRole role) {
        push_font(style.fonts.font(role), style.fonts.imgui_size(role));
    }
    ~FontScope() { ImGui::PopFont(); }
    FontScope& operator=(FontScope&&) = delete;
};

/// A panel: a bordered child at a place of the window [pixels]. Ends at the end of the scope.
class Panel {
public:
    /// @param padding  between border and content [points]
    Panel(const PanelStyle& style, const char* id, ImVec2 position, ImVec2 size, float padding = 12);
    ~Panel();
    Panel& operator=(Panel&&) = delete;

private:
    std::string id_;
};

void text(std::string_view s);
void text_weak(const PanelStyle& style, std::string_view s);
void text_colored(Color c, std::string_view s);
/// @param wide  of its lines [pixels]; 0: to the edge of the window, where a scroll bar takes some of it
void wrapped(std::string_view s, float wide = 0);
void wrapped(Color c, std::string_view s, float wide = 0);
void text(const PanelStyle& style, FontRole role, std::string_view s);
void wrapped(const PanelStyle& style, FontRole role, std::string_view s);

/// Moves the cursor on the line of the last item so that an item of this width [pixels] ends at the right
/// edge.
void end_of_line(float width);

/// Text that ends at the right edge of the content region, on the line of the last item.
void text_right(std::string_view s, Color c);

/// The same in a table cell that has nothing in it yet.
void cell_right(std::string_view s, Color c);

/// An area that can be pressed and draws nothing, at least one pixel wide and high, as Dear ImGui demands.
/// @return  whether it was pressed
bool press_area(const char* id, ImVec2 size);

/// Gives the next item the width that is left, at least 4 pixels: Dear ImGui 1.86 divides by zero for a round
/// frame that is a millionth wider than two.
void fill_width();

/// A rounded button for one of several choices, filled if it is chosen.
/// @param padding  left and right of the label [points]
bool pill(const PanelStyle& style, const char* label, bool chosen, float padding = 10);

/// An entry of an open list. The keyboard begins at the chosen one.
bool entry(const char* label, bool chosen);

/// A pill that looks like a button even when it is not chosen.
bool chip(const PanelStyle& style, const char* label, bool chosen);

/// A line with a round grab for a whole number; Ctrl+click types one. As wide as ImGui makes the next item.
/// @return  whether the value was changed
/// @param step  of an arrow key while it has the keyboard
bool slider(const PanelStyle& style, const char* id, int& value, int min, int max, int step = 1);
/// Marks another value on the slider that is the last item.
void mark_slider(const PanelStyle& style, int value, int min, int max, Color mark);
inline constexpr float kGrab = 14;  ///< diameter of a slider's grab [points]

/// Shade a place [pixels] because what it shows has just changed.
/// @param strength  from 0 for not at all to 1
void shade(const PanelStyle& style, const Rect& place, float strength);

/// A thin bar in the line, filled from the left.
/// @param width, thick, height  of its room, of the bar, and of the line [pixels]
/// @param share                 0 to 1
void bar(const PanelStyle& style, float width, float thick, float height, float share, Color fill);

/// A menu that hangs below the bar at the top, at the window's right edge.
class BarMenu {
public:
    /// @param part     opens it, and is set to false by an action then
    /// @param padding  between border and content [points]
    /// @param width    [points]. 0 for the width of its content.
    BarMenu(const PanelStyle& style, const char* id, const View& view, bool View::*part, Actions& actions,
            ImVec2 padding, float width = 0);
    ~BarMenu();
    BarMenu& operator=(BarMenu&&) = delete;
    explicit operator bool() const { return shown_; }

private:
    bool shown_;
};

/// A part over the panels while a field of View is set. A click beside it ends it. Its place is that of
/// the next window of ImGui.
class Overlay {
public:
    Overlay(const char* id, const View& view, bool View::*part, Actions& actions, int window_flags = 0);
    ~Overlay();
    Overlay& operator=(Overlay&&) = delete;
    explicit operator bool() const { return shown_; }
    bool begins() const { return begins_; }  ///< it is shown for the first time since it was closed

private:
    bool begins_, shown_;
};

/// A field for one line of text. @return  whether Enter was pressed in it
bool text_field(const char* id, const char* hint, std::string& text, int input_flags = 0);

/// Puts the next item beside the last one if it has room there, otherwise on a new line.
/// @param gap    between the two [points]
/// @param width  of the next one [pixels]
void beside_if_room(const PanelStyle& style, float gap, float width);

/// Width of a pill or chip with this label [pixels].
float pill_width(const PanelStyle& style, std::string_view label);

/// A tooltip of at most 36 characters' width a line, for the last item.
void tip(const PanelStyle& style, std::string_view s);

/// The glossary's words about a term, as a tooltip of the last item.
void term_tip(const PanelStyle& style, const Term& term);
/// The same by name. A word that the glossary does not have gets no tooltip; a test reports such words.
void term_tip(const PanelStyle& style, std::string_view term);

/// The glossary's words about every term in a text, as a tooltip of the last item.
void terms_tip(const PanelStyle& style, std::string_view text);

/// A text that was drawn, and whether it has a tooltip; for the test that every technical word has one.
struct DrawnText {
    std::string text;
    bool sentence = false;  ///< drawn by wrapped()
    bool tip = false;
    float x = 0, y = 0;  ///< of its item [pixels]
};
/// From now on record what text(), wrapped(), pill() and chip() draw. Null to stop.
void write_down_texts(std::vector<DrawnText>* into);

/// To be called before each frame. @param key_pressed  whether a key was since the last one: what then comes
/// below a mouse that rests has no tooltip until it moves
void follow_mouse(bool key_pressed);

/// The places of the last frame's items [pixels], by name; for tests that drive the window with a real
/// mouse, and for the tour.
struct ItemRect {
    float x, y, w, h;
    /// The visible part; its panel cuts off the rest.
    float left = 0, top = 0, right = 0, bottom = 0;
    const void* panel = nullptr;  ///< the same for all items of a panel
    bool scrolls = false;         ///< whether the panel scrolls, so that what is cut off can be reached
    int frame = 0;                ///< the last frame of ImGui in which it was drawn
    int times = 1;                ///< how many items of that frame have this name
    ImGuiID id = 0;               ///< 0 for what is no control
    bool visible() const { return right > left && bottom > top; }
};
std::map<std::string, ItemRect, std::less<>>& items();
/// Forget the items of a list that is drawn anew: tests point at its rows by name.
/// @param list  what their names begin with, before a full stop
void forget_items(std::string_view list);

/// Remember the last item's place under a name.
void mark(std::string_view name);
/// The same, with a tooltip for it.
void mark(const PanelStyle& style, std::string_view name, std::string_view tooltip);

}  // namespace warplens::ui
