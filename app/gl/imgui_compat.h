#pragma once

// Supports Dear ImGui 1.86 (Debian 12) to 1.92: our code includes this file instead of imgui.h, and uses the
// functions below instead of those that were renamed, moved or given other parameters in between. The version
// numbers are those of Dear ImGui.
#include <imgui.h>
#include <cstdint>
#include <cstdlib>
#include <new>

#if IMGUI_VERSION_NUM < 18600
#error "Dear ImGui 1.86 or newer is needed"
#endif

/// Used as `#include WARPLENS_IMGUI_BACKEND(imgui_impl_glfw.h)`; the file is in a folder `backends` or beside
/// imgui.h.
#if __has_include(<backends/imgui_impl_glfw.h>)
#define WARPLENS_IMGUI_BACKEND(file) <backends/file>
#else
#define WARPLENS_IMGUI_BACKEND(file) <file>
#endif

namespace warplens::ui {

/// Since 1.92 glyphs are rendered when they are first needed, at any size. Before, the atlas is built for one
/// scale.
inline constexpr bool kDynamicFonts = IMGUI_VERSION_NUM >= 19200;

/// Since 1.87 ImGui handles all input events between two frames in order. Before, it sees only the final
/// state.
inline constexpr bool kLooksAtInputOnceAFrame = IMGUI_VERSION_NUM < 18700;

/// A new context. Dear ImGui does not look whether its allocations succeed, so here they throw
/// std::bad_alloc.
inline ImGuiContext* create_context() {
    const auto allocate = [](std::size_t bytes, void*) {
        void* memory = std::malloc(bytes);
        if (memory == nullptr && bytes > 0) throw std::bad_alloc();
        return memory;
    };
    ImGui::SetAllocatorFunctions(allocate, [](void* memory, void*) { std::free(memory); });
    return ImGui::CreateContext();
}

/// Makes an ImGui context current, and at the end of the scope the previous one.
class ContextScope {
public:
    explicit ContextScope(ImGuiContext* context) : before_(ImGui::GetCurrentContext()) {
        ImGui::SetCurrentContext(context);
    }
    ~ContextScope() { ImGui::SetCurrentContext(before_); }
    ContextScope& operator=(ContextScope&&) = delete;

private:
    ImGuiContext* before_;
};

// --- keys ---

#if IMGUI_VERSION_NUM >= 18700
inline constexpr ImGuiKey kKeyEnterOfNumbers = ImGuiKey_KeypadEnter;
#else
inline constexpr ImGuiKey kKeyEnterOfNumbers = ImGuiKey_KeyPadEnter;
#endif

/// Before 1.87 keys are identified by the number that the window system gives them.
inline bool is_key_pressed(ImGuiKey key) {
#if IMGUI_VERSION_NUM >= 18700
    return ImGui::IsKeyPressed(key);
#else
    return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key));
#endif
}

// --- widgets ---

inline bool begin_child(const char* id, ImVec2 size, bool border = false, ImGuiWindowFlags flags = 0) {
#if IMGUI_VERSION_NUM >= 19104
    return ImGui::BeginChild(
        id, size, border ? ImGuiChildFlags_Borders | ImGuiChildFlags_AlwaysUseWindowPadding : 0, flags);
#elif IMGUI_VERSION_NUM >= 19000
    return ImGui::BeginChild(
        id, size, border ? ImGuiChildFlags_Border | ImGuiChildFlags_AlwaysUseWindowPadding : 0, flags);
#else
    return ImGui::BeginChild(id, size, border, flags);
#endif
}

/// The next item begins a line at this place of the screen [pixels]. Since 1.88 an item after SameLine
/// belongs to that line wherever the cursor is set, so that the one beside it would go back there: an item
/// without size ends the line.
inline void begin_line_at(ImVec2 at) {
    ImGui::SetCursorScreenPos(at);
#if IMGUI_VERSION_NUM >= 18800
    ImGui::Dummy(ImVec2(0, 0));
    ImGui::SetCursorScreenPos(at);
#endif
}

/// The next item gets the keyboard, or one before it where `offset` is negative. 1.90.1 looks for it only in
/// the panel that has the keyboard, so this one takes it first.
inline void take_keyboard(int offset = 0) {
#if IMGUI_VERSION_NUM >= 19010 && IMGUI_VERSION_NUM < 19020
    ImGui::SetWindowFocus();
#endif
    ImGui::SetKeyboardFocusHere(offset);
}

// --- colours that were renamed ---

#if IMGUI_VERSION_NUM >= 19090
inline constexpr ImGuiCol kColorTabSelected = ImGuiCol_TabSelected;
inline constexpr ImGuiCol kColorTabDimmed = ImGuiCol_TabDimmed;
inline constexpr ImGuiCol kColorTabDimmedSelected = ImGuiCol_TabDimmedSelected;
#else
inline constexpr ImGuiCol kColorTabSelected = ImGuiCol_TabActive;
inline constexpr ImGuiCol kColorTabDimmed = ImGuiCol_TabUnfocused;
inline constexpr ImGuiCol kColorTabDimmedSelected = ImGuiCol_TabUnfocusedActive;
#endif
#if IMGUI_VERSION_NUM >= 19140
inline constexpr ImGuiCol kColorNavCursor = ImGuiCol_NavCursor;
#else
inline constexpr ImGuiCol kColorNavCursor = ImGuiCol_NavHighlight;
#endif

// --- fonts ---

/// @param size  ascent plus descent, as ImGui counts it [pixels]; before 1.92 it must be the size at which
/// the font was loaded
inline void push_font(ImFont* font, [[maybe_unused]] float size) {
#if IMGUI_VERSION_NUM >= 19200
    ImGui::PushFont(font, size);
#else
    ImGui::PushFont(font);
#endif
}

/// The distance from the top of a line to its baseline [pixels].
inline float font_ascent(ImFont* font, [[maybe_unused]] float size) {
#if IMGUI_VERSION_NUM >= 19200
    return font->GetFontBaked(size)->Ascent;
#else
    return font->Ascent * font->Scale;
#endif
}

/// Whether the font has a glyph for this code point, instead of the replacement box.
inline bool has_glyph(ImFont* font, unsigned code_point) {
    const auto c = static_cast<ImWchar>(code_point);
#if IMGUI_VERSION_NUM >= 19200
    return font->IsGlyphInFont(c);
#else
    return font->FindGlyphNoFallback(c) != nullptr;
#endif
}

// --- drawing ---

/// Since 1.92.8 thickness and flags are in the opposite order.
inline void add_rect(ImDrawList* list, ImVec2 min, ImVec2 max, ImU32 color, float rounding = 0,
                     float thickness = 1) {
#if IMGUI_VERSION_NUM >= 19276
    list->AddRect(min, max, color, rounding, thickness);
#else
    list->AddRect(min, max, color, rounding, 0, thickness);
#endif
}

/// Draws a GL texture whose first row is the top one [pixels].
inline void add_image(ImDrawList* list, unsigned gl_texture, float x, float y, float width, float height) {
    list->AddImage((ImTextureID)(std::intptr_t)gl_texture, ImVec2(x, y), ImVec2(x + width, y + height));
}

// --- input from a program: tests ---

inline void move_mouse(float x, float y) {
#if IMGUI_VERSION_NUM >= 18700
    ImGui::GetIO().AddMousePosEvent(x, y);
#else
    ImGui::GetIO().MousePos = ImVec2(x, y);
#endif
}
inline void set_mouse_button(int button, bool down) {
#if IMGUI_VERSION_NUM >= 18700
    ImGui::GetIO().AddMouseButtonEvent(button, down);
#else
    ImGui::GetIO().MouseDown[button] = down;
#endif
}

}  // namespace warplens::ui
