#include "app/typed/bind.h"

#include "app/typed/bind_parts.h"
#include "app/typed/parse/parser.h"

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
        const std::int64_t threads = bound_.launch.threads(), most = unit_.most_threads;
        if (most > 0 && threads > most && unit_.assumed_numbers.empty())
            throw SourceError(bound_.kernel->at,
                              fmt::format("__launch_bounds__({}) is broken by a block of {} threads, so the "
                                          "launch fails: make the block smaller or the bound larger",
                                          most, threads));
        check_clusters();
        for (const Directive& directive : source_.directives)
            if (directive.word == "in" || directive.word == "out" || directive.word == "inout" ||
                directive.word == "index")
                read_array(directive);
        place_memories(result_, host_, declared_, dynamic_bytes_, room_);
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

    void bind_parameters() {
        for (const int parameter : bound_.kernel->parameters) {
            const std::size_t index = parameter;
            const Symbol& symbol = unit_.symbol(parameter);
            if (symbol.type.pointer || !symbol.type.is_integer()) continue;
            const HostArgument* given = argument_of(host_, unit_, *bound_.kernel, parameter);
            if (!values_.contains(symbol.name)) {
                if (given != nullptr && given->value) {
                    values_[symbol.name] = *given->value;
                } else {
                    values_[symbol.name] = assumed_number(bound_, symbol, attempt_);
                    result_.assumed.emplace_back(symbol.name, values_[symbol.name]);
                }
            }
            bound_.values[index] = wrap(values_[symbol.name], symbol.type.scalar);
            bound_.has_value[index] = true;
        }
    }

    /// Takes what the host code asks for. What it may not ask for at all is only left out, and said.
    /// @return  whether it is known
    bool set_as_host(bool grid, const std::optional<std::array<std::int64_t, 3>>& sizes) {
        if (!sizes) return false;
        try {
            set_size(bound_.launch, grid, {sizes->begin(), sizes->end()}, host_->at);
        } catch (const SourceError& error) {
            if (!host_->guessed) throw;
            result_.warnings.emplace_back(error.what());
            return false;
        }
        return true;
    }

    /// CUDA C++ Programming Guide, "Thread Block Clusters": 8 blocks everywhere, 16 for who asks for them.
    void check_clusters() const {
        const auto& [x, y, z] = unit_.cluster;
        if (!unit_.assumed_numbers.empty()) return;
        constexpr std::string_view kLarge = "cudaFuncAttributeNonPortableClusterSizeAllowed";
        const std::int64_t most =
            std::ranges::find(source_.tokens, kLarge, &Token::text) != source_.tokens.end() ? 16 : 8;
        const std::string cluster = fmt::format("a cluster of ({}, {}, {}) blocks", x, y, z);
        if (std::min({x, y, z}) < 1 || std::max({x, y, z}) > most || x * y * z > most)
            throw SourceError(
                bound_.kernel->at,
                fmt::format("{} cannot be launched: it has 1 to 8, or 16 where cudaFuncSetAttribute sets {}",
                            cluster, kLarge));
        const Launch& launch = bound_.launch;
        if (launch.grid_x % x + launch.grid_y % y + launch.grid_z % z > 0)
            throw SourceError(
                bound_.kernel->at,
                fmt::format(
                    "{} does not divide the grid of ({}, {}, {}), so the launch fails: make the grid a multiple of it",
                    cluster, launch.grid_x, launch.grid_y, launch.grid_z));
    }

    void read_launch() {
        const auto found =
            std::ranges::find(source_.directives, std::string_view("launch"), &Directive::word);
        bool has_grid = false, has_block = false;
        if (host_ != nullptr && found == source_.directives.end()) {
            has_block = set_as_host(false, host_->block);
            has_grid = set_as_host(true, host_->grid);
            dynamic_bytes_ = host_->shared;
            if (dynamic_bytes_.value_or(0) < 0 || dynamic_bytes_.value_or(0) > 232'448)
                throw SourceError(host_->at, "shared memory of a block has at most 227 KiB");
        }
        if (found != source_.directives.end()) {
            bound_.launch.grid_x = 1024;
            bound_.launch.block_x = 256;
            return read_directive(*found);
        }
        if (has_grid || has_block)
            result_.warnings.push_back(fmt::format(
                "launched as in line {}{}", host_->at.line,
                host_->guessed
                    ? ": of ifs that the text does not decide both ways are followed, of loops the first round"
                    : ""));
        if (has_grid && has_block) return;
        result_.assumes_launch = true;
        assume_launch(result_, has_grid, has_block, attempt_);
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
                if (sizes[0] < 0 || sizes[0] > 232'448)
                    throw SourceError(where, "shared memory of a block has at most 227 KiB");
                continue;
            }
            if (name.text != "grid" && name.text != "block")
                throw SourceError(name.at, fmt::format("a launch has grid, block and shared, not {}",
                                                       in_quotes(name.text)));
            set_size(bound_.launch, name.text == "grid", sizes, where);
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
        DeclaredArray declared;
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

    Source& source_;
    const Unit& unit_;
    const HostLaunch* host_;
    Values values_;
    int attempt_;
    bool room_;
    BoundLaunch result_;
    Bound& bound_ = result_.bound;
    DeclaredArrays declared_;
    std::optional<std::int64_t> dynamic_bytes_;  ///< if something says it
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
