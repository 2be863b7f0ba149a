#pragma once

#include "app/interop/textures.h"
#include "kernels/cuda/gpu.h"
#include "kernels/params.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace warplens {

/// A GL object that CUDA may write to. It is registered once, mapped only while the kernel runs, and
/// unregistered in the destructor.
template <class Request>
class Mapped {
public:
    /// @param gl_object  a buffer of at least sizeof(Trace), or a GL_TEXTURE_2D, RGBA8, TextureFilter::kImage
    /// a side; it must outlive the result, and its GL context must be current.
    /// @return  why CUDA cannot write to it, if it cannot; CUDA's error state is clean afterwards.
    static std::variant<std::unique_ptr<Mapped>, Unavailable> create(unsigned gl_object);
    virtual ~Mapped() = default;

    /// Map, launch, unmap. The CPU does not wait for the kernel; GL's next read does.
    /// @return  why it failed, or empty; `lost()` says whether it makes sense to try again.
    virtual std::optional<Unavailable> write(const Request& request) = 0;

    /// Mapping or unmapping has failed once: from now on the object is used by GL only.
    virtual bool lost() const = 0;
};
using MappedTrace = Mapped<TraceRequest>;  ///< a buffer
using MappedImage = Mapped<Params>;        ///< a texture

/// How results get into an OpenGL object: by interop, by a copy through host memory, or from the model. It
/// begins with the mode that was asked for and falls back to the next one when a mode fails.
/// @tparam Mapped  MappedTrace or MappedImage: the object as CUDA may write to it
template <class Mapped>
class Transfer {
public:
    TraceMode used() const { return used_; }         ///< the mode that wrote last
    const std::string& why() const { return why_; }  ///< why it was not interop; empty if it was

    /// CUDA unregisters the object. To be called before OpenGL deletes it.
    void release() { mapped_.reset(); }

    void choose(TraceMode wanted, unsigned gl_object) {
        if (wanted == TraceMode::model) {
            why_not_best_ = "the CPU model was asked for";
        } else if (auto gpus = list_gpus(); std::holds_alternative<Unavailable>(gpus)) {
            why_not_best_ = std::get<Unavailable>(gpus).reason;
        } else if (wanted == TraceMode::copy) {
            best_ = TraceMode::copy;
            why_not_best_ = "the copy through host memory was asked for";
        } else if (auto created = Mapped::create(gl_object); std::holds_alternative<Unavailable>(created)) {
            best_ = TraceMode::copy;
            why_not_best_ = std::get<Unavailable>(created).reason;
        } else {
            best_ = TraceMode::interop;
            mapped_ = std::move(std::get<0>(created));
        }
        used_ = best_;
        why_ = why_not_best_;
    }

    /// Write once, in the best mode that works.
    /// @param by_interop  (Mapped&) -> std::optional<Unavailable>; by_copy: the same without arguments
    /// @param by_model    () -> void; it cannot fail
    template <class ByInterop, class ByCopy, class ByModel>
    void write(const ByInterop& by_interop, const ByCopy& by_copy, const ByModel& by_model) {
        std::optional<Unavailable> failure;
        if (best_ == TraceMode::interop) {
            failure = by_interop(*mapped_);
            if (!failure) return set_used(TraceMode::interop, {});
            if (mapped_->lost()) {
                mapped_.reset();
                best_ = TraceMode::copy;
                why_not_best_ = failure->reason;
            }
        }
        if (best_ == TraceMode::copy) {
            failure = by_copy();
            if (!failure) return set_used(TraceMode::copy, why_not_best_);
        }
        by_model();
        set_used(TraceMode::model, failure ? failure->reason : why_not_best_);
    }

private:
    void set_used(TraceMode used, std::string why) {
        used_ = used;
        why_ = std::move(why);
    }

    std::unique_ptr<Mapped> mapped_;     ///< null without interop
    TraceMode best_ = TraceMode::model;  ///< the mode that is tried first
    std::string why_not_best_;           ///< why interop is given up for good; empty while it is tried
    TraceMode used_ = TraceMode::model;
    std::string why_;
};

}  // namespace warplens
