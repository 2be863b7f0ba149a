#include "app/experiment/link.h"

#include <gtest/gtest.h>

namespace warplens::test::link_words_tests {

TEST(LinkWords, SayWhatALinkSets) {
    EXPECT_EQ(describe_link("transpose?variant=padded&tile=16"),
              "Sets Matrix transpose: Variant padded, Tile 16.");
    EXPECT_EQ(describe_link("transpose"), "Goes to Matrix transpose.");
    EXPECT_EQ(describe_link("global-stride?stride=8&op=load&board=traffic"),
              "Sets Stride and offset: Stride 8, Operation load. On the board Traffic.");
    EXPECT_EQ(describe_link("?board=occupancy"), "On the board Occupancy.");
    EXPECT_EQ(describe_link("?board=occupancy&occupancy.threads=64"),
              "Sets Threads per block 64. On the board Occupancy.");
    EXPECT_EQ(describe_link("transpose?instruction=2&scope=grid&axis=tile&device=RTX%204090&tab=why"),
              "Sets Matrix transpose: picture 3, numbers of the grid, plot against Tile, device RTX 4090.");
    EXPECT_EQ(describe_link("transpose?instruction=all&cold=1"),
              "Sets Matrix transpose: all pictures side by side, empty L2.");
}

TEST(LinkWords, SayThatAnAddressIsCopied) {
    EXPECT_EQ(describe_link("https://docs.nvidia.com/cuda/"),
              "Copies the address: https://docs.nvidia.com/cuda/");
    EXPECT_TRUE(leads_out("https://a.b"));
    EXPECT_FALSE(leads_out("transpose?variant=padded"));
}

TEST(LinkWords, TakeAnyText) {
    for (const char* link :
         {"", "?", "??", "&", "x?", "x?=", "?=", "nothing?a=b&c", "transpose?", "?board=nothing"})
        EXPECT_FALSE(describe_link(link).empty() && std::string(link).size() > 1) << link;
}

}  // namespace warplens::test::link_words_tests
