#include "app/typed/ptx.h"

#include "app/typed/code_flow.h"

#include <fmt/format.h>

#include <bit>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

namespace warplens::typed {
namespace {

/// Registers of PTX have one of four types.
bool is_wide(CodeType type) { return type == CodeType::s64 || type == CodeType::u64; }

/// "s32": the type of an operation; narrow integers are computed with 32 bits.
std::string_view operand(CodeType type) {
    switch (type) {
        case CodeType::u32:
        case CodeType::boolean:
        case CodeType::u8:
        case CodeType::u16:
            return "u32";
        case CodeType::s64:
            return "s64";
        case CodeType::u64:
            return "u64";
        case CodeType::f32:
            return "f32";
        case CodeType::f64:
            return "f64";
        default:
            return "s32";
    }
}
std::string_view as_signed(CodeType type) {
    return is_float(type) ? operand(type) : is_wide(type) ? "s64" : "s32";
}
std::string_view bits(CodeType type) {
    return type == CodeType::f32 ? "f32" : type == CodeType::f64 ? "f64" : is_wide(type) ? "b64" : "b32";
}
std::string_view in_memory(CodeType type) {
    constexpr std::string_view kNames[] = {"u8",  "s8",  "u8",  "s16", "u16", "s32",
                                           "u32", "s64", "u64", "f32", "f64"};
    return kNames[int(type)];
}
std::string_view space_name(CodeSpace space) {
    constexpr std::string_view kNames[] = {"global", "shared", "const", "local"};
    return kNames[int(space)];
}

class PtxWriter {
public:
    PtxWriter(const Code& code, PtxKind kind) : code_(code), kind_(kind) {}

    std::string write() {
        begin();
        for (std::size_t i = 0; i < code_.instructions.size(); ++i) {
            if (targets_.contains(int(i))) line("L{}:", i);
            // An unrolled loop has its accesses several times, and warps can execute these one after the
            // other.
            if (loops_.contains(int(i)) && kind_ != PtxKind::plain) line(".pragma \"nounroll\";");
            instruction(code_.instructions[i]);
        }
        line("END:");
        finish();
        line("}}");
        return std::move(text_);
    }

private:
    template <class... Values>
    void line(fmt::format_string<Values...> format, Values&&... values) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
        text_ += '\n';
    }

    std::string reg(int number) const {
        const CodeType type = code_.registers[number];
        return fmt::format("%{}{}",
                           type == CodeType::f32   ? "f"
                           : type == CodeType::f64 ? "g"
                           : is_wide(type)         ? "d"
                                                   : "r",
                           number);
    }

    void find_constants() {
        const CodeFlow flow(code_);
        for (int i = 0; i < flow.count(); ++i) {
            const CodeInstr& instr = flow.at(i);
            if (instr.op == CodeOp::constant && !is_float(instr.type) && flow.only_writer(instr.to) == i)
                constants_.emplace(instr.to, instr.value);
        }
    }

    void begin() {
        find_constants();
        for (int i = 0; const CodeInstr& instr : code_.instructions) {
            if (instr.op == CodeOp::jump || instr.op == CodeOp::jump_if_zero) {
                targets_.insert(instr.to);
                if (instr.to <= i) loops_.insert(instr.to);
            }
            ++i;
        }
        line(".version 6.5\n.target sm_52\n.address_size 64");
        if (code_.shared_bytes > 0) line(".extern .shared .align 16 .b8 shared_memory[];");
        if (code_.constant_bytes > 0) line(".const .align 16 .b8 constants[{}];", code_.constant_bytes);
        line(".visible .entry typed_kernel(");
        for (std::size_t i = 0; i < code_.memories.size(); ++i)
            if (code_.memories[i].space == CodeSpace::global) line(".param .u64 memory{},", i);
        if (kind_ == PtxKind::traced)
            line(".param .u64 trace,\n.param .u64 first_block,\n.param .u64 blocks,\n.param .u64 kept,");
        line(".param .u64 status)\n{{");
        const std::size_t count = code_.registers.size() + 1;
        line(".reg .b32 %r<{0}>;\n.reg .b64 %d<{0}>;\n.reg .f32 %f<{0}>;\n.reg .f64 %g<{0}>;", count);
        line(".reg .pred %p, %q;\n.reg .b32 %r_a, %r_b, %shared, %kept, %made, %outside;");
        line(".reg .b64 %d_a, %d_b, %d_c, %status, %local, %const, %row;");
        line(".reg .b64 %m<{}>;", code_.memories.size() + 1);
        if (code_.local_bytes > 0) line(".local .align 16 .b8 local_memory[{}];", code_.local_bytes);
        line("mov.b32 %outside, 0;");
        line("ld.param.u64 %status, [status];\ncvta.to.global.u64 %status, %status;");
        for (std::size_t i = 0; i < code_.memories.size(); ++i)
            if (code_.memories[i].space == CodeSpace::global)
                line("ld.param.u64 %m{0}, [memory{0}];\ncvta.to.global.u64 %m{0}, %m{0};", i);
        if (code_.shared_bytes > 0) line("mov.u32 %shared, shared_memory;");
        if (code_.constant_bytes > 0) line("mov.u64 %const, constants;");
        if (code_.local_bytes > 0) line("mov.u64 %local, local_memory;");
        if (kind_ == PtxKind::traced) begin_trace();
    }

    /// %kept: how many accesses this thread may write; %row: where.
    void begin_trace() {
        line("mov.u32 %made, 0;\nmov.u32 %kept, 0;");
        line("mov.u32 %r_a, %ctaid.y;\nmov.u32 %r_b, %nctaid.x;\nmul.wide.u32 %d_a, %r_a, %r_b;");
        line("mov.u32 %r_a, %ctaid.x;\ncvt.u64.u32 %d_b, %r_a;\nadd.s64 %d_a, %d_a, %d_b;");
        line("ld.param.u64 %d_b, [first_block];\nsub.s64 %d_a, %d_a, %d_b;");
        line("ld.param.u64 %d_b, [blocks];\nsetp.lt.u64 %q, %d_a, %d_b;");
        line("ld.param.u64 %d_b, [kept];\ncvt.u32.u64 %r_a, %d_b;\n@%q mov.u32 %kept, %r_a;");
        line("mul.lo.s64 %d_a, %d_a, {};", code_.threads());
        line(
            "mov.u32 %r_a, %tid.z;\nmul.lo.s32 %r_a, %r_a, {};\nmov.u32 %r_b, %tid.y;\nadd.s32 %r_a, %r_a, %r_b;",
            code_.block_y);
        line("mul.lo.s32 %r_a, %r_a, {};\nmov.u32 %r_b, %tid.x;\nadd.s32 %r_a, %r_a, %r_b;", code_.block_x);
        line("cvt.u64.u32 %row, %r_a;\nadd.s64 %d_a, %d_a, %row;\nadd.s64 %d_b, %d_b, 1;");
        line("mul.lo.s64 %d_a, %d_a, %d_b;\nshl.b64 %d_a, %d_a, 3;");
        line("ld.param.u64 %row, [trace];\ncvta.to.global.u64 %row, %row;\nadd.s64 %row, %row, %d_a;");
    }

    /// All threads end here: a branch that could end a thread elsewhere would keep the compiler from bringing
    /// a warp together again behind it.
    void finish() {
        if (kind_ == PtxKind::traced)
            line("cvt.u64.u32 %d_a, %made;\nsetp.ne.u32 %q, %kept, 0;\n@%q st.global.u64 [%row], %d_a;");
        // No store, which hardware counters would count with those of the text.
        line("setp.ne.u32 %q, %outside, 0;\n@%q red.global.or.b32 [%status], 1;\nret;");
    }

    void two(std::string_view opcode, const CodeInstr& instr) {
        line("{} {}, {}, {};", opcode, reg(instr.to), reg(instr.a), reg(instr.b));
    }
    void one(std::string_view opcode, const CodeInstr& instr) {
        line("{} {}, {};", opcode, reg(instr.to), reg(instr.a));
    }
    void compare(std::string_view how, const CodeInstr& instr) {
        line("setp.{}.{} %p, {}, {};", how, operand(instr.type), reg(instr.a), reg(instr.b));
        line("selp.u32 {}, 1, 0, %p;", reg(instr.to));
    }

    /// n if an integer is divided by 2^n, always the same. 0 for anything else.
    int power_of(const CodeInstr& instr) const {
        const auto known = constants_.find(instr.b);
        if (is_float(instr.type) || known == constants_.end() || known->second < 2) return 0;
        const std::uint64_t divisor = known->second;
        return std::has_single_bit(divisor) ? std::countr_zero(divisor) : 0;
    }
    /// By 2^n without a division, which the driver writes out at length even then: by shifts and masks, as
    /// nvcc does. Below 0 a quotient is rounded up, so 2^n - 1 is added before.
    void divide(const CodeInstr& instr, int power) {
        const bool wide = is_wide(instr.type), quotient = instr.op == CodeOp::div;
        const int width = wide ? 64 : 32;
        const std::string to = reg(instr.to), from = reg(instr.a);
        if (instr.type == CodeType::u32 || instr.type == CodeType::u64)
            return quotient ? line("shr.u{} {}, {}, {};", width, to, from, power)
                            : line("and.b{} {}, {}, {};", width, to, from, (std::int64_t{1} << power) - 1);
        const std::string_view sum = wide ? "%d_a" : "%r_a";
        line("shr.s{0} {1}, {2}, {3};\nshr.u{0} {1}, {1}, {4};", width, sum, from, width - 1, width - power);
        line("add.s{0} {1}, {1}, {2};", width, sum, from);
        if (quotient) return line("shr.s{} {}, {}, {};", width, to, sum, power);
        line("and.b{0} {1}, {1}, {2};\nsub.s{0} {3}, {4}, {1};", width, sum, -(std::int64_t{1} << power), to,
             from);
    }

    void instruction(const CodeInstr& instr) {
        const std::string_view type = operand(instr.type);
        const bool floating = is_float(instr.type);
        switch (instr.op) {
            case CodeOp::constant:
                return constant(instr);
            case CodeOp::move:
                return one(fmt::format("mov.{}", bits(instr.type)), instr);
            case CodeOp::select:
                line("setp.ne.u32 %p, {}, 0;", reg(instr.a));
                return line("selp.{} {}, {}, {}, %p;", bits(instr.type), reg(instr.to), reg(instr.b),
                            reg(instr.c));
            // Unsigned numbers, too, as signed ones: NVIDIA's compilers write no other, and the driver
            // took the difference of two unsigned ones for a signed one when it was widened later.
            case CodeOp::add:
            case CodeOp::sub:
                return two(
                    fmt::format("{}.{}", instr.op == CodeOp::add ? "add" : "sub", as_signed(instr.type)),
                    instr);
            case CodeOp::mul:
                return two(fmt::format("mul{}.{}", floating ? "" : ".lo", as_signed(instr.type)), instr);
            case CodeOp::mul_wide:
                return line("mul.wide.{} {}, {}, {};", type, reg(instr.to), reg(instr.a), instr.value);
            case CodeOp::div:
                if (const int bits = power_of(instr); bits > 0) return divide(instr, bits);
                return two(fmt::format("div{}.{}", floating ? ".rn" : "", type), instr);
            case CodeOp::rem:
                if (const int bits = power_of(instr); bits > 0) return divide(instr, bits);
                return two(fmt::format("rem.{}", type), instr);
            case CodeOp::bit_and:
                return two(fmt::format("and.{}", bits(instr.type)), instr);
            case CodeOp::bit_or:
                return two(fmt::format("or.{}", bits(instr.type)), instr);
            case CodeOp::bit_xor:
                return two(fmt::format("xor.{}", bits(instr.type)), instr);
            case CodeOp::shift_left:
                return two(fmt::format("shl.{}", bits(instr.type)), instr);
            case CodeOp::shift_right:
                return two(fmt::format("shr.{}", type), instr);
            case CodeOp::least:
                return two(fmt::format("min.{}", type), instr);
            case CodeOp::most:
                return two(fmt::format("max.{}", type), instr);
            case CodeOp::less:
                return compare("lt", instr);
            case CodeOp::less_equal:
                return compare("le", instr);
            case CodeOp::equal:
                return compare("eq", instr);
            case CodeOp::not_equal:
                return compare(floating ? "neu" : "ne", instr);
            case CodeOp::absolute:
                return one(fmt::format("abs.{}", as_signed(instr.type)), instr);
            case CodeOp::popcount:
                return one("popc.b32", instr);
            case CodeOp::leading_zeros:
                return one("clz.b32", instr);
            case CodeOp::find_first:
                line("setp.eq.u32 %p, {}, 0;\nbrev.b32 %r_a, {};\nclz.b32 %r_a, %r_a;", reg(instr.a),
                     reg(instr.a));
                line("add.s32 %r_a, %r_a, 1;\nselp.b32 {}, 0, %r_a, %p;", reg(instr.to));
                return;
            case CodeOp::square_root:
                return one("sqrt.rn.f32", instr);
            case CodeOp::reciprocal_root:
                return one("rsqrt.approx.f32", instr);
            case CodeOp::power_of_two:
                return one("ex2.approx.f32", instr);
            case CodeOp::logarithm:
                return one("lg2.approx.f32", instr);
            case CodeOp::sine:
                return one("sin.approx.f32", instr);
            case CodeOp::cosine:
                return one("cos.approx.f32", instr);
            case CodeOp::round_down:
                return one("cvt.rmi.f32.f32", instr);
            case CodeOp::round_up:
                return one("cvt.rpi.f32.f32", instr);
            case CodeOp::round_nearest:
                return one("cvt.rni.f32.f32", instr);
            case CodeOp::truncate:
                return one("cvt.rzi.f32.f32", instr);
            case CodeOp::convert:
                return convert(instr);
            case CodeOp::special: {
                constexpr std::string_view kNames[] = {"tid.x", "tid.y", "tid.z", "ctaid.x", "ctaid.y"};
                return line("mov.u32 {}, %{};", reg(instr.to), kNames[instr.value]);
            }
            case CodeOp::load:
            case CodeOp::store:
                return access(instr);
            case CodeOp::jump:
                return line("bra L{};", instr.to);
            case CodeOp::jump_if_zero:
                return line("setp.eq.u32 %p, {}, 0;\n@%p bra L{};", reg(instr.a), instr.to);
            case CodeOp::shuffle:
                return shuffle(instr);
            case CodeOp::barrier:
                return line("bar.sync 0;");
            case CodeOp::warp_barrier:
                return line("bar.warp.sync 0xffffffff;");
            case CodeOp::part:
                if (kind_ == PtxKind::counted) line("activemask.b32 {};", reg(instr.to));
                return;
            case CodeOp::meet:
                if (kind_ == PtxKind::counted) line("bar.warp.sync {};", reg(instr.a));
                return;
            case CodeOp::finish:
                return line("bra END;");
        }
    }

    void constant(const CodeInstr& instr) {
        const double number = std::bit_cast<double>(instr.value);
        if (instr.type == CodeType::f32)
            line("mov.f32 {}, 0f{:08X};", reg(instr.to), std::bit_cast<std::uint32_t>(float(number)));
        else if (instr.type == CodeType::f64)
            line("mov.f64 {}, 0d{:016X};", reg(instr.to), static_cast<std::uint64_t>(instr.value));
        else if (is_wide(instr.type))
            line("mov.b64 {}, {};", reg(instr.to), instr.value);
        else
            line("mov.b32 {}, {};", reg(instr.to), static_cast<std::int32_t>(instr.value));
    }

    void convert(const CodeInstr& instr) {
        const std::string to = reg(instr.to), from = reg(instr.a);
        const auto narrow = [&](const std::string& source) {  // 32 bits to fewer
            if (bytes_of(instr.type) < 4)
                line("cvt.{}.{} {}, {};", operand(instr.type), in_memory(instr.type), to, source);
        };
        if (is_float(instr.type) && is_float(instr.from))
            return line("cvt{}.{}.{} {}, {};", instr.type == CodeType::f32 ? ".rn" : "", operand(instr.type),
                        operand(instr.from), to, from);
        if (is_float(instr.type))
            return line("cvt.rn.{}.{} {}, {};", operand(instr.type), operand(instr.from), to, from);
        if (is_float(instr.from)) {
            line("cvt.rzi.{}.{} {}, {};", operand(instr.type), operand(instr.from), to, from);
            return narrow(to);
        }
        if (is_wide(instr.type)) {
            if (is_wide(instr.from)) return line("mov.b64 {}, {};", to, from);
            return operand(instr.from) == "u32" ? line("cvt.u64.u32 {}, {};", to, from)
                                                : line("cvt.s64.s32 {}, {};", to, from);
        }
        if (is_wide(instr.from)) {
            line("cvt.u32.u64 {}, {};", to, from);
            return narrow(to);
        }
        if (bytes_of(instr.type) >= 4) return line("mov.b32 {}, {};", to, from);
        narrow(from);
    }

    void access(const CodeInstr& instr) {
        const CodeMemory& memory = code_.memories[instr.memory];
        const std::int64_t bytes = bytes_of(instr.type) * instr.lanes;
        const bool wide = is_wide(code_.registers[instr.a]);
        const std::int64_t elements = memory.bytes / bytes;
        const std::string_view guard = instr.inside ? "" : "@%p ";
        if (!instr.inside) {
            if (instr.c >= 0 && elements < std::int64_t{1} << 32)
                line("setp.lt.u32 %p, {}, {};", reg(instr.c), elements);
            else
                line("setp.le.u{} %p, {}, {};", wide ? 64 : 32, reg(instr.a), memory.bytes - bytes);
            line("@!%p mov.b32 %outside, 1;");
        }
        if (wide)
            line("mov.b64 %d_c, {};", reg(instr.a));
        else if (memory.space != CodeSpace::shared || kind_ == PtxKind::traced)
            line("cvt.u64.u32 %d_c, {};", reg(instr.a));
        if (kind_ == PtxKind::traced && instr.counted) {
            line("setp.lt.u32 %q, %made, %kept;\nadd.u32 %made, %made, 1;\nmul.wide.u32 %d_b, %made, 8;");
            line("add.s64 %d_b, %d_b, %row;\nor.b64 %d_a, %d_c, {};\n@%q st.global.u64 [%d_b], %d_a;",
                 static_cast<std::int64_t>(CodeAccess::of(instr.value, 0).packed));
        }
        std::string address;
        if (memory.space == CodeSpace::shared) {
            if (wide) line("cvt.u32.u64 %r_a, {};", reg(instr.a));
            line("add.s32 %r_a, {}, %shared;", wide ? "%r_a" : reg(instr.a));
            address = fmt::format("[%r_a+{}]", memory.begin);
        } else {
            const std::string base = memory.space == CodeSpace::global  ? fmt::format("%m{}", instr.memory)
                                     : memory.space == CodeSpace::local ? "%local"
                                                                        : "%const";
            line("add.s64 %d_a, %d_c, {};", base);
            address = memory.space == CodeSpace::global ? "[%d_a]" : fmt::format("[%d_a+{}]", memory.begin);
        }
        const bool store = instr.op == CodeOp::store;
        const int first = store ? instr.b : instr.to;
        std::string values = reg(first), vector;
        if (instr.lanes > 1) {
            vector = fmt::format(".v{}", instr.lanes);
            for (int lane = 1; lane < instr.lanes; ++lane) values += ", " + reg(first + lane);
            values = "{" + values + "}";
        }
        const std::string_view as_written =
            kind_ == PtxKind::counted && memory.space != CodeSpace::constant ? ".volatile" : "";
        const std::string opcode = fmt::format("{}{}.{}{}.{}", store ? "st" : "ld", as_written,
                                               space_name(memory.space), vector, in_memory(instr.type));
        if (store)
            line("{}{} {}, {};", guard, opcode, address, values);
        else
            line("{}{} {}, {};", guard, opcode, values, address);
    }

    void shuffle(const CodeInstr& instr) {
        constexpr std::string_view kNames[] = {"idx", "up", "down", "bfly"};
        const std::size_t kind = instr.value % 16;
        const auto width = int(instr.value / 16);
        const int clamp = (32 - width) << 8 | (kind == 1 ? 0 : 31);
        const auto exchange = [&](const std::string& to, const std::string& from) {
            line("shfl.sync.{}.b32 {}, {}, {}, {}, {};", kNames[kind], to, from, reg(instr.b), clamp,
                 reg(instr.c));
        };
        if (bytes_of(instr.type) < 8) return exchange(reg(instr.to), reg(instr.a));
        line("mov.b64 {{%r_a, %r_b}}, {};", reg(instr.a));
        exchange("%r_a", "%r_a");
        exchange("%r_b", "%r_b");
        line("mov.b64 {}, {{%r_a, %r_b}};", reg(instr.to));
    }

    const Code& code_;
    PtxKind kind_;
    std::map<int, std::int64_t> constants_;  ///< registers that always contain the same integer
    std::set<int> targets_, loops_;  ///< instructions: those that are jumped to, and where loops begin
    std::string text_;
};

}  // namespace

std::string ptx_of(const Code& code, PtxKind kind) { return PtxWriter(code, kind).write(); }

}  // namespace warplens::typed
