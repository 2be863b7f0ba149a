#include "app/gl/fonts.h"

#include "app/gl/font_files.h"
#include "app/gl/imgui_compat.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include WARPLENS_IMGUI_BACKEND(imgui_impl_opengl3.h)

namespace warplens {
namespace {

/// Before 1.92 every glyph of the ranges is rendered at start, which takes a large part of the first frame,
/// so only those in use are requested. The body font has Latin-1 as well, for file names and texts of the
/// person.
const ImWchar* glyph_ranges(bool latin_1) {
    static const auto build = [](ImWchar last) {
        ImFontGlyphRangesBuilder builder;
        const ImWchar letters[] = {0x20, 0x7e, 0xa0, last, 0};
        builder.AddRanges(letters);
        builder.AddText(kSymbols.data(), kSymbols.data() + kSymbols.size());
        ImVector<ImWchar> built;
        builder.BuildRanges(&built);
        return built;
    };
    static const ImVector<ImWchar> all = build(0xff), few = build(0xa0);
    return latin_1 ? all.Data : few.Data;
}

ImFont* add_font(const FontFile& file, float em_pixels, bool merge, bool latin_1) {
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    config.MergeMode = merge;
    // Half-pixel steps keep the spacing of small letters even. Large letters do not need the time and the
    // memory.
    config.OversampleH = em_pixels < 30 ? 2 : 1;
    config.OversampleV = 1;
    auto* bytes = const_cast<unsigned char*>(
        file.bytes.data());  // ImGui takes void*, but does not write to it without ownership
    return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(bytes, static_cast<int>(file.bytes.size()),
                                                      em_pixels * file.line_per_em, &config,
                                                      glyph_ranges(latin_1));
}

namespace fs = std::filesystem;

const Typeface kRegular{"Inter", {"Inter-Regular.otf", "Inter-Regular.ttf", "DejaVuSans.ttf"}};
const Typeface kStrong{"Inter SemiBold", {"Inter-SemiBold.otf", "Inter-SemiBold.ttf", "DejaVuSans-Bold.ttf"}};
const Typeface kMono{"JetBrains Mono",
                     {"JetBrainsMono-Regular.ttf", "JetBrainsMono-Regular.otf", "DejaVuSansMono.ttf"}};
const Typeface kSymbolFont{"DejaVu Sans", {"DejaVuSans.ttf"}};

constexpr std::uintmax_t kLargestFile = 64 << 20;  // [bytes]

std::vector<fs::path> font_folders() {
    std::vector<fs::path> folders;
    const auto add = [&folders](const char* variable, const char* below) {
        if (const char* value = std::getenv(variable); value != nullptr && *value != 0)
            folders.push_back(fs::path(value) / below);
    };
    add("XDG_DATA_HOME", "fonts");
    add("HOME", ".local/share/fonts");
    add("HOME", ".fonts");
    add("HOME", "Library/Fonts");
    add("LOCALAPPDATA", "Microsoft/Windows/Fonts");
    add("WINDIR", "Fonts");
    for (const char* folder : {"/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts"})
        folders.push_back(folder);
    return folders;
}

/// The folder of the fonts that are delivered with the program, whose archive can be unpacked anywhere. Empty
/// if it is not known.
fs::path own_folder() {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    return error ? fs::path() : program.parent_path().parent_path() / "share/warplens/fonts";
}

/// The path where the program or Debian and Ubuntu put our fonts. Looking there first usually avoids a search
/// of all folders.
fs::path usual_place(const std::string& file_name) {
    static const std::vector<fs::path> folders{
        own_folder(), "/usr/share/fonts/opentype/inter", "/usr/share/fonts/truetype/jetbrains-mono",
        "/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/truetype/inter"};
    for (const fs::path& folder : folders) {
        std::error_code error;
        fs::path path = folder / file_name;
        if (fs::exists(path, error) || error) return path;  // an error shows when it is read
    }
    return {};
}

/// All font files of all folders by name. The first file with a name is used.
const std::map<std::string, fs::path>& installed_fonts() {
    static const auto fonts = [] {
        std::map<std::string, fs::path> found;
        for (const fs::path& folder : font_folders()) {
            std::error_code error;
            const auto options = fs::directory_options::skip_permission_denied;
            for (fs::recursive_directory_iterator it(folder, options, error), end; !error && it != end;
                 it.increment(error)) {
                const std::string extension = it->path().extension().string();
                if (extension == ".ttf" || extension == ".otf")
                    found.emplace(it->path().filename().string(), it->path());
            }
        }
        return found;
    }();
    return fonts;
}

/// Reads a big-endian number, as OpenType has them. 0 past the end.
unsigned read_16(const std::vector<unsigned char>& bytes, std::size_t at) {
    return at + 2 <= bytes.size() ? unsigned(bytes[at]) << 8 | bytes[at + 1] : 0;
}

std::size_t read_32(const std::vector<unsigned char>& bytes, std::size_t at) {
    return std::size_t{read_16(bytes, at)} << 16 | read_16(bytes, at + 2);
}

std::size_t find_table(const std::vector<unsigned char>& bytes, const char* tag) {
    const unsigned tables = read_16(bytes, 4);
    for (std::size_t entry = 12; entry < 12 + std::size_t{16} * tables && entry + 16 <= bytes.size();
         entry += 16)
        if (std::memcmp(&bytes[entry], tag, 4) == 0) return read_32(bytes, entry + 8);
    return 0;
}

/// Whether the file has everything that its table of contents names. Those who draw do not look.
bool is_whole(const std::vector<unsigned char>& bytes) {
    const std::size_t end = 12 + std::size_t{16} * read_16(bytes, 4);
    if (end > bytes.size()) return false;
    for (std::size_t entry = 12; entry < end; entry += 16)
        if (read_32(bytes, entry + 8) + read_32(bytes, entry + 12) > bytes.size()) return false;
    const auto has = [&](const char* tag) { return find_table(bytes, tag) != 0; };
    return has("cmap") && has("head") && has("hhea") && has("hmtx") && has("maxp") &&
           (has("CFF ") || (has("glyf") && has("loca")));
}

std::string unreadable;

/// @return  null, and says why in unreadable_font(), if there is a file that cannot be used.
std::unique_ptr<FontFile> read_font(const fs::path& path) {
    const auto refuse = [&path](const std::string& why) {
        if (unreadable.empty())
            unreadable =
                "the font file '" + path.string() + "' cannot be used: " + why + "; install it again";
        return nullptr;
    };
    std::error_code error;
    const auto size = fs::file_size(path, error);
    if (error) return refuse(error.message());
    if (size > kLargestFile) return refuse("it is too large");
    auto file = std::make_unique<FontFile>();
    file->path = path.string();
    file->bytes.resize(size);
    std::ifstream in(path, std::ios::binary);
    if (!in.read(reinterpret_cast<char*>(file->bytes.data()), static_cast<std::streamsize>(size)))
        return refuse("it cannot be read");
    file->line_per_em = read_line_per_em(file->bytes);
    if (file->line_per_em <= 0 || !is_whole(file->bytes)) return refuse("it is cut off, or no font");
    return file;
}

}  // namespace

void Fonts::add_role(FontRole role) {
    const int i = static_cast<int>(role);
    const float em_pixels = font_points(role) * scale_;
    const FontFile* main = find_font(typeface_of(role));
    const FontFile* symbols = find_font(symbol_typeface());
    const bool reuse =
        ui::kDynamicFonts && fonts_[i] != nullptr;  // a font that is loaded can be rendered at any size
    if (main != nullptr) {
        sizes_[i] = em_pixels * main->line_per_em;
        if (!reuse) fonts_[i] = add_font(*main, em_pixels, false, role == FontRole::body);
        if (!reuse && symbols != nullptr && symbols != main) add_font(*symbols, em_pixels, true, false);
    } else {
        ImFontConfig config;
        config.SizePixels =
            std::max(13.0f, std::floor(em_pixels / 13) *
                                13);  // a bitmap font is sharp at integer multiples of its size
        sizes_[i] = config.SizePixels;
        if (!reuse) fonts_[i] = ImGui::GetIO().Fonts->AddFontDefault(&config);
    }
    const std::string file = main != nullptr ? main->path : "ImGui's built-in font";
    if (source_.find(file) == std::string::npos) source_ += (source_.empty() ? "" : ", ") + file;
}

void Fonts::load(float scale, bool titles) {
    scale_ = std::clamp(scale, 0.5f, 8.0f);
    source_.clear();
    if (!ui::kDynamicFonts) ImGui::GetIO().Fonts->Clear();
    const auto title = static_cast<int>(FontRole::title), heading = static_cast<int>(FontRole::heading);
    for (int i = 0; i < static_cast<int>(kFontRoles); ++i) {
        if (i != title || titles) add_role(static_cast<FontRole>(i));
    }
    if (!titles) {
        fonts_[title] = fonts_[heading];
        sizes_[title] = sizes_[heading];
    }
#if IMGUI_VERSION_NUM >= 19200
    ImGui::GetStyle().FontSizeBase = sizes_[0];
#else
    ImGui::GetIO().Fonts->Build();
#endif
}

// ImGui rounds the baseline to a whole pixel.
float Fonts::baseline(FontRole role) const {
    return std::round(ui::font_ascent(font(role), imgui_size(role)));
}

float Fonts::width(std::string_view utf8, FontRole role) const {
    if (utf8.empty()) return 0;  // Dear ImGui takes a null end for a text that ends with a zero byte
    const int i = static_cast<int>(role);
    return fonts_[i]->CalcTextSizeA(sizes_[i], FLT_MAX, 0, utf8.data(), utf8.data() + utf8.size()).x / scale_;
}

void renew_font_texture() {
#if IMGUI_VERSION_NUM < 19200
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

float read_line_per_em(const std::vector<unsigned char>& bytes) {
    const std::size_t head = find_table(bytes, "head");
    const std::size_t hhea = find_table(bytes, "hhea");
    if (head == 0 || hhea == 0) return 0;
    const unsigned units_per_em = read_16(bytes, head + 18);
    const int ascent = static_cast<std::int16_t>(read_16(bytes, hhea + 4));
    const int descent = static_cast<std::int16_t>(read_16(bytes, hhea + 6));
    if (units_per_em == 0 || ascent <= descent) return 0;
    return static_cast<float>(ascent - descent) / static_cast<float>(units_per_em);
}

const Typeface& typeface_of(FontRole role) {
    return role == FontRole::body ? kRegular : role == FontRole::mono ? kMono : kStrong;
}
const Typeface& symbol_typeface() { return kSymbolFont; }

const std::string& unreadable_font() { return unreadable; }

const FontFile* find_font(const Typeface& typeface) {
    static std::map<std::string, std::unique_ptr<FontFile>> read;  // null if it was searched without success
    for (const char* name : typeface.file_names) {
        auto [at, is_new] = read.try_emplace(name);
        if (is_new) {
            if (const fs::path path = usual_place(name); !path.empty()) {
                at->second = read_font(path);
            } else if (const auto found = installed_fonts().find(name); found != installed_fonts().end()) {
                at->second = read_font(found->second);
            }
        }
        if (at->second != nullptr) return at->second.get();
    }
    return nullptr;
}

}  // namespace warplens
