#include "app/typed/parse/capability_of.h"
#include "app/typed/parse/parser.h"
#include "kernels/warp_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace warplens::typed {
namespace {

struct IntrinsicName {
    std::string_view name;
    Intrinsic which;
    int arguments;
};
constexpr IntrinsicName kIntrinsics[] = {{"min", Intrinsic::min, 2},
                                         {"max", Intrinsic::max, 2},
                                         {"umin", Intrinsic::min, 2},
                                         {"umax", Intrinsic::max, 2},
                                         {"abs", Intrinsic::abs, 1},
                                         {"__ldg", Intrinsic::load_cached, 1},
                                         {"__ldcg", Intrinsic::load_cached, 1},
                                         {"__ldca", Intrinsic::load_cached, 1},
                                         {"__ldcs", Intrinsic::load_cached, 1},
                                         {"__ldlu", Intrinsic::load_cached, 1},
                                         {"__ldcv", Intrinsic::load_cached, 1},
                                         {"__shfl_sync", Intrinsic::shuffle, 3},
                                         {"__shfl_up_sync", Intrinsic::shuffle_up, 3},
                                         {"__shfl_down_sync", Intrinsic::shuffle_down, 3},
                                         {"__shfl_xor_sync", Intrinsic::shuffle_xor, 3},
                                         {"__syncthreads", Intrinsic::sync_threads, 0},
                                         {"__syncwarp", Intrinsic::sync_warp, 0},
                                         {"__threadfence", Intrinsic::fence, 0},
                                         {"__threadfence_system", Intrinsic::fence, 0},
                                         {"__popc", Intrinsic::popcount, 1},
                                         {"__clz", Intrinsic::leading_zeros, 1},
                                         {"__ffs", Intrinsic::find_first, 1},
                                         {"__brev", Intrinsic::reverse_bits, 1},
                                         {"__activemask", Intrinsic::active_mask, 0},
                                         {"__ballot_sync", Intrinsic::ballot, 2}};

/// As they were called before they took a mask.
constexpr std::pair<std::string_view, Intrinsic> kOldShuffles[] = {{"__shfl", Intrinsic::shuffle},
                                                                   {"__shfl_up", Intrinsic::shuffle_up},
                                                                   {"__shfl_down", Intrinsic::shuffle_down},
                                                                   {"__shfl_xor", Intrinsic::shuffle_xor}};

/// Functions of floating-point numbers. Their "f" forms are float.
struct MathFunction {
    std::string_view name;
    int arguments = 1;
    /// As nvcc 13.0 makes them for float, where nothing is unusual about the number: instructions of a warp,
    /// and those of them for the special function units.
    int instructions = 20, special = 1;
    double (*of_numbers)(double a, double b) =
        nullptr;  ///< null if no index follows from it, or the GPU is not exact to the last bit
};
constexpr MathFunction kMath[] = {{"sqrt", 1, 8, 1, [](double a, double) { return std::sqrt(a); }},
                                  {"rsqrt", 1, 4},
                                  {"exp", 1, 7},
                                  {"exp2", 1, 4},
                                  {"log", 1, 18, 0},
                                  {"log2", 1, 5},
                                  {"sin", 1, 20, 0},
                                  {"cos", 1, 20, 0},
                                  {"tan"},
                                  {"tanh"},
                                  {"fabs", 1, 0, 0, [](double a, double) { return std::abs(a); }},
                                  {"floor", 1, 1, 1, [](double a, double) { return std::floor(a); }},
                                  {"ceil", 1, 1, 1, [](double a, double) { return std::ceil(a); }},
                                  {"round", 1, 4, 1, [](double a, double) { return std::round(a); }},
                                  {"pow", 2, 50, 2},
                                  {"fmin", 2, 1, 0, [](double a, double b) { return std::fmin(a, b); }},
                                  {"fmax", 2, 1, 0, [](double a, double b) { return std::fmax(a, b); }},
                                  {"fmod", 2, 40, 1, [](double a, double b) { return std::fmod(a, b); }},
                                  {"fma", 3, 1, 0},
                                  {"erf"},
                                  {"hypot", 2},
                                  {"asin"},
                                  {"acos"},
                                  {"atan"},
                                  {"atan2", 2},
                                  {"sinh"},
                                  {"cosh"},
                                  {"log10"},
                                  {"log1p"},
                                  {"expm1"},
                                  {"cbrt"},
                                  {"trunc", 1, 1, 1, [](double a, double) { return std::trunc(a); }},
                                  {"rint", 1, 1, 1, [](double a, double) { return std::rint(a); }},
                                  {"erfc"},
                                  {"exp10"},
                                  {"sinpi"},
                                  {"cospi"},
                                  {"fdim", 2, 2, 0},
                                  {"remainder", 2},
                                  {"ldexp", 2},
                                  {"lgamma"},
                                  {"tgamma"},
                                  {"asinh"},
                                  {"acosh"},
                                  {"atanh"},
                                  {"copysign", 2, 1, 0},
                                  {"rcbrt"},
                                  {"norm3d", 3},
                                  {"nearbyint", 1, 1},
                                  {"rhypot", 2},
                                  {"normcdf"},
                                  {"erfinv"},
                                  {"mad", 3, 1, 0},
                                  {"saturate", 1, 1, 0}};
constexpr MathFunction kQuick[] = {{"__expf", 1, 2}, {"__logf", 1, 2},     {"__sinf", 1, 2},
                                   {"__cosf", 1, 2}, {"__fsqrt_rn", 1, 8}, {"__frcp_rn", 1, 6}};

/// Null if there is none of that name.
const MathFunction* find_math(std::string_view name, Scalar& type) {
    for (const MathFunction& known : kMath) {
        if (name == known.name) {
            type = Scalar::float64;
            return &known;
        }
        if (name.size() == known.name.size() + 1 && name.starts_with(known.name) && name.back() == 'f') {
            type = Scalar::float32;
            return &known;
        }
    }
    type = Scalar::float32;
    const auto* quick = std::ranges::find(kQuick, name, &MathFunction::name);
    return quick == std::end(kQuick) ? nullptr : quick;
}

/// "half", "float_rn", "ll_rz": the type that such a function makes.
Type type_of_word(std::string_view word) {
    constexpr std::pair<std::string_view, Scalar> kWords[] = {
        {"half", Scalar::float16},   {"bfloat16", Scalar::float16}, {"float", Scalar::float32},
        {"double", Scalar::float64}, {"ull", Scalar::uint64},       {"uint", Scalar::uint32},
        {"ll", Scalar::int64},       {"int", Scalar::int32},        {"ushort", Scalar::uint16},
        {"short", Scalar::int16},    {"longlong", Scalar::int64}};
    for (const auto& [begin, scalar] : kWords)
        if (word.starts_with(begin)) {
            const bool two = word.substr(begin.size()).starts_with('2');
            return {scalar, two ? 2 : 1};
        }
    return {};
}

}  // namespace

ExprPtr Parser::builtin(Builtin which, Position at) const {
    ExprPtr made = node(ExprKind::builtin, {Scalar::uint32}, at);
    made->value = static_cast<std::int64_t>(which);
    return made;
}

/// threadIdx and the like as a whole. @param x  of its members the first
ExprPtr Parser::all_three(Builtin x, Position at) {
    std::vector<ExprPtr> parts;
    for (int i = 0; i < 3; ++i) {
        const auto which = Builtin(int(x) + i);
        if (i == 0 || kernel_says({".", i == 1 ? "y" : "z"})) unit_.asks.insert(which);
        parts.push_back(builtin(which, at));
    }
    return construct(builtin_record("dim3", Scalar::uint32, 3, 4), std::move(parts), at);
}

ExprPtr Parser::read_builtin(const Token& name) {
    constexpr std::pair<std::string_view, Builtin> kNames[] = {{"threadIdx", Builtin::thread_x},
                                                               {"blockIdx", Builtin::block_x},
                                                               {"blockDim", Builtin::block_dim_x},
                                                               {"gridDim", Builtin::grid_dim_x}};
    for (const auto& [text, first] : kNames) {
        if (name.text != text) continue;
        if (!accept(".")) return all_three(first, name.at);
        const Token member = take();
        const std::size_t which = member.text.size() == 1 ? std::string_view("xyz").find(member.text) : 3;
        if (which > 2) throw SourceError(member.at, fmt::format("{} has the members x, y and z", text));
        unit_.asks.insert(Builtin(int(first) + int(which)));
        return builtin(Builtin(int(first) + int(which)), name.at);
    }
    if (name.text != "warpSize") return nullptr;
    ExprPtr made = builtin(Builtin::warp_size, name.at);
    made->type = {Scalar::int32};
    return made;
}

ExprPtr Parser::nothing(Position at) const { return node(ExprKind::make_vector, {}, at); }

void Parser::leave_out(const std::string& what) {
    assume(what + " is not counted");
    unit_.leaves_out = true;
}

/// Says that a function, or what may be one, is of another file.
void Parser::leave_out_call(const Token& name) {
    constexpr std::string_view kOfWaiting[] = {"sync", "barrier", "wait", "arrive", "mutex", "acquire"};
    const std::string word = lower_case(name.text);
    const bool waits =
        word.starts_with("lock") || std::ranges::any_of(kOfWaiting, [&](std::string_view part) {
            return word.find(part) != std::string::npos;
        });
    unit_.may_wait = unit_.may_wait || waits;
    leave_out(fmt::format("what {} may load and store, which is not in this text,{}", in_quotes(name.text),
                          waits ? " and for whom it waits," : ""));
}

/// A value that follows from others but is not known.
ExprPtr Parser::unknown_value(const Type& type, std::vector<ExprPtr>&& parts, const Token& name) {
    ExprPtr call = node(ExprKind::intrinsic, type, name.at);
    call->value = static_cast<std::int64_t>(Intrinsic::other);
    call->parts = std::move(parts);
    return call;
}

ExprPtr Parser::call_intrinsic(Intrinsic which, Type type, std::vector<ExprPtr> parts,
                               const Token& name) const {
    ExprPtr call = node(ExprKind::intrinsic, std::move(type), name.at);
    call->value = static_cast<std::int64_t>(which);
    call->parts = std::move(parts);
    return call;
}

ExprPtr Parser::times(ExprPtr a, ExprPtr b, Position at) {
    return make_binary({TokenKind::sign, "*", at}, std::move(a), std::move(b));
}
ExprPtr Parser::plus(ExprPtr a, ExprPtr b, Position at) {
    return make_binary({TokenKind::sign, "+", at}, std::move(a), std::move(b));
}

ExprPtr Parser::read_vector(const Token& name) {
    const std::string_view vector = name.text.substr(5);
    std::vector<ExprPtr> parts = read_arguments();
    for (ExprPtr& part : parts) part = decay(std::move(part));
    if (vector.starts_with("cu") && vector.ends_with("Complex")) {
        ExprPtr made = node(ExprKind::make_vector,
                            {vector.starts_with("cuD") ? Scalar::float64 : Scalar::float32, 2}, name.at);
        for (ExprPtr& part : parts) made->parts.push_back(std::move(part));
        return made;
    }
    const std::size_t lanes = vector.empty() ? 0 : static_cast<std::size_t>(vector.back() - '0');
    constexpr std::pair<std::string_view, Scalar> kBases[] = {
        {"char", Scalar::int8},      {"uchar", Scalar::uint8},      {"short", Scalar::int16},
        {"ushort", Scalar::uint16},  {"int", Scalar::int32},        {"uint", Scalar::uint32},
        {"float", Scalar::float32},  {"double", Scalar::float64},   {"half", Scalar::float16},
        {"longlong", Scalar::int64}, {"ulonglong", Scalar::uint64}, {"bfloat16", Scalar::float16}};
    Type type{Scalar::none, int(lanes)};
    for (const auto& [base, scalar] : kBases)
        if (vector.substr(0, vector.size() - 1) == base) type.scalar = scalar;
    if (type.scalar == Scalar::none || lanes < 1 || lanes > 4) refuse(name);
    if (lanes == 3) {
        const Type three = builtin_record(vector, type.scalar, 3, bytes_of(type.scalar));
        if (parts.size() == 1 && !parts[0]->type.is_single()) return convert(std::move(parts[0]), three);
        while (parts.size() < 3) parts.push_back(clone(*parts.front()));
        return construct(three, std::move(parts), name.at);
    }
    if (type.element_bytes() > 16) refuse(name);
    ExprPtr made = node(ExprKind::make_vector, type, name.at);
    for (ExprPtr& part : parts)
        made->parts.push_back(part->type.is_single() ? convert(std::move(part), {type.scalar})
                                                     : std::move(part));
    return made;
}

/// Reads and writes an element; what it was is not known.
ExprPtr Parser::read_atomic(const Token& name, std::vector<ExprPtr> arguments) {
    if (arguments.empty()) refuse(name);
    ExprPtr pointer = decay(std::move(arguments[0]));
    std::vector<ExprPtr> before;
    while (pointer->kind == ExprKind::sequence) {
        before.push_back(std::move(pointer->parts[0]));
        ExprPtr rest = std::move(pointer->parts[1]);
        pointer = std::move(rest);
    }
    if (!pointer->type.pointer) throw SourceError(name.at, fmt::format("{} takes a pointer", name.text));
    std::vector<ExprPtr> parts;
    parts.push_back(
        marked_pointer(make_index(std::move(pointer), number(0, Scalar::int32, name.at), name.at), 0));
    if (parts[0]->kind != ExprKind::index) refuse(name);
    const Type type = parts[0]->type;
    const Expr& root = root_of(*parts[0]);
    const bool shared = root.symbol >= 0 && unit_.symbol(root.symbol).storage == Storage::shared;
    unit_.need(capability_of_atomic(name.text, type, shared, has_bfloat_),
               fmt::format("{} of {}", name.text,
                           has_bfloat_ && type.scalar == Scalar::float16 ? "__nv_bfloat16" : text_of(type)));
    for (std::size_t i = 1; i < arguments.size(); ++i) parts.push_back(decay(std::move(arguments[i])));
    ExprPtr call = call_intrinsic(Intrinsic::atomic, type, std::move(parts), name);
    if (name.text == "atomicAdd") call->sign = "+";
    if (name.text == "atomicInc") call->sign = "++";
    return in_sequence(std::move(before), std::move(call));
}

/// Whether a name that nothing else has means a texture: "texture<float, 2> name;" of the file, or of
/// another.
/// @param element  takes the type of what it holds
bool Parser::is_texture(const Token& name, Type& element) {
    if (name.kind != TokenKind::name || is("(", 2) || is(".", 2) || is("[", 2)) return false;
    for (const Scope& scope : now_.scopes)
        if (scope.names.contains(name.text)) return false;
    const Declaration* declared = declarations_.find(name.text, Declares::constant);
    if (declared == nullptr) return find(name.text) < 0 && declarations_.named(name.text).empty();
    std::size_t at = declared->begin;
    while (at < declared->end && tokens_[at].text != "texture" && tokens_[at].text != "surface") ++at;
    if (at >= declared->end) return false;
    const Elsewhere there(*this);
    now_.at = at + 2;
    if (tokens_[at].text == "texture" && element.scalar == Scalar::none && at_type()) element = read_type();
    return true;
}

ExprPtr Parser::read_intrinsic(const Token& name) {
    ExprPtr group;
    unit_.need(capability_of(name.text), name.text);
    if (read_group_function(name, group)) return group;
    if (name.text.starts_with("make_") && is("(")) return read_vector(name);
    Type given;  // f<float>(...)
    if (is("<")) {
        take();
        if (at_type()) given = read_cast_type();
        while (!is(">") && peek().kind != TokenKind::end) take();
        accept_closing_angle();
    }
    if (!is("(")) throw SourceError(name.at, fmt::format("{} is not declared", in_quotes(name.text)));
    const bool texture = name.text.starts_with("tex") || name.text.starts_with("surf");
    if (texture && is_texture(peek(1), given)) {
        const Token& reference = peek(1);
        Symbol symbol{.name = std::string(reference.text), .type = {Scalar::uint64}, .at = reference.at};
        symbol.constant = 0;
        now_.scopes.front().names[symbol.name] = int(unit_.symbols.size());
        unit_.symbols.push_back(std::move(symbol));
    }
    std::vector<ExprPtr> arguments = read_arguments();
    if (name.text.starts_with("atomic")) return read_atomic(name, std::move(arguments));
    for (ExprPtr& argument : arguments)
        argument = argument->type.is_record() ? std::move(argument) : decay(std::move(argument));
    for (const IntrinsicName& one : kIntrinsics) {
        if (one.name != name.text) continue;
        ExprPtr call = call_intrinsic(one.which, {}, std::move(arguments), name);
        const std::size_t count = call->parts.size();
        const bool shuffle = one.which >= Intrinsic::shuffle && one.which <= Intrinsic::shuffle_xor;
        const bool mask_only = one.which == Intrinsic::sync_warp && count == 1;
        const bool width = shuffle && count == 4;
        if (int(count) != one.arguments && !mask_only && !width)
            throw SourceError(name.at, fmt::format("{} takes {} arguments", name.text, one.arguments));
        switch (one.which) {
            case Intrinsic::min:
            case Intrinsic::max: {
                if (call->parts[0]->type.lanes > 1)
                    return unknown_value(call->parts[0]->type, std::move(call->parts), name);
                const Type type{common_type(call->parts[0]->type.scalar, call->parts[1]->type.scalar)};
                for (ExprPtr& part : call->parts) part = convert(std::move(part), type);
                call->type = type;
                break;
            }
            case Intrinsic::abs:
                call->type = {common_type(call->parts[0]->type.scalar, Scalar::int32)};
                call->parts[0] = convert(std::move(call->parts[0]), call->type);
                break;
            case Intrinsic::load_cached:
                if (!call->parts[0]->type.pointer)
                    throw SourceError(name.at, fmt::format("{} takes a pointer", name.text));
                call->parts[0] = marked_pointer(
                    make_index(std::move(call->parts[0]), number(0, Scalar::int32, name.at), name.at), 0);
                if (call->parts[0]->kind != ExprKind::index || call->parts[0]->type.is_record())
                    return std::move(call->parts[0]);
                call->type = call->parts[0]->type;
                break;
            case Intrinsic::popcount:
            case Intrinsic::leading_zeros:
            case Intrinsic::find_first:
                call->type = {Scalar::int32};
                call->parts[0] = convert(std::move(call->parts[0]), {Scalar::uint32});
                break;
            case Intrinsic::reverse_bits:
                call->type = {Scalar::uint32};
                call->parts[0] = convert(std::move(call->parts[0]), call->type);
                break;
            case Intrinsic::active_mask:
                call->type = {Scalar::uint32};
                break;
            case Intrinsic::ballot:
                call->type = {Scalar::uint32};
                for (std::size_t i = 0; i < 2; ++i)
                    call->parts[i] =
                        convert(std::move(call->parts[i]), {i == 0 ? Scalar::uint32 : Scalar::boolean});
                break;
            case Intrinsic::sync_threads:
            case Intrinsic::sync_warp:
            case Intrinsic::fence:
                break;
            default:
                call->type = call->parts[1]->type;
        }
        return call;
    }
    for (const auto& [old, which] : kOldShuffles) {
        if (old != name.text || arguments.size() < 2) continue;
        const Type type = arguments[0]->type;
        arguments.insert(arguments.begin(), number(-1, Scalar::int32, name.at));
        return call_intrinsic(which, type, std::move(arguments), name);
    }
    Scalar type = Scalar::none;
    if (const MathFunction* math = find_math(name.text, type); math != nullptr) {
        if (int(arguments.size()) != math->arguments && name.text != "saturate")
            throw SourceError(name.at, fmt::format("{} takes {} arguments", name.text, math->arguments));
        const bool narrow = std::ranges::all_of(arguments, [](const ExprPtr& one) {
            return one->type.scalar == Scalar::float32 || one->type.scalar == Scalar::float16;
        });
        if (type == Scalar::float64 && narrow) type = Scalar::float32;  // C++ has one for each type
        if (arguments[0]->type.lanes > 1)
            return unknown_value(arguments[0]->type, std::move(arguments), name);
        ExprPtr call = call_intrinsic(Intrinsic::math, {type}, std::move(arguments), name);
        call->instructions = math->instructions;
        call->special = math->special;
        call->of_numbers = math->of_numbers;
        return call;
    }
    // Writes of any cache policy, copies past the registers.
    if ((name.text == "__stcs" || name.text == "__stcg" || name.text == "__stwb" || name.text == "__stwt") &&
        arguments.size() == 2) {
        ExprPtr to = marked_pointer(
            make_index(std::move(arguments[0]), number(0, Scalar::int32, name.at), name.at), 0);
        return make_assignment({TokenKind::sign, "=", name.at}, std::move(to), std::move(arguments[1]));
    }
    if (name.text == "__pipeline_memcpy_async" && arguments.size() >= 3) {
        const std::int64_t bytes = constant_of(*arguments[2], "the size of a copy");
        if (bytes != 4 && bytes != 8 && bytes != 16) refuse(name);
        const Type copied{Scalar::float32, int(bytes / 4)};
        const auto place = [&](std::size_t argument) {
            Type to = copied;
            to.pointer = true;
            return marked_pointer(make_index(cast_to(std::move(arguments[argument]), to, name.at),
                                             number(0, Scalar::int32, name.at), name.at),
                                  argument);
        };
        ExprPtr to = place(0), from = place(1);
        return make_assignment({TokenKind::sign, "=", name.at}, std::move(to), std::move(from));
    }
    constexpr std::string_view kBarriers[] = {"__syncthreads_count", "__syncthreads_or", "__syncthreads_and"};
    if (std::ranges::find(kBarriers, name.text) != std::end(kBarriers)) {
        std::vector<ExprPtr> before = std::move(arguments);
        before.push_back(call_intrinsic(Intrinsic::sync_threads, {}, {}, name));
        return in_sequence(std::move(before), unknown_value({Scalar::int32}, {}, name));
    }
    if (name.text == "curand_init" && arguments.size() == 4 && arguments[3]->type.pointer) {
        ExprPtr state = make_index(std::move(arguments[3]), number(0, Scalar::int32, name.at), name.at);
        if (!state->type.is_record()) return nothing(name.at);
        const Type whole = state->type;
        return make_assignment({TokenKind::sign, "=", name.at}, std::move(state),
                               construct(whole, {}, name.at));
    }
    constexpr std::string_view kWithoutEffect[] = {"__threadfence_block",
                                                   "__pipeline_commit",
                                                   "__pipeline_wait_prior",
                                                   "printf",
                                                   "assert",
                                                   "__trap",
                                                   "__nanosleep",
                                                   "memcpy",
                                                   "memset",
                                                   "cudaGridDependencySynchronize",
                                                   "cudaTriggerProgrammaticLaunchCompletion"};
    if (std::ranges::find(kWithoutEffect, name.text) != std::end(kWithoutEffect)) return nothing(name.at);
    if (name.text == "__builtin_expect" && !arguments.empty()) return std::move(arguments[0]);
    if (name.text == "__umul24" || name.text == "__mul24")
        return times(std::move(arguments.at(0)), std::move(arguments.at(1)), name.at);
    if ((name.text == "__umulhi" || name.text == "__mulhi") && arguments.size() == 2) {
        const bool sign = name.text == "__mulhi";
        for (ExprPtr& one : arguments)
            one = convert(convert(std::move(one), {sign ? Scalar::int32 : Scalar::uint32}),
                          {sign ? Scalar::int64 : Scalar::uint64});
        return convert(make_binary({TokenKind::sign, ">>", name.at},
                                   times(std::move(arguments[0]), std::move(arguments[1]), name.at),
                                   number(32, Scalar::int32, name.at)),
                       {sign ? Scalar::int32 : Scalar::uint32});
    }
    if (name.text == "__popcll") return unknown_value({Scalar::int32}, std::move(arguments), name);
    if (texture) {
        leave_out("what textures and surfaces load and store");
        unit_.only_counted = "textures";
        if (given.scalar == Scalar::none) given = {Scalar::float32};
        return unknown_value(given, std::move(arguments), name);
    }
    if (name.text == "clock" || name.text == "clock64" || name.text == "globaltimer")
        return unknown_value({Scalar::int64}, std::move(arguments), name);
    if (name.text.starts_with("curand") && !arguments.empty() && !is_own(*arguments[0]))
        leave_out("what curand loads and stores of a state in memory");
    if (name.text.starts_with("curand"))
        return unknown_value({name.text == "curand" ? Scalar::uint32 : Scalar::float32}, {}, name);
    if (name.text == "isnan" || name.text == "isinf" || name.text == "isfinite" || name.text == "signbit" ||
        name.text == "__isGlobal" || name.text == "__any_sync" || name.text == "__all_sync" ||
        name.text == "__any" || name.text == "__all" || name.text == "__hisnan")
        return unknown_value({Scalar::boolean}, std::move(arguments), name);
    if (name.text.starts_with("__ballot") || name.text.starts_with("__match") || name.text == "__byte_perm" ||
        name.text.starts_with("__funnelshift"))
        return unknown_value({Scalar::uint32}, std::move(arguments), name);
    if (name.text.starts_with("__reduce_") && arguments.size() == 2)
        return unknown_value(arguments[1]->type, std::move(arguments), name);
    if (name.text == "swap" && arguments.size() == 2) {
        std::vector<ExprPtr> before;
        ExprPtr a = settled(std::move(arguments[0]), before), b = settled(std::move(arguments[1]), before);
        const int value = declare_hidden(a->type, "value", name.at);
        const Token equals{TokenKind::sign, "=", name.at};
        before.push_back(make_assignment(equals, variable(value, name.at), clone(*a)));
        before.push_back(make_assignment(equals, std::move(a), clone(*b)));
        return in_sequence(std::move(before),
                           make_assignment(equals, std::move(b), variable(value, name.at)));
    }
    // Conversions, and arithmetic with halves: "__float2half", "__int_as_float", "__hadd", "h2exp".
    const bool internal = name.text.starts_with("__");
    if (internal && !arguments.empty()) {
        Type made = arguments[0]->type;
        if (made.scalar == Scalar::float16 && name.text.starts_with("__h") &&
            !name.text.starts_with("__half"))
            unit_.need(kHalvesSince, name.text);
        if (made.pointer && name.text.starts_with("__cvta")) made = {Scalar::uint64};
        if (made.pointer) refuse(name);
        for (std::size_t i = 2; i + 1 < name.text.size(); ++i) {
            const bool as = name.text.substr(i).starts_with("_as_");
            if (name.text[i] != '2' && !as) continue;
            const Type word = type_of_word(name.text.substr(i + (as ? 4 : 1)));
            if (word.scalar != Scalar::none) {
                made = word;
                break;
            }
        }
        if (name.text == "__low2half" || name.text == "__high2half") made = {Scalar::float16};
        if (name.text == "__low2float" || name.text == "__high2float") made = {Scalar::float32};
        if (name.text == "__halves2half2") made = {Scalar::float16, 2};
        if (name.text.starts_with("__dp")) made = {Scalar::int32};
        return unknown_value(made, std::move(arguments), name);
    }
    constexpr std::string_view kHalves[] = {"hexp",  "hlog",  "hsqrt",  "hrsqrt",  "hsin",  "hcos",  "hrcp",
                                            "h2exp", "h2log", "h2sqrt", "h2rsqrt", "h2rcp", "hexp2", "hlog2"};
    if (std::ranges::find(kHalves, name.text) != std::end(kHalves) && !arguments.empty()) {
        unit_.need(kHalvesSince, name.text);
        return unknown_value(arguments[0]->type, std::move(arguments), name);
    }
    // Helpers that the toolkit's samples include.
    constexpr std::string_view kHelpers[] = {"dot",       "length",   "rsqrtf",  "clamp",   "lerp",
                                             "normalize", "cross",    "cuCmulf", "cuCaddf", "cuCsubf",
                                             "cuCrealf",  "cuCimagf", "cuCabsf", "cuCmul",  "cuCadd",
                                             "cuCsub",    "cuCabs",   "frac",    "fract",   "reflect"};
    if (std::ranges::find(kHelpers, name.text) != std::end(kHelpers) && !arguments.empty()) {
        Type made = arguments[0]->type;
        const bool single = name.text == "dot" || name.text == "length" || name.text.ends_with("abs") ||
                            name.text.ends_with("absf") || name.text.ends_with("realf") ||
                            name.text.ends_with("imagf");
        if (single) made = {Scalar::float32};
        if (made.is_record()) return std::move(arguments[0]);
        for (ExprPtr& part : arguments) {
            if (!part->type.is_record()) continue;
            std::vector<ExprPtr> before;
            const ExprPtr place = settled(std::move(part), before);
            part = in_sequence(std::move(before), member_of(clone(*place), 0, name.at));
        }
        return unknown_value(made, std::move(arguments), name);
    }
    if (name.text == "malloc" || name.text == "free" || name.text == "asm" || name.text == "cudaMalloc")
        refuse(name);
    for (const std::string_view of : {"cudaStream", "cudaEvent", "cudaGet", "cudaPeek", "cudaDevice"})
        if (name.text.starts_with(of)) return number(0, Scalar::int32, name.at);
    if (name.text == "SharedMemory" && arguments.empty()) {  // of NVIDIA's samples: all of the dynamic memory
        int index = find("SharedMemory");
        if (index < 0) {
            index = int(unit_.symbols.size());
            now_.scopes.front().names["SharedMemory"] = index;
            const Scalar scalar = given.scalar != Scalar::none ? given.scalar : Scalar::float32;
            unit_.symbols.push_back({.name = "SharedMemory",
                                     .type = {scalar, 1, false, {0}},
                                     .storage = Storage::shared,
                                     .at = name.at,
                                     .dynamic = true});
            unit_.only_counted = "functions of other files";
        }
        return decay(variable(index, name.at));
    }
    if (in_comment_ || name.text.starts_with("cuda"))
        throw SourceError(name.at, fmt::format("{} is not declared in this text; paste what it does, too",
                                               in_quotes(name.text)));
    if (ExprPtr made = known_macro(name, arguments)) return made;
    return foreign_call(name, given, std::move(arguments));
}

}  // namespace warplens::typed
