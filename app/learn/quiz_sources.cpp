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
constexpr Values kColumns = {"64", "100", "1000", "4096"};
constexpr Values kMatrixElements = {"4", "4", "8", "16"};
constexpr QuizTurn kGlobalMatrix[] = {{"walk", kWalks},
                                      {"block_x", kBlockX},
                                      {"block_y", kBlockY},
                                      {"width", kColumns},
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

constexpr QuizSource kSources[] = {
    {"global-stride", Space::global, kGlobalStride, true},
    {"shared-stride", Space::shared, kSharedStride, true},
    {"global-matrix", Space::global, kGlobalMatrix, true},
    {"shared-tile", Space::shared, kSharedTile, true},
    {"global-struct", Space::global, kGlobalStruct},
    {"shared-broadcast", Space::shared, kSharedBroadcast, true},
    {"transpose", Space::shared, kTranspose},
    {"transpose", Space::global, kTranspose, true},
    {"constant-lookup", Space::constant, kConstantLookup},
    {"texture-walk", Space::texture, kTexture},
    {"local-array", Space::local, kLocalArray},
    {"shared-reduction", Space::shared, kReduction},
    {"shared-matrix-load", Space::shared, kMatrixLoad},
    {"matrix-multiply", Space::global, kMultiply},
    {"matrix-multiply", Space::shared, kMultiply},
};

}  // namespace

std::span<const QuizSource> quiz_sources() { return kSources; }

}  // namespace warplens
