#pragma once

#include <string>

namespace warplens {

/// Whether a person's desktop settings leave animations on: GTK's settings.ini ("gtk-enable-animations", of
/// version 4, else 3) and KDE's kdeglobals ("AnimationDurationFactor").
/// @param folder  where settings are kept
/// @return        true where nothing is set or nothing can be read
bool desktop_wants_motion(const std::string& folder);

/// The usual folder: $XDG_CONFIG_HOME, else ~/.config. Empty if neither is known.
std::string settings_folder();

}  // namespace warplens
