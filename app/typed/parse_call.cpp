#include "app/typed/parser.h"

#include <fmt/format.h>

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
                                         {"abs", Intrinsic::abs, 1},
                                         {"__ldg", Intrinsic::load_cached, 1},
                                         {"__ldcg", Intrinsic::load_cached, 1},
                                         {"__ldca", Intrinsic::load_cached, 1},
                                         {"__ldcs", Intrinsic::load_cached, 1},
                                         {"__shfl_sync", Intrinsic::shuffle, 3},
                                         {"__shfl_up_sync", Intrinsic::shuffle_up, 3},
                                         {"__shfl_down_sync", Intrinsic::shuffle_down, 3},
                                         {"__shfl_xor_sync", Intrinsic::shuffle_xor, 3},
                                         {"__syncthreads", Intrinsic::sync_threads, 0},
                                         {"__syncwarp", Intrinsic::sync_warp, 0},
                                         {"__popc", Intrinsic::popcount, 1},
                                         {"__clz", Intrinsic::leading_zeros, 1},
                                         {"__ffs", Intrinsic::find_first, 1}};

/// Functions of floating-point numbers, and how many they take. Their "f" forms are float.
constexpr std::pair<std::string_view, int> kMath[] = {
    {"sqrt", 1}, {"rsqrt", 1}, {"exp", 1},  {"exp2", 1}, {"log", 1},   {"log2", 1}, {"sin", 1},
    {"cos", 1},  {"tan", 1},   {"tanh", 1}, {"fabs", 1}, {"floor", 1}, {"ceil", 1}, {"round", 1},
    {"pow", 2},  {"fmin", 2},  {"fmax", 2}, {"fmod", 2}, {"fma", 3},   {"erf", 1},  {"hypot", 2}};

int math_arguments(std::string_view name, Scalar& type) {
    for (const auto& [known, count] : kMath) {
        if (name == known) {
            type = Scalar::float64;
            return count;
        }
        if (name.size() == known.size() + 1 && name.starts_with(known) && name.back() == 'f') {
            type = Scalar::float32;
            return count;
        }
    }
    for (const std::string_view quick : {"__expf", "__logf", "__sinf", "__cosf", "__fsqrt_rn", "__frcp_rn"})
        if (name == quick) {
            type = Scalar::float32;
            return 1;
        }
    return 0;
}

}  // namespace

ExprPtr Parser::read_builtin(const Token& name) {
    constexpr std::pair<std::string_view, Builtin> kNames[] = {{"threadIdx", Builtin::thread_x},
                                                               {"blockIdx", Builtin::block_x},
                                                               {"blockDim", Builtin::block_dim_x},
                                                               {"gridDim", Builtin::grid_dim_x}};
    for (const auto& [text, first] : kNames) {
        if (name.text != text) continue;
        expect(".", fmt::format("after {}", text));
        const Token member = take();
        const std::size_t which = member.text.size() == 1 ? std::string_view("xyz").find(member.text) : 3;
        if (which > 2) throw SourceError(member.at, fmt::format("{} has the members x, y and z", text));
        ExprPtr builtin = node(ExprKind::builtin, {Scalar::uint32}, name.at);
        builtin->value = static_cast<std::int64_t>(first) + static_cast<std::int64_t>(which);
        return builtin;
    }
    if (name.text != "warpSize") return nullptr;
    ExprPtr builtin = node(ExprKind::builtin, {Scalar::int32}, name.at);
    builtin->value = static_cast<std::int64_t>(Builtin::warp_size);
    return builtin;
}

std::vector<ExprPtr> Parser::read_arguments() {
    std::vector<ExprPtr> arguments;
    expect("(", "before the arguments");
    while (!is(")")) {
        if (!arguments.empty()) expect(",", "between arguments");
        arguments.push_back(decay(read_assignment()));
    }
    take();
    return arguments;
}

ExprPtr Parser::read_name() {
    const Token name = take();
    if (const int symbol = find(name.text); symbol >= 0) {
        ExprPtr variable = node(ExprKind::variable, unit_.symbol(symbol).type, name.at);
        variable->symbol = symbol;
        return variable;
    }
    if (ExprPtr builtin = read_builtin(name)) return builtin;
    if (name.text == "true" || name.text == "false")
        return number(name.text == "true", Scalar::boolean, name.at);
    if (name.text == "reinterpret_cast" || name.text == "static_cast" || name.text == "const_cast") {
        expect("<", fmt::format("after {}", name.text));
        Type type = read_type();
        if (accept("*")) type.pointer = true;
        while (peek().kind == TokenKind::name) take();
        expect(">", "after the type of a cast");
        expect("(", "after the type of a cast");
        ExprPtr of = decay(read_sequence());
        expect(")", "after what is cast");
        if (type.pointer && of->type.pointer) {
            ExprPtr cast = node(ExprKind::cast, type, name.at);
            cast->parts.push_back(std::move(of));
            return cast;
        }
        return convert(std::move(of), type);
    }
    if (is("(")) return read_call(name);
    if (const auto known = values_.find(name.text); known != values_.end())
        return number(
            known->second,
            known->second == static_cast<std::int32_t>(known->second) ? Scalar::int32 : Scalar::int64,
            name.at);
    throw SourceError(name.at, fmt::format("{} is not declared", in_quotes(name.text)));
}

ExprPtr Parser::read_call(const Token& name) {
    // int(x), float(x)
    --at_;
    if (at_type()) {
        const Type type = read_type();
        expect("(", "after a type");
        ExprPtr of = read_sequence();
        expect(")", "after what is converted");
        return convert(std::move(of), type);
    }
    ++at_;
    if (name.text.starts_with("make_")) {
        const std::string_view vector = name.text.substr(5);
        std::vector<ExprPtr> parts = read_arguments();
        const std::size_t lanes = vector.empty() ? 0 : static_cast<std::size_t>(vector.back() - '0');
        Type type{Scalar::float32, int(lanes)};
        if (vector.starts_with("int")) type.scalar = Scalar::int32;
        if (vector.starts_with("uint")) type.scalar = Scalar::uint32;
        if (vector.starts_with("double")) type.scalar = Scalar::float64;
        const bool known = vector.starts_with("int") || vector.starts_with("uint") ||
                           vector.starts_with("float") || vector.starts_with("double");
        if (!known || (lanes != 2 && lanes != 4) || parts.size() != lanes || type.element_bytes() > 16)
            refuse(name);
        ExprPtr made = node(ExprKind::make_vector, type, name.at);
        for (ExprPtr& part : parts) made->parts.push_back(convert(std::move(part), {type.scalar}));
        return made;
    }
    for (const IntrinsicName& one : kIntrinsics) {
        if (one.name != name.text) continue;
        ExprPtr call = node(ExprKind::intrinsic, {}, name.at);
        call->value = static_cast<std::int64_t>(one.which);
        call->sign = one.name;
        call->parts = read_arguments();
        const std::size_t count = call->parts.size();
        const bool shuffle = one.which >= Intrinsic::shuffle && one.which <= Intrinsic::shuffle_xor;
        const bool mask_only = one.which == Intrinsic::sync_warp && count == 1;
        const bool width = shuffle && count == 4;
        if (int(count) != one.arguments && !mask_only && !width)
            throw SourceError(name.at, fmt::format("{} takes {} arguments", name.text, one.arguments));
        switch (one.which) {
            case Intrinsic::min:
            case Intrinsic::max: {
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
                call->parts[0] =
                    make_index(std::move(call->parts[0]), number(0, Scalar::int32, name.at), name.at);
                call->type = call->parts[0]->type;
                break;
            case Intrinsic::popcount:
            case Intrinsic::leading_zeros:
            case Intrinsic::find_first:
                call->type = {Scalar::int32};
                call->parts[0] = convert(std::move(call->parts[0]), {Scalar::uint32});
                break;
            case Intrinsic::sync_threads:
            case Intrinsic::sync_warp:
                break;
            default:
                call->type = call->parts[1]->type;
                if (!call->type.is_single()) throw SourceError(name.at, "a shuffle exchanges single numbers");
        }
        return call;
    }
    Scalar type = Scalar::none;
    if (const int count = math_arguments(name.text, type); count > 0) {
        ExprPtr call = node(ExprKind::intrinsic, {type}, name.at);
        call->value = static_cast<std::int64_t>(Intrinsic::math);
        call->sign = name.text;
        call->parts = read_arguments();
        if (int(call->parts.size()) != count)
            throw SourceError(name.at, fmt::format("{} takes {} arguments", name.text, count));
        return call;
    }
    for (std::size_t i = 0; i < unit_.functions.size(); ++i) {
        const Function& function = unit_.functions[i];
        if (function.name != name.text) continue;
        if (function.kernel) throw SourceError(name.at, "not in the subset: kernels that launch kernels");
        if (!function.body) throw SourceError(name.at, "not in the subset: functions that call themselves");
        ExprPtr call = node(ExprKind::call, function.result, name.at);
        call->symbol = int(i);
        std::vector<ExprPtr> arguments = read_arguments();
        const std::vector<int>& parameters = unit_.functions[i].parameters;
        if (arguments.size() != parameters.size())
            throw SourceError(name.at, fmt::format("{} takes {} arguments", name.text, parameters.size()));
        for (std::size_t k = 0; k < arguments.size(); ++k)
            call->parts.push_back(convert(std::move(arguments[k]), unit_.symbol(parameters[k]).type));
        return call;
    }
    throw SourceError(name.at, fmt::format("not in the subset: {}", in_quotes(name.text)));
}

}  // namespace warplens::typed
