#include "app/code/compiled_code.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <stdexcept>

// A compiled kernel is an ELF file: its machine code is in the section .text.NAME, and which line each
// instruction belongs to is in .debug_line, in the format of DWARF 2 with one addition of NVIDIA's.

namespace warplens {
namespace {

[[noreturn]] void fail(std::string_view problem) {
    throw std::runtime_error(fmt::format("the compiled kernel cannot be read: {}", problem));
}

/// Reads numbers of a file, one after the other. Errors: std::runtime_error at its end.
class Bytes {
public:
    explicit Bytes(std::string_view all, std::size_t at = 0) : all_(all), at_(at) {}

    template <class T>
    T next() {
        T value{};
        if (at_ > all_.size() || all_.size() - at_ < sizeof(T)) fail("it ends too soon");
        std::memcpy(&value, all_.data() + at_, sizeof(T));
        at_ += sizeof(T);
        return value;
    }
    /// A number of variable length (LEB128): seven bits a byte.
    std::int64_t leb(bool is_signed) {
        std::uint64_t value = 0;
        unsigned shift = 0;
        std::uint8_t byte = 0x80;
        while ((byte & 0x80) != 0) {
            byte = next<std::uint8_t>();
            if (shift > 56) fail("a number is too long");
            value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
            shift += 7;
        }
        if (is_signed && (byte & 0x40) != 0) value |= ~std::uint64_t{0} << shift;
        return static_cast<std::int64_t>(value);
    }
    std::size_t at() const { return at_; }
    void go_to(std::size_t at) { at_ = at; }
    bool ended() const { return at_ >= all_.size(); }

private:
    std::string_view all_;
    std::size_t at_;
};

std::string_view part_of(std::string_view all, std::uint64_t begin, std::uint64_t size) {
    if (begin > all.size() || size > all.size() - begin) fail("a section lies outside of it");
    return all.substr(std::size_t(begin), std::size_t(size));
}

/// The sections by their names.
std::map<std::string, std::string_view, std::less<>> sections_of(std::string_view elf) {
    struct Head {
        std::uint32_t name, type;
        std::uint64_t flags, address, offset, size;
        std::uint32_t link, info;
        std::uint64_t alignment, entry;
    };
    if (!elf.starts_with("\177ELF\2\1")) fail("it is no ELF file of 64 bits");
    const auto table = Bytes(elf, 0x28).next<std::uint64_t>();
    Bytes counts(elf, 0x3a);
    const auto size = counts.next<std::uint16_t>(), count = counts.next<std::uint16_t>(),
               names = counts.next<std::uint16_t>();
    const auto head = [&](std::uint64_t i) { return Bytes(elf, std::size_t(table + i * size)).next<Head>(); };
    const Head name_head = head(names);
    const std::string_view all_names = part_of(elf, name_head.offset, name_head.size);
    constexpr std::uint32_t kNoBits = 8;  // shared memory: a size without bytes
    std::map<std::string, std::string_view, std::less<>> found;
    for (std::uint64_t i = 0; i < count; ++i) {
        const Head one = head(i);
        const std::string_view name = part_of(all_names, one.name, all_names.size() - one.name);
        if (one.type != kNoBits)
            found.emplace(name.substr(0, name.find('\0')), part_of(elf, one.offset, one.size));
    }
    return found;
}

/// From an address on, instructions belong to a line of the kernel's file; 0: to none.
struct LineRow {
    std::uint64_t address = 0;
    int line = 0;
};

/// The rows of a line table. Instructions of a function that was inlined belong to the line that calls it,
/// unless the function is in the same file.
std::vector<LineRow> line_rows(std::string_view data) {
    struct Row {
        std::uint64_t address;
        std::int64_t file, line;
        std::int64_t context;  ///< the row, counted from 1, that the function was inlined at; 0: it was not
    };
    Bytes bytes(data);
    const auto length = bytes.next<std::uint32_t>();
    if (bytes.next<std::uint16_t>() != 2 || length + 4 != data.size())
        fail("expected one line table of DWARF 2");
    const auto header = bytes.next<std::uint32_t>();
    const std::size_t program = bytes.at() + header;
    const auto least = bytes.next<std::uint8_t>();
    bytes.next<std::uint8_t>();  // whether rows begin a statement
    const auto base = bytes.next<std::int8_t>();
    const auto span = bytes.next<std::uint8_t>(), opcodes = bytes.next<std::uint8_t>();
    if (span == 0 || opcodes == 0) fail("its line table has no opcodes");
    std::vector<std::uint8_t> operands(opcodes);
    for (std::size_t k = 1; k < opcodes; ++k) operands[k] = bytes.next<std::uint8_t>();

    std::vector<Row> rows;
    Row now{0, 1, 1, 0};
    bytes.go_to(program);
    while (!bytes.ended()) {
        const auto code = bytes.next<std::uint8_t>();
        if (code >= opcodes) {  // a step of address and line in one byte
            now.address += static_cast<std::uint64_t>((code - opcodes) / span * least);
            now.line += base + (code - opcodes) % span;
            rows.push_back(now);
            continue;
        }
        switch (code) {
            case 0: {  // more opcodes, with their size
                const auto size = static_cast<std::size_t>(bytes.leb(false));
                const std::size_t end = bytes.at() + size;
                const auto more = bytes.next<std::uint8_t>();
                if (more == 2) now.address = bytes.next<std::uint64_t>();
                if (more == 0x90) now.context = bytes.leb(false);  // NVIDIA's
                bytes.go_to(end);
                break;
            }
            case 1:
                rows.push_back(now);
                break;
            case 2:
                now.address += static_cast<std::uint64_t>(bytes.leb(false) * least);
                break;
            case 3:
                now.line += bytes.leb(true);
                break;
            case 4:
                now.file = bytes.leb(false);
                break;
            case 8:
                now.address += static_cast<std::uint64_t>((255 - opcodes) / span * least);
                break;
            case 9:
                now.address += bytes.next<std::uint16_t>();
                break;
            default:
                for (std::uint8_t k = 0; k < operands[code]; ++k) bytes.leb(false);
        }
    }
    std::vector<LineRow> lines;
    for (const Row& row : rows) {
        const Row* from = &row;
        for (std::size_t steps = 0; from->file != 1 && from->context > 0; ++steps) {
            if (static_cast<std::size_t>(from->context) > rows.size() || steps > rows.size())
                fail("its line table refers to a row that does not exist");
            from = &rows[static_cast<std::size_t>(from->context) - 1];
        }
        lines.push_back({row.address, from->file == 1 ? int(from->line) : 0});
    }
    return lines;
}

struct Opcode {
    unsigned bits;
    std::string_view name;
    bool wide = false;  ///< whether it says how many bytes it moves
};
// The lower 12 bits of an instruction of 128, from Turing to Blackwell.
constexpr Opcode kMemory[] = {
    {0x980, "LD", true},  {0x985, "ST", true},  {0x385, "ST", true},  {0x981, "LDG", true},
    {0x986, "STG", true}, {0x386, "STG", true}, {0x984, "LDS", true}, {0x988, "STS", true},
    {0x388, "STS", true}, {0x983, "LDL", true}, {0x987, "STL", true}, {0x387, "STL", true},
    {0xb82, "LDC", true}, {0xab9, "ULDC"},      {0x83b, "LDSM"},      {0x3ae, "LDGSTS"},
    {0xfae, "LDGSTS"},    {0x389, "SHFL"},      {0x589, "SHFL"},      {0x989, "SHFL"},
    {0xf89, "SHFL"},      {0xb60, "TEX"},       {0xb61, "TEX"},       {0x360, "TEX"},
    {0x361, "TEX"},       {0xf60, "TEX"},       {0x38c, "ATOMS"},     {0xf8c, "ATOMS"},
    {0x9a8, "ATOMG"},     {0x98e, "RED"},       {0x3a1, "MATCH"},     {0x3c4, "REDUX"},
    {0x3ba, "UBLKCP"},    {0x5b4, "UTMALDG"},
};
// Arithmetic that takes an operand from a bank of constants: the lower 9 bits.
constexpr Opcode kArithmetic[] = {{0x23, "FFMA"}, {0x21, "FADD"},  {0x20, "FMUL"},
                                  {0x24, "IMAD"}, {0x10, "IADD3"}, {0x12, "LOP3"}};
constexpr unsigned kUserConstants = 3;  // the bank of __constant__; bank 0 has the arguments of the kernel
constexpr std::string_view kWidths[] = {".U8", ".S8", ".U16", ".S16", "", ".64", ".128", ""};

/// The name of a memory instruction. Empty for all others.
std::string name_of(std::uint64_t low, std::uint64_t high) {
    const auto bank = static_cast<unsigned>(low >> 54 & 31);
    for (const Opcode& one : kMemory) {
        if (one.bits != (low & 0xfff)) continue;
        const bool constant = one.name == "LDC" || one.name == "ULDC";
        if (constant && bank != kUserConstants) return {};
        return fmt::format("{}{}", one.name, one.wide ? kWidths[high >> 9 & 7] : "");
    }
    for (const Opcode& one : kArithmetic) {
        const auto form = static_cast<unsigned>(low >> 9 & 7);
        if (one.bits == (low & 0x1ff) && (form == 3 || form == 5) && bank == kUserConstants)
            return fmt::format("{} c[3]", one.name);
    }
    return {};
}

}  // namespace

std::map<int, MemoryInstructions> memory_instructions(std::string_view cubin) {
    const auto sections = sections_of(cubin);
    std::string_view code;
    for (const auto& [name, bytes] : sections) {
        if (!name.starts_with(".text.")) continue;
        if (!code.empty()) fail("it has more than one kernel");
        code = bytes;
    }
    const auto lines = sections.find(".debug_line");
    if (code.empty() || lines == sections.end()) fail("it has no kernel, or no lines (-lineinfo)");
    const std::vector<LineRow> rows = line_rows(lines->second);
    std::map<int, MemoryInstructions> found;
    std::size_t row = 0;
    constexpr std::size_t kInstruction = 16;  // [bytes]
    for (std::size_t at = 0; at + kInstruction <= code.size(); at += kInstruction) {
        while (row + 1 < rows.size() && rows[row + 1].address <= at) ++row;
        Bytes words(code, at);
        const auto low = words.next<std::uint64_t>(), high = words.next<std::uint64_t>();
        const std::string name = name_of(low, high);
        if (!name.empty() && !rows.empty() && rows[row].line > 0) ++found[rows[row].line][name];
    }
    return found;
}

}  // namespace warplens
