"""Export each format through the dialog, write over a file after being asked, copy, and open a figure again."""
import os
import shutil
import subprocess
import sys
import tempfile
import zlib

from driver import Failed, Window, run

program = sys.argv[1]
folder = tempfile.TemporaryDirectory(prefix="warplens-export-")
window = Window(program, ["shared-tile", "--set", "padding=1", "--cpu", "--no-recordings"])
again = None


def path(name):
    return os.path.join(folder.name, name)


def clipboard():
    """Of the first window, what another program gets; None: there is none here that can ask."""
    if not shutil.which("xclip"):
        return None
    return subprocess.run(["xclip", "-selection", "clipboard", "-o"], env=window.environment, capture_output=True,
                          check=True, timeout=20).stdout.decode()


def open_dialog():
    window.key("ctrl+e")
    window.wait_for("the dialog", lambda s: "exporting" in s)


def type_path(name):
    window.click("export.path")
    window.key("ctrl+a")
    window.xdotool("type", path(name))
    window.wait_for("the path", lambda s: s["exporting"]["path"] == path(name))


def exported(name):
    return "exported %s to %s" % (name, os.path.dirname(os.path.abspath(path(name))))


def export_each_format():
    window.wait_for("the first frame", lambda s: s["scenario"] == "shared-tile")
    window.move("export")
    signs = {"png": b"\x89PNG", "svg": b"<svg", "pdf": b"%PDF", "csv": b"part,series", "json": b'"schema"'}
    for ending, sign in signs.items():
        open_dialog()
        window.click("export.format." + ending)
        window.click("export.theme.light")
        window.click("export.scale.1") if ending == "png" else None
        type_path("tile." + ending)
        if ending == "png":
            window.screenshot("export-1-dialog")
        window.click("export.start")
        window.wait_for("the file", lambda s: "exporting" not in s and s["message"] == exported("tile." + ending))
        with open(path("tile." + ending), "rb") as file:
            if sign not in file.read():
                raise Failed("tile.%s is no %s" % (ending, ending))


def ask_before_writing_over():
    open_dialog()
    type_path("tile.svg")
    before = os.stat(path("tile.svg")).st_ino
    window.key("Return")
    window.wait_for("the question", lambda s: s["exporting"]["asks"])
    window.key("Escape")
    window.wait_for("no question", lambda s: not s["exporting"]["asks"])
    if os.stat(path("tile.svg")).st_ino != before:
        raise Failed("the file was written without an answer")
    window.key("Return")
    window.wait_for("the question again", lambda s: s["exporting"]["asks"])
    window.key("Return")
    window.wait_for("the end", lambda s: "exporting" not in s and s["message"] == exported("tile.svg"))
    if os.stat(path("tile.svg")).st_ino == before:
        raise Failed("the file was not written")


def say_what_is_wrong():
    open_dialog()
    type_path("no/such/folder/tile.svg")
    window.key("Return")
    shown = window.wait_for("a sentence", lambda s: s["exporting"]["problem"] != "")
    if "no/such/folder" not in shown["exporting"]["problem"]:
        raise Failed("shown: " + shown["exporting"]["problem"])
    window.screenshot("export-2-problem")
    window.key("Escape")
    window.wait_for("the dialog is closed", lambda s: "exporting" not in s)


def copy_by_keys():
    window.key("ctrl+c")
    window.wait_for("numbers", lambda s: s["message"].endswith("numbers as CSV"))
    text = clipboard()
    if text is not None and not text.startswith("part,series"):
        raise Failed("on the clipboard: " + text[:80])
    window.key("ctrl+shift+c")
    shown = window.wait_for("the command", lambda s: s["message"].startswith("copied: warplens export shared-tile"))
    text = clipboard()
    if text is not None and "copied: " + text != shown["message"]:
        raise Failed("on the clipboard: " + text)
    window.choose("menu", "copy", "copy.link")
    window.wait_for("the link", lambda s: s["message"].startswith("copied: shared-tile?padding=1"))


def open_the_figure_again():
    global again
    window.close()
    again = Window(program, [path("tile.svg"), "--cpu", "--no-recordings"], pixels=True)
    shown = again.wait_for("the figure's place", lambda s: s["scenario"] == "shared-tile")
    if shown["knobs"]["padding"] != "1" or shown["theme"] != "light":
        raise Failed("shown: padding %s, theme %s" % (shown["knobs"]["padding"], shown["theme"]))


def pixel_bytes(png):
    """The values that occur in the rows of a PNG, as it keeps them."""
    at, rows = 8, b""
    while at < len(png):
        length = int.from_bytes(png[at:at + 4], "big")
        rows += png[at + 8:at + 8 + length] if png[at + 4:at + 8] == b"IDAT" else b""
        at += length + 12
    return set(zlib.decompress(rows))


def copy_its_picture():
    if not shutil.which("xclip"):
        return
    again.choose("menu", "copy", "copy.picture")
    again.wait_for("the picture", lambda s: s["message"] == "copied the picture as PNG")
    picture = subprocess.run(["xclip", "-selection", "clipboard", "-t", "image/png", "-o"], env=again.environment,
                             capture_output=True, check=True, timeout=20).stdout
    if not picture.startswith(b"\x89PNG") or b"warplens export shared-tile" not in picture:
        raise Failed("another program gets %d bytes: %r" % (len(picture), picture[:20]))
    if len(pixel_bytes(picture)) < 20:
        raise Failed("nothing is drawn in the picture")


def steps():
    for step in (export_each_format, ask_before_writing_over, say_what_is_wrong, copy_by_keys,
                 open_the_figure_again, copy_its_picture):
        print("step:", step.__name__.replace("_", " "), flush=True)
        step()


try:
    run(steps, window)
finally:
    if again:
        again.close()
