#include "app/interop/trace_buffer.h"

#include "app/interop/transfer.h"

#include <glad/gl.h>

namespace warplens {

struct TraceBuffer::State {
    GLuint buffer = 0;
    GLuint texture = 0;
    Transfer<MappedTrace> transfer;
    HostTracer tracer;  ///< for copying

    State();
    ~State();
    State& operator=(State&&) = delete;

    void upload(const Trace& trace);
    std::optional<Unavailable> update_by_copy(const TraceRequest& request);
};

TraceBuffer::State::State() {
    const Trace empty{};
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_TEXTURE_BUFFER, buffer);
    glBufferData(GL_TEXTURE_BUFFER, sizeof empty, &empty, GL_DYNAMIC_DRAW);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_BUFFER, texture);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_R32UI, buffer);
    glBindTexture(GL_TEXTURE_BUFFER, 0);
    glBindBuffer(GL_TEXTURE_BUFFER, 0);
}

TraceBuffer::State::~State() {
    transfer.release();  // CUDA must unregister the buffer before GL deletes it
    glDeleteTextures(1, &texture);
    glDeleteBuffers(1, &buffer);
}

void TraceBuffer::State::upload(const Trace& trace) {
    glBindBuffer(GL_TEXTURE_BUFFER, buffer);
    glBufferSubData(GL_TEXTURE_BUFFER, 0, sizeof trace, &trace);
    glBindBuffer(GL_TEXTURE_BUFFER, 0);
}

std::optional<Unavailable> TraceBuffer::State::update_by_copy(const TraceRequest& request) {
    Trace trace{};
    auto failure = tracer.trace({&request, 1}, {&trace, 1});
    if (!failure) upload(trace);
    return failure;
}

TraceBuffer::TraceBuffer(TraceMode wanted) : state_(std::make_unique<State>()) {
    state_->transfer.choose(wanted, state_->buffer);
}

TraceBuffer::~TraceBuffer() = default;

void TraceBuffer::update(const TraceRequest& request, const Trace& by_model) {
    state_->transfer.write([&](MappedTrace& mapped) { return mapped.write(request); },
                           [&] { return state_->update_by_copy(request); },
                           [&] { state_->upload(by_model); });
}

Trace TraceBuffer::read_back() const {
    Trace trace{};
    glBindBuffer(GL_TEXTURE_BUFFER, state_->buffer);
    glGetBufferSubData(GL_TEXTURE_BUFFER, 0, sizeof trace, &trace);
    glBindBuffer(GL_TEXTURE_BUFFER, 0);
    return trace;
}

unsigned TraceBuffer::gl_texture() const { return state_->texture; }
TraceMode TraceBuffer::mode() const { return state_->transfer.used(); }
const std::string& TraceBuffer::why() const { return state_->transfer.why(); }

}  // namespace warplens
