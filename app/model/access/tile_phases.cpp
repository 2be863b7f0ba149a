#include "app/model/access/tile_phases.h"

#include "kernels/scenarios/matrix_multiply.h"

#include <cassert>

namespace warplens {
namespace {

using multiply::Cell;

Params params_of(const TileProduct& product) {
    Params p = MatrixMultiply::info.defaults;
    p.variant = int(Multiply::tiled);
    p.matrix = product.matrix;
    p.tile = product.tile;
    p.padding = 0;
    return p;
}

/// The element that an instruction of the scenario accesses.
int element_of(const TileProduct& product, MatrixMultiply::Index instruction, int thread, int step) {
    const ThreadId id{product.block_column, product.block_row, thread % product.tile, thread / product.tile,
                      step};
    const LaneAccess access = MatrixMultiply::access(params_of(product), instruction, id);
    return int(access.byte_address) / MatrixMultiply::kBytes;
}

Cell cell_of(int element, int columns) { return {element / columns, element % columns}; }

/// The cell of Bs that an element of shared memory is; Bs follows As there.
Cell cell_of_b(const TileProduct& product, int element) {
    return cell_of(element - multiply::tile_b(params_of(product), 0, 0, 0), product.tile);
}

int at(Cell cell, int columns) { return cell.row * columns + cell.column; }

}  // namespace

Cell TileProduct::result(int thread) const {
    return cell_of(element_of(*this, MatrixMultiply::store_c, thread, 0), matrix);
}

PhaseStep phase_step(const TileProduct& product, int step) {
    assert(step >= 0 && step < phase_steps(product));
    const int length = product.tile + 3, phase = step / length, in_phase = step % length;
    if (phase == product.phases()) return {PhaseAct::store, phase - 1, 0};
    if (in_phase == 0) return {PhaseAct::load, phase, 0};
    if (in_phase == 1) return {PhaseAct::wait_loaded, phase, 0};
    if (in_phase == length - 1) return {PhaseAct::wait_used, phase, 0};
    return {PhaseAct::multiply, phase, in_phase - 2};
}

int step_number(const TileProduct& product, const PhaseStep& step) {
    if (step.act == PhaseAct::store) return phase_steps(product) - 1;
    const int in_phase[] = {0, 1, 2 + step.k, 2 + product.tile};  // by PhaseAct
    return step.phase * (product.tile + 3) + in_phase[int(step.act)];
}

PhaseTouch phase_touch(const TileProduct& product, const PhaseStep& step, int thread) {
    assert(step.act == PhaseAct::load || step.act == PhaseAct::multiply);
    const bool loads = step.act == PhaseAct::load;
    const int execution = loads ? step.phase : step.phase * product.tile + step.k;
    const auto element = [&](MatrixMultiply::Index instruction) {
        return element_of(product, instruction, thread, execution);
    };
    // One load from A's tile may move several neighbours of a row.
    const int joined = multiply::joined(params_of(product));
    PhaseTouch touch;
    touch.tile_a =
        cell_of(loads ? element(MatrixMultiply::store_tile_a)
                      : element_of(product, MatrixMultiply::load_tile_a, thread, execution / joined) +
                            execution % joined,
                product.tile);
    touch.tile_b =
        cell_of_b(product, element(loads ? MatrixMultiply::store_tile_b : MatrixMultiply::load_tile_b));
    if (loads) {
        touch.a = cell_of(element(MatrixMultiply::load_a), product.matrix);
        touch.b = cell_of(element(MatrixMultiply::load_b), product.matrix);
        return touch;
    }
    // The contents were loaded in this phase, tile element by tile element.
    const int first_k = step.phase * product.tile;
    touch.a = {product.block_row * product.tile + touch.tile_a.row, first_k + touch.tile_a.column};
    touch.b = {first_k + touch.tile_b.row, product.block_column * product.tile + touch.tile_b.column};
    return touch;
}

PhaseMoment phase_moment(const TileProduct& product, int step) {
    const std::size_t elements = product.matrix * product.matrix;
    const std::size_t places = product.tile * product.tile;
    PhaseMoment moment;
    moment.a_loads = moment.b_loads = moment.a_uses = moment.b_uses = std::vector<int>(elements, 0);
    moment.shared_a = moment.shared_b = std::vector<int>(places, -1);
    const auto load = [&](const PhaseTouch& touch) {
        const int a = at(touch.a, product.matrix), b = at(touch.b, product.matrix);
        ++moment.a_loads[a];
        ++moment.b_loads[b];
        moment.shared_a[at(touch.tile_a, product.tile)] = a;
        moment.shared_b[at(touch.tile_b, product.tile)] = b;
        moment.counts.global_loads += 2;
        moment.counts.shared_stores += 2;
    };
    const auto use = [&](const PhaseTouch& touch) {
        const int a = moment.shared_a[at(touch.tile_a, product.tile)],
                  b = moment.shared_b[at(touch.tile_b, product.tile)];
        assert(a == at(touch.a, product.matrix) && b == at(touch.b, product.matrix));
        ++moment.a_uses[a];
        ++moment.b_uses[b];
        moment.counts.shared_loads += 2;
        ++moment.counts.multiply_adds;
    };
    for (int i = 0; i <= step; ++i) {
        moment.step = phase_step(product, i);
        for (int thread = 0; thread < product.threads(); ++thread) {
            if (moment.step.act == PhaseAct::load) load(phase_touch(product, moment.step, thread));
            if (moment.step.act == PhaseAct::multiply) use(phase_touch(product, moment.step, thread));
            moment.counts.global_stores += moment.step.act == PhaseAct::store ? 1 : 0;
        }
        moment.terms += moment.step.act == PhaseAct::multiply ? 1 : 0;
        moment.stored = moment.step.act == PhaseAct::store;
    }
    return moment;
}

PhaseCounts grid_counts(const TileProduct& product) {
    const PhaseCounts block = phase_moment(product, phase_steps(product) - 1).counts;
    const std::int64_t blocks = std::int64_t{product.phases()} * product.phases();
    return {blocks * block.global_loads, blocks * block.shared_stores, blocks * block.shared_loads,
            blocks * block.global_stores, blocks * block.multiply_adds};
}

}  // namespace warplens
