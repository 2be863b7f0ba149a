#pragma once

#include "app/typed/program.h"

#include <string>
#include <vector>

namespace warplens::typed {

/// The task of a kernel's text beside the kernel's own work.
enum class TextKind {
    plain,    ///< nothing: for times, and for what a compiler makes of it
    counted,  ///< each access is made as it is written, neither merged nor dropped: for hardware counters
    traced,   ///< likewise, and threads of some blocks note their accesses
};

/// A kernel as CUDA C++ for NVRTC.
struct CudaText {
    std::string text;
    std::string name;  ///< of the kernel, with the arguments of its template
    /// The elements of the text that are noted, by the number that a traced kernel notes; see
    /// TypedAccess::site.
    std::vector<const Expr*> sites;
};

/// Holds what a launch needs of its text, as the preprocessor leaves it: no directive, include or assembler
/// of it gets through. Numbers that stand for something else here (knobs, assumed ones) are written as they
/// are.
///
/// A traced text has three variables: `warplens_rows` (a pointer to 64-bit words), `warplens_first` and
/// `warplens_count` (64 bits: the blocks that are noted, x fastest), `warplens_kept` (32 bits: accesses of
/// each thread). Each thread of these blocks has a row of 1 + 2 warplens_kept words: how many accesses it
/// made, then of each what it was (its site, and 2^32 for a store) and its address, from the begin of its
/// space. Errors: SourceError for what cannot be launched, or not followed: copies of whole structs are of no
/// one size.
CudaText cuda_text(const TypedLaunch& launch, TextKind kind);

}  // namespace warplens::typed
