#include "app/window/side.h"

#include "app/boards/list.h"

#include <utility>

namespace warplens {

Side::Side(const State& start, std::vector<DeviceFacts> table, TraceMode mode)
    : state(start), devices(std::move(table)) {
    fill_by(mode);
}

void Side::fill_by(TraceMode mode) {
    trace = std::make_unique<TraceBuffer>(mode);
    image = std::make_unique<ImageTexture>(mode);
}

void Side::refresh(EvidenceStore& store) {
    set_bank_mode(devices, state.bank_mode);
    evidence = *store.of(state, devices);
    curve = model_curve(state, devices, evidence.prediction, true);
    trace->show(evidence.trace);
    // No kernel knows the addresses of a typed one.
    kernel_is_due_ = trace->mode() != TraceMode::model && state.scenario->typed == nullptr;
    if (has_image()) image->update(state.params);
}

void Side::fill_by_kernel() {
    if (std::exchange(kernel_is_due_, false)) trace->update(evidence.trace_request, evidence.trace);
}

void Side::put_into(Frame& frame) {
    frame.state = &state;
    frame.evidence = &evidence;
    frame.devices = &devices;
    frame.curve = &curve;
    frame.trace_texture = trace->gl_texture();
    frame.image_texture = image->gl_texture();
    const BoardInput input = board_input(frame);
    // The table of the access pictures reads the evidence instead.
    words.numbers = state.board->instructions ? std::vector<Quantity>{} : board_numbers(input);
    words.explanation = explain_board(input);
    frame.board_words = &words;
}

}  // namespace warplens
