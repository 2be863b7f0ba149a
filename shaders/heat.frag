// Colour from the palette's row, between its two nearest columns; corners rounded, with smooth edges.
flat in float ramp_position;
flat in int ramp;
flat in float opacity;
flat in vec3 half_size_radius;
in vec2 from_center;

uniform sampler2D palette;                 // one row per ramp, filled from ramp_color()

out vec4 color;

void main() {
    int last = textureSize(palette, 0).x - 1;
    float column = ramp_position * float(last);
    int left = int(column);
    vec4 first = texelFetch(palette, ivec2(left, ramp), 0);
    vec4 second = texelFetch(palette, ivec2(min(left + 1, last), ramp), 0);
    color = mix(first, second, column - float(left));

    float radius = half_size_radius.z;
    vec2 outside = max(abs(from_center) - half_size_radius.xy + radius, 0.0);
    float coverage = radius > 0.0 ? clamp(radius - length(outside) + 0.5, 0.0, 1.0) : 1.0;
    color.a *= opacity * coverage;
}
