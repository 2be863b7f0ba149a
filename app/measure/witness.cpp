#include "app/measure/witness.h"

#include "app/base/assets.h"

#include <nlohmann/json.hpp>

namespace warplens {

static void from_json(const nlohmann::json& json, WitnessValue& value) {
    value = {json.at(0), json.at(1), json.at(2)};
}

static void from_json(const nlohmann::json& json, Witness& witness) {
    witness = {json.at("gpu"), json.at("date"), json.at("driver_cuda"), json.at("values")};
}

const WitnessValue* Witness::find(std::string_view name) const {
    const auto found = values.find(name);
    return found == values.end() ? nullptr : &found->second;
}

std::string Witness::where() const { return gpu + ", " + date + ", driver for CUDA " + cuda; }

const std::vector<Witness>& shipped_witness() {
    static const std::vector<Witness> all = nlohmann::json::parse(asset("assets/witness.json")).at("gpus");
    return all;
}

}  // namespace warplens
