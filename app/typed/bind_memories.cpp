#include "app/base/text.h"
#include "app/typed/bind_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace warplens::typed {
namespace {

constexpr std::int64_t kRoom = std::int64_t{1} << 39;
constexpr std::int64_t kUnknownBytes = std::int64_t{1} << 40;  // further than any index leads
constexpr std::int64_t kAssumedShared = 48 * 1024;

Scalar scalar_of(const Type& type) {
    if (type.rows) return Scalar::uint64;
    return type.scalar == Scalar::none ? Scalar::uint8 : type.scalar;
}

/// The pointers in a value of a type, and what they point to.
void find_pointers(const Unit& unit, const Type& type, std::int64_t at, const std::string& name,
                   const std::function<void(std::int64_t, Type, const std::string&)>& visit) {
    Type to = type;
    if (type.pointer && type.is_array()) return;
    if (type.pointer) {
        (type.rows ? to.rows : to.pointer) = false;
        return visit(at, to, name);
    }
    if (!type.is_record() || type.record >= int(unit.records.size())) return;
    for (const Member& member : unit.records[type.record].members)
        find_pointers(unit, member.type, at + member.offset, name + "." + member.name, visit);
}

/// The arrays to which pointers in an array point: for each element a part as long as the largest number that
/// is given, one behind the other. @return  where the next array begins
std::int64_t place_pointed(BoundLaunch& result, int memory, Type element, std::int64_t begin, int depth) {
    Bound& bound = result.bound;
    std::int64_t longest = 0;
    for (const int parameter : bound.kernel->parameters)
        if (bound.unit->symbol(parameter).type.is_integer())
            longest = std::max(longest, bound.values[std::size_t(parameter)]);
    if (longest <= 0 || longest > 1 << 24) longest = 1024;
    const std::int64_t bytes = std::max(element.bytes(), 1);  // of an unknown one nothing
    const std::string name = bound.memories[memory].name;
    find_pointers(
        *bound.unit, element, 0, name, [&](std::int64_t at, const Type& to, const std::string& member) {
            constexpr std::int64_t kAlign = 256, kMost = 40;  // of what cudaMalloc returns
            if (bound.memories.size() >= kMost) return;
            const std::int64_t unit = std::lcm(bytes, kAlign),
                               pitch =
                                   (std::max<std::int64_t>(to.bytes() * longest, 1) + unit - 1) / unit * unit;
            result.warnings.push_back(
                element.pointer
                    ? fmt::format("the rows of {} are assumed to have {} bytes each, one behind the other",
                                  in_quotes(name), pitch)
                    : fmt::format(
                          "what the pointers {} point to is assumed to have {} bytes each, one behind "
                          "the other",
                          in_quotes(member), pitch));
            const int pointed = int(bound.memories.size());
            bound.memories[memory].pointers.push_back({at, pointed, bytes, pitch});
            bound.memories.push_back({(element.pointer ? name : member) + "[]", Storage::global,
                                      scalar_of(to), begin, 0, Content::unknown,
                                      bound.memories[memory].read_only});
            begin += kUnknownBytes;
            if (depth > 0) begin = place_pointed(result, pointed, to, begin, depth - 1);
        });
    return begin;
}

}  // namespace

const HostArgument* argument_of(const HostLaunch* host, const Unit& unit, const Function& kernel,
                                int parameter) {
    const std::vector<int>& declared = kernel.declared;
    if (host == nullptr || host->arguments.size() > declared.size()) return nullptr;
    const std::function<const HostArgument*(int, const HostArgument&)> of = [&](int symbol,
                                                                                const HostArgument& one) {
        const HostArgument* found = symbol == parameter ? &one : nullptr;
        const std::vector<int>& parts = unit.symbols[std::size_t(symbol)].parts;
        for (std::size_t i = 0; i < std::min(parts.size(), one.members.size()) && found == nullptr; ++i)
            found = of(parts[i], one.members[i]);
        return found;
    };
    for (std::size_t i = 0; i < host->arguments.size(); ++i)
        if (const HostArgument* found = of(declared[i], host->arguments[i])) return found;
    return nullptr;
}

void place_memories(BoundLaunch& result, const HostLaunch* host, const DeclaredArrays& declared_arrays,
                    std::optional<std::int64_t> dynamic, bool room) {
    Bound& bound = result.bound;
    const Unit& unit = *bound.unit;
    std::int64_t &shared = result.shared_bytes, &local = result.local_bytes, &global = result.global_bytes;
    std::int64_t dynamic_bytes = dynamic.value_or(0);
    bool assumes_shared = false;
    const auto add = [&](std::size_t index, Memory memory) {
        bound.memory_of[index] = int(bound.memories.size());
        bound.memories.push_back(std::move(memory));
    };
    const auto aligned = [](std::int64_t at, std::int64_t to) { return (at + to - 1) / to * to; };
    std::int64_t constant = 0;
    for (const int parameter : bound.kernel->parameters) {
        const Symbol& symbol = unit.symbol(parameter);
        if (!symbol.type.pointer) continue;
        const auto known = declared_arrays.find(&symbol);
        DeclaredArray declared = known == declared_arrays.end() ? DeclaredArray{} : known->second;
        std::int64_t before = 0;
        if (const HostArgument* given = argument_of(host, unit, *bound.kernel, parameter);
            given != nullptr && declared.bytes == 0) {
            declared.bytes = given->bytes;
            before = given->offset;
        }
        global = aligned(global, 256);
        add(static_cast<std::size_t>(parameter),
            {symbol.name, Storage::global, scalar_of(symbol.type), global + before, declared.bytes - before,
             declared.content, symbol.read_only, before});
        // What nobody knows the size of may be pointed into its middle.
        if (declared.bytes == 0 && room) bound.memories.back().begin = global += kRoom;
        global += declared.bytes > 0 ? declared.bytes : kUnknownBytes;
        Type element = symbol.type;
        (element.rows ? element.rows : element.pointer) = false;
        global = place_pointed(result, int(bound.memories.size()) - 1, element, aligned(global, 256), 1);
    }
    for (std::size_t i = 0; i < unit.symbols.size(); ++i) {
        const Symbol& symbol = unit.symbols[i];
        const bool array = symbol.storage == Storage::global && symbol.type.is_array();
        std::int64_t* const at = symbol.dynamic                        ? nullptr
                                 : array                               ? &global
                                 : symbol.storage == Storage::shared   ? &shared
                                 : symbol.storage == Storage::constant ? &constant
                                 : symbol.storage == Storage::local    ? &local
                                                                       : nullptr;
        if (at == nullptr) continue;
        const std::int64_t bytes = symbol.type.elements() * symbol.type.element_bytes();
        *at = aligned(*at, array ? 256 : 16);
        add(i, {symbol.name, symbol.storage, scalar_of(symbol.type), *at, bytes, Content::unknown});
        *at += array && bytes == 0 ? kUnknownBytes : bytes;
    }
    shared = aligned(shared, 16);
    if (constexpr std::int64_t kMostDeclared = 49'152; shared > kMostDeclared)
        throw SourceError(
            bound.kernel->at,
            fmt::format("nvcc takes at most {} bytes of shared memory that is declared with its size, these "
                        "are {}: declare 'extern __shared__' and give the size with the launch",
                        kMostDeclared, shared));
    for (std::size_t i = 0; i < unit.symbols.size(); ++i) {  // all dynamic arrays begin at the same place
        const Symbol& symbol = unit.symbols[i];
        if (!symbol.dynamic) continue;
        if (dynamic_bytes == 0) {
            dynamic_bytes = kAssumedShared;
            assumes_shared = true;
            if (dynamic)
                result.out_of_bounds = fmt::format(
                    "{} has no byte, because the launch gives the kernel no dynamic shared memory; it is counted "
                    "as if it had {}",
                    in_quotes(symbol.name), kAssumedShared);
            else
                result.warnings.push_back(fmt::format(
                    "{} bytes of dynamic shared memory are assumed; say it with '// launch grid=... "
                    "block=... shared=4096'",
                    kAssumedShared));
        }
        add(i, {symbol.name, Storage::shared, scalar_of(symbol.type), shared,
                assumes_shared ? 0 : dynamic_bytes, Content::unknown});
    }
    shared += dynamic_bytes;
    if (shared > 232'448)
        throw SourceError(bound.kernel->at,
                          fmt::format("a block has at most 227 KiB of shared memory, this is {}", shared));
    if (constant > 65'536) throw SourceError({}, "constant memory has 64 KiB");
}

}  // namespace warplens::typed
