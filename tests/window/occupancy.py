"""Turn registers, click the curves, change the compute capability, take over a launch: what the board of occupancy shows
is what the command line says."""
import json
import subprocess
import sys

from driver import Failed, Window, run

program = sys.argv[1]
window = Window(program, ["transpose", "--cpu"])


def answer(shown, cc="9.0"):
    """What `warplens occupancy` says about what is set in the window."""
    knobs = {key.split(".")[1]: value for key, value in shown["boards"].items() if key.startswith("occupancy.")}
    command = [program, "occupancy", "--cc", cc, "--json", "--threads", str(knobs["threads"]),
               "--registers", str(knobs["registers"]), "--static", str(knobs["static"]), "--shared", str(knobs["dynamic"])]
    if knobs["threads"] == 0:  # nothing is set: the launch of the transpose
        command = [program, "occupancy", "--cc", cc, "--json", "--threads", "256", "--registers", "26",
                   "--shared", "4096"]
    if knobs["carveout"] >= 0:
        command += ["--carveout", str(knobs["carveout"])]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def expect_same(shown, cc="9.0"):
    told = answer(shown, cc)
    numbers = shown["board_numbers"]
    for name, wanted in (("blocks per SM", str(told["blocks"])),
                         ("warps per SM", "%d of %d" % (told["warps"], told["max_warps"]))):
        if numbers[name] != wanted:
            raise Failed("%s: the window shows %s, the command line says %s" % (name, numbers[name], wanted))


def registers(shown):
    return shown["boards"]["occupancy.registers"]


def open_the_board():
    window.show_board("occupancy")
    shown = window.wait_for("the board", lambda s: s["board"] == "occupancy" and s["board_numbers"])
    expect_same(shown)


def turn_registers():
    window.drag("knob.occupancy.registers", 0.12, 0.6)
    shown = window.wait_for("many registers", lambda s: registers(s) > 120)
    expect_same(shown)
    window.screenshot("occupancy-1-registers")


def click_the_curves():
    before = window.shown()["boards"]
    window.click("board.picture", 0.47, 0.75)  # the curve in the middle is that of registers
    shown = window.wait_for("registers from their curve", lambda s: registers(s) != before["occupancy.registers"])
    others = [key for key in before if key != "occupancy.registers" and shown["boards"][key] != before[key]]
    if others:
        raise Failed("a click on the curve of registers changed %s" % others)
    expect_same(shown)
    window.click("board.picture", 0.85, 0.75)  # and the one at the right that of shared memory
    shown = window.wait_for("bytes from their curve", lambda s: s["boards"]["occupancy.dynamic"] > 0)
    expect_same(shown)
    window.screenshot("occupancy-2-curve")


def change_the_capability():
    window.click("knob.occupancy.cc")
    window.click("knob.occupancy.cc.120")
    shown = window.wait_for("12.0", lambda s: s["boards"]["occupancy.cc"] == 120)
    expect_same(shown, "12.0")


def take_over_the_launch():
    window.click("occupancy.launch")
    shown = window.wait_for("the launch", lambda s: s["boards"]["occupancy.threads"] == 0)
    if shown["boards"]["occupancy.cc"] != 0:
        raise Failed("the GPU's own rules are not back: %s" % shown["boards"])
    expect_same(shown)


def steps():
    for step in (open_the_board, turn_registers, click_the_curves, change_the_capability, take_over_the_launch):
        print("step:", step.__name__.replace("_", " "), flush=True)
        step()


run(steps, window)
