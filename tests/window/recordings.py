"""Open recordings from the command line and from the menu, hide and show them, close them, open what is none."""
import json
import os
import sys
import tempfile

from driver import Failed, Window, run

folder = tempfile.TemporaryDirectory(prefix="warplens-recordings-")


def write_recording(name, gpu, cc, slower):
    """A recording of strided copies at stride 1 to 16."""
    path = os.path.join(folder.name, name)
    points = [[stride, 60 * slower + 11 * stride, 58 * slower + 11 * stride, 62 * slower + 11 * stride, 9] for stride in range(1, 17)]
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"schema": "warplens recording", "version": 1,
                   "gpu": {"name": gpu, "cc": cc, "sm_count": 100, "clock_mhz": 1500},
                   "sessions": [{"date": "2026-11-21T20:15:50Z"}],
                   "series": [{"scenario": "global-stride", "session": 0, "swept": ["stride"],
                               "same": {"useful_bytes": 268435456},
                               "columns": ["median_us", "lower_us", "upper_us", "repeats"], "points": points}]}, file)
    return path


first = write_recording("h200.json", "NVIDIA H200", "9.0", 1)
second = write_recording("a100.json", "NVIDIA A100-SXM4-80GB", "8.0", 2)
window = Window(sys.argv[1], ["global-stride", "--cpu", "--no-recordings", "--recording", first])


def open_from_the_command_line():
    shown = window.wait_for("16 recorded points", lambda s: s["recorded_points"] == 16)
    if "NVIDIA H200" not in shown["message"]:
        raise Failed("the status bar says: " + shown["message"])
    window.screenshot("recordings-1-one")


def open_from_the_menu():
    window.key("ctrl+o")
    window.click("recordings.path")
    window.xdotool("type", second)
    window.click("recordings.open")
    window.wait_for("32 recorded points", lambda s: s["recorded_points"] == 32)
    window.screenshot("recordings-2-two")


def hide_and_show():
    window.click("recordings.tick.h200.json", 0.05)
    window.wait_for("only the other GPU's points", lambda s: s["recorded_points"] == 16)
    window.click("recordings.tick.h200.json", 0.05)
    window.wait_for("both again", lambda s: s["recorded_points"] == 32)


def close_one():
    window.click("recordings.remove.a100.json")
    window.wait_for("one left", lambda s: s["recorded_points"] == 16)


def open_what_is_none():
    broken = os.path.join(folder.name, "broken.json")
    with open(first, encoding="utf-8") as whole, open(broken, "w", encoding="utf-8") as part:
        part.write(whole.read()[:200])
    window.click("recordings.path")
    window.xdotool("type", broken)
    window.click("recordings.open")
    shown = window.wait_for("a complaint", lambda s: "broken.json" in s["message"])
    if "it ends too early" not in shown["message"] or shown["recorded_points"] != 16:
        raise Failed("shown: %s, %d points" % (shown["message"], shown["recorded_points"]))
    window.screenshot("recordings-3-broken")


def steps():
    for step in (open_from_the_command_line, open_from_the_menu, hide_and_show, close_one, open_what_is_none):
        print("step:", step.__name__.replace("_", " "), flush=True)
        step()


run(steps, window)
