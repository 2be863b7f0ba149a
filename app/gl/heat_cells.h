#pragma once

#include "app/pictures/kit/picture.h"

#include <cstddef>
#include <deque>
#include <vector>

struct ImDrawCmd;
struct ImDrawList;

namespace warplens {

/// Draws heat cells on the GPU. It collects them while a frame is built, and draws each run of neighbours in
/// one instanced draw from inside ImGui's list of drawing commands, so that what was painted earlier lies
/// below them and what is painted later above. Needs a current GL context from construction to destruction.
class HeatCells {
public:
    HeatCells();
    ~HeatCells();
    HeatCells(const HeatCells&) = delete;
    HeatCells& operator=(const HeatCells&) = delete;

    void begin_frame();

    /// @param rect           [pixels in ImGui coordinates]
    /// @param radius         of the corners [pixels]
    /// @param trace_texture  GL name of the buffer texture with the values; the same until flush()
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

}  // namespace warplens
