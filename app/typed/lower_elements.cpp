#include "app/typed/lowering.h"

#include <algorithm>

namespace warplens::typed {

const Expr& Lowering::base_of(const Expr& element) {
    const Expr* base = &element;
    while (base->kind == ExprKind::index) base = base->parts[0].get();
    return *base;
}

int Lowering::as_offset(const Value& value, const Type& type) {
    return converted(value.at, code_type(type.scalar), CodeType::s64);
}

Lowering::Place Lowering::place_of(const Expr& element) {
    const Expr* base = &element;
    std::vector<const Expr*> indices;
    while (base->kind == ExprKind::index) {
        indices.push_back(base->parts[1].get());
        base = base->parts[0].get();
        if (!base->type.is_array()) break;
    }
    std::ranges::reverse(indices);
    if (base->type.is_array() && base->kind == ExprKind::variable) {
        const Symbol& symbol = unit_.symbol(base->symbol);
        std::optional<std::int64_t> known = 0;
        bool all_constant = true;
        int place = -1;
        for (std::size_t i = 0; i < indices.size(); ++i) {
            const std::int64_t size = symbol.type.dims[i];
            const Value index = evaluate(*indices[i]);
            all_constant = all_constant && compiler_knows(unit_, *indices[i]);
            known = known && index.known ? std::optional(*known * size + *index.known) : std::nullopt;
            const int offset = converted(index.at, code_type(indices[i]->type.scalar), offset_type());
            place = place < 0 ? offset : compute(CodeOp::add, offset_type(), times(place, size), offset);
        }
        const bool own = symbol.storage == Storage::local;
        if (own && !in_memory_.contains(base->symbol)) {
            if (!known || *known < 0 || *known >= symbol.type.elements())
                throw SourceError(element.at, "not launched: this index is not known when it is compiled");
            const Value& array = own_array(base->symbol);
            return {.element = array.at + int(*known) * symbol.type.lanes +
                               int(element.value) / bytes_of(symbol.type.scalar)};
        }
        return {behind(times(place, symbol.type.element_bytes()), element.value),
                bound_.memory_of[base->symbol], -1, !own || !all_constant};
    }
    const Value pointer = evaluate(*base), index = evaluate(*indices.back());
    const Scalar scalar = indices.back()->type.scalar;
    if (bytes_of(scalar) == 8) {
        const int bytes = compute(CodeOp::mul, CodeType::s64, index.at,
                                  constant(base->type.element_bytes(), CodeType::s64).at);
        return {behind(compute(CodeOp::add, CodeType::s64, bytes, pointer.at), element.value),
                pointer.memory};
    }
    const CodeType type = scalar == Scalar::uint32 ? CodeType::u32 : CodeType::s32;
    const int narrow = converted(index.at, code_type(scalar), type), bytes = new_registers(CodeType::s64);
    emit({.op = CodeOp::mul_wide,
          .type = type,
          .to = bytes,
          .a = narrow,
          .value = base->type.element_bytes()});
    const bool whole = element.type.lanes == base->type.lanes;
    if (pointer.at_begin && whole) return {bytes, pointer.memory, -1, true, narrow};
    return {behind(compute(CodeOp::add, CodeType::s64, bytes, pointer.at), element.value), pointer.memory};
}

int Lowering::behind(int offset, std::int64_t bytes) {
    const CodeType type = code_.registers[offset];
    return bytes == 0 ? offset : compute(CodeOp::add, type, offset, constant(bytes, type).at);
}

int Lowering::times(int value, std::int64_t by) {
    return by == 1 ? value : compute(CodeOp::mul, offset_type(), value, constant(by, offset_type()).at);
}

const Value& Lowering::own_array(int symbol) {
    Value& array = variables_[symbol];
    const Type& type = unit_.symbol(symbol).type;
    if (array.at < 0) array.at = new_registers(code_type(type.scalar), int(type.elements()) * type.lanes);
    return array;
}

CodeInstr Lowering::access(const Expr& element, const Place& place, bool store) {
    CodeInstr instr{.op = store ? CodeOp::store : CodeOp::load,
                    .type = code_type(element.type.scalar),
                    .lanes = static_cast<std::uint8_t>(element.type.lanes),
                    .counted = place.counted,
                    .memory = static_cast<std::int16_t>(place.memory),
                    .a = place.offset,
                    .c = place.index};
    if (for_model()) {
        instr.value = model_.site_of({typed::site_of(element), place.memory, store});
        return instr;
    }
    const Request request{.site = typed::site_of(element), .memory = place.memory, .store = store};
    instr.value = std::max(launch_->access_of(request), 0);
    // A place in the text that no block reached while accesses were looked for has no number.
    if (launch_->access_of(request) < 0) instr.counted = false;
    return instr;
}

Value Lowering::load_from(const Expr& element, const Place& place) {
    const CodeType type = code_type(element.type.scalar);
    const int to = new_registers(type, element.type.lanes);
    if (place.element >= 0) {
        move(to, place.element, type, element.type.lanes);
        return {to, -1, {}};
    }
    CodeInstr instr = access(element, place, false);
    instr.to = to;
    emit(instr);
    return {to, -1, {}};
}

void Lowering::store_to(const Expr& element, const Place& place, int from) {
    if (place.element >= 0)
        return move(place.element, from, code_type(element.type.scalar), element.type.lanes);
    CodeInstr instr = access(element, place, true);
    instr.b = from;
    emit(instr);
}

}  // namespace warplens::typed
