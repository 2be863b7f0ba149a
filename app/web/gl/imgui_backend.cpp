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

// The backend links its program once more for each figure that is drawn, and asks whether that went well,
// which waits for the browser's compiler: a tenth of a second. All can use the first one. It is never
// deleted; the browser reports on its console if it cannot be linked.
GLuint linked = 0;
bool is_linked = false;

GLuint create_program() { return linked != 0 ? linked : linked = glCreateProgram(); }
void compile(GLuint shader) {
    if (!is_linked) glCompileShader(shader);
}
void attach(GLuint program, GLuint shader) {
    if (!is_linked) glAttachShader(program, shader);
}
void detach(GLuint, GLuint) {}
void link(GLuint program) {
    if (!is_linked) glLinkProgram(program);
    is_linked = true;
}
void keep_program(GLuint) {}
void tell_success(GLuint, GLenum what, GLint* state) { *state = what == GL_INFO_LOG_LENGTH ? 0 : GL_TRUE; }

}  // namespace

#define glGetIntegerv tell_state
#define glIsEnabled is_on
#define glCreateProgram create_program
#define glCompileShader compile
#define glAttachShader attach
#define glDetachShader detach
#define glLinkProgram link
#define glDeleteProgram keep_program
#define glGetShaderiv tell_success
#define glGetProgramiv tell_success
#include <backends/imgui_impl_opengl3.cpp>
