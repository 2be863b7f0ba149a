// What libFuzzer calls: the target that the environment names.

#include "tests/fuzzing/targets.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using warplens::fuzz::Target;

const Target* target = nullptr;

bool is_table() {
    constexpr std::string_view kTables[] = {"accesses", "occupancy", "ncu"};
    return std::ranges::find(kTables, target->name) != std::end(kTables);
}

using Row = std::vector<std::string>;

std::vector<Row> rows_of(std::string_view text) {
    std::vector<Row> rows(1, Row(1));
    bool quoted = false;
    for (const char c : text) {
        quoted ^= c == '"';
        if (c == '\n')
            rows.emplace_back(1);
        else if (c == ',' && !quoted)
            rows.back().emplace_back();
        else
            rows.back().back() += c;
        quoted = quoted && c != '\n';
    }
    return rows;
}

/// Fields, rows and columns go, come twice or change places, so that rows do not fit their header.
void change(std::vector<Row>& rows, std::minstd_rand& random) {
    const auto any = [&](const auto& list) { return static_cast<std::ptrdiff_t>(random() % list.size()); };
    Row& row = rows[static_cast<std::size_t>(any(rows))];
    const std::ptrdiff_t field = any(row);
    const Row copy = rows[static_cast<std::size_t>(any(rows))];
    switch (random() % 8) {
        case 0:
            row.erase(row.begin() + field);
            break;
        case 1:
            row.insert(row.begin() + any(row), std::string(copy[static_cast<std::size_t>(any(copy))]));
            break;
        case 2:
            std::swap(row[static_cast<std::size_t>(field)], row[static_cast<std::size_t>(any(row))]);
            break;
        case 3:
            row.resize(static_cast<std::size_t>(field) + 1);
            break;
        case 4:
            rows.erase(rows.begin() + any(rows));
            break;
        case 5:
            rows.insert(rows.begin() + any(rows), copy);
            break;
        case 6:
            row[static_cast<std::size_t>(field)] = copy[static_cast<std::size_t>(any(copy))];
            break;
        default: {  // a column changes places in all rows
            const auto a = static_cast<std::size_t>(field), b = static_cast<std::size_t>(any(row));
            for (Row& each : rows) {
                if (std::max(a, b) < each.size()) std::swap(each[a], each[b]);
            }
        }
    }
    std::erase_if(rows, [](const Row& each) { return each.empty(); });
    if (rows.empty()) rows.emplace_back(1);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    const char* name = std::getenv("FUZZ_TARGET");
    for (const Target& one : warplens::fuzz::kTargets) {
        if (name != nullptr && one.name == name) target = &one;
        if (name == nullptr) std::printf("%s\n", std::string(one.name).c_str());
    }
    if (name == nullptr) std::exit(0);  // the list of targets was asked for
    if (target == nullptr) {
        std::fprintf(stderr, "there is no target %s\n", name);
        std::exit(2);
    }
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    target->run({reinterpret_cast<const char*>(data), size});
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
    std::minstd_rand random(seed);
    if (!is_table() || random() % 2 == 0) return LLVMFuzzerMutate(data, size, most);
    std::vector<Row> rows = rows_of({reinterpret_cast<const char*>(data), size});
    for (unsigned n = random() % 3 + 1; n > 0; --n) change(rows, random);
    std::string text;
    for (const Row& row : rows) {
        for (const std::string& field : row) text += field + (&field == &row.back() ? '\n' : ',');
    }
    if (!text.empty()) text.pop_back();
    size = std::min(text.size(), most);
    std::memcpy(data, text.data(), size);
    return size;
}
