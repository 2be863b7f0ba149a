#include "app/learn/quiz.h"

namespace warplens {
namespace {

using Values = std::string_view[];

constexpr Values kStrides = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "10", "12", "16", "24", "32"};
constexpr Values kOffsets = {"0", "0", "0", "1", "2", "4", "8", "16"};
constexpr Values kWidths = {"1", "2", "4", "4", "8", "16"};
constexpr Values kWideWidths = {"4", "4", "8", "16"};
constexpr Values kOneWay = {"load", "store"};
constexpr Values kHalfMasks = {"all", "all", "0xffff", "0xff", "0x55555555", "0xf0f0f0f0"};

constexpr QuizTurn kGlobalStride[] = {
    {"stride", kStrides}, {"offset", kOffsets}, {"element", kWidths}, {"op", kOneWay}, {"mask", kHalfMasks}};

constexpr Values kWalks = {"rows", "columns"};
constexpr Values kBlockX = {"4", "8", "16", "32", "32"};
constexpr Values kBlockY = {"8", "16", "32"};
constexpr Values kMatrixWidths = {"64", "100", "1000", "4096"};
constexpr Values kMatrixElements = {"4", "4", "8", "16"};
constexpr QuizTurn kGlobalMatrix[] = {{"walk", kWalks},
                                      {"block_x", kBlockX},
                                      {"block_y", kBlockY},
                                      {"width", kMatrixWidths},
                                      {"element", kMatrixElements}};

constexpr Values kLayouts = {"structures", "structures", "arrays"};
constexpr Values kFields = {"1", "2", "3", "4", "5", "6", "8", "12", "16"};
constexpr Values kPacks = {"4", "4", "8", "16"};
constexpr QuizTurn kGlobalStruct[] = {{"layout", kLayouts}, {"fields", kFields}, {"pack", kPacks}};

constexpr Values kBankStrides = {"0", "1", "2", "3", "4", "5", "6", "8", "12", "16", "31", "32", "33", "48"};
constexpr QuizTurn kSharedStride[] = {
    {"stride", kBankStrides}, {"element", kWideWidths}, {"op", kOneWay}, {"mask", kHalfMasks}};

constexpr Values kDistinct = {"1", "2", "3", "4", "6", "8", "12", "16", "24", "32"};
constexpr Values kApart = {"1", "2", "4", "8", "16", "32", "33"};
constexpr Values kPatterns = {"neighbours", "interleaved"};
constexpr QuizTurn kSharedBroadcast[] = {{"words", kDistinct}, {"stride", kApart}, {"pattern", kPatterns}};

constexpr Values kTileWidths = {"16", "32", "32", "64"};
constexpr Values kPaddings = {"0", "0", "1", "1", "2", "4", "8"};
constexpr Values kTileWalks = {"row", "column", "column", "diagonal"};
constexpr Values kTileBlockX = {"16", "32", "32"};
constexpr Values kTileElements = {"4", "4", "8"};
constexpr QuizTurn kSharedTile[] = {{"width", kTileWidths},
                                    {"padding", kPaddings},
                                    {"walk", kTileWalks},
                                    {"block_x", kTileBlockX},
                                    {"element", kTileElements}};

constexpr Values kTrees = {"interleaved", "interleaved", "divergent", "sequential"};
constexpr Values kHalvings = {"0", "1", "2", "3", "4"};
constexpr QuizTurn kReduction[] = {{"variant", kTrees}, {"step", kHalvings}};

constexpr Values kMatrixRows = {"8", "16", "32", "64", "128"};
constexpr Values kChunks = {"0", "0", "1", "2"};
constexpr Values kMatrices = {"1", "2", "4"};
constexpr QuizTurn kMatrixLoad[] = {{"width", kMatrixRows}, {"padding", kChunks}, {"matrices", kMatrices}};

constexpr Values kTransposes = {"naive", "tile", "padded", "swizzled"};
constexpr Values kTiles = {"8", "16", "32", "32"};
constexpr Values kTilePads = {"1", "1", "2"};
constexpr QuizTurn kTranspose[] = {
    {"variant", kTransposes}, {"tile", kTiles}, {"padding", kTilePads, "variant=padded"}};

constexpr QuizTurn kConstantLookup[] = {{"words", kDistinct}, {"pattern", kPatterns}, {"mask", kHalfMasks}};

constexpr Values kTexelWalks = {"row", "column", "block-8x4", "block-4x8", "z-order"};
constexpr Values kTexelOffsets = {"0", "0", "1", "2"};
constexpr QuizTurn kTexture[] = {{"walk", kTexelWalks}, {"offset", kTexelOffsets}};

constexpr Values kIndices = {"uniform", "different", "different"};
constexpr Values kArrayWords = {"8", "16", "32", "64"};
constexpr Values kArrayStrides = {"1", "2", "4", "8", "16", "32"};
constexpr QuizTurn kLocalArray[] = {
    {"index", kIndices}, {"words", kArrayWords}, {"stride", kArrayStrides, "index=different"}};

constexpr Values kProducts = {"naive", "naive-uncoalesced", "tiled", "tiled-transposed"};
constexpr QuizTurn kMultiply[] = {{"variant", kProducts}, {"tile", kTiles}};

// How each access is told: i is the lane, {name} the value of that knob.

constexpr std::string_view kBlock =
    "A block has {block_x} x {block_y} threads: x = i % {block_x}, y = i / {block_x}.";
constexpr std::string_view kTileBlock =
    "A block has {tile} x {block_rows} threads: x = i % {tile}, y = i / {tile}.";
constexpr std::string_view kSquareBlock =
    "A block has {tile} x {tile} threads: x = i % {tile}, y = i / {tile}.";

constexpr QuizTell kTellGlobalStride[] = {{"op=load", "", "", "in[{offset} + i * {stride}]"},
                                          {"op=store", "", "", "out[{offset} + i * {stride}]"}};
constexpr QuizTell kTellSharedStride[] = {{"", "", "", "tile[{offset} + i * {stride}]"}};
constexpr QuizTell kTellMatrix[] = {{"walk=rows", "", kBlock, "m[y * {width} + x]"},
                                    {"walk=columns", "", kBlock, "m[x * {width} + y]"}};
constexpr QuizTell kTellTile[] = {
    {"walk=row", "", kBlock, "tile[y * ({width} + {padding}) + x]"},
    {"walk=column", "", kBlock, "tile[x * ({width} + {padding}) + y]"},
    {"walk=diagonal", "", kBlock, "tile[x * ({width} + {padding}) + (x + y) % {width}]"}};
constexpr QuizTell kTellStruct[] = {
    {"layout=structures", "",
     "Records of {fields} x 4 bytes are padded to r = ({fields} * 4 + {pack} - 1) / {pack} packs of {pack} bytes.",
     "in[i * r]"},
    {"layout=arrays", "", "The first pack of every record lies in one array.", "in[i]"}};
constexpr QuizTell kTellBroadcast[] = {
    {"pattern=neighbours", "", "k = i * {words} / 32.", "tile[k * {stride}]"},
    {"pattern=interleaved", "", "k = i % {words}.", "tile[k * {stride}]"}};
constexpr QuizTell kTellTranspose[] = {
    {"", "load in, by rows", kTileBlock, "in[y * {matrix} + x]"},
    {"", "store out, by columns", kTileBlock, "out[x * {matrix} + y]"},
    {"", "store out, by rows", kTileBlock, "out[y * {matrix} + x]"},
    {"variant=swizzled", "store tile, by rows", kTileBlock, "tile[y * {tile} + (x ^ y)]"},
    {"variant=swizzled", "load tile, by columns", kTileBlock, "tile[x * {tile} + (y ^ x)]"},
    {"variant=padded", "store tile, by rows", kTileBlock, "tile[y * ({tile} + {padding}) + x]"},
    {"variant=padded", "load tile, by columns", kTileBlock, "tile[x * ({tile} + {padding}) + y]"},
    {"", "store tile, by rows", kTileBlock, "tile[y * {tile} + x]"},
    {"", "load tile, by columns", kTileBlock, "tile[x * {tile} + y]"}};
constexpr QuizTell kTellConstant[] = {{"pattern=neighbours", "", "", "table[i * {words} / 32]"},
                                      {"pattern=interleaved", "", "", "table[i % {words}]"}};
constexpr QuizTell kTellTexture[] = {
    {"walk=row", "", "", "texel(i + {offset}, {offset})"},
    {"walk=column", "", "", "texel({offset}, i + {offset})"},
    {"walk=block-8x4", "", "", "texel(i % 8 + {offset}, i / 8 + {offset})"},
    {"walk=block-4x8", "", "", "texel(i % 4 + {offset}, i / 4 + {offset})"},
    {"walk=z-order", "", "x = i % 2 + i / 4 % 2 * 2 + i / 16 * 4, y = i / 2 % 2 + i / 8 % 2 * 2.",
     "texel(x + {offset}, y + {offset})"}};
constexpr QuizTell kTellLocal[] = {{"index=uniform", "", "", "a[0]"},
                                   {"index=different", "", "", "a[i * {stride} % {words}]"}};
constexpr std::string_view kRising = "Step {step} of a block of {block} threads: s = 1 << {step}.";
constexpr std::string_view kFalling =
    "Step {step} of a block of {block} threads: s = {block} >> ({step} + 1).";
constexpr QuizTell kTellReduction[] = {{"variant=interleaved", "load other", kRising, "tile[2 * s * i + s]"},
                                       {"variant=interleaved", "load own", kRising, "tile[2 * s * i]"},
                                       {"variant=interleaved", "store sum", kRising, "tile[2 * s * i]"},
                                       {"variant=divergent", "load other", kRising, "tile[i + s]"},
                                       {"variant=sequential", "load other", kFalling, "tile[i + s]"}};
constexpr std::string_view kChunkRows = "Chunks of 16 bytes: a row has r = {width} / 8 + {padding} of them.";
constexpr QuizTell kTellMatrixLoad[] = {{"matrices=4,width=8", "", kChunkRows, "tile[i * r]"},
                                        {"matrices=4", "", kChunkRows, "tile[i % 16 * r + i / 16]"},
                                        {"", "", kChunkRows, "tile[i * r]"}};
constexpr QuizTell kTellMultiply[] = {
    {"variant=naive", "load A", kSquareBlock, "A[y * {matrix} + 0]"},
    {"variant=naive", "load B", kSquareBlock, "B[0 * {matrix} + x]"},
    {"variant=naive-uncoalesced", "load A", kSquareBlock, "A[x * {matrix} + 0]"},
    {"variant=naive-uncoalesced", "load B", kSquareBlock, "B[0 * {matrix} + y]"},
    {"variant=naive-uncoalesced", "store C", kSquareBlock, "C[x * {matrix} + y]"},
    {"", "load A", kSquareBlock, "A[y * {matrix} + x]"},
    {"", "load B", kSquareBlock, "B[y * {matrix} + x]"},
    {"", "store C", kSquareBlock, "C[y * {matrix} + x]"},
    {"", "store tile A", kSquareBlock, "As[y * {tile} + x]"},
    {"", "store tile A, by columns", kSquareBlock, "As[x * {tile} + y]"},
    {"", "store tile B", kSquareBlock, "Bs[y * {tile} + x]"},
    {"variant=tiled-transposed", "load tile A", kSquareBlock, "As[0 * {tile} + y]"},
    {"", "load tile B", kSquareBlock, "Bs[0 * {tile} + x]"}};

constexpr QuizSource kSources[] = {
    {"global-stride", Space::global, kGlobalStride, kTellGlobalStride, "stride"},
    {"shared-stride", Space::shared, kSharedStride, kTellSharedStride, "stride"},
    {"global-matrix", Space::global, kGlobalMatrix, kTellMatrix, "walk,block_x"},
    {"shared-tile", Space::shared, kSharedTile, kTellTile, "padding,walk"},
    {"global-struct", Space::global, kGlobalStruct, kTellStruct, "layout,fields"},
    {"shared-broadcast", Space::shared, kSharedBroadcast, kTellBroadcast, "words,stride"},
    {"transpose", Space::shared, kTranspose, kTellTranspose},
    {"transpose", Space::global, kTranspose, kTellTranspose, "variant,tile"},
    {"constant-lookup", Space::constant, kConstantLookup, kTellConstant, "words"},
    {"texture-walk", Space::texture, kTexture, kTellTexture},
    {"local-array", Space::local, kLocalArray, kTellLocal, "stride"},
    {"shared-reduction", Space::shared, kReduction, kTellReduction, "variant"},
    {"shared-matrix-load", Space::shared, kMatrixLoad, kTellMatrixLoad},
    {"matrix-multiply", Space::global, kMultiply, kTellMultiply, "variant,tile"},
    {"matrix-multiply", Space::shared, kMultiply, kTellMultiply},
};

}  // namespace

std::span<const QuizSource> quiz_sources() { return kSources; }

}  // namespace warplens
