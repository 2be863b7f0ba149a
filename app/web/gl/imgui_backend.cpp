// Dear ImGui's OpenGL backend asks for the state before each frame and restores it afterwards. Each question
// to WebGL waits for the GPU, which made a frame ten times as long; nobody else draws into the page, so the
// state between its frames is known.
#include <GLES3/gl3.h>

namespace {

void tell_state(GLenum what, GLint* state) {
    switch (what) {
        case GL_ACTIVE_TEXTURE:
            *state = GL_TEXTURE0;
            break;
        case GL_BLEND_SRC_RGB:
        case GL_BLEND_SRC_ALPHA:
            *state = GL_ONE;
            break;
        case GL_BLEND_EQUATION_RGB:
        case GL_BLEND_EQUATION_ALPHA:
            *state = GL_FUNC_ADD;
            break;
        case GL_UNPACK_ALIGNMENT:
            *state = 4;
            break;
        case GL_VIEWPORT:
        case GL_SCISSOR_BOX:
            for (int i = 0; i < 4; ++i) state[i] = i < 2 ? 0 : 1;
            break;
        case GL_ARRAY_BUFFER_BINDING:
        case GL_BLEND_DST_ALPHA:
        case GL_BLEND_DST_RGB:
        case GL_CURRENT_PROGRAM:
        case GL_SAMPLER_BINDING:
        case GL_TEXTURE_BINDING_2D:
        case GL_UNPACK_ROW_LENGTH:
        case GL_VERTEX_ARRAY_BINDING:
            *state = 0;
            break;
        default:
            glGetIntegerv(what, state);
    }
}

GLboolean is_on(GLenum) { return GL_FALSE; }

}  // namespace

#define glGetIntegerv tell_state
#define glIsEnabled is_on
#include <backends/imgui_impl_opengl3.cpp>
