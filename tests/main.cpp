// What all test programs begin with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

/// Tests of a suite share what they compute, so a shard has whole suites, where GoogleTest would deal out
/// tests. WARPLENS_SHARD=INDEX/COUNT chooses them.
void choose_suites() {
    const char* shard = std::getenv("WARPLENS_SHARD");
    int index = 0, count = 1;
    if (GTEST_FLAG_GET(filter) != "*") return;  // one of a person, or of a death test
    if (shard == nullptr) return;
    if (std::sscanf(shard, "%d/%d", &index, &count) != 2 || index < 0 || index >= count) {
        std::fprintf(stderr, "WARPLENS_SHARD is '%s': expected INDEX/COUNT, INDEX from 0 to COUNT - 1\n",
                     shard);
        std::exit(2);
    }
    const testing::UnitTest& all = *testing::UnitTest::GetInstance();
    std::string filter;
    for (int i = index; i < all.total_test_suite_count(); i += count)
        filter += std::string(all.GetTestSuite(i)->name()) + ".*:";
    GTEST_FLAG_SET(filter, filter.empty() ? "no test" : filter);
}

}  // namespace

int main(int count, char** arguments) {
    testing::InitGoogleMock(&count, arguments);
    choose_suites();
    return RUN_ALL_TESTS();
}
