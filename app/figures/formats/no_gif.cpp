// Stands in for gif.cpp in builds without giflib.
#include "app/figures/formats/gif.h"

#include <stdexcept>

namespace warplens {

struct GifWriter::File {};

std::optional<Unavailable> gif_unavailable() {
    return Unavailable{
        "this build writes no GIF, because giflib was not there when it was built: install libgif-dev and "
        "build again, or write an animated PNG"};
}

GifWriter::GifWriter(std::string) { throw std::runtime_error(gif_unavailable()->reason); }
GifWriter::~GifWriter() = default;
void GifWriter::begin(const Image&, double) {}
bool GifWriter::step() { return false; }
std::string GifWriter::take() { return {}; }

}  // namespace warplens
