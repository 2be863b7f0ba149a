// One instance per heat cell, a strip of four corners. The value is looked up here, once per corner, so that a cell whose
// lane takes no part costs no pixels at all.
layout(location = 0) in vec4 rect;         // left, top, width, height [pixels, y downwards]
layout(location = 1) in ivec2 lookup;      // word of the traces, row in the palette
layout(location = 2) in vec4 look;         // values of the first and the last colour, opacity, corner radius [pixels]

uniform vec4 display;                      // left, top, width, height of ImGui's display [pixels]
uniform highp usampler2D trace;            // the words of the traces, 32 in a row

flat out float ramp_position;              // 0 to 1
flat out int ramp;
flat out float opacity;
flat out vec3 half_size_radius;
out vec2 from_center;

const uint kInactive = 0xffffffffu;        // kTraceInactive in kernels/trace.h

void main() {
    uint value = texelFetch(trace, ivec2(lookup.x & 31, lookup.x >> 5), 0).r;
    // As ramp_position() in app/pictures/palette.h.
    ramp_position = look.y > look.x ? clamp((float(value) - look.x) / (look.y - look.x), 0.0, 1.0) : 0.0;
    ramp = lookup.y;
    opacity = look.z;
    half_size_radius = vec3(0.5 * rect.zw, look.w);

    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    from_center = (corner - 0.5) * rect.zw;
    vec2 position = (rect.xy + corner * rect.zw - display.xy) / display.zw;
    gl_Position = value == kInactive ? vec4(2.0, 2.0, 2.0, 1.0)
                                     : vec4(2.0 * position.x - 1.0, 1.0 - 2.0 * position.y, 0.0, 1.0);
}
