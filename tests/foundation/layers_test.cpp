// Which room of the house may include which. Includes are written from the repository's root, so an include
// line is a path, and its room is the folder below app/, or kernels.
#include "tests/source_dir.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::test::layers_tests {
namespace {

namespace fs = std::filesystem;
const fs::path kRoot = in_source("");

using Words = std::vector<std::string_view>;

/// What a room may include beside itself and the standard library.
struct Room {
    Words rooms;           ///< every other room is forbidden
    Words libraries = {};  ///< beginnings of include lines outside the repository
    bool posix = false;    ///< what the operating system offers: <unistd.h>, <sys/...>
};

const Words kFoundation = {"kernels", "base", "model"};

/// Foundation and some rooms more.
Words above(const Words& rooms) {
    Words all = kFoundation;
    all.insert(all.end(), rooms.begin(), rooms.end());
    return all;
}

/// All rooms, from the ground up: each stands on those that it names.
const std::map<std::string_view, Room>& rooms() {
    static const std::map<std::string_view, Room> rooms = {
        {"kernels", {{}}},
        {"base", {{}, {"fmt/", "nlohmann/"}, true}},
        {"model", {{"kernels", "base"}, {"nlohmann/", "immintrin.h"}}},  // the compiler's own
        {"measure", {kFoundation, {"nlohmann/", "fmt/"}, true}},
        {"typed", {kFoundation, {"fmt/"}}},
        {"pictures", {kFoundation, {"fmt/"}}},
        {"experiment", {above({"measure", "pictures", "typed"}), {"nlohmann/", "fmt/", "zlib.h"}, true}},
        {"answers", {above({"measure", "pictures", "experiment"}), {"fmt/"}}},
        {"gl",
         {above({"pictures"}),
          {"glad/", "GLFW/", "EGL/", "imgui", "backends/imgui_impl_", "stb_", "fmt/"},
          true}},
        {"interop", {above({"gl"}), {"glad/", "cuda"}}},
        {"boards", {above({"measure", "pictures", "experiment", "answers"}), {"nlohmann/", "fmt/"}}},
        {"learn",
         {above({"measure", "pictures", "experiment", "answers", "boards"}),
          {"nlohmann/", "fmt/", "md4c.h"}}},
        {"code", {above({"measure", "pictures", "experiment", "answers"}), {"nlohmann/", "fmt/"}}},
        {"figures",
         {above({"measure", "pictures", "experiment", "answers", "gl", "interop", "boards", "learn", "code"}),
          {"nlohmann/", "fmt/", "png.h", "zlib.h", "cairo", "stb_", "gif_lib.h"},
          true}},
        {"window",
         {above({"measure", "pictures", "experiment", "answers", "interop", "boards", "learn", "code",
                 "figures", "typed"}),
          {"nlohmann/", "fmt/"},
          true}},
        {"panels",
         {above({"measure", "pictures", "experiment", "answers", "gl", "boards", "learn", "code", "figures",
                 "window"}),
          {"imgui", "fmt/", "nlohmann/"}}},
        {"cli",
         {above({"measure", "pictures", "experiment", "answers", "gl", "interop", "boards", "learn", "code",
                 "figures", "window", "panels", "typed"}),
          {"CLI/", "nlohmann/", "fmt/"},
          true}},
        // Siblings of files of other rooms, which a build for the browser takes in their place.
        {"web",
         {above({"pictures", "gl", "figures", "window", "cli"}),
          {"GLES3/", "emscripten", "glad/", "imgui", "backends/", "fmt/"}}},
        {"main.cpp", {{"base", "cli"}}},
    };
    return rooms;
}

/// "kernels" of "kernels/cuda/check.h", "model" of "app/model/access/banks.h".
std::string room_of(const std::string& path) {
    const std::string inner = path.starts_with("app/") ? path.substr(4) : path;
    return inner.substr(0, inner.find('/'));
}

/// Files that only a build with CUDA compiles: kernels, and the host code that launches and times them.
bool is_cuda(const std::string& path) {
    const bool launches = path.starts_with("kernels/cuda/") || path.starts_with("kernels/timing/") ||
                          path.starts_with("kernels/typed/");
    return path.ends_with(".cu") || path.ends_with(".cuh") ||
           (launches && path.ends_with(".cpp") && !path.ends_with("/no_cuda.cpp"));
}

bool is_std(const std::string& include) { return std::regex_match(include, std::regex("[a-z_0-9]+")); }

bool is_posix(const std::string& include) {
    static const std::regex posix("(unistd|fcntl|dlfcn|spawn|poll|signal|pwd|time)\\.h|sys/.*");
    return std::regex_match(include, posix);
}

bool starts_with_any(const std::string& include, const Words& beginnings) {
    return std::ranges::any_of(beginnings, [&](std::string_view word) { return include.starts_with(word); });
}

/// @param own  the include line has quotes: a file of the repository
bool allowed(const std::string& path, const std::string& include, bool own) {
    const std::string from = room_of(path);
    if (own) {
        const std::string to = room_of(include);
        return to == from || std::ranges::count(rooms().at(from).rooms, std::string_view(to)) > 0;
    }
    if (from == "kernels" && is_cuda(path))
        return is_std(include) || is_posix(include) ||
               starts_with_any(include, {"cuda", "cublas", "cupti", "cooperative_groups", "nvtx3/"});
    const Room& room = rooms().at(from);
    return is_std(include) || (room.posix && is_posix(include)) || starts_with_any(include, room.libraries);
}

/// All wrong include lines of one file, each as "path:line: what is wrong".
std::vector<std::string> violations(const std::string& path, const std::string& text) {
    static const std::regex include_line(R"re(\s*#\s*include\s*([<"])([^>"]+)[>"].*)re");
    if (!rooms().contains(room_of(path))) return {path + ": the house has no such room"};
    std::vector<std::string> found;
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        std::smatch match;
        if (!std::regex_match(line, match, include_line)) continue;
        const std::string include = match[2], where = path + ":" + std::to_string(number) + ": ";
        const bool own = match[1] == "\"";
        if (own && !fs::exists(kRoot / include)) {
            found.push_back(where + "\"" + include + "\" is no path from the repository's root");
        } else if (!allowed(path, include, own)) {
            found.push_back(where + "may not include " + include);
        } else if (include.ends_with(".cuh") && !is_cuda(path)) {
            found.push_back(where + "only CUDA files include " + include);
        }
    }
    return found;
}

bool is_source(const fs::path& path) {
    const auto extension = path.extension();
    return extension == ".h" || extension == ".cpp" || extension == ".cu" || extension == ".cuh";
}

std::string text_of(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

/// The path from the repository's root of every source in some folders.
std::vector<std::string> sources_in(std::initializer_list<const char*> folders) {
    std::vector<std::string> paths;
    for (const char* folder : folders) {
        for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
            if (is_source(entry.path())) paths.push_back(fs::relative(entry.path(), kRoot).generic_string());
        }
    }
    EXPECT_GT(paths.size(), 100u) << "the tree was not found";
    return paths;
}

TEST(Layers, EveryIncludePointsTheRightWay) {
    for (const std::string& path : sources_in({"kernels", "app"})) {
        for (const std::string& violation : violations(path, text_of(kRoot / path)))
            ADD_FAILURE() << violation;
    }
}

TEST(Layers, NoTwoRoomsStandOnEachOther) {
    std::set<std::string_view> built;
    while (built.size() < rooms().size()) {
        const std::size_t before = built.size();
        for (const auto& [name, room] : rooms()) {
            if (std::ranges::all_of(room.rooms,
                                    [&](std::string_view below) { return built.contains(below); }))
                built.insert(name);
        }
        ASSERT_GT(built.size(), before) << "a circle of rooms";
    }
}

TEST(Layers, RoomsAreNeitherLooseNorOverfull) {
    std::map<std::string, int> files;
    for (const std::string& path : sources_in({"kernels", "app"})) {
        const std::string folder = path.substr(0, path.rfind('/'));
        ++files[folder];
        EXPECT_TRUE(folder != "app" || path == "app/main.cpp") << path;
    }
    EXPECT_LE(files["kernels"], 20);
    for (const auto& [folder, count] : files) EXPECT_LE(count, 45) << folder;
}

/// The first path that a source includes.
std::string first_include(const std::string& text) {
    static const std::regex include_line(R"re(#include ["<]([^">]+)[">])re");
    std::smatch match;
    return std::regex_search(text, match, include_line) ? match[1] : std::string();
}

// What a header lacks is then missed by whoever compiles its source (and by foundation/headers, which
// compiles every header).
TEST(Layers, SourcesIncludeTheirOwnHeaderFirst) {
    int pairs = 0;
    for (const std::string& header : sources_in({"kernels", "app", "tests"})) {
        if (!header.ends_with(".h")) continue;
        EXPECT_TRUE(text_of(kRoot / header).starts_with("#pragma once\n")) << header;
        const fs::path source = fs::path(kRoot / header).replace_extension(".cpp");
        if (!fs::exists(source)) continue;
        ++pairs;
        EXPECT_EQ(first_include(text_of(source)), header);
    }
    EXPECT_GT(pairs, 50);
}

/// For every pair of rooms: an include of a file of the second in a file of the first is reported exactly
/// when the table does not name it.
TEST(Layers, PlantedIncludesOfEveryPairOfRoomsAreJudged) {
    std::map<std::string, std::string> header_of;
    for (const std::string& path : sources_in({"kernels", "app"})) {
        if (path.ends_with(".h")) header_of.emplace(room_of(path), path);
    }
    int wrong = 0;
    for (const auto& [from, room] : rooms()) {
        const std::string path = from == "kernels"    ? "kernels/planted.h"
                                 : from == "main.cpp" ? "app/main.cpp"
                                                      : "app/" + std::string(from) + "/planted.cpp";
        for (const auto& [to, header] : header_of) {
            const bool right = to == from || std::ranges::count(room.rooms, std::string_view(to)) > 0;
            const auto found = violations(path, "#include <vector>\n#include \"" + header + "\"\n");
            EXPECT_EQ(found.size(), right ? 0u : 1u) << path << " includes " << header;
            wrong += right ? 0 : 1;
        }
    }
    EXPECT_GT(wrong, 80);
}

TEST(Layers, PlantedLibrariesAreReported) {
    const struct {
        const char* path;
        const char* line;
    } wrong[] = {
        {"kernels/params.h", "#include <cuda_runtime.h>"},
        {"kernels/cuda/gpu.h", "#include <cuda_runtime.h>"},
        {"kernels/cuda/no_cuda.cpp", "#include <cuda_runtime.h>"},
        {"kernels/launch_setting.cpp", "#include <cuda_runtime.h>"},
        {"kernels/scenarios/list.h", "#include <GLFW/glfw3.h>"},
        {"app/model/access/banks.cpp", "#include <imgui.h>"},
        {"app/model/access/banks.cpp", "#include \"banks.h\""},
        {"app/model/access/banks.cpp", "  #  include <cuda_runtime.h>  // hidden"},
        {"app/model/access/banks.cpp", "#include <unistd.h>"},
        {"app/pictures/kit/picture.h", "#include <glad/gl.h>"},
        {"app/figures/formats/svg.cpp", "#include <imgui.h>"},
        {"app/measure/worker.cpp", "#include <cuda_runtime.h>"},
        {"app/window/keys.cpp", "#include <imgui.h>"},
        {"app/window/keys.cpp", "#include <GLFW/glfw3.h>"},
        {"app/window/keys.cpp", "#include <CLI/App.hpp>"},
        {"app/panels/controls.cpp", "#include <CLI/App.hpp>"},
        {"app/gl/window.cpp", "#include <cuda_gl_interop.h>"},
        {"app/panels/controls.cpp", "#include <GLFW/glfw3.h>"},
        {"app/panels/controls.cpp", "#include <glad/gl.h>"},
        {"app/main.cpp", "#include <cuda_runtime.h>"},
        {"app/main.cpp", "#include <glad/gl.h>"},
        {"app/attic/old.cpp", "#include <vector>"},
    };
    for (const auto& [path, line] : wrong) {
        EXPECT_EQ(violations(path, std::string("#include <vector>\n") + line + "\n").size(), 1u)
            << path << " " << line;
    }
    EXPECT_TRUE(violations("app/model/access/banks.cpp", "// #include <imgui.h>\n").empty());
    EXPECT_TRUE(violations("app/interop/textures.cpp", "#include <cuda_gl_interop.h>\n").empty());
}

}  // namespace
}  // namespace warplens::test::layers_tests
