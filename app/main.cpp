#include "app/base/errors.h"
#include "app/base/output.h"
#include "app/cli/run.h"

#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

namespace {

/// One sentence on one line, whatever it was.
int complain(const char* sentence, warplens::ExitCode code) {
    std::fprintf(stderr, "warplens: %s\n",
                 warplens::printable(sentence, warplens::kMostMessageBytes).c_str());
    return int(code);
}

/// Before the first object of the program is made, because that may fail as well.
[[gnu::constructor(101)]] void guard() { warplens::guard_process(); }

}  // namespace

int main(int argc, char** argv) {
    using warplens::ExitCode;
    try {
        std::ios::sync_with_stdio(false);
        return warplens::run_command_line(std::vector<std::string>(argv + (argc > 0), argv + argc), std::cin,
                                          std::cout);
    } catch (const warplens::Error& error) {
        return complain(error.what(), error.code());
    } catch (const std::bad_alloc&) {
        return complain(warplens::kNoMemory, ExitCode::failed);
    } catch (const std::exception& error) {
        return complain(error.what(), ExitCode::failed);
    }
}
