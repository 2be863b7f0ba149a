#include "app/typed/bind.h"

#include "app/base/text.h"
#include "app/typed/parse/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <utility>

namespace warplens::typed {
namespace {

/// Tokens up to a comma, a bracket that was not opened, or the end.
std::vector<Token> take_expression(const std::vector<Token>& tokens, std::size_t& at) {
    std::vector<Token> out;
    int open = 0;
    for (; tokens[at].kind != TokenKind::end; ++at) {
        const std::string_view text = tokens[at].text;
        if (text == "(" || text == "[") ++open;
        if (text == ")" || text == "]") --open;
        if (open < 0 || (open == 0 && text == ",")) break;
        // "block=" begins the next value
        if (open == 0 && tokens[at].kind == TokenKind::name && tokens[at + 1].text == "=" && !out.empty())
            break;
        out.push_back(tokens[at]);
    }
    if (out.empty()) throw SourceError(tokens[at].at, "expected a number");
    out.push_back({TokenKind::end, {}, tokens[at].at});
    return out;
}

/// Take a closing bracket.
void close(const std::vector<Token>& tokens, std::size_t& at, std::string_view bracket) {
    if (tokens[at].text != bracket) throw SourceError(tokens[at].at, fmt::format("expected '{}'", bracket));
    ++at;
}

/// Whether the parentheses that begin here hold several values: "(a, b)".
bool is_tuple(const std::vector<Token>& tokens, std::size_t at) {
    if (tokens[at].text != "(") return false;
    int open = 0;
    for (; tokens[at].kind != TokenKind::end; ++at) {
        if (tokens[at].text == "(") ++open;
        if (tokens[at].text == ")" && --open == 0) return false;
        if (tokens[at].text == "," && open == 1) return true;
    }
    return false;
}

/// Whether any expression of a kernel asks for this.
bool asks_for(const Unit& unit, Builtin which) {
    const std::function<bool(const Expr&)> in = [&](const Expr& expr) {
        return (expr.kind == ExprKind::builtin && expr.value == std::int64_t(which)) ||
               std::ranges::any_of(expr.parts, [&](const ExprPtr& part) { return in(*part); });
    };
    const std::function<bool(const Stmt&)> in_statement = [&](const Stmt& stmt) {
        return (stmt.condition && in(*stmt.condition)) || (stmt.step && in(*stmt.step)) ||
               (stmt.init && in_statement(*stmt.init)) ||
               std::ranges::any_of(stmt.body,
                                   [&](const StmtPtr& part) { return part && in_statement(*part); });
    };
    return std::ranges::any_of(unit.functions,
                               [&](const Function& one) { return one.body && in_statement(*one.body); });
}

/// Fills in what a launch needs beside the tree.
class Binder {
public:
    Binder(Source& source, const Unit& unit, const HostLaunch* host, Values values, int attempt, bool room)
        : source_(source),
          unit_(unit),
          host_(host),
          values_(std::move(values)),
          attempt_(attempt),
          room_(room) {
        bound_.unit = &unit;
        bound_.kernel = &unit.functions.front();
        bound_.memory_of.assign(unit.symbols.size(), -1);
        bound_.values.assign(unit.symbols.size(), 0);
        bound_.has_value.assign(unit.symbols.size(), false);
    }

    BoundLaunch bind() {
        result_.warnings = unit_.assumed;
        for (const Directive& directive : source_.directives)
            if (directive.word == "let") read_let(directive);
        bind_parameters();
        read_launch();
        for (const Directive& directive : source_.directives)
            if (directive.word == "in" || directive.word == "out" || directive.word == "inout" ||
                directive.word == "index")
                read_array(directive);
        place_memories(result_.shared_bytes, result_.local_bytes, result_.global_bytes);
        return std::move(result_);
    }

private:
    std::int64_t number(std::vector<Token> tokens) {
        return evaluate(source_, unit_, std::move(tokens), values_);
    }

    /// "n = rows * columns"
    void read_let(const Directive& directive) {
        const std::vector<Token> tokens = read_tokens(directive.rest, directive.at);
        if (tokens.size() < 3 || tokens[0].kind != TokenKind::name || tokens[1].text != "=")
            throw SourceError(directive.at, "expected '// let n = rows * 32'");
        const bool of_type =
            std::ranges::any_of(unit_.functions.front().type_names,
                                [&](const std::string& name) { return name == tokens[0].text; });
        if (!of_type) values_[std::string(tokens[0].text)] = number({tokens.begin() + 2, tokens.end()});
    }

    // What a number may well be that nothing says, by what it is called.

    static bool has_word(std::string_view name, std::initializer_list<std::string_view> words) {
        const std::string lower = lower_case(name);
        return std::ranges::any_of(words,
                                   [&](std::string_view word) { return lower.find(word) != lower.npos; });
    }
    static bool is_place(std::string_view name) {
        return name == "t" ||
               has_word(name, {"off", "start", "begin", "shift", "first", "phase", "seed", "index", "idx"});
    }
    static bool is_step(std::string_view name) { return has_word(name, {"stride", "step", "inc", "jump"}); }
    static bool is_small(std::string_view name) {
        return has_word(name, {"channel", "radius", "mask",     "kernel", "filter", "head",  "batch",
                               "depth",   "pad",    "dilation", "degree", "order",  "level", "dim_",
                               "bits",    "iter",   "tile",     "num_",   "loop",   "round"});
    }
    std::int64_t assumed(const Symbol& symbol) const {
        if (symbol.type.scalar == Scalar::boolean) return 1;
        if (is_place(symbol.name)) return 0;
        if (is_step(symbol.name)) return 1;
        if (is_small(symbol.name) || symbol.name == "r") return 4;
        int sizes = 0;
        for (const int parameter : bound_.kernel->parameters) {
            const Symbol& one = unit_.symbol(parameter);
            if (one.type.is_integer() && !is_place(one.name) && !is_step(one.name) && !is_small(one.name) &&
                one.type.scalar != Scalar::boolean)
                ++sizes;
        }
        if (bytes_of(symbol.type.scalar) < 2) return 1;
        // If no thread does anything with equal numbers: a first one that is a size, and others that
        // differ.
        if (attempt_ / kMostBlocks == BoundLaunch::kSizes - 1) {
            const auto& parameters = bound_.kernel->parameters;
            int before = 0;
            for (const int parameter : parameters) {
                const Symbol& one = unit_.symbol(parameter);
                if (one.name == symbol.name) break;
                before += one.type.is_integer() ? 1 : 0;
            }
            return before == 0 ? 256 : before;
        }
        // Smaller ones, where the first ones take too long.
        const std::int64_t shrink = std::int64_t{1} << std::min(2 * (attempt_ / kMostBlocks), 8);
        return std::max<std::int64_t>((sizes >= 4 ? 64 : 1024) / shrink, 4);
    }

    void bind_parameters() {
        for (const int parameter : bound_.kernel->parameters) {
            const std::size_t index = parameter;
            const Symbol& symbol = unit_.symbol(parameter);
            if (symbol.type.pointer || !symbol.type.is_integer()) continue;
            const HostArgument* given = argument_of(parameter);
            if (!values_.contains(symbol.name)) {
                if (given != nullptr && given->value) {
                    values_[symbol.name] = *given->value;
                } else {
                    values_[symbol.name] = assumed(symbol);
                    result_.assumed.emplace_back(symbol.name, values_[symbol.name]);
                }
            }
            bound_.values[index] = wrap(values_[symbol.name], symbol.type.scalar);
            bound_.has_value[index] = true;
        }
    }

    void set(bool grid, const std::vector<std::int64_t>& sizes, Position where) {
        const std::int64_t x = sizes[0], y = sizes.size() > 1 ? sizes[1] : 1,
                           z = sizes.size() > 2 ? sizes[2] : 1;
        const std::int64_t most_x = grid ? 2'147'483'647 : 1024, most_y = grid ? 65'535 : 1024;
        if (x < 1 || y < 1 || z < 1 || x > most_x || y > most_y || z > (grid ? 65'535 : 64) ||
            sizes.size() > 3 || (!grid && x * y * z > 1024) || y * z > 1 << 28)
            throw SourceError(where, fmt::format("a {} of ({}) cannot be launched", grid ? "grid" : "block",
                                                 fmt::join(sizes, ", ")));
        Launch& launch = bound_.launch;
        (grid ? launch.grid_x : launch.block_x) = int(x);
        (grid ? launch.grid_y : launch.block_y) = int(y);
        (grid ? launch.grid_z : launch.block_z) = int(z);
    }

    /// Takes what the host code asks for. @return  false for what no GPU can launch, which is said
    bool set_if_possible(bool grid, const std::array<std::int64_t, 3>& sizes) {
        try {
            set(grid, {sizes.begin(), sizes.end()}, host_->at);
            return true;
        } catch (const SourceError& error) {
            result_.warnings.emplace_back(error.what());
            return false;
        }
    }

    void read_launch() {
        const auto found =
            std::ranges::find(source_.directives, std::string_view("launch"), &Directive::word);
        bool has_grid = false, has_block = false;
        if (host_ != nullptr && found == source_.directives.end()) {
            has_block = host_->block && set_if_possible(false, *host_->block);
            has_grid = host_->grid && set_if_possible(true, *host_->grid);
            dynamic_bytes_ = host_->shared.value_or(0);
            if (dynamic_bytes_ < 0 || dynamic_bytes_ > 232'448)
                throw SourceError(host_->at, "shared memory of a block has at most 227 KiB");
        }
        if (found != source_.directives.end()) {
            bound_.launch.grid_x = 1024;
            bound_.launch.block_x = 256;
            return read_directive(*found);
        }
        if (has_grid || has_block || (host_ != nullptr && found == source_.directives.end()))
            result_.warnings.push_back(fmt::format(
                "launched as in line {}: of ifs that the text does not decide both ways are followed, of loops the first round",
                host_->at.line));
        if (has_grid && has_block) return;
        result_.assumes_launch = true;
        assume_launch(has_grid, has_block);
    }

    /// A launch that fits what the kernel asks for: as many dimensions as it uses, blocks as large as its
    /// tiles, blocks for as many elements as its sizes say.
    void assume_launch(bool has_grid, bool has_block) {
        const bool uses_z = asks_for(unit_, Builtin::thread_z), uses_y = asks_for(unit_, Builtin::thread_y);
        using Block = std::vector<std::int64_t>;
        std::vector<Block> blocks;
        const auto propose = [&](Block one) {
            if (std::ranges::find(blocks, one) == blocks.end()) blocks.push_back(std::move(one));
        };
        for (const Symbol& symbol : unit_.symbols) {
            if (symbol.storage != Storage::shared || symbol.dynamic || symbol.is_scalar) continue;
            const std::vector<int>& dims = symbol.type.dims;
            const std::int64_t first = dims.front();
            if (uses_y && dims.size() >= 2 && first * first <= 1024 && first >= 4) propose({first, first, 1});
            if (!uses_y && dims.size() == 1 && first >= 32 && first <= 1024 && first % 32 == 0)
                propose({first, 1, 1});
        }
        if (uses_z) {
            propose({8, 8, 4});
            propose({8, 8, 8});
            propose({4, 4, 4});
        }
        if (uses_y)
            for (const std::int64_t side : {16, 32, 8}) propose({side, side, 1});
        if (uses_y) propose({32, 8, 1});
        if (!uses_y && !uses_z && unit_.most_threads > 0 && unit_.most_threads <= 1024)
            blocks.insert(blocks.begin(), {unit_.most_threads, 1, 1});
        for (const std::int64_t threads : {256, 128, 64, 32, 512, 1024}) propose({threads, 1, 1});
        const Block& block = blocks[std::size_t(attempt_ % kMostBlocks) % blocks.size()];
        if (!has_block) result_.blocks = std::min(int(blocks.size()), kMostBlocks);

        if (!has_block) set(false, block, bound_.kernel->at);
        Launch& launch = bound_.launch;
        if (!has_grid) {
            std::int64_t width = 0, height = 0;
            for (const int parameter : bound_.kernel->parameters) {
                const Symbol& one = unit_.symbol(parameter);
                if (!one.type.is_integer() || is_place(one.name) || is_step(one.name)) continue;
                const std::int64_t value = bound_.values[std::size_t(parameter)];
                if (has_word(one.name, {"width", "col", "nx"}) || width == 0) width = value;
                if (has_word(one.name, {"height", "row", "ny"}) || height == 0) height = value;
            }
            if (attempt_ / kMostBlocks == BoundLaunch::kSizes - 1) width = height = 1;
            if (width <= 0) width = std::int64_t{1024} * launch.block_x;
            if (height <= 0) height = width;
            const bool two = uses_y || asks_for(unit_, Builtin::block_y);
            const auto blocks_for = [](std::int64_t size, int each) {
                return std::clamp<std::int64_t>((size + each - 1) / each, 1, 65'535);
            };
            const std::int64_t z = asks_for(unit_, Builtin::block_z) ? (uses_z ? 16 : 4) : 1;
            set(true, {blocks_for(width, launch.block_x), two ? blocks_for(height, launch.block_y) : 1, z},
                bound_.kernel->at);
        }
        const auto dims = [](int x, int y, int z) {
            return z > 1   ? fmt::format("({}, {}, {})", x, y, z)
                   : y > 1 ? fmt::format("({}, {})", x, y)
                           : fmt::format("{}", x);
        };
        result_.warnings.push_back(
            fmt::format("{} blocks of {} threads are assumed; say it with '// launch grid=... block=...'",
                        dims(launch.grid_x, launch.grid_y, launch.grid_z),
                        dims(launch.block_x, launch.block_y, launch.block_z)));
    }

    void read_directive(const Directive& found) {
        const std::vector<Token> tokens = read_tokens(found.rest, found.at);
        for (std::size_t at = 0; tokens[at].kind != TokenKind::end;) {
            const Token name = tokens[at];
            if (name.text == ",") {
                ++at;
                continue;
            }
            if (name.kind != TokenKind::name || tokens[at + 1].text != "=")
                throw SourceError(name.at, "expected '// launch grid=(n+255)/256 block=256 shared=0'");
            at += 2;
            std::vector<std::int64_t> sizes;
            const Position where = tokens[at].at;
            if (is_tuple(tokens, at)) {
                do {
                    ++at;
                    sizes.push_back(number(take_expression(tokens, at)));
                } while (tokens[at].text == ",");
                close(tokens, at, ")");
            } else {
                sizes.push_back(number(take_expression(tokens, at)));
            }
            if (name.text == "shared") {
                dynamic_bytes_ = sizes[0];
                if (dynamic_bytes_ < 0 || dynamic_bytes_ > 232'448)
                    throw SourceError(where, "shared memory of a block has at most 227 KiB");
                continue;
            }
            if (name.text != "grid" && name.text != "block")
                throw SourceError(name.at, fmt::format("a launch has grid, block and shared, not {}",
                                                       in_quotes(name.text)));
            set(name.text == "grid", sizes, where);
        }
    }

    /// "float[n*stride] random": of the parameter before the comment, or that is named first, or that is
    /// called "in", "out" or "index" as the comment begins.
    void read_array(const Directive& directive) {
        const std::vector<Token> tokens = read_tokens(directive.rest, directive.at);
        std::size_t at = 0;
        const Symbol* symbol = nullptr;
        for (const int parameter : bound_.kernel->parameters) {
            const Symbol& one = unit_.symbol(parameter);
            if (!one.type.pointer) continue;
            if (one.name == tokens[0].text) {
                symbol = &one;
                at = 1;
                break;
            }
            if (one.at.line == directive.at.line) symbol = &one;  // the last one before the comment
        }
        for (const int parameter : bound_.kernel->parameters) {
            const Symbol& one = unit_.symbol(parameter);
            if (symbol == nullptr && one.type.pointer && one.name == directive.word) symbol = &one;
        }
        if (symbol == nullptr) {
            result_.warnings.push_back(fmt::format(
                "line {}: this comment names no array of the kernel, so it says nothing: write it "
                "behind a parameter, or its name first",
                directive.at.line));
            return;
        }
        while (tokens[at].kind == TokenKind::name) ++at;  // the type stands in the parameter already
        Declared declared;
        if (tokens[at].text == "[") {
            ++at;
            const std::int64_t elements = number(take_expression(tokens, at));
            if (elements < 1 || elements > std::int64_t{1} << 40)
                throw SourceError(directive.at, fmt::format("an array of {} elements cannot be", elements));
            declared.bytes = elements * symbol->type.element_bytes();
            close(tokens, at, "]");
        }
        const std::string_view word = at < tokens.size() ? tokens[at].text : std::string_view();
        if (directive.word == "index") {
            const std::pair<std::string_view, Content> kContents[] = {{"sequential", Content::sequential},
                                                                      {"reversed", Content::reversed},
                                                                      {"permuted", Content::permuted},
                                                                      {"random", Content::random}};
            for (const auto& [name, content] : kContents)
                if (word == name) declared.content = content;
            if (declared.content == Content::unknown || declared.bytes == 0 ||
                !Type{symbol->type.scalar, symbol->type.lanes}.is_integer())
                throw SourceError(
                    directive.at,
                    "expected '// index int[n] permuted': sequential, reversed, permuted or random");
            if (declared.bytes / symbol->type.element_bytes() > 1 << 30)
                throw SourceError(directive.at, "an index array has at most 2^30 elements");
        }
        declared_[symbol] = declared;
    }

    /// Gives each array its place in its memory. Arrays of the launch lie 256 bytes aligned in one buffer.
    void place_memories(std::int64_t& shared, std::int64_t& local, std::int64_t& global) {
        const auto add = [&](std::size_t index, Memory memory) {
            bound_.memory_of[index] = int(bound_.memories.size());
            bound_.memories.push_back(std::move(memory));
        };
        const auto aligned = [](std::int64_t at, std::int64_t to) { return (at + to - 1) / to * to; };
        std::int64_t constant = 0;
        for (const int parameter : bound_.kernel->parameters) {
            const Symbol& symbol = unit_.symbol(parameter);
            if (!symbol.type.pointer) continue;
            Declared declared = declared_.contains(&symbol) ? declared_[&symbol] : Declared{};
            std::int64_t before = 0;
            if (const HostArgument* given = argument_of(parameter); given != nullptr && declared.bytes == 0) {
                declared.bytes = given->bytes;
                before = given->offset;
            }
            global = aligned(global, 256);
            add(static_cast<std::size_t>(parameter),
                {symbol.name, Storage::global, scalar_of(symbol.type), global + before,
                 declared.bytes - before, declared.content, symbol.read_only, before});
            // What nobody knows the size of may be pointed into its middle.
            if (declared.bytes == 0 && room_) bound_.memories.back().begin = global += kRoom;
            global += declared.bytes > 0 ? declared.bytes : kUnknownBytes;
            if (symbol.type.rows) global = place_rows(symbol, aligned(global, 256));
        }
        for (std::size_t i = 0; i < unit_.symbols.size(); ++i) {
            const Symbol& symbol = unit_.symbols[i];
            const std::int64_t bytes = symbol.type.elements() * symbol.type.element_bytes();
            if (symbol.storage == Storage::shared) {
                if (symbol.dynamic) continue;
                shared = aligned(shared, 16);
                add(i,
                    {symbol.name, Storage::shared, scalar_of(symbol.type), shared, bytes, Content::unknown});
                shared += bytes;
            } else if (symbol.storage == Storage::global && symbol.type.is_array()) {
                global = aligned(global, 256);
                add(i,
                    {symbol.name, Storage::global, scalar_of(symbol.type), global, bytes, Content::unknown});
                global += bytes > 0 ? bytes : kUnknownBytes;
            } else if (symbol.storage == Storage::constant) {
                constant = aligned(constant, 16);
                add(i, {symbol.name, Storage::constant, scalar_of(symbol.type), constant, bytes,
                        Content::unknown});
                constant += bytes;
            } else if (symbol.storage == Storage::local) {
                local = aligned(local, 16);
                add(i, {symbol.name, Storage::local, symbol.type.scalar, local, bytes, Content::unknown});
                local += bytes;
            }
        }
        shared = aligned(shared, 16);
        for (std::size_t i = 0; i < unit_.symbols.size();
             ++i) {  // all dynamic arrays begin at the same place
            const Symbol& symbol = unit_.symbols[i];
            if (!symbol.dynamic) continue;
            if (dynamic_bytes_ == 0) {
                dynamic_bytes_ = kAssumedShared;
                assumes_shared_ = true;

                result_.warnings.push_back(fmt::format(
                    "{} bytes of dynamic shared memory are assumed; say it with '// launch grid=... "
                    "block=... shared=4096'",
                    kAssumedShared));
            }
            add(i, {symbol.name, Storage::shared, scalar_of(symbol.type), shared,
                    assumes_shared_ ? 0 : dynamic_bytes_, Content::unknown});
        }
        shared += dynamic_bytes_;
        if (shared > 232'448)
            throw SourceError(
                bound_.kernel->at,
                fmt::format("a block has at most 227 KiB of shared memory, this is {}", shared));
        if (constant > 65'536) throw SourceError({}, "constant memory has 64 KiB");
    }

    /// The arrays to which the pointers of an array point: as long as the largest number that is given, one
    /// behind the other. @return  where the next array begins
    std::int64_t place_rows(const Symbol& symbol, std::int64_t begin) {
        std::int64_t longest = 0;
        for (const int parameter : bound_.kernel->parameters)
            if (unit_.symbol(parameter).type.is_integer())
                longest = std::max(longest, bound_.values[std::size_t(parameter)]);
        if (longest <= 0 || longest > 1 << 24) longest = 1024;
        constexpr std::int64_t kAlign = 256;  // of what cudaMalloc returns
        Type of = symbol.type;
        of.rows = false;
        const std::int64_t bytes = of.element_bytes();
        Memory& pointers = bound_.memories.back();
        pointers.rows = int(bound_.memories.size());
        pointers.pitch = (std::max<std::int64_t>(bytes * longest, 1) + kAlign - 1) / kAlign * kAlign;
        result_.warnings.push_back(
            fmt::format("the rows of {} are assumed to have {} bytes each, one behind the other",
                        in_quotes(symbol.name), pointers.pitch));
        bound_.memories.push_back({symbol.name + "[]", Storage::global, scalar_of(of), begin, 0,
                                   Content::unknown, symbol.read_only});
        return begin + kUnknownBytes;
    }

    static Scalar scalar_of(const Type& type) {
        if (type.rows) return Scalar::uint64;
        return type.scalar == Scalar::none ? Scalar::uint8 : type.scalar;
    }
    const HostArgument* argument_of(int parameter) const {
        const auto& parameters = bound_.kernel->parameters;
        const auto index = std::size_t(std::ranges::find(parameters, parameter) - parameters.begin());
        return host_ == nullptr || index >= host_->arguments.size() ||
                       host_->arguments.size() != parameters.size()
                   ? nullptr
                   : &host_->arguments[index];
    }

    struct Declared {
        std::int64_t bytes = 0;
        Content content = Content::unknown;
    };

    static constexpr int kMostBlocks = BoundLaunch::kMostBlocks;
    static constexpr std::int64_t kRoom = std::int64_t{1} << 39;
    static constexpr std::int64_t kUnknownBytes = std::int64_t{1} << 40;  ///< further than any index leads
    static constexpr std::int64_t kAssumedShared = 48 * 1024;
    Source& source_;
    const Unit& unit_;
    const HostLaunch* host_;
    Values values_;
    int attempt_;
    bool room_;
    BoundLaunch result_;
    Bound& bound_ = result_.bound;
    std::map<const Symbol*, Declared> declared_;
    std::int64_t dynamic_bytes_ = 0;
    bool assumes_shared_ = false;
};

}  // namespace

BoundLaunch bind_launch(Source& source, const Unit& unit, const HostLaunch* host, Values values, int attempt,
                        bool room) {
    return Binder(source, unit, host, std::move(values), attempt, room).bind();
}

void read_lets(Source& source, Values& values, std::map<std::string, std::size_t, std::less<>>& types) {
    for (const Directive& directive : source.directives) {
        if (directive.word != "let") continue;
        std::vector<Token> tokens = read_tokens(directive.rest, directive.at);
        if (tokens.size() < 3 || tokens[0].kind != TokenKind::name || tokens[1].text != "=") continue;
        const std::string name(tokens[0].text);
        std::vector<Token> said(tokens.begin() + 2, tokens.end());
        try {
            const std::int64_t value = evaluate(source, {}, said, values);
            values.emplace(name, value);
        } catch (const SourceError&) {
            types[name] = source.tokens.size();
            source.tokens.insert(source.tokens.end(), said.begin(), said.end());
        }
    }
}

}  // namespace warplens::typed
