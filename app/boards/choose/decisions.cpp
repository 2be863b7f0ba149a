#include "app/boards/choose/decisions.h"

#include "app/base/assets.h"
#include "app/boards/spaces/spaces_picture.h"
#include "app/experiment/devices.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace warplens {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DecisionAnswer, text, said, go, out)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DecisionQuestion, id, ask, help, answers)

static void from_json(const nlohmann::json& json, DecisionEnd& end) {
    end = {json.at("id"),
           json.at("rung"),
           json.at("title"),
           json.at("reason"),
           json.at("watch"),
           json.at("code"),
           json.at("limits"),
           json.at("link"),
           json.value("since", ""),
           json.value("otherwise", ""),
           json.value("warning", false)};
}

static void from_json(const nlohmann::json& json, DecisionRung& rung) {
    rung = {json.at("key"),  json.at("name"),  json.at("who"),         json.at("more"),
            json.at("link"), json.at("space"), json.value("since", "")};
}

namespace {

bool has(const DeviceFacts& device, const std::string& since) {
    const auto cc = parse_capability(since);
    return !cc || *cc <= device.cc;
}

/// The end that a GPU can carry out: the wished one, or its replacement for older GPUs.
const DecisionEnd* possible(const Decisions& all, const DecisionEnd* end, const DeviceFacts& device) {
    while (!has(device, end->since)) end = all.find_end(end->otherwise);
    return end;
}

std::vector<std::string> facts_of(const SpaceRow& row) {
    std::vector<std::string> facts = row.size_parts, latency = latency_parts(row);
    if (facts.empty()) return {};
    // A texture lies in DRAM: its size is none of the cache's.
    if (row.key == "texture" && row.sizes.of_device > 0)
        facts = {memory_text(row.sizes.of_device) + " of DRAM"};
    facts.front() = fmt::format("{} {}", provenance_mark(Provenance::exact), facts.front());
    if (latency.empty()) return facts;
    latency.front() = fmt::format("  {} {}", provenance_mark(latency_provenance(row)), latency.front());
    facts.insert(facts.end(), latency.begin(), latency.end());
    return facts;
}

/// Rungs that some answer can still lead to.
std::vector<std::string> open_rungs(const Decisions& all, const std::string& from) {
    if (const DecisionEnd* end = all.find_end(from)) return {end->rung};
    std::vector<std::string> open;
    for (const DecisionAnswer& answer : all.find_question(from)->answers) {
        for (const std::string& rung : open_rungs(all, answer.go))
            if (std::ranges::find(open, rung) == open.end()) open.push_back(rung);
    }
    return open;
}

/// Why a rung is ruled out: the reason that the answer which ruled it out gives.
std::string why_out(const Decisions& all, const DecisionPlace& place, const std::string& rung) {
    for (const DecisionPlace::Step& step : place.steps) {
        const std::vector<std::string> open = open_rungs(all, step.given().go);
        if (std::ranges::find(open, rung) != open.end()) continue;
        const auto& out = step.given().out;
        const auto reason = out.contains(rung) ? out.find(rung) : out.find(kOtherRungs);
        return reason == out.end() ? step.given().said : reason->second;
    }
    return "nothing asks for it";
}

LadderRung rung_of(const DecisionRung& rung, const SpacesTable& table) {
    LadderRung shown{
        .name = rung.name, .who = rung.who, .facts = {}, .why = {}, .tooltip = {}, .link = rung.link};
    shown.closeness = rung.space.empty() ? Closeness::core : Closeness::board;
    shown.tooltip = fmt::format("{}: {}\n{}", rung.name, rung.who, rung.more);
    if (const SpaceRow* row = find_row(table, rung.space)) {
        shown.closeness = row->closeness;
        shown.facts = facts_of(*row);
        if (const std::string source = latency_source(*row); !source.empty())
            shown.tooltip += fmt::format("\n{} {}; {}", provenance_mark(latency_provenance(*row)),
                                         latency_text(*row), source);
    }
    if (!rung.link.empty()) shown.tooltip += "\nclick: open a scenario that shows it";
    return shown;
}

Quantity cycles(const DeviceFacts& device, std::string name, double Latencies::*field) {
    const double value = device.latencies.*field;
    const LatencyOrigin* origin = origin_of(device.latencies, field);
    return {std::move(name), value > 0 ? fmt::format("{:.3g} cycles", value) : "not known",
            origin != nullptr && origin->confidence == 0 ? Provenance::approximate : Provenance::recorded,
            origin == nullptr ? "" : fmt::format("{}: {}", origin->gpu, origin->source)};
}

Quantity bytes(std::string name, std::int64_t value, const std::string& source) {
    return {std::move(name), value > 0 ? memory_text(value) : "not known", Provenance::exact, source};
}

}  // namespace

int DecisionPlace::path(std::size_t answers) const {
    int number = 0;
    for (std::size_t i = 0; i < std::min(answers, steps.size()); ++i)
        number = number * 10 + steps[i].answer + 1;
    return number;
}

int DecisionPlace::path_with(int answer) const { return path(steps.size()) * 10 + answer + 1; }

DecisionPlace follow_path(const Decisions& all, int path, const DeviceFacts& device) {
    DecisionPlace place;
    place.question = all.find_question(all.first);
    const std::string digits = path > 0 ? std::to_string(path) : std::string();
    for (const char digit : digits) {
        const int answer = digit - '1';
        if (place.question == nullptr || answer < 0 || answer >= int(place.question->answers.size())) break;
        place.steps.push_back({place.question, answer});
        const std::string& go = place.steps.back().given().go;
        place.question = all.find_question(go);
        const DecisionEnd* end = all.find_end(go);
        if (end == nullptr) continue;
        place.end = possible(all, end, device);
        place.wished = place.end == end ? nullptr : end;
    }
    return place;
}

std::map<std::string, Quantity> decision_facts(const DeviceFacts& device) {
    const std::optional<CapabilityFacts> rules = rules_of(device.cc);
    const CapabilityFacts facts = rules.value_or(CapabilityFacts{});
    const auto capability = [&](std::string name, std::int64_t value) {
        return bytes(std::move(name), value, facts.source);
    };
    const auto count = [&](std::string name, int value) {
        return Quantity{std::move(name), value > 0 ? std::to_string(value) : "not known", Provenance::exact,
                        facts.source};
    };
    const double dram_speed = device.peak_gb_per_s;
    return {
        {"warp", count("lanes of a warp", kWarpLanes)},
        {"registers_per_thread", count("registers per thread", facts.registers_per_thread)},
        {"registers_per_sm", capability("register file per SM", std::int64_t{4} * facts.registers_per_sm)},
        {"shared_per_block", capability("shared per block", facts.shared_per_block)},
        {"shared_most", capability("shared, if asked for", facts.shared_per_block_most)},
        {"constant", capability("constant memory", facts.constant_memory)},
        {"local", capability("local per thread", facts.local_per_thread)},
        {"l2", bytes("L2", device.l2_bytes, device.source)},
        {"dram", bytes("DRAM", device.memory_bytes, device.source)},
        {"dram_speed",
         {"DRAM, data sheet", dram_speed > 0 ? fmt::format("{:.0f} GB/s", dram_speed) : "not known",
          Provenance::exact, device.source}},
        {"shared_cycles", cycles(device, "shared memory answers", &Latencies::shared)},
        {"constant_cycles", cycles(device, "constant cache answers", &Latencies::constant_l1)},
        {"texture_cycles", cycles(device, "texture in the L1 answers", &Latencies::texture)},
        {"dsmem_cycles", cycles(device, "another block answers", &Latencies::dsmem)},
        {"l1_cycles", cycles(device, "L1 answers", &Latencies::l1)},
        {"l2_cycles", cycles(device, "L2 answers", &Latencies::l2)},
        {"dram_cycles", cycles(device, "DRAM answers", &Latencies::dram)},
    };
}

LadderView ladder_of(const Decisions& all, const DecisionPlace& place, const DeviceFacts& device) {
    const SpacesTable table = spaces_of(device);
    LadderView view;
    view.gpu = fmt::format("{}, compute capability {}", device.name, device.cc.text());
    for (const DecisionPlace::Step& step : place.steps) view.said.push_back(step.given().said);
    view.question = place.end != nullptr ? place.end->title : place.question->ask;
    const std::vector<std::string> open =
        place.end != nullptr ? std::vector{place.end->rung} : open_rungs(all, place.question->id);
    for (const DecisionRung& rung : all.rungs) {
        LadderRung shown = rung_of(rung, table);
        const bool possible = std::ranges::find(open, rung.key) != open.end();
        if (!has(device, rung.since)) {
            shown.state = RungState::absent;
            shown.why = fmt::format("not on this GPU: from compute capability {} on", rung.since);
        } else if (!possible) {
            shown.state = RungState::out;
            shown.why = why_out(all, place, rung.key);
        } else if (place.end != nullptr) {
            shown.state = RungState::chosen;
        }
        view.rungs.push_back(std::move(shown));
    }
    return view;
}

std::string decision_link(int path) {
    return path == 0 ? "?board=choose&choose.path=0" : fmt::format("?board=choose&choose.path={}", path);
}

const Decisions& decisions() {
    static const Decisions all = [] {
        const auto file = nlohmann::json::parse(asset("assets/decisions.json"));
        return Decisions{file.at("rungs"), file.at("questions"), file.at("ends"), file.at("first"),
                         file.at("source")};
    }();
    return all;
}

const DecisionQuestion* Decisions::find_question(std::string_view id) const {
    const auto found = std::ranges::find(questions, id, &DecisionQuestion::id);
    return found == questions.end() ? nullptr : &*found;
}

const DecisionEnd* Decisions::find_end(std::string_view id) const {
    const auto found = std::ranges::find(ends, id, &DecisionEnd::id);
    return found == ends.end() ? nullptr : &*found;
}

}  // namespace warplens
