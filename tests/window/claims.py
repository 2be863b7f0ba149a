"""Filter the worked numbers, open one, let it show its place; click a row of the table of spaces."""
import json
import subprocess
import sys

from driver import Failed, Window, run

program = sys.argv[1]
claims = json.loads(subprocess.run([program, "worked", "--json"], check=True, capture_output=True).stdout)
window = Window(program, ["?board=claims", "--cpu"])


def rows(shown):
    return {name[len("claims.row."):] for name in shown["items"] if name.startswith("claims.row.")}


def all_numbers():
    shown = window.wait_for("the list", lambda s: s["board"] == "claims" and "claims.filter.all" in s["items"])
    if rows(shown) != {claim["id"] for claim in claims}:
        raise Failed("the window lists %d numbers, the command line %d" % (len(rows(shown)), len(claims)))
    window.screenshot("claims-1-all")


def filter_and_open():
    window.click("claims.filter.corrected")
    window.click("claims.search")
    window.xdotool("type", "stride naive product")
    # Only what is listed stays under the mouse: the first row that is left must be this one.
    window.click("claims.row.naive-a")
    window.wait_for("the opened row", lambda s: "claims.show.naive-a" in s["items"])
    window.screenshot("claims-2-open")


def follow():
    window.click("claims.show.naive-a")
    shown = window.wait_for("its scenario", lambda s: s["scenario"] == "matrix-multiply" and s["board"] == "access")
    if shown["claim"] != "naive-a" or shown["knobs"]["variant"] != "naive":
        raise Failed("the place of another number: %s" % shown["claim"])
    computed = next(claim for claim in claims if claim["id"] == "naive-a")["computed"]
    if shown["numbers"]["sectors"] != str(computed):
        raise Failed("the window shows %s sectors, the list says %s" % (shown["numbers"]["sectors"], computed))
    window.screenshot("claims-3-place")


def a_knob_ends_it():
    window.click("knobs.more")
    window.drag("knob.warp", 0.02, 0.5)
    window.wait_for("the number is no longer shown", lambda s: s["claim"] == "")


def a_space_leads_to_its_scenario():
    window.show_board("spaces")
    window.wait_for("the table of spaces", lambda s: s["board"] == "spaces")
    window.screenshot("claims-4-spaces")
    window.click("board.picture", 0.1, 0.22)
    window.wait_for("shared memory", lambda s: s["board"] == "access" and s["scenario"] == "shared-stride")


def steps():
    for step in (all_numbers, filter_and_open, follow, a_knob_ends_it, a_space_leads_to_its_scenario):
        print("step:", step.__name__.replace("_", " "), flush=True)
        step()


run(steps, window)
