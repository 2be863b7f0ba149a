#include "app/typed/random_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <string_view>
#include <vector>

namespace warplens::typed {
namespace {

/// An array that the kernel may access at any index below its size, a power of two.
struct Array {
    std::string name;
    std::string_view element;    ///< its type
    std::string_view component;  ///< how an element becomes a number: ".x" of vectors
    int log2 = 8;                ///< elements
    bool writes = false, reads = true, integers = false;
};

/// Functions of one name, of which the arguments choose.
const std::string kFunctions =
    "__device__ int of(int x) { return x + 1; }\n"
    "__device__ int of(unsigned x) { return x * 3; }\n"
    "__device__ int of(float x) { return x < 8.0f ? 5 : (int)x; }\n"
    "template <int N> __device__ int of(int x) { return x / N; }\n"
    "template <> __device__ int of<2>(int x) { return x ^ 9; }\n";

class KernelMaker {
public:
    explicit KernelMaker(std::uint64_t seed) : random_(seed) {}

    std::string write() {
        block_x_ = pick({1, 7, 16, 32, 33, 64, 96, 128});
        block_y_ = chance(4) ? pick({2, 3, 4}) : 1;
        while (block_x_ * block_y_ > 256) block_y_ = 1;
        const int grid = pick({1, 2, 3, 5, 16, 40}), grid_y = chance(5) ? pick({2, 3}) : 1;
        make_arrays();
        ints_ = {"t", "g", "lane"};
        for (int i = 0, count = 1 + below(3); i < count; ++i) {
            line(fmt::format("{} v{} = {};", pick_text({"int", "unsigned", "long long"}), i, integer(3)));
            ints_.push_back(fmt::format("v{}", i));
            assignable_.push_back(ints_.back());
        }
        if (chance(2)) {
            pair_ = pick_text({"int2", "short2", "uint2"});
            line(fmt::format("{0} pair = make_{0}({1}, {2});", pair_, integer(2), integer(2)));
            for (const char* one : {"pair.x", "pair.y"}) {
                ints_.push_back(one);
                assignable_.push_back(one);
            }
        }
        statements(3 + below(6), 2);
        const int log2 = 10;
        line(fmt::format("out[(g + {}u * blockIdx.y) & {}] = sum;", 64 * below(3), (1 << log2) - 1));
        std::string text = fmt::format("// launch grid=({}, {}) block=({}, {})\n__global__ void kernel(",
                                       grid, grid_y, block_x_, block_y_);
        for (const Array& array : globals_)
            text += fmt::format("{}{}* {},  // {} {}[{}]{}\n                       ",
                                array.writes ? "" : "const ", array.element, array.name,
                                array.integers ? "index"
                                : array.writes ? "inout"
                                               : "in",
                                array.element, 1 << array.log2,
                                array.integers ? pick_text({" permuted", " random", " reversed"}) : "");
        text += fmt::format("float* out)  // out float[{}]\n{{\n", 1 << log2);
        text += declarations_ +
                "    int t = threadIdx.x + blockDim.x * threadIdx.y;\n"
                "    unsigned g = blockIdx.x * blockDim.x * blockDim.y + t;\n"
                "    int lane = t & 31;\n"
                "    int first[2][3] = {{t, 3}, {lane * 2, (int)blockIdx.x, 7}};\n"
                "    float sum = 0.0f;\n" +
                body_ + "}\n";
        return kFunctions + text;
    }

private:
    int below(int count) { return int(random_() % static_cast<std::uint64_t>(count)); }
    bool chance(int of) { return below(of) == 0; }
    template <class T>
    T pick_of(const std::vector<T>& all) {
        return all[below(int(all.size()))];
    }
    int pick(const std::vector<int>& all) { return pick_of(all); }
    std::string_view pick_text(const std::vector<std::string_view>& all) { return pick_of(all); }

    void line(const std::string& text) {
        body_ += std::string(static_cast<std::size_t>(4 * indent_), ' ') + text + '\n';
    }

    void make_arrays() {
        struct Element {
            std::string_view type, component;
        };
        const std::vector<Element> elements{{"float", ""},    {"float", ""},    {"double", ""},
                                            {"char", ""},     {"short", ""},    {"int", ""},
                                            {"float2", ".y"}, {"float4", ".x"}, {"long long", ""},
                                            {"int4", ".w"},   {"unsigned", ""}};
        for (int i = 0, count = 1 + below(3); i < count; ++i) {
            const Element element = pick_of(elements);
            const bool writes = chance(3);
            globals_.push_back(
                {fmt::format("a{}", i), element.type, element.component, 8 + below(8), writes});
        }
        if (chance(2)) globals_.push_back({"index", "int", "", 6 + below(8), false, true, true});
        for (int i = 0, count = below(3); i < count; ++i) {
            const Element element = pick_of(elements);
            Array array{fmt::format("s{}", i), element.type, element.component, 5 + below(5), true};
            const int columns = 1 << array.log2;
            constexpr int kMostElements = 1024;  // of 16 bytes: arrays of fixed size have 48 KiB in all
            const int rows = std::min(1 << below(4), kMostElements / columns), padding = below(3);
            if (chance(2)) {
                declarations_ +=
                    fmt::format("    __shared__ {} {}[{}];\n", array.element, array.name, columns);
            } else {
                declarations_ += fmt::format("    __shared__ {} {}[{}][{}];\n", array.element, array.name,
                                             rows, columns + padding);
                array.name = fmt::format("{}[{{}} & {}]", array.name, rows - 1);
            }
            shared_.push_back(array);
        }
        if (chance(3)) {
            declarations_ += "    float own[16];\n    for (int k = 0; k < 16; ++k) own[k] = 0.0f;\n";
            has_own_ = true;
        }
    }

    std::string literal() {
        return fmt::format("{}", pick({0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 31, 32, 33, 100, 255}));
    }

    std::string integer(int depth) {
        if (depth == 0 || chance(4)) {
            if (chance(3)) return literal();
            if (chance(6))
                return std::string(pick_text({"(int)blockIdx.x", "(int)threadIdx.x", "(int)threadIdx.y",
                                              "(int)blockIdx.y", "(int)blockDim.x", "(int)gridDim.x"}));
            return pick_of(ints_);
        }
        const auto part = [&] { return integer(depth - 1); };
        switch (below(16)) {
            case 0:
            case 1:
                return fmt::format("({} + {})", part(), part());
            case 2:
                return fmt::format("({} - {})", part(), part());
            case 3:
                return fmt::format("({} * {})", part(), literal());
            case 4:
                return fmt::format("({} ^ {})", part(), part());
            case 5:
                return fmt::format("({} & {})", part(), literal());
            case 6:
                return fmt::format("({} {} {})", part(), pick_text({"<<", ">>"}), below(5));
            case 7:
                return fmt::format("({} {} {})", part(), pick_text({"/", "%"}), 1 + below(37));
            case 8:
                return fmt::format("({} ? {} : {})", condition(), part(), part());
            case 9:
                return fmt::format("{}((int)({}), (int)({}))", pick_text({"min", "max"}), part(), part());
            case 10:
                return fmt::format("{}({})",
                                   pick_text({"__popc", "__clz", "__ffs", "(short)", "(unsigned char)", "~"}),
                                   part());
            case 11:
                return fmt::format("first[{}][{}]", below(2), below(3));
            case 12:
                return fmt::format("(int)((({}) & 1023) * {}f + {}f)", part(),
                                   pick_text({"0.375", "1.5", "0.0625"}), pick_text({"0.5", "0.25", "-3.7"}));
            case 13:
                return fmt::format("(int){}(({} & 511) / {}f)",
                                   pick_text({"ceilf", "floorf", "sqrtf", "rintf"}), part(),
                                   pick_text({"3.0", "7.0", "0.3"}));
            case 14:
                return fmt::format("{}({})", pick_text({"of", "of<1>", "of<2>"}),
                                   chance(2)
                                       ? fmt::format("({}) * 0.5f", part())
                                       : fmt::format("({})({})", pick_text({"int", "unsigned"}), part()));
            default:
                return fmt::format("({} | {})", part(), literal());
        }
    }

    std::string condition() {
        if (chance(5)) return fmt::format("({} && {})", condition(), condition());
        if (chance(8)) return fmt::format("(!{})", condition());
        return fmt::format("({} {} {})", integer(1), pick_text({"<", ">", "<=", ">=", "==", "!="}),
                           integer(1));
    }

    std::string element(const Array& array) {
        std::string name = array.name;
        if (const std::size_t row = name.find("{}"); row != std::string::npos)
            name.replace(row, 2, fmt::format("({})", integer(1)));
        std::string index = fmt::format("({})", integer(2));
        if (const Array* indices = index_array(); indices != nullptr && !array.integers && chance(3))
            index = fmt::format("{}[{} & {}]", indices->name, index, (1 << indices->log2) - 1);
        return fmt::format("{}[{} & {}]", name, index, (1 << array.log2) - 1);
    }
    const Array* index_array() const {
        return !globals_.empty() && globals_.back().integers ? &globals_.back() : nullptr;
    }

    std::string value_of(const Array& array) {
        const std::string at = element(array);
        if (!array.component.empty() && chance(2)) return at + std::string(array.component);
        if (!array.component.empty()) {
            const int vector = vectors_++;
            line(fmt::format("{} w{} = {};", array.element, vector, at));
            return fmt::format("w{0}{1} + w{0}.x", vector, array.component);
        }
        if (array.name[0] == 'a' && !array.writes && chance(4)) return fmt::format("__ldg(&{})", at);
        return at;
    }

    void access() {
        const bool shared = !shared_.empty() && chance(2);
        const Array array = pick_of(shared ? shared_ : globals_);
        if (array.writes && chance(2)) {
            const std::string_view number =
                array.element.substr(0, array.element.size() - (array.component.empty() ? 0 : 1));
            if (array.component.empty() || chance(2)) {
                const std::string_view sign = chance(4) ? "+=" : "=";
                return line(fmt::format("{}{} {} ({})(sum + {});", element(array), array.component, sign,
                                        number, below(9)));
            }
            const std::string one = fmt::format("({})sum", number);
            const std::string all = array.element.ends_with('2')
                                        ? fmt::format("{}, {}", one, one)
                                        : fmt::format("{}, {}, {}, {}", one, one, one, one);
            return line(fmt::format("{} = make_{}({});", element(array), array.element, all));
        }
        const std::string value = value_of(array);
        line(fmt::format("sum += (float)({});", value));
    }

    void statement(int depth) {
        const int kind = below(11);
        if (kind < 5 || depth == 0) return access();
        if (kind == 5 && !pair_.empty() && chance(3))
            return line(fmt::format("pair = make_{}(pair.y, {});", pair_, integer(2)));
        if (kind == 5 && !assignable_.empty())
            return line(fmt::format("{} {} {};", pick_of(assignable_), pick_text({"=", "+=", "^=", "-="}),
                                    integer(2)));
        if (kind == 6 && has_own_) {
            if (chance(2)) return line("for (int k = 0; k < 16; ++k) own[k] += sum;");
            return line("for (int k = 0; k < 16; k += 3) sum += own[k];");
        }
        if (kind == 7 && depth == 2)
            return line(std::string(pick_text({"__syncthreads();", "__syncwarp();"})));
        if (kind == 8 && depth == 2 && block_x_ * block_y_ % 32 == 0)
            return line(fmt::format("sum += {}(0xffffffff, sum, {});",
                                    pick_text({"__shfl_xor_sync", "__shfl_down_sync", "__shfl_up_sync"}),
                                    1 << below(5)));
        if (kind <= 8) {
            line(fmt::format("if {} {{", condition()));
            inner(depth);
            if (chance(2)) {
                line("} else {");
                inner(depth);
            }
            return line("}");
        }
        const std::string counter = fmt::format("i{}", loops_++);
        if (kind == 9)
            line(fmt::format("for (int {0} = {1}; {0} < {2}; {0} += {3}) {{", counter, below(3), 3 + below(6),
                             1 + below(2)));
        else
            line(fmt::format("for (int {0} = t & {1}; {0} < {2}; ++{0}) {{", counter, pick({1, 3, 7}),
                             4 + below(5)));
        ints_.push_back(counter);
        if (chance(4)) line(fmt::format("    if {} {};", condition(), pick_text({"continue", "break"})));
        inner(depth);
        ints_.pop_back();
        line("}");
    }
    void inner(int depth) {
        ++indent_;
        statements(1 + below(3), depth - 1);
        --indent_;
    }
    void statements(int count, int depth) {
        for (int i = 0; i < count; ++i) statement(depth);
    }

    std::mt19937_64 random_;
    int block_x_ = 32, block_y_ = 1;
    std::vector<Array> globals_, shared_;
    std::vector<std::string> ints_, assignable_;
    std::string declarations_, body_;
    std::string_view pair_;  ///< its type; empty if there is none
    bool has_own_ = false;
    int indent_ = 1, loops_ = 0, vectors_ = 0;
};

}  // namespace

std::string random_kernel(std::uint64_t seed) { return KernelMaker(seed).write(); }

}  // namespace warplens::typed
