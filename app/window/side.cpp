#include "app/window/side.h"

namespace warplens {

void SideTextures::fill_by(TraceMode mode) {
    trace_ = std::make_unique<TraceBuffer>(mode);
    image_ = std::make_unique<ImageTexture>(mode);
    shown_.reset();
}

void SideTextures::show(const Ready<Evidence>& evidence) {
    if (shown_ == evidence) return;
    shown_ = evidence;
    trace_->show(evidence->trace);
    // No kernel knows the addresses of a typed one.
    kernel_is_due_ = trace_->mode() != TraceMode::model && evidence->setting.scenario->typed == nullptr;
    if (has_image()) image_->update(evidence->setting.params);
}

void SideTextures::fill_by_kernel() {
    if (std::exchange(kernel_is_due_, false)) trace_->update(shown_->trace_request, shown_->trace);
}

}  // namespace warplens
