"""Start Warplens in a virtual screen and use it as a person does: find controls by name, move a real mouse, type keys.

The program writes what it shows, and where, to a file (WARPLENS_UI_TRACE); steps wait for a state, never for a time.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time


class Failed(Exception):
    pass


class Window:
    def __init__(self, program, arguments, size=(1280, 800), state_home=None, first_start=False, pixels=False):
        """first_start: nothing was kept yet, and the window begins with the start page.
        pixels: whether they are drawn, because something looks at them; software takes long to do so."""
        self.folder = tempfile.TemporaryDirectory(prefix="warplens-window-")
        self.trace_path = os.path.join(self.folder.name, "ui.json")
        self.screen, self.display = self._start_screen(size)
        environment = dict(os.environ, DISPLAY=self.display, WARPLENS_UI_TRACE=self.trace_path,
                           XDG_STATE_HOME=state_home or self.folder.name)
        environment.pop("WAYLAND_DISPLAY", None)
        if not pixels and not os.environ.get("WARPLENS_SCREENSHOTS"):
            environment["GALLIUM_NOOP"] = "1"  # Mesa's drivers then draw nothing
            # The thread that Mesa 22.3 draws with crashes over such a driver, though not in every build of ours.
            environment["GALLIUM_THREAD"] = "0"
        if not first_start:
            self._keep_something(state_home or self.folder.name)
        self.process = subprocess.Popen([program, *arguments, "--size", "%dx%d" % size], env=environment)
        self.environment = environment

    @staticmethod
    def _keep_something(state_home):
        """What an earlier run leaves behind, so that nobody is shown round."""
        path = os.path.join(state_home, "warplens", "state.json")
        if os.path.exists(path):
            return
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"format": "warplens state", "version": 1}, file)

    def _start_screen(self, size):
        """A screen of its own for each window. It names its number when it can be reached."""
        read_end, write_end = os.pipe()
        screen = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write_end), "-screen", "0", "%dx%dx24" % size, "+extension", "GLX", "-noreset",
             "-r"],
            pass_fds=[write_end], stderr=subprocess.DEVNULL)
        os.close(write_end)
        # To the end of the line: the screen writes it apart from the number, and gives up when nobody reads it.
        with os.fdopen(read_end) as numbers:
            number = numbers.readline().strip()
        if not number:
            raise Failed("Xvfb did not start")
        return screen, ":" + number

    def close(self):
        for process in (self.process, self.screen):
            if process.poll() is None:
                process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
        self.folder.cleanup()

    def xdotool(self, *arguments):
        subprocess.run(["xdotool", *map(str, arguments)], env=self.environment, check=True, stdout=subprocess.DEVNULL)

    def shown(self):
        try:
            with open(self.trace_path, encoding="utf-8") as file:
                return json.load(file)
        except (FileNotFoundError, json.JSONDecodeError):
            return None

    def wait_for(self, what, condition, patience=40):
        """Until the condition holds for what is shown. The patience only bounds a failing test."""
        deadline = time.monotonic() + patience
        shown = None
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise Failed("the program ended with exit code %s" % self.process.returncode)
            shown = self.shown()
            try:
                if shown is not None and condition(shown):
                    return shown
            except KeyError:
                pass
            time.sleep(0.02)
        if shown:
            shown.pop("items", None)
        raise Failed("%s did not happen; shown: %s" % (what, json.dumps(shown)))

    def frames(self, count=2, asleep=1):
        """So many frames more: the first may have begun before what they are to see. A window that sleeps, or is closed,
        has seen all."""
        last = first = (self.shown() or {}).get("frame", 0)
        since = time.monotonic()
        while last < first + count and time.monotonic() - since < asleep and self.process.poll() is None:
            time.sleep(0.01)
            now = (self.shown() or {}).get("frame", last)
            if now != last:
                last, since = now, time.monotonic()

    def place(self, item, x=0.5, y=0.5):
        """The middle of a control, once it has come to rest: menus find their place in their second frame."""
        rect = None
        while True:
            seen = self.wait_for("item " + item, lambda s: item in s["items"])["items"][item]
            if seen == rect:
                left, top, width, height = rect
                return round(left + width * x), round(top + height * y)
            rect = seen
            self.frames(asleep=0.3)

    def mouse(self, *arguments):
        """One thing that a mouse does, and until it was seen: Dear ImGui looks once a frame, and what comes after it
        between two frames would count as well. A release counts where the mouse is when it is looked at."""
        self.xdotool(*arguments)
        self.frames()

    def move(self, item, x=0.5, y=0.5):
        self.mouse("mousemove", *self.place(item, x, y))

    def click(self, item, x=0.5, y=0.5):
        self.move(item, x, y)
        self.mouse("mousedown", 1)
        self.mouse("mouseup", 1)

    def double_click(self, item, what, condition):
        """Until the condition holds: both clicks have to come within 0.3 s, and yet be seen in frames of their own."""
        self.move(item)
        for last in [False] * 9 + [True]:
            self.mouse("click", "--repeat", 2, "--delay", 80, 1)
            try:
                return self.wait_for(what, condition, patience=2)
            except Failed:
                if last:
                    raise

    def choose(self, *items):
        """One after the other: a list or a menu, and what stands in it."""
        for item in items:
            self.click(item)

    def go_to(self, scenario):
        self.choose("scenario", "scenario." + scenario)

    def show_board(self, key):
        """By its name on the strip, or in the list of those that the strip has no room for."""
        item = "board." + key
        items = self.wait_for("the boards", lambda s: "board.access" in s["items"] or "boards" in s["items"])["items"]
        # Items keep the place where they were last seen: what lies behind the list's head is in the list now.
        if "boards" in items and (item not in items or items[item][0] >= items["boards"][0]):
            self.click("boards")
        self.click(item)

    def drag(self, item, from_x, to_x):
        self.move(item, from_x)
        self.mouse("mousedown", 1)
        for i in range(1, 9):
            self.move(item, from_x + (to_x - from_x) * i / 8)
        self.mouse("mouseup", 1)

    def key(self, keys):
        """Held until it was seen; the screen repeats no keys."""
        for what in ("keydown", "keyup"):
            self.xdotool(what, keys)
            self.frames(asleep=0.3)

    def screenshot(self, name):
        """Keep a picture of the screen where WARPLENS_SCREENSHOTS says, for a person to look at."""
        folder = os.environ.get("WARPLENS_SCREENSHOTS")
        if folder and shutil.which("import"):  # ImageMagick
            os.makedirs(folder, exist_ok=True)
            subprocess.run(["import", "-window", "root", os.path.join(folder, name + ".png")], env=self.environment,
                           check=True)


def run(steps, *windows):
    try:
        steps()
    except Failed as failure:
        print("failed:", failure)
        sys.exit(1)
    finally:
        for window in windows:
            window.close()
    print("passed")
