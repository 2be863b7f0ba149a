#include "app/answers/file_work.h"

#include "app/base/text.h"

#include <fmt/format.h>

namespace warplens {

std::string reading_text(const std::string& path, double done) {
    std::string text = "reading " + printable(std::filesystem::path(path).filename().string());
    if (done > 0) text += fmt::format(", {} %", int(100 * done));
    return text;
}

}  // namespace warplens
