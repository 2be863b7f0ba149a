"""pack.py PAGE PROGRAM.js OUT.html: one file of the page's parts, with the WebAssembly beside PROGRAM compressed."""
import base64
import gzip
import hashlib
import pathlib
import sys

import zopfli.gzip  # a twentieth smaller than gzip -9

MOST_BYTES, MOST_COMPRESSED = 8_000_000, 3_500_000

page, program, out = (pathlib.Path(argument) for argument in sys.argv[1:])
wasm = zopfli.gzip.compress(program.with_suffix(".wasm").read_bytes(), numiterations=5)
# The program waits until the page has unpacked the rest.
scripts = {
    "page": (page / "page.js").read_text(),
    "program": f"const start = (Module) => {{{program.read_text()}\n}};",
}
for name, text in scripts.items():
    if "</script" in text.lower():
        sys.exit(f"{name}: a script in a page must not contain its own end")
hashes = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
                  for text in scripts.values())
policy = f"default-src 'none'; script-src {hashes} 'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src blob: data:"
parts = {**scripts, "policy": policy, "wasm": base64.b64encode(wasm).decode()}

html = (page / "page.html").read_text()
for name, text in parts.items():
    html = html.replace(f"@{name}@", text)
out.write_text(html)
size, compressed = len(html.encode()), len(gzip.compress(html.encode(), 9))
print(f"{out.name}: {size:,} bytes, {compressed:,} when a server compresses it")
if size > MOST_BYTES or compressed > MOST_COMPRESSED:
    sys.exit(f"{out.name} is too large: at most {MOST_BYTES:,} bytes, {MOST_COMPRESSED:,} compressed")
