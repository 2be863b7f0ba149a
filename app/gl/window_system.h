#pragma once

#include "kernels/unavailable.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <optional>

namespace warplens {

// The needs of a window that the system which shows it meets and GLFW does not offer alike: a desktop
// (window_system.cpp), or the page of a browser (app/web/gl/window_system.cpp).

/// Wait until something happens or this time has passed [s]. @return  false where a program must not wait:
/// it is called again then.
bool wait_for_events(double seconds);

/// The character on a key in the person's layout, if it is one ASCII character; else 0.
char printed_on(int key, int scancode);

bool is_full_screen(GLFWwindow* window);
/// @param windowed  position and size to return to, written when the window leaves them [screen coordinates]
void toggle_full_screen(GLFWwindow* window, int (&windowed)[4]);

/// If a person names no paths (kHasPaths), ask for files, which are then dropped on the window.
void choose_files();

/// Why there can be no window beside the first one, if there can be none.
std::optional<Unavailable> no_second_window();

/// To be called once, when Dear ImGui is connected to the window.
void connect_to_system(GLFWwindow* window);

}  // namespace warplens
