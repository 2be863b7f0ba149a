#include "app/window/frame.h"

#include <gtest/gtest.h>

namespace warplens::test::messages_tests {

TEST(Messages, TheLastFiftyAreKept) {
    Messages messages;
    EXPECT_EQ(messages.last().text, "");
    for (int i = 0; i < 60; ++i) messages.add(Message::Severity::info, "m" + std::to_string(i), "12:00:00");
    EXPECT_EQ(messages.all().size(), Messages::kMost);
    EXPECT_EQ(messages.all().front().text, "m10");
    EXPECT_EQ(messages.last().text, "m59");
}

TEST(Messages, TheSameAgainIsCountedAndNothingIsNotAMessage) {
    Messages messages;
    messages.add(Message::Severity::error, "the disk is full", "12:00:00");
    messages.add(Message::Severity::error, "the disk is full", "12:00:20");
    messages.add(Message::Severity::info, "", "12:00:21");
    ASSERT_EQ(messages.all().size(), 1u);
    EXPECT_EQ(messages.last().repeats, 2);
    EXPECT_EQ(messages.last().time, "12:00:20");
    messages.add(Message::Severity::info, "the disk is full", "12:00:30");
    EXPECT_EQ(messages.all().size(), 2u) << "another severity is another message";
}

TEST(Messages, TheTimeOfDayHasSixDigits) {
    const std::string time = time_of_day();
    ASSERT_EQ(time.size(), 8u) << time;
    EXPECT_EQ(time[2], ':');
    EXPECT_EQ(time[5], ':');
}

}  // namespace warplens::test::messages_tests
