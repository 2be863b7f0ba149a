#include "app/measure/witness.h"

#include "app/base/assets.h"
#include "app/base/json_place.h"

#include <nlohmann/json.hpp>

#include <stdexcept>

namespace warplens {
namespace {

constexpr double kMost = 1e12;

Witness read_witness(const JsonPlace& from) {
    from.allow({"gpu", "cc", "date", "driver_cuda", "concurrent_managed_access", "pageable_memory_access",
                "values"});
    Witness witness{.gpu = from.member("gpu").prose(),
                    .date = from.member("date").prose(),
                    .cuda = from.member("driver_cuda").prose()};
    const JsonPlace values = from.member("values");
    for (const auto& [name, list] : values.value().items()) {
        const JsonPlace place = values.member(name.c_str());
        if (place.size() != 3) place.wrong("the median, the least and the most");
        const WitnessValue value{place.element(0).number(0, kMost), place.element(1).number(0, kMost),
                                 place.element(2).number(0, kMost)};
        if (value.least > value.median || value.median > value.most) place.wrong("a median between both");
        witness.values.emplace(name, value);
    }
    return witness;
}

}  // namespace

const WitnessValue* Witness::find(std::string_view name) const {
    const auto found = values.find(name);
    return found == values.end() ? nullptr : &found->second;
}

std::string Witness::where() const { return gpu + ", " + date + ", driver for CUDA " + cuda; }

std::vector<Witness> parse_witness(std::string_view text) {
    try {
        const nlohmann::json parsed = parse_json(text);
        const JsonPlace file(parsed, "");
        file.allow({"gpus"});
        std::vector<Witness> all;
        for (const JsonPlace& gpu : file.member("gpus").elements()) all.push_back(read_witness(gpu));
        return all;
    } catch (const JsonError& error) {
        throw std::runtime_error(std::string("witness: ") + error.what());
    }
}

const std::vector<Witness>& shipped_witness() {
    static const std::vector<Witness> all = parse_witness(asset("assets/witness.json"));
    return all;
}

}  // namespace warplens
