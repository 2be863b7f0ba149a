#include "app/gl/program.h"

#include "app/base/assets.h"

#include <glad/gl.h>
#include <stdexcept>

namespace warplens {
namespace {

GLuint compile(GLenum stage, const std::string& path) {
    const std::string_view text = asset(path);
    if (text.empty()) throw std::runtime_error(path + " is not part of this program");
    const GLuint shader = glCreateShader(stage);
    const char* source = text.data();
    const auto length = static_cast<GLint>(text.size());
    glShaderSource(shader, 1, &source, &length);
    glCompileShader(shader);
    GLint compiled = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (compiled) return shader;
    char log[2048] = "";
    glGetShaderInfoLog(shader, sizeof log, nullptr, log);
    glDeleteShader(shader);
    throw std::runtime_error("the OpenGL driver refuses " + path + ": " + log);
}

}  // namespace

unsigned load_program(const std::string& name) {
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

}  // namespace warplens
