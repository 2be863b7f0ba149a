#include "app/typed/bind.h"

#include "app/typed/parser.h"

#include <fmt/format.h>

#include <algorithm>
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

/// Fills in what a launch needs beside the tree.
class Binder {
public:
    Binder(const Source& source, const Unit& unit, Values values)
        : source_(source), unit_(unit), values_(std::move(values)) {
        bound_.unit = &unit;
        bound_.memory_of.assign(unit.symbols.size(), -1);
        bound_.values.assign(unit.symbols.size(), 0);
        bound_.has_value.assign(unit.symbols.size(), false);
    }

    BoundLaunch bind() {
        choose_kernel();
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
    std::int64_t number(std::vector<Token> tokens) const {
        return evaluate(source_, unit_, std::move(tokens), values_);
    }

    void choose_kernel() {
        for (const Function& function : unit_.functions)
            if (function.kernel && bound_.kernel == nullptr) bound_.kernel = &function;
        if (bound_.kernel == nullptr)
            throw SourceError({}, "there is no kernel: expected '__global__ void name(...)'");
    }

    /// "n = rows * columns"
    void read_let(const Directive& directive) {
        const std::vector<Token> tokens = read_tokens(directive.rest, directive.at);
        if (tokens.size() < 3 || tokens[0].kind != TokenKind::name || tokens[1].text != "=")
            throw SourceError(directive.at, "expected '// let n = rows * 32'");
        values_[std::string(tokens[0].text)] = number({tokens.begin() + 2, tokens.end()});
    }

    void bind_parameters() {
        for (const int parameter : bound_.kernel->parameters) {
            const std::size_t index = parameter;
            const Symbol& symbol = unit_.symbol(parameter);
            if (symbol.type.pointer || !symbol.type.is_integer()) continue;
            const auto value = values_.find(symbol.name);
            constexpr std::int64_t kAssumed = 1024;
            if (value == values_.end()) {
                result_.warnings.push_back(
                    fmt::format("{} = {} is assumed; say what it is with '// let {} = ...'", symbol.name,
                                kAssumed, symbol.name));
                values_[symbol.name] = kAssumed;
            }
            bound_.values[index] = wrap(values_[symbol.name], symbol.type.scalar);
            bound_.has_value[index] = true;
        }
    }

    void read_launch() {
        Launch& launch = bound_.launch;
        launch = {1024, 1, 256, 1, 1};
        const auto found =
            std::ranges::find(source_.directives, std::string_view("launch"), &Directive::word);
        if (found == source_.directives.end()) {
            if (const auto n = values_.find("n"); n != values_.end() && n->second > 0 && n->second <= 1 << 30)
                launch.grid_x = int((n->second + 255) / 256);
            result_.warnings.push_back(fmt::format(
                "{} blocks of 256 threads are assumed; say it with '// launch grid=... block=...'",
                launch.grid_x));
            return;
        }
        const std::vector<Token> tokens = read_tokens(found->rest, found->at);
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
                dynamic_bytes_ = sizes.front();
                if (dynamic_bytes_ < 0 || dynamic_bytes_ > 232'448)
                    throw SourceError(where, "shared memory of a block has at most 227 KiB");
                continue;
            }
            if (name.text != "grid" && name.text != "block")
                throw SourceError(name.at, fmt::format("a launch has grid, block and shared, not {}",
                                                       in_quotes(name.text)));
            const bool grid = name.text == "grid";
            const std::int64_t x = sizes[0], y = sizes.size() > 1 ? sizes[1] : 1,
                               z = sizes.size() > 2 ? sizes[2] : 1;
            if (grid && z != 1) throw SourceError(where, "not in the subset: a third dimension of grids");
            const std::int64_t most_x = grid ? 2'147'483'647 : 1024, most_y = grid ? 65'535 : 1024;
            if (x < 1 || y < 1 || z < 1 || x > most_x || y > most_y || z > 64 || sizes.size() > 3 ||
                (!grid && x * y * z > 1024))
                throw SourceError(
                    where, fmt::format("a {} of ({}) cannot be launched", name.text, fmt::join(sizes, ", ")));
            if (!grid) launch.block_z = int(z);
            (grid ? launch.grid_x : launch.block_x) = int(x);
            (grid ? launch.grid_y : launch.block_y) = int(y);
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
        if (symbol == nullptr)
            throw SourceError(directive.at,
                              "this says nothing about a parameter: write it behind one, or its name first");
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
            const Declared declared = declared_.contains(&symbol) ? declared_[&symbol] : Declared{};
            global = aligned(global, 256);
            add(static_cast<std::size_t>(parameter),
                {symbol.name, Storage::global, symbol.type.scalar, global, declared.bytes, declared.content});
            constexpr std::int64_t kUnknownBytes = std::int64_t{1}
                                                   << 40;  // further apart than any index leads
            global += declared.bytes > 0 ? declared.bytes : kUnknownBytes;
        }
        for (std::size_t i = 0; i < unit_.symbols.size(); ++i) {
            const Symbol& symbol = unit_.symbols[i];
            const std::int64_t bytes = symbol.type.elements() * symbol.type.element_bytes();
            if (symbol.storage == Storage::shared) {
                if (symbol.dynamic) continue;
                shared = aligned(shared, 16);
                add(i, {symbol.name, Storage::shared, symbol.type.scalar, shared, bytes, Content::unknown});
                shared += bytes;
            } else if (symbol.storage == Storage::constant) {
                constant = aligned(constant, 16);
                add(i,
                    {symbol.name, Storage::constant, symbol.type.scalar, constant, bytes, Content::unknown});
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
            if (dynamic_bytes_ == 0)
                throw SourceError(
                    symbol.at,
                    "say how large dynamic shared memory is: '// launch grid=... block=... shared=4096'");
            add(i,
                {symbol.name, Storage::shared, symbol.type.scalar, shared, dynamic_bytes_, Content::unknown});
        }
        shared += dynamic_bytes_;
        if (shared > 232'448)
            throw SourceError(
                bound_.kernel->at,
                fmt::format("a block has at most 227 KiB of shared memory, this is {}", shared));
        if (constant > 65'536) throw SourceError({}, "constant memory has 64 KiB");
    }

    struct Declared {
        std::int64_t bytes = 0;
        Content content = Content::unknown;
    };

    const Source& source_;
    const Unit& unit_;
    Values values_;
    BoundLaunch result_;
    Bound& bound_ = result_.bound;
    std::map<const Symbol*, Declared> declared_;
    std::int64_t dynamic_bytes_ = 0;
};

}  // namespace

BoundLaunch bind_launch(const Source& source, const Unit& unit, Values values) {
    return Binder(source, unit, std::move(values)).bind();
}

}  // namespace warplens::typed
