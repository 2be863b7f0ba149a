#include "app/gl/painter.h"

#include "app/base/assets.h"
#include "app/gl/context.h"
#include "app/gl/imgui_compat.h"
#include "app/gl/paint_shapes.h"
#include "app/pictures/kit/palette.h"
#include "app/pictures/kit/shape_geometry.h"

#include <glad/gl.h>

#include <cmath>
#include <cstddef>
#include <deque>
#include <stdexcept>

namespace warplens {

/// Draws heat cells on the GPU. It collects them while a frame is built, and draws each run of neighbours in
/// one instanced draw from inside ImGui's list of drawing commands, so that what was painted earlier lies
/// below them and what is painted later above. Needs a current GL context from construction to destruction.
class HeatCells {
public:
    HeatCells();
    ~HeatCells();
    HeatCells& operator=(HeatCells&&) = delete;

    void begin_frame();

    /// @param rect           [pixels in ImGui coordinates]
    /// @param radius         of the corners [pixels]
    /// @param trace_texture  GL name of the texture with the values; the same until flush()
    void add(const HeatCell& cell, const Rect& rect, float radius, unsigned trace_texture);
    /// Puts the cells that were added since the last call into the list.
    void flush(ImDrawList* list);

private:
    struct Instance {
        float rect[4];
        int lookup[2];
        float look[4];
    };
    struct Batch {
        HeatCells* owner;
        unsigned trace_texture;
        std::size_t first, count;
    };
    static void draw_callback(const ImDrawList*, const ImDrawCmd* command);
    void draw(const Batch& batch, const ImDrawCmd& command);
    void upload();
    void point_attributes_at(std::size_t first_instance) const;

    unsigned program_ = 0, vertex_array_ = 0, buffer_ = 0, palette_ = 0;
    int display_uniform_ = -1;
    std::vector<Instance> instances_;
    /// a deque, because ImGui keeps pointers to the batches until the frame is drawn
    std::deque<Batch> batches_;
    bool open_ = false;  ///< whether the last batch is not in a list yet
    bool uploaded_ = false;
};

namespace {

constexpr int kPaletteColumns = 256;

/// With more, they are so small that their round corners are hardly seen.
constexpr std::size_t kManyShapes = 4'000;

// Texture unit 0 belongs to ImGui.
constexpr int kTraceUnit = 1;
constexpr int kPaletteUnit = 2;

GLuint compile(GLenum stage, const std::string& path) {
    const std::string_view text = asset(path);
    if (text.empty()) throw std::runtime_error(path + " is not part of this program");
    const GLuint shader = glCreateShader(stage);
    const char* sources[] = {kGlslHead, text.data()};
    const GLint lengths[] = {-1, static_cast<GLint>(text.size())};
    glShaderSource(shader, 2, sources, lengths);
    glCompileShader(shader);
    GLint compiled = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (compiled) return shader;
    char log[2048] = "";
    glGetShaderInfoLog(shader, sizeof log, nullptr, log);
    glDeleteShader(shader);
    throw std::runtime_error("the OpenGL driver refuses " + path + ": " + log);
}

/// Compile and link "shaders/<name>.vert" and "shaders/<name>.frag".
/// Errors: std::runtime_error with the log of the driver.
GLuint load_program(const std::string& name) {
    const GLuint vertex = compile(GL_VERTEX_SHADER, "shaders/" + name + ".vert");
    const GLuint fragment = compile(GL_FRAGMENT_SHADER, "shaders/" + name + ".frag");
    const GLuint program = glCreateProgram();
    glAttachShader(program, vertex);
    glAttachShader(program, fragment);
    glLinkProgram(program);
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    GLint linked = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (linked) return program;
    char log[2048] = "";
    glGetProgramInfoLog(program, sizeof log, nullptr, log);
    glDeleteProgram(program);
    throw std::runtime_error("the OpenGL driver refuses shaders/" + name + ": " + log);
}

/// Compiling asks as well, so a page does it once.
GLuint heat_program() {
    static const GLuint first = kDrawnElsewhere ? load_program("heat") : 0;
    return kDrawnElsewhere ? first : load_program("heat");
}

GLuint create_palette() {
    std::vector<std::uint8_t> texels;
    for (int row = 0; row < kRampCount; ++row) {
        for (int column = 0; column < kPaletteColumns; ++column) {
            const Color c = ramp_color(static_cast<Ramp>(row), float(column) / (kPaletteColumns - 1));
            texels.insert(texels.end(), {c.r, c.g, c.b, c.a});
        }
    }
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                    GL_NEAREST);  // otherwise the texture is incomplete without mipmaps
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, kPaletteColumns, kRampCount, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 texels.data());
    glBindTexture(GL_TEXTURE_2D, 0);
    return texture;
}

/// Converts ImGui's clip rectangle, in its own coordinates, to OpenGL's scissor, in pixels from the bottom.
bool set_scissor(const ImDrawData& data, const ImVec4& clip) {
    const ImVec2 scale = data.FramebufferScale;
    const float left = (clip.x - data.DisplayPos.x) * scale.x;
    const float top = (clip.y - data.DisplayPos.y) * scale.y;
    const float right = (clip.z - data.DisplayPos.x) * scale.x;
    const float bottom = (clip.w - data.DisplayPos.y) * scale.y;
    if (right <= left || bottom <= top) return false;
    const float height = data.DisplaySize.y * scale.y;
    glScissor(static_cast<GLint>(left), static_cast<GLint>(height - bottom),
              static_cast<GLsizei>(right - left), static_cast<GLsizei>(bottom - top));
    return true;
}

}  // namespace

HeatCells::HeatCells() : program_(heat_program()) {
    palette_ = create_palette();
    glGenVertexArrays(1, &vertex_array_);
    glGenBuffers(1, &buffer_);
    glBindVertexArray(vertex_array_);
    for (GLuint attribute = 0; attribute < 3; ++attribute) {
        glEnableVertexAttribArray(attribute);
        glVertexAttribDivisor(attribute, 1);
    }
    glBindVertexArray(0);

    glUseProgram(program_);
    glUniform1i(glGetUniformLocation(program_, "trace"), kTraceUnit);
    glUniform1i(glGetUniformLocation(program_, "palette"), kPaletteUnit);
    display_uniform_ = glGetUniformLocation(program_, "display");
    glUseProgram(0);
}

HeatCells::~HeatCells() {
    glDeleteTextures(1, &palette_);
    glDeleteBuffers(1, &buffer_);
    glDeleteVertexArrays(1, &vertex_array_);
    if (!kDrawnElsewhere) glDeleteProgram(program_);
}

void HeatCells::begin_frame() {
    instances_.clear();
    batches_.clear();
    open_ = false;
    uploaded_ = false;
}

void HeatCells::add(const HeatCell& cell, const Rect& rect, float radius, unsigned trace_texture) {
    if (!open_) batches_.push_back({this, trace_texture, instances_.size(), 0});
    open_ = true;
    ++batches_.back().count;
    instances_.push_back({{rect.x, rect.y, rect.w, rect.h},
                          {cell.value_index, int(cell.ramp)},
                          {cell.first, cell.max, cell.opacity, radius}});
}

void HeatCells::flush(ImDrawList* list) {
    if (!open_) return;
    list->AddCallback(draw_callback, &batches_.back());
    list->AddCallback(ImDrawCallback_ResetRenderState, nullptr);
    open_ = false;
}

void HeatCells::draw_callback(const ImDrawList*, const ImDrawCmd* command) {
    const auto* batch = static_cast<const Batch*>(command->UserCallbackData);
    batch->owner->draw(*batch, *command);
}

void HeatCells::upload() {
    glBindBuffer(GL_ARRAY_BUFFER, buffer_);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(instances_.size() * sizeof(Instance)),
                 instances_.data(), GL_STREAM_DRAW);
    uploaded_ = true;
}

// OpenGL 3.3 cannot begin an instanced draw at an instance, so the attribute pointers begin there.
void HeatCells::point_attributes_at(std::size_t first_instance) const {
    const auto at = [first_instance](std::size_t offset) {
        return reinterpret_cast<const void*>(first_instance * sizeof(Instance) + offset);
    };
    glBindBuffer(GL_ARRAY_BUFFER, buffer_);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, sizeof(Instance), at(offsetof(Instance, rect)));
    glVertexAttribIPointer(1, 2, GL_INT, sizeof(Instance), at(offsetof(Instance, lookup)));
    glVertexAttribPointer(2, 4, GL_FLOAT, GL_FALSE, sizeof(Instance), at(offsetof(Instance, look)));
}

void HeatCells::draw(const Batch& batch, const ImDrawCmd& command) {
    const ImDrawData* data = ImGui::GetDrawData();
    if (data == nullptr || !set_scissor(*data, command.ClipRect)) return;
    if (!uploaded_) upload();

    glUseProgram(program_);
    glUniform4f(display_uniform_, data->DisplayPos.x, data->DisplayPos.y, data->DisplaySize.x,
                data->DisplaySize.y);
    glActiveTexture(GL_TEXTURE0 + kTraceUnit);
    glBindTexture(GL_TEXTURE_2D, batch.trace_texture);
    glActiveTexture(GL_TEXTURE0 + kPaletteUnit);
    glBindTexture(GL_TEXTURE_2D, palette_);
    glBindVertexArray(vertex_array_);
    point_attributes_at(batch.first);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(batch.count));

    // Restores what ImGui's ResetRenderState does not set.
    glBindTexture(GL_TEXTURE_2D, 0);
    glActiveTexture(GL_TEXTURE0 + kTraceUnit);
    glBindTexture(GL_TEXTURE_2D, 0);
    glActiveTexture(GL_TEXTURE0);
}

Painter::Painter() = default;
Painter::~Painter() = default;

void Painter::begin_frame() {
    if (heat_cells_) heat_cells_->begin_frame();
}

void Painter::paint(const Picture& picture, ImDrawList* list, float origin_x, float origin_y, float scale,
                    const Fonts& fonts, unsigned trace_texture, unsigned image_texture) {
    const bool many_shapes = picture.shapes.size() > kManyShapes;
    const PaintFrame frame{list, &fonts, std::round(origin_x), std::round(origin_y), scale, many_shapes};
    for (const Shape& shape : picture.shapes) {
        if (const auto* cell = std::get_if<HeatCell>(&shape)) {
            if (trace_texture == 0) continue;
            const Rect rect = frame.snapped(cell->rect);
            if (!heat_cells_) heat_cells_ = std::make_unique<HeatCells>();
            heat_cells_->add(*cell, rect, heat_cell_radius(rect, scale), trace_texture);
            continue;
        }
        if (heat_cells_) heat_cells_->flush(list);
        if (const auto* image = std::get_if<ImageBox>(&shape)) {
            const Rect rect = frame.snapped(image->rect);
            if (image_texture != 0) ui::add_image(list, image_texture, rect.x, rect.y, rect.w, rect.h);
            continue;
        }
        std::visit(
            [&frame]<typename T>(const T& other) {
                if constexpr (!std::is_same_v<T, HeatCell> && !std::is_same_v<T, ImageBox>)
                    warplens::paint(frame, other);
            },
            shape);
    }
    if (heat_cells_) heat_cells_->flush(list);
}

}  // namespace warplens
