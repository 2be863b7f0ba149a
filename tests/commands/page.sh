#!/usr/bin/env bash
# What the browser's program says and draws is what this one does: reports of all scenarios, and figures of random settings, byte
# for byte, run by Node. WARPLENS_ALL=1: 50 settings of each scenario.
set -euo pipefail
page=$(cd "$(dirname "$0")/../.." && pwd)/build/web
command -v node >/dev/null || { echo "skipped: no node"; exit 77; }
[[ -f $page/warplens.wasm ]] || { echo "skipped: app/web/build has not been run here"; exit 77; }
ours=$("$WARPLENS" --version) theirs=$(node "$page/warplens.js" --version)
[[ ${ours%%,*} == "${theirs%%,*}" ]] ||
    { echo "skipped: build/web/warplens.html is of another commit"; exit 77; }
# With multiply-add in one step, glibc's pow rounds the last of 17 digits of some speeds in another way.
export GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-FMA4
same_fonts=$(cmp -s "$page/generated/fonts.txt" "$(dirname "$WARPLENS")/generated/fonts.txt" && echo yes || echo no)

node - "$WARPLENS" "$page" "$same_fonts" "${WARPLENS_ALL:+50}" <<'END'
const {execFileSync, spawnSync} = require('child_process');
const fs = require('fs'), os = require('os'), path = require('path'), vm = require('vm');
const [, , native, page, sameFonts, most] = process.argv;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'warplens-'));
process.on('exit', () => fs.rmSync(folder, {recursive: true}));

// The program is started once, and its main called for each command.
const program = vm.runInThisContext(`(Module, require, __dirname, __filename) => {${fs.readFileSync(page + '/warplens.js')}\n}`);
let said = [];
const Module = {noInitialRun: true, print: (line) => said.push(line), printErr: (line) => said.push(line)};
const run = (args) => {
  said = [];
  Module.callMain([...args]);
  return said.map((line) => line + '\n').join('');
};
// Two versions of libpng order what stands before the pixels differently.
const withoutImages = (bytes) => bytes.toString().replace(/"data:image\/png;base64,[^"]*"/g, '""');
const figure = (args) => {
  const text = run([...args, '--out', '/figure.svg']);
  if (!Module.FS.analyzePath('/figure.svg').exists) return text;
  const bytes = Buffer.from(Module.FS.readFile('/figure.svg'));
  Module.FS.unlink('/figure.svg');
  return withoutImages(bytes);
};
const nativeRun = (args) => {
  const done = spawnSync(native, args, {maxBuffer: 1 << 28});
  return done.stdout.toString() + done.stderr;
};
const nativeFigure = (args) => {
  const out = folder + '/figure.svg', text = nativeRun([...args, '--out', out]);
  if (!fs.existsSync(out)) return text;
  const bytes = fs.readFileSync(out);
  fs.unlinkSync(out);
  return withoutImages(bytes);
};

let seed = 1;
const random = (count) => {  // a linear congruential generator: every run takes the same settings
  seed = Number((BigInt(seed) * 6364136223846793005n + 1442695040888963407n) & 0x7fffffffffffn);
  return Math.floor(seed / 65536) % count;
};
const setting = (scenario) => scenario.knobs.map((knob) => {
  const value = knob.choices ? knob.choices[random(knob.choices.length)] : knob.min + random(knob.max - knob.min + 1);
  return `${knob.key}=${value}`;
});

Module.onRuntimeInitialized = () => setTimeout(() => {
  const counts = {reports: 0, figures: 0};
  let wrong = 0;
  const compare = (kind, args, ours, theirs) => {
    ++counts[kind];
    if (ours === theirs) return;
    ++wrong;
    console.log(`differs: warplens ${args.join(' ')}`);
  };
  for (const scenario of JSON.parse(execFileSync(native, ['scenarios', '--json'])).scenarios) {
    const report = ['report', scenario.id, '--json', '--cpu'];
    compare('reports', report, run(report), nativeRun(report));
    for (let i = 0; sameFonts === 'yes' && i < (most || 2); ++i) {
      const args = ['export', scenario.id, '--cpu', '--format', 'svg'];
      for (const one of i === 0 ? [] : setting(scenario)) args.push('--set', one);
      compare('figures', args, figure(args), nativeFigure(args));
    }
  }
  if (sameFonts !== 'yes') console.log('figures are not compared: the page was built with other fonts');
  console.log(`${counts.reports} reports and ${counts.figures} figures compared, ${wrong} differ`);
  process.exit(wrong ? 1 : 0);
});
program(Module, require, page, page + '/warplens.js');
END
