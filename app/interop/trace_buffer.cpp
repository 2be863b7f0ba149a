#include "app/interop/trace_buffer.h"

#include "app/interop/mapped_trace.h"
#include "kernels/cuda/gpu.h"

#include <glad/gl.h>

#include <optional>
#include <utility>
#include <variant>

namespace warplens {

struct TraceBuffer::State {
    GLuint buffer = 0;
    GLuint texture = 0;
    std::unique_ptr<MappedTrace> mapped;  ///< null without interop
    HostTracer tracer;                    ///< for copying
    TraceMode best = TraceMode::model;    ///< the mode that is tried first
    std::string why_not_best;             ///< why interop is given up for good; empty while it is tried
    TraceMode used = TraceMode::model;    ///< the mode that filled the buffer last
    std::string why;                      ///< why it was not interop

    State();
    ~State();
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    void choose(TraceMode wanted);
    void upload(const Trace& trace);
    std::optional<Unavailable> update_by_interop(const TraceRequest& request);
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
    mapped.reset();  // CUDA must unregister the buffer before GL deletes it
    glDeleteTextures(1, &texture);
    glDeleteBuffers(1, &buffer);
}

void TraceBuffer::State::choose(TraceMode wanted) {
    if (wanted == TraceMode::model) {
        why_not_best = "the CPU model was asked for";
    } else if (auto gpus = list_gpus(); std::holds_alternative<Unavailable>(gpus)) {
        why_not_best = std::get<Unavailable>(gpus).reason;
    } else if (wanted == TraceMode::copy) {
        best = TraceMode::copy;
        why_not_best = "the copy through host memory was asked for";
    } else if (auto created = MappedTrace::create(buffer); std::holds_alternative<Unavailable>(created)) {
        best = TraceMode::copy;
        why_not_best = std::get<Unavailable>(created).reason;
    } else {
        best = TraceMode::interop;
        mapped = std::move(std::get<0>(created));
    }
    used = best;
    why = why_not_best;
}

void TraceBuffer::State::upload(const Trace& trace) {
    glBindBuffer(GL_TEXTURE_BUFFER, buffer);
    glBufferSubData(GL_TEXTURE_BUFFER, 0, sizeof trace, &trace);
    glBindBuffer(GL_TEXTURE_BUFFER, 0);
}

std::optional<Unavailable> TraceBuffer::State::update_by_interop(const TraceRequest& request) {
    auto failure = mapped->fill(request);
    if (failure && mapped->lost()) {
        mapped.reset();
        best = TraceMode::copy;
        why_not_best = failure->reason;
    }
    return failure;
}

std::optional<Unavailable> TraceBuffer::State::update_by_copy(const TraceRequest& request) {
    Trace trace{};
    auto failure = tracer.trace({&request, 1}, {&trace, 1});
    if (!failure) upload(trace);
    return failure;
}

TraceBuffer::TraceBuffer(TraceMode wanted) : state_(std::make_unique<State>()) { state_->choose(wanted); }

TraceBuffer::~TraceBuffer() = default;

void TraceBuffer::update(const TraceRequest& request, const Trace& by_model) {
    State& state = *state_;
    std::optional<Unavailable> failure;
    if (state.best == TraceMode::interop) {
        failure = state.update_by_interop(request);
        if (!failure) {
            state.used = TraceMode::interop;
            state.why.clear();
            return;
        }
    }
    if (state.best == TraceMode::copy) {
        failure = state.update_by_copy(request);
        if (!failure) {
            state.used = TraceMode::copy;
            state.why = state.why_not_best;
            return;
        }
    }
    state.upload(by_model);
    state.used = TraceMode::model;
    state.why = failure ? failure->reason : state.why_not_best;
}

Trace TraceBuffer::read_back() const {
    Trace trace{};
    glBindBuffer(GL_TEXTURE_BUFFER, state_->buffer);
    glGetBufferSubData(GL_TEXTURE_BUFFER, 0, sizeof trace, &trace);
    glBindBuffer(GL_TEXTURE_BUFFER, 0);
    return trace;
}

unsigned TraceBuffer::gl_texture() const { return state_->texture; }
TraceMode TraceBuffer::mode() const { return state_->used; }
const std::string& TraceBuffer::why() const { return state_->why; }

}  // namespace warplens
