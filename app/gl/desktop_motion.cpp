#include "app/gl/desktop_motion.h"

#include "app/base/input.h"
#include "app/base/text.h"

#include <cstdlib>
#include <exception>
#include <optional>
#include <sstream>

namespace warplens {
namespace {

/// The value behind "key=" in a file of such lines. Empty if there is no such file or line.
std::optional<std::string> value_in(const std::string& path, std::string_view key) {
    try {
        std::istringstream lines(read_input(path, 64 << 10));
        for (std::string line; std::getline(lines, line);) {
            std::erase(line, ' ');
            if (line.starts_with(key) && line.substr(key.size()).starts_with('='))
                return lower_case(line.substr(key.size() + 1));
        }
    } catch (const std::exception&) {  // a file that cannot be read asks for nothing
    }
    return std::nullopt;
}

}  // namespace

bool desktop_wants_motion(const std::string& folder) {
    if (folder.empty()) return true;
    for (const char* file : {"/gtk-4.0/settings.ini", "/gtk-3.0/settings.ini"})
        if (const auto value = value_in(folder + file, "gtk-enable-animations"))
            return *value != "0" && *value != "false";
    const auto factor = value_in(folder + "/kdeglobals", "AnimationDurationFactor");
    return !factor || (*factor != "0" && *factor != "0.0");
}

std::string settings_folder() {
    const char* kept = std::getenv("XDG_CONFIG_HOME");
    if (kept != nullptr && *kept == '/') return kept;
    const char* home = std::getenv("HOME");
    return home != nullptr && *home == '/' ? std::string(home) + "/.config" : std::string();
}

}  // namespace warplens
