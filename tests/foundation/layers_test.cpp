// Which folder may include what. Includes are written from the repository's root, so an include line is a
// path.
#include "tests/source_dir.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::test::layers_tests {
namespace {

namespace fs = std::filesystem;
const fs::path kRoot = in_source("");

struct Rule {
    const char* files;                  ///< regular expression for the path; the first rule that fits counts
    std::vector<std::string_view> may;  ///< an include has to start with one of these
};

const std::string_view kStd = "<std>";  ///< stands for the standard library: <vector>, <cstdint>
const std::string_view kPosix =
    "<posix>";  ///< stands for what the operating system offers: <unistd.h>, <sys/...>

const std::vector<Rule>& rules() {
    static const std::vector<Rule> rules = {
        {R"(kernels/.*\.cuh?)", {kStd, kPosix, "kernels/", "cuda", "cupti", "cooperative_groups", "nvtx3/"}},
        {R"(kernels/.*)", {kStd, "kernels/"}},
        {R"(app/model/.*)", {kStd, "app/model/", "kernels/", "nlohmann/"}},
        {R"(app/pictures/.*)", {kStd, "app/pictures/", "app/model/", "kernels/", "fmt/"}},
        {R"(app/export/.*)",
         {kStd, kPosix, "app/export/", "app/pictures/", "app/model/", "kernels/", "app/base/version.h",
          "png.h", "zlib.h", "cairo-", "stb_", "nlohmann/", "fmt/"}},
        {R"(app/measure/.*)",
         {kStd, kPosix, "app/measure/", "app/model/", "kernels/", "app/base/assets.h", "app/base/version.h",
          "nlohmann/", "fmt/"}},
        {R"(app/gl/.*)",
         {kStd, kPosix, "app/gl/", "app/pictures/", "app/base/assets.h", "kernels/unavailable.h", "glad/",
          "GLFW/", "EGL/", "imgui", "backends/imgui_impl_", "stb_", "fmt/"}},
        {R"(app/interop/.*)", {kStd, "app/interop/", "app/gl/", "app/model/", "kernels/", "glad/", "cuda"}},
        {R"(app/panels/.*)",
         {kStd,
          "app/panels/",
          "app/pictures/",
          "app/model/",
          "app/measure/",
          "kernels/",
          "app/experiment/state.h",
          "app/boards/board.h",
          "app/boards/phases/knobs.h",
          "app/boards/choose/knobs.h",
          "app/boards/occupancy/knobs.h",
          "app/boards/occupancy/setting.h",
          "app/experiment/board_info.h",
          "app/boards/worked/claims.h",
          "app/code/code_page.h",
          "app/boards/choose/decisions.h",
          "app/experiment/pipeline.h",
          "app/figures/figure_form.h",
          "app/experiment/compare.h",
          "app/experiment/quantities.h",
          "app/experiment/measurements.h",
          "app/experiment/recordings.h",
          "app/base/assets.h",
          "app/base/version.h",
          "app/learn/glossary.h",
          "app/window/keys.h",
          "app/learn/learn_wish.h",
          "app/learn/learning.h",
          "app/learn/lessons.h",
          "app/experiment/link_words.h",
          "app/window/messages.h",
          "app/learn/presenting.h",
          "app/learn/tour.h",
          "app/learn/markdown.h",
          "app/gl/fonts.h",
          "app/gl/painter.h",
          "app/gl/imgui_compat.h",
          "imgui",
          "fmt/"}},
        {R"(app/.*)", {kStd, kPosix, "app/", "kernels/", "CLI/", "nlohmann/", "fmt/", "md4c.h"}},
    };
    return rules;
}

bool is_std(const std::string& include) { return std::regex_match(include, std::regex("[a-z_0-9]+")); }

bool is_posix(const std::string& include) {
    static const std::regex posix("(unistd|fcntl|dlfcn|spawn|poll|signal|pwd|time)\\.h|sys/.*");
    return std::regex_match(include, posix);
}

bool allowed(const Rule& rule, const std::string& include) {
    for (std::string_view prefix : rule.may) {
        if (prefix == kStd     ? is_std(include)
            : prefix == kPosix ? is_posix(include)
                               : include.starts_with(prefix)) {
            return true;
        }
    }
    return false;
}

/// All wrong include lines of one file, each as "path:line: what is wrong".
std::vector<std::string> violations(const std::string& path, const std::string& text) {
    static const std::regex include_line(R"re(\s*#\s*include\s*([<"])([^>"]+)[>"].*)re");
    std::vector<std::string> found;
    const Rule* rule = nullptr;
    for (const Rule& candidate : rules()) {
        if (rule == nullptr && std::regex_match(path, std::regex(candidate.files))) rule = &candidate;
    }
    if (rule == nullptr) return {path + ": no rule for this folder"};

    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        std::smatch match;
        if (!std::regex_match(line, match, include_line)) continue;
        const std::string include = match[2], where = path + ":" + std::to_string(number) + ": ";
        const bool own = match[1] == "\"";
        if (own && !fs::exists(kRoot / include)) {
            found.push_back(where + "\"" + include + "\" is no path from the repository's root");
        } else if (!allowed(*rule, include)) {
            found.push_back(where + "may not include " + include);
        } else if (include.ends_with(".cuh") && path.find(".cu") == std::string::npos) {
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

TEST(Layers, EveryIncludePointsTheRightWay) {
    int files = 0;
    for (const char* folder : {"kernels", "app"}) {
        for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
            if (!is_source(entry.path())) continue;
            ++files;
            const std::string path = fs::relative(entry.path(), kRoot).generic_string();
            for (const std::string& violation : violations(path, text_of(entry.path())))
                ADD_FAILURE() << violation;
        }
    }
    EXPECT_GT(files, 20) << "the tree was not found";
}

/// The first path that a source includes.
std::string first_include(const std::string& text) {
    static const std::regex include_line(R"re(#include ["<]([^">]+)[">])re");
    std::smatch match;
    return std::regex_search(text, match, include_line) ? match[1] : std::string();
}

// So that each of them compiles alone: tests/foundation/foundation.cmake compiles only the others.
TEST(Layers, SourcesIncludeTheirOwnHeaderFirst) {
    int pairs = 0;
    for (const char* folder : {"kernels", "app", "tests"}) {
        for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
            if (entry.path().extension() != ".h") continue;
            const std::string header = fs::relative(entry.path(), kRoot).generic_string();
            EXPECT_TRUE(text_of(entry.path()).starts_with("#pragma once\n")) << header;
            const fs::path source = fs::path(entry.path()).replace_extension(".cpp");
            if (!fs::exists(source)) continue;
            ++pairs;
            EXPECT_EQ(first_include(text_of(source)), header);
        }
    }
    EXPECT_GT(pairs, 50) << "the tree was not found";
}

TEST(Layers, PlantedWrongIncludesAreReported) {
    const struct {
        const char* path;
        const char* line;
    } wrong[] = {
        {"kernels/params.h", "#include <cuda_runtime.h>"},
        {"kernels/params.h", "#include \"app/model/access/banks.h\""},
        {"kernels/scenarios/list.h", "#include <GLFW/glfw3.h>"},
        {"app/model/access/banks.cpp", "#include <imgui.h>"},
        {"app/model/access/banks.cpp", "#include \"app/pictures/kit/picture.h\""},
        {"app/model/access/banks.cpp", "#include \"banks.h\""},
        {"app/model/access/banks.cpp", "  #  include <cuda_runtime.h>  // hidden"},
        {"app/pictures/kit/picture.h", "#include <glad/gl.h>"},
        {"app/figures/svg.cpp", "#include <imgui.h>"},
        {"app/measure/worker.cpp", "#include <cuda_runtime.h>"},
        {"app/gl/window.cpp", "#include <cuda_gl_interop.h>"},
        {"app/panels/controls.cpp", "#include <GLFW/glfw3.h>"},
        {"app/panels/controls.cpp", "#include <glad/gl.h>"},
        {"app/main.cpp", "#include <cuda_runtime.h>"},
        {"app/main.cpp", "#include <glad/gl.h>"},
    };
    for (const auto& [path, line] : wrong) {
        EXPECT_EQ(violations(path, std::string("#include <vector>\n") + line + "\n").size(), 1u)
            << path << " " << line;
    }
    EXPECT_TRUE(
        violations("app/model/access/banks.cpp", "// #include <imgui.h>\n#include \"kernels/params.h\"\n")
            .empty());
    EXPECT_TRUE(violations("app/interop/trace_buffer.cpp", "#include <cuda_gl_interop.h>\n").empty());
}

}  // namespace

}  // namespace warplens::test::layers_tests
