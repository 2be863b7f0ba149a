"""Says what runs of ctest came to: failed tests and what they printed, how many of each kind passed, why some were skipped.

usage: summary.py BUILD_FOLDER...   (expects the report of ctest --output-junit as BUILD_FOLDER/reports/ctest.xml)

A test of ctest is a script, or a shard of a program's tests: for that, reports/<label>-<shard>.xml of GoogleTest counts.
What the compiler warned of is a failure; app/cmake/compile.sh keeps it.
"""
import collections
import glob
import os
import re
import sys
import xml.etree.ElementTree as ElementTree


class Sum:
    def __init__(self):
        self.passed, self.failed, self.skipped, self.reasons = 0, [], 0, collections.Counter()

    def skip(self, reason):
        self.skipped += 1
        self.reasons[reason.strip() or "no reason given"] += 1


def indented(text, last=40):
    return "\n".join("    " + line for line in text.splitlines()[-last:])


def add_shard(total, report):
    """The tests of a shard whose program came to its end."""
    for case in ElementTree.parse(report).iter("testcase"):
        name = "%s.%s" % (case.get("classname"), case.get("name"))
        failures = [failure.text or failure.get("message") for failure in case.iter("failure")]
        skipped = case.find("skipped")
        if failures:
            total.failed.append("failed: %s\n%s" % (name, indented("\n".join(failures))))
        elif skipped is not None:  # "file:line", then the reason
            total.skip((skipped.get("message") or "").split("\n", 1)[-1])
        else:
            total.passed += case.get("status") == "run"


def add(total, test, reports):
    name, printed = test.get("name"), test.findtext("system-out") or ""
    report = os.path.join(reports, name.replace("/", "-") + ".xml")
    failed_before = len(total.failed)
    if os.path.exists(report):
        add_shard(total, report)
    elif test.get("status") == "run":
        total.passed += 1
    elif test.find("skipped") is not None:
        total.skip(next((line[9:] for line in printed.splitlines() if line.startswith("skipped: ")), ""))
    if test.get("status") == "fail" and len(total.failed) == failed_before:
        begun = re.findall(r"^\[ RUN +\] (.+)$", printed, re.MULTILINE)
        if begun and not os.path.exists(report):  # the program ended in the middle of a test
            name = "%s ended; tests after it in %s did not run" % (begun[-1], name)
        total.failed.append("failed: %s\n%s" % (name, indented(printed)))


def read(build):
    """The sums of one build by kind of test."""
    totals, reports = collections.defaultdict(Sum), os.path.join(build, "reports")
    for path in glob.glob(os.path.join(build, "**", "*.warnings"), recursive=True):
        if os.path.exists(path.removesuffix(".warnings")):
            with open(path, encoding="utf-8", errors="replace") as file:
                totals["warnings"].failed.append("failed: compiled without a warning\n%s" % indented(file.read()))
    try:
        for test in ElementTree.parse(os.path.join(reports, "ctest.xml")).iter("testcase"):
            add(totals[test.get("name").split("/")[0]], test, reports)  # "cpu/3", "window/export"
    except FileNotFoundError:
        totals["tests"].failed.append("failed: %s was built, and its tests ran" % build)
    return totals


def main():
    passed = failed = skipped = 0
    for build in sys.argv[1:]:
        totals = read(build)
        for total in totals.values():
            print(*total.failed, sep="\n", end="\n" if total.failed else "")
        print("in %s" % build)
        for kind, total in totals.items():
            print("%-10s %d passed, %d failed, %d skipped" % (kind, total.passed, len(total.failed), total.skipped))
            for reason, count in total.reasons.items():
                print("           %d skipped: %s" % (count, reason))
            passed, failed, skipped = passed + total.passed, failed + len(total.failed), skipped + total.skipped
    print("%d passed, %d failed, %d skipped" % (passed, failed, skipped))
    return failed > 0 or passed == 0


if __name__ == "__main__":
    sys.exit(main())
