#include "app/typed/warp/warp_code.h"

#include "app/typed/code_flow.h"

#include <algorithm>
#include <utility>

namespace warplens::typed {
namespace {

bool is_shift(CodeOp op) { return op == CodeOp::shift_left || op == CodeOp::shift_right; }
bool is_access(CodeOp op) { return op == CodeOp::load || op == CodeOp::store; }
bool is_jump(CodeOp op) { return op == CodeOp::jump || op == CodeOp::jump_if_zero; }

/// Makes a WarpCode of the instructions of a thread: leaves out what no address and no branch follows from,
/// reads variables without copying them, and takes what is always the same out of loops.
class WarpCompiler {
public:
    WarpCompiler(const Bound& bound, ModelCode lowered)
        : bound_(bound),
          lowered_(std::move(lowered)),
          code_(lowered_.code.instructions),
          keep_(code_.size()),
          is_target_(code_.size()),
          writers_(lowered_.code.registers.size()),
          readers_(lowered_.code.registers.size()),
          levels_(lowered_.code.registers.size(), kInPlace) {}

    /// @return  nothing if it does something that a warp cannot do here
    std::optional<WarpCode> compile() {
        if (!is_supported()) return std::nullopt;
        for (const CodeInstr& instr : code_)
            if (is_jump(instr.op)) is_target_[at(instr.to)] = true;
        find_writers();
        keep_what_matters();
        leave_out_empty_branches();
        find_readers();
        read_through_copies();
        find_levels();
        write_results_in_place();
        return emit();
    }

private:
    /// The number of a register follows from one of these. The last is computed where it stands.
    enum Level { kConstant = 0, kOfThread = 1, kOfBlock = 2, kOfBlockAndThread = 3, kInPlace = 7 };

    std::size_t count() const { return code_.size(); }
    static std::size_t at(int number) { return static_cast<std::size_t>(number); }
    CodeType type_of(int number) const { return lowered_.code.registers[at(number)]; }
    /// Loads of anything but index arrays, and all that is no integer, is never known.
    bool is_known(const CodeInstr& instr) const {
        if (instr.op == CodeOp::store || is_jump(instr.op) || instr.op >= CodeOp::barrier) return false;
        if (is_float(instr.type) || (instr.op == CodeOp::convert && is_float(instr.from))) return false;
        if (instr.op != CodeOp::load) return true;
        const Memory& memory = bound_.memories[at(instr.memory)];
        return instr.lanes == 1 && memory.content != Content::unknown && memory.bytes > 0;
    }
    bool is_supported() const {
        for (std::size_t i = 0; i < count(); ++i) {
            const CodeInstr& instr = code_[i];
            if (is_access(instr.op) && instr.memory < 0) return false;
            if (instr.op == CodeOp::jump_if_zero && at(instr.to) <= i) return false;
            const bool asks = instr.op == CodeOp::jump_if_zero || instr.op == CodeOp::select;
            if (asks && type_of(instr.a) != CodeType::boolean) return false;
            if (!is_known(instr) || instr.type != CodeType::boolean) continue;
            const bool simple = instr.op <= CodeOp::select || instr.op == CodeOp::bit_and ||
                                instr.op == CodeOp::bit_or || instr.op == CodeOp::equal ||
                                instr.op == CodeOp::not_equal || instr.op == CodeOp::convert;
            if (!simple) return false;
        }
        return true;
    }

    void find_writers() {
        for (std::size_t i = 0; i < count(); ++i)
            if (is_known(code_[i])) writers_[at(code_[i].to)].push_back(i);
    }
    bool has_one_writer(int number) const { return writers_[at(number)].size() == 1; }
    std::optional<std::int64_t> constant(int number) const {
        if (!has_one_writer(number)) return std::nullopt;
        const CodeInstr& instr = code_[writers_[at(number)][0]];
        return instr.op == CodeOp::constant ? std::optional(instr.value) : std::nullopt;
    }
    /// Divisions by 0 and shifts by too much, which the model refuses.
    bool may_be_wrong(const CodeInstr& instr) const {
        const bool divides = instr.op == CodeOp::div || instr.op == CodeOp::rem;
        if (!is_known(instr) || (!divides && !is_shift(instr.op))) return false;
        const auto by = constant(instr.b);
        return !by || *by < (divides ? 1 : 0) || (!divides && *by >= 8 * bytes_of(instr.type));
    }

    // Instructions that matter --------------------------------------------------------------------------

    void keep(std::size_t i) {
        if (keep_[i]) return;
        keep_[i] = true;
        const CodeReads reads(code_[i]);
        for (int k = 0; k < reads.count; ++k)
            for (const std::size_t writer : writers_[at(reads.of[k])]) keep(writer);
    }
    void keep_what_matters() {
        for (std::size_t i = 0; i < count(); ++i) {
            const CodeInstr& instr = code_[i];
            const bool control = instr.op == CodeOp::jump || instr.op == CodeOp::barrier ||
                                 instr.op == CodeOp::warp_barrier || instr.op == CodeOp::finish ||
                                 (instr.op == CodeOp::jump_if_zero && !lowered_.harmless[i]);
            if (control || is_access(instr.op) || may_be_wrong(instr)) keep(i);
        }
    }
    /// Whether nothing that matters stands between a jump forward and where it leads, apart from jumps of
    /// which the same is true.
    bool skips_nothing(std::size_t jump) const {
        for (std::size_t i = jump + 1; i < at(code_[jump].to); ++i)
            if (keep_[i] && (code_[i].op != CodeOp::jump || at(code_[i].to) <= i || !skips_nothing(i)))
                return false;
        return true;
    }
    /// Conditions need not be known of branches in which nothing matters.
    void leave_out_empty_branches() {
        for (bool changes = true; changes;) {
            changes = false;
            for (std::size_t i = 0; i < count(); ++i) {
                if (code_[i].op != CodeOp::jump_if_zero || keep_[i] || skips_nothing(i)) continue;
                keep(i);
                changes = true;
            }
        }
        for (std::size_t i = 0; i < count(); ++i)
            if (code_[i].op == CodeOp::jump && at(code_[i].to) > i && skips_nothing(i)) keep_[i] = false;
    }

    // Copies -----------------------------------------------------------------------------------------------

    void find_readers() {
        for (auto& writers : writers_) std::erase_if(writers, [&](std::size_t i) { return !keep_[i]; });
        for (std::size_t i = 0; i < count(); ++i) {
            if (!keep_[i]) continue;
            const CodeReads reads(code_[i]);
            for (int k = 0; k < reads.count; ++k) readers_[at(reads.of[k])].push_back(i);
        }
    }
    bool is_written_between(int number, std::size_t first, std::size_t last) const {
        return std::ranges::any_of(writers_[at(number)],
                                   [&](std::size_t i) { return i > first && i < last; });
    }
    void read_through_copies() {
        for (std::size_t i = 0; i < count(); ++i) {
            const CodeInstr& copy = code_[i];
            if (!keep_[i] || copy.op != CodeOp::move || !has_one_writer(copy.to)) continue;
            const std::vector<std::size_t>& readers = readers_[at(copy.to)];
            if (readers.empty() || readers.front() <= i) continue;
            if (is_written_between(copy.a, i, readers.back())) continue;
            read_instead(i, copy.a);
        }
    }
    /// Leave out an instruction. Whatever reads its result reads another register.
    void read_instead(std::size_t i, int number) {
        const int left_out = code_[i].to;
        const CodeReads reads(code_[i]);
        for (int k = 0; k < reads.count; ++k) std::erase(readers_[at(reads.of[k])], i);
        for (const std::size_t reader : readers_[at(left_out)]) {
            CodeInstr& instr = code_[reader];
            for (std::int32_t* operand : {&instr.a, &instr.b, &instr.c})
                if (*operand == left_out) *operand = number;
            readers_[at(number)].push_back(reader);
        }
        std::ranges::sort(readers_[at(number)]);
        readers_[at(left_out)].clear();
        std::erase(writers_[at(left_out)], i);
        keep_[i] = false;
    }

    // Instructions that are computed elsewhere ------------------------------------------------------

    void find_levels() {
        // Two computations from the same numbers become one.
        std::map<std::array<std::int64_t, 7>, int> computed;
        for (std::size_t i = 0; i < count(); ++i) {
            const CodeInstr& instr = code_[i];
            if (!keep_[i] || instr.op > CodeOp::special || !has_one_writer(instr.to) || may_be_wrong(instr))
                continue;
            int level = kConstant;
            if (instr.op == CodeOp::special)
                level = instr.value <= int(CodeSpecial::thread_z) ? kOfThread : kOfBlock;
            const CodeReads reads(instr);
            for (int k = 0; k < reads.count; ++k) level |= levels_[at(reads.of[k])];
            if (level == kInPlace) continue;
            std::array<std::int64_t, 7> key{int(instr.op), int(instr.type), int(instr.from), instr.value};
            std::copy_n(reads.of, reads.count, key.begin() + 4);
            if (const auto [same, is_new] = computed.emplace(key, instr.to); !is_new)
                read_instead(i, same->second);
            else
                levels_[at(instr.to)] = static_cast<Level>(level);
        }
    }
    /// `i = i + 1` computes into `i`.
    void write_results_in_place() {
        for (std::size_t i = 0; i < count(); ++i) {
            const CodeInstr& copy = code_[i];
            if (!keep_[i] || copy.op != CodeOp::move || !has_one_writer(copy.a) ||
                levels_[at(copy.a)] != kInPlace || readers_[at(copy.a)].size() != 1)
                continue;
            const std::size_t writer = writers_[at(copy.a)][0];
            CodeInstr& result = code_[writer];
            const bool reads_before = std::ranges::any_of(
                readers_[at(copy.to)], [&](std::size_t reader) { return reader > writer && reader < i; });
            if (writer > i || result.op == CodeOp::shuffle || reads_before ||
                is_written_between(copy.to, writer, i) || is_left_between(writer, i))
                continue;
            auto& writers = writers_[at(copy.to)];
            std::ranges::replace(writers, i, writer);
            std::ranges::sort(writers);
            keep_[i] = false;
            result.to = copy.to;
        }
    }
    /// Whether a jump leads away from between two instructions, or to there.
    bool is_left_between(std::size_t first, std::size_t last) const {
        for (std::size_t i = first; i <= last; ++i)
            if (is_jump(code_[i].op) || code_[i].op == CodeOp::finish || (i > first && is_target_[i]))
                return true;
        return false;
    }

    // The result -------------------------------------------------------------------------------------------

    WarpInstr translated(const CodeInstr& from) {
        WarpInstr to{.op = from.op, .from = from.from, .value = from.value, .type = WarpType(from.type)};
        if (is_known(from)) {
            to.to = renumbered(from.to);
            to.whole = has_one_writer(from.to);
        }
        const CodeReads reads(from);
        for (int k = 0; k < reads.count; ++k)
            (k == 0 ? to.a : k == 1 ? to.b : to.c) = renumbered(reads.of[k]);
        if (from.op == CodeOp::mul_wide) to.type = WarpType(CodeType::s64);
        if (is_access(from.op)) {
            const Memory& memory = bound_.memories[at(from.memory)];
            to.memory = from.memory;
            to.counted = from.counted;
            to.bytes = bytes_of(from.type) * from.lanes;
            constexpr std::int64_t kAnywhere = kMostEven;
            to.most = memory.bytes > 0 ? memory.bytes - to.bytes : kAnywhere;
            if (writers_[at(from.to)].empty() || readers_[at(from.to)].empty()) to.to = kNoRegister;
        }
        return to;
    }
    int renumbered(int number) {
        int& is = numbers_[at(number)];
        const Level level = levels_[at(number)];
        if (is == kNoRegister)
            is = level <= kOfThread  ? ~result_.of_warp++
                 : level == kOfBlock ? result_.of_each_block++
                                     : of_each_block_ + result_.registers++;
        return is;
    }

    WarpCode emit() {
        numbers_.assign(lowered_.code.registers.size(), kNoRegister);
        of_each_block_ = int(std::ranges::count(levels_, kOfBlock));
        std::vector<int> begins(count());  // of the straight pieces of code, by where jumps lead
        std::size_t piece = 0;
        bool begin = true;
        auto& out = result_.instructions;
        for (std::size_t i = 0; i < count(); ++i) {
            if (begin || is_target_[i]) {
                piece = out.size();
                begins[i] = int(piece);
                out.push_back({.op = CodeOp::meet});
            }
            begin = false;
            out[piece].steps += lowered_.steps[i];
            if (!keep_[i]) continue;
            WarpInstr instr = translated(code_[i]);
            const Level level = code_[i].op <= CodeOp::special ? levels_[at(code_[i].to)] : kInPlace;
            if (code_[i].op == CodeOp::finish) instr.value = i + 1 == count();
            (level <= kOfThread           ? result_.of_thread
             : level == kOfBlock          ? result_.of_block
             : level == kOfBlockAndThread ? result_.of_block_and_thread
                                          : out)
                .push_back(instr);
            begin = is_jump(instr.op) || instr.op == CodeOp::finish;
        }
        for (std::size_t i = 0, old = 0; i < out.size(); ++i) {
            if (!is_jump(out[i].op)) continue;
            while (!keep_[old] || !is_jump(code_[old].op)) ++old;
            out[i].to = begins[at(code_[old++].to)];
        }
        result_.sites = std::move(lowered_.sites);
        return std::move(result_);
    }

    const Bound& bound_;
    ModelCode lowered_;
    std::vector<CodeInstr>& code_;
    std::vector<bool> keep_, is_target_;                       ///< by instruction
    std::vector<std::vector<std::size_t>> writers_, readers_;  ///< by register, in order
    std::vector<Level> levels_;                                ///< by register
    std::vector<int> numbers_;                                 ///< by register: that of the result
    int of_each_block_ = 0;
    WarpCode result_;
};

}  // namespace

std::optional<WarpCode> warp_code(const Bound& bound) {
    return WarpCompiler(bound, lower_for_model(bound)).compile();
}

}  // namespace warplens::typed
