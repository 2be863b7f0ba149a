// drive.mjs BROWSER warplens.html [SHOTS]: what a person does in the page, and what has to come of it. Exits with 1 if something
// did not. Prints how long frames were worked on, which no test judges: that depends on the machine.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {newFolder, sleep} from './browser.mjs';

const [, , program, page, shots] = process.argv;
const firefox = path.basename(program).startsWith('firefox');
const {openTab, startBrowser} = await import(firefox ? './firefox.mjs' : './chromium.mjs');
const folder = newFolder(), down = path.join(folder, 'down');
const browser = await startBrowser(program, folder);
const tab = await openTab(browser, pathToFileURL(path.resolve(page)).href);
const search = () => tab.run('location.search');
const scenario = async () => (await tab.trace()).scenario;
const message = async () => (await tab.trace()).message ?? '';
let failed = 0;

const check = async (what, does) => {
  try {
    await does();
    assert.deepEqual(tab.errors.splice(0), []);
    console.log(`ok      ${what}`);
  } catch (why) {
    ++failed;
    console.log(`FAILED  ${what}: ${why.message}`);
    tab.errors.length = 0;
  }
  if (shots) await tab.shot(path.join(shots, what.replace(/\W+/g, '-') + '.png'));
};

/// How long frames are worked on until something has come.
const timed = async (what, begin, end) => {
  await tab.quiet();
  await tab.run('counts.frames.length = 0');
  await begin();
  await tab.until(what, end);
  const frames = (await tab.run('counts.frames')).sort((a, b) => a - b);
  const ms = (at) => frames[Math.floor(at * (frames.length - 1))].toFixed(1);
  console.log(`        ${what}: longest frame ${ms(1)} ms, median ${ms(0.5)} ms, ${frames.length} frames`);
};

const downloads = () => fs.readdirSync(down).filter((name) => !name.endsWith('.crdownload'));
const downloaded = (name) => () => downloads().includes(name) && fs.statSync(path.join(down, name)).size > 0;
const start = (name) => fs.readFileSync(path.join(down, name)).subarray(0, 4).toString('latin1');
const openExport = async (where, ...choices) => {
  await tab.load(where);
  await tab.press('export');
  for (const choice of choices) await tab.press(`export.${choice}`);
};

await check('the address is the setting', async () => {
  await tab.load('?shared-tile&walk=column');
  console.log(`        first frame after ${((await tab.run('counts.first')) / 1000).toFixed(2)} s`);
  assert.equal(await scenario(), 'shared-tile');
  console.log(`        memory of the page when it has opened: ${(await browser.memory()).toFixed(0)} MB`);
  const [x, y, , h] = await tab.place('knob.padding');
  const left = {button: 'left', clickCount: 1};
  await timed('a slider that is dragged', async () => {
    await tab.mouse('mouseMoved', x + 8, y + h / 2);
    await tab.mouse('mousePressed', x + 8, y + h / 2, left);
    for (let i = 0; i < 60; ++i, await sleep(16))
      await tab.mouse('mouseMoved', x + 8 + (i < 30 ? i : 60 - i) * 3, y + h / 2, {button: 'left'});
    await tab.mouse('mouseMoved', x + 60, y + h / 2, {button: 'left'});
    await sleep(100);  // a slider does not follow a move in the frame in which it is let go
    await tab.mouse('mouseReleased', x + 60, y + h / 2, left);
  }, async () => /padding=[1-9]/.test(await search()));
});

await check('Back leads to the scenario before', async () => {
  const before = await search();
  await tab.key('n', 'KeyN');
  await tab.until('another scenario', async () => (await scenario()) !== 'shared-tile' && (await search()) !== before);
  await tab.run('history.back()');
  await tab.until('the scenario before', async () => (await scenario()) === 'shared-tile');
  await tab.quiet();
  assert.equal(await search(), before);
});

await check('a reload keeps what is set', async () => {
  const before = await search();
  await tab.ctrl('t', 'KeyT');  // the browser's own
  await tab.press('menu');
  await tab.press('theme');
  await tab.press('theme.light');
  await tab.quiet();
  await tab.reload();
  assert.equal(await search(), before);
  const [place, look] = [await tab.trace(), await tab.run(`JSON.parse(localStorage.getItem('warplens'))`)];
  assert.equal(place.scenario, 'shared-tile');
  assert.match(JSON.stringify(look), /"theme": ?"light"/);
});

await check('a wrong address shows a sentence and opens the rest', async () => {
  for (const [wrong, left, said] of [['?shared-tile&padding=999999', 'shared-tile', /padding/], ['?nonsense', null, /nonsense/]]) {
    await tab.load(wrong);
    assert.match(await message(), said);
    if (left) assert.equal(await scenario(), left);
    assert.equal(await tab.run(`document.getElementById('said').textContent`), '');
  }
});

await check('Ctrl+K finds, also on a German and a French keyboard', async () => {
  await tab.load('?shared-tile');
  await tab.ctrl('k');
  await tab.quiet();
  await tab.type('transpose');
  await tab.quiet();
  await tab.key('Enter', 'Enter');
  await tab.until('the transpose', async () => (await scenario()) === 'transpose');
  await tab.ctrl('z', 'KeyY');
  await tab.until('the scenario before', async () => (await scenario()) === 'shared-tile');
  await tab.ctrl('y', 'KeyZ');
  await tab.until('the transpose again', async () => (await scenario()) === 'transpose');
  await tab.ctrl('z', 'KeyW');
  await tab.until('the scenario before', async () => (await scenario()) === 'shared-tile');
});

await check('A and B stand side by side', async () => {
  await tab.load('?shared-tile&walk=column');
  await tab.press('compare');
  await tab.press('preset.padded');
  await tab.until('both', async () => /compare=/.test(await search()));
});

await check('figures and tables are downloads', async () => {
  let gif;
  await openExport('?transpose', 'scale.2');
  await tab.run(`{
    let waits = false;
    globalThis.gl = {reads: 0, drawn: 0};
    const note = (name, what) => {
      const gl = WebGL2RenderingContext.prototype, real = gl[name];
      gl[name] = function (...all) { what(); return real.apply(this, all); };
    };
    note('fenceSync', () => { waits = true; });
    note('drawElements', () => { gl.drawn += waits; });
    note('getBufferSubData', () => { waits = false; ++gl.reads; });
  }`);
  await timed('a PNG at 2x', () => tab.press('export.start'), downloaded('transpose.png'));
  assert.deepEqual(await tab.run('gl'), {reads: 6, drawn: 0});  // a read would wait for what is drawn before it
  for (const format of ['svg', 'csv', 'json']) {
    await openExport('?transpose', `format.${format}`);
    await timed(`an ${format.toUpperCase()}`, () => tab.press('export.start'), downloaded(`transpose.${format}`));
  }
  await openExport('?shared-reduction', 'steps', 'gif', 'scale.1');
  await timed('an animated GIF', () => tab.press('export.start'), async () => (gif = downloads().find((name) => name.endsWith('.gif'))));
  assert.equal(start('transpose.png'), '\x89PNG');
  assert.equal(start('transpose.svg'), '<?xm');
  assert.equal(start(gif), 'GIF8');
  assert.equal(JSON.parse(fs.readFileSync(path.join(down, 'transpose.json'))).scenario, 'transpose');
});

await check('an export can be cancelled', async () => {
  const before = downloads().length;
  await openExport('?transpose', 'scale.4');
  const [x, y, w, h] = await tab.place('export.cancel');
  await tab.press('export.start');
  await tab.click(x + w / 2, y + h / 2);
  await tab.quiet();
  assert.equal(downloads().length, before);
});

await check('the browser prints a PDF', async () => {
  await openExport('?transpose', 'format.pdf');
  await tab.press('export.start');
  await tab.until('the figure', () => tab.run(`globalThis.printed?.includes('blob:')`));
  const pdf = await tab.print();
  if (shots) fs.writeFileSync(path.join(shots, 'printed.pdf'), pdf);
  if (firefox) assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');  // its pages are compressed
  else assert.equal(pdf.toString('latin1').match(/\/Type ?\/Page\b/g).length, 1);
  await tab.run(`dispatchEvent(new Event('afterprint'))`);
  assert.equal(await tab.run(`document.getElementById('figure')`), null);
});

await check('the picture is copied', async () => {
  await tab.load('?transpose');
  await tab.press('menu');
  await tab.press('copy');
  await tab.press('copy.picture');
  await tab.until('the picture', async () => (await message()).startsWith('copied the picture'));
  if (!firefox)  // which asks the person before a page reads what was copied
    await tab.until('a PNG', () => tab.run(`navigator.clipboard.read().then((all) => all.some((one) => one.types.includes('image/png')))`));
});

await check('a kernel that is dropped opens, and a reload shows it again', async () => {
  const text = '__global__ void mine(float* a, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) a[i * 2] = 1;\n}\n';
  await tab.load('?shared-tile');
  await tab.drop('mine.cu', text);
  await tab.until('the kernel', async () => (await scenario()) !== 'shared-tile');
  await tab.quiet();
  const before = await scenario(), place = await search();
  await tab.reload();
  assert.equal(await scenario(), before);
  assert.equal(await search(), place);
});

await check('recorded requests that are dropped are counted', async () => {
  const lanes = [...Array(32).keys()];
  let text = `id,space,op,width,mask,${lanes.map((lane) => 'a' + lane)}\n`;
  for (let i = 0; text.length < 5e6; ++i)
    text += `load${i % 60},global,ld,4,ffffffff,${lanes.map((lane) => 128 * i + 4 * lane * (1 + i % 7))}\n`;
  await timed('5 MB of requests', () => tab.drop('trace.csv', text), async () => /^opened trace\.csv/.test(await message()));
});

await check('a large kernel', async () => {
  let text = '__global__ void large(float* a, const float* b, int n) {\n  __shared__ float t[1024];\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  float s = 0;\n';
  for (let i = 0; i < 60; ++i)
    text += i % 3 ? `  s += b[(i * ${i % 17 + 1} + ${i}) % n];\n` : `  t[(threadIdx.x * ${i % 9 + 1} + ${i}) % 1024] = s;\n`;
  await tab.load('?shared-tile');
  await timed('a kernel of 61 accesses', () => tab.drop('large.cu', text + '  if (i < n) a[i] = s;\n}\n'),
    async () => (await scenario()) !== 'shared-tile' && ((await tab.quiet()), true));
});

await check('a product of any size', async () => {
  const text = `__global__ void product(const float* a, const float* b, float* c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || column >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;\n}\n`;
  await tab.load('?shared-tile');
  await timed('a product at all sizes of a plot', () => tab.drop('product.cu', text),
    async () => (await scenario()) !== 'shared-tile' && ((await tab.quiet()), true));
});

await check('all scenarios, boards and steps of courses', async () => {
  const assets = fileURLToPath(new URL('../../assets', import.meta.url));
  const lessons = fs.readdirSync(path.join(assets, 'lessons')).map((name) => name.replace('.md', ''));
  const {courses} = JSON.parse(fs.readFileSync(path.join(assets, 'courses.json')));
  await tab.load('?shared-tile');
  const follow = async (link) => {
    await tab.run(`{
      const text = Module.stringToNewUTF8(${JSON.stringify(link)});
      Module._warplens_follow(text);
      Module._free(text);
      for (let frame = 0; frame < 3; ++frame) Module._warplens_step();
    }`);
    const now = await tab.trace();
    const [place, items] = link.split('?');
    if (place) assert.equal(now.scenario, place);
    const board = /(?:^|&)board=(\w+)/.exec(items);
    if (board) assert.equal(now.board, board[1]);
  };
  for (const id of lessons.filter((id) => id !== 'kernel'))
    await follow(id.startsWith('board-') ? `?board=${id.slice(6)}` : `${id}?`);
  for (const {steps} of courses) for (const {link} of steps) await follow(link.includes('?') ? link : `${link}?`);
  for (const {id} of courses) {
    await tab.press('learn');
    await tab.press(`learn.open.${id}`);
    await tab.until(id, async () => (await tab.trace()).course?.id === id);
  }
  console.log(`        ${lessons.length - 1} lessons, ${courses.flatMap(({steps}) => steps).length} steps of ${courses.length} courses`);
});

await check('a quiz', async () => {
  await tab.load('?shared-tile');
  await tab.press('learn');
  await tab.place('quiz.start');
  await timed('a quiz', () => tab.press('quiz.start'), async () => (await tab.trace()).quiz !== null);
});

await check('a search for what fixes a setting', async () => {
  await tab.load('?matrix-ladder');
  await timed('the fixes', () => tab.key('f', 'KeyF'), async () => ((await tab.quiet()), true));
});

await check('the page is resized, at twice the pixels', async () => {
  await tab.load('?transpose');
  await tab.size(1500, 900, 2);
  await tab.until('the size', async () => (await tab.run(`[canvas.width, canvas.height].join()`)) === '3000,1800');
  await tab.quiet();
  await tab.size(1400, 850, 2);
  await tab.until('another size', async () => (await tab.run(`[canvas.width, canvas.height].join()`)) === '2800,1700');
  await tab.quiet();
  await tab.size(1280, 800);
  await tab.until('the first size', async () => (await tab.run(`[canvas.width, canvas.height].join()`)) === '1280,800');
});

await check('the whole screen', async () => {
  await tab.key('F11', 'F11');
  await tab.until('the whole screen', () => tab.run('document.fullscreenElement !== null'));
  await tab.key('F11', 'F11');
  await tab.until('the window', () => tab.run('document.fullscreenElement === null'));
});

await check('fingers tap and pinch', async () => {
  await tab.fingers(true);
  await tab.load('?shared-tile');
  const [x, y] = await tab.place('preset.padded');
  await tab.touch('touchStart', [[x + 20, y + 8]]);
  await sleep(150);
  await tab.touch('touchEnd', []);
  await tab.until('the preset', async () => /padding=1/.test(await search()));
  const before = (await tab.trace()).scale;
  await tab.touch('touchStart', [[550, 400], [650, 400]]);
  for (let apart = 55; apart < 90; apart += 5, await sleep(60)) await tab.touch('touchMove', [[600 - apart, 400], [600 + apart, 400]]);
  await tab.touch('touchEnd', []);
  await tab.until('larger type', async () => (await tab.trace()).scale > before);
  await tab.fingers(false);
});

await check('at rest nothing is drawn', async () => {
  await tab.load('?shared-tile');
  await tab.quiet();
  const before = await tab.run('counts.frames.length');
  await sleep(4000);
  assert.equal(await tab.run('counts.frames.length'), before);
});

console.log(`        memory of the page after all of it: ${(await browser.memory()).toFixed(0)} MB`);
await browser.close();
fs.rmSync(folder, {recursive: true, force: true});
process.exit(failed ? 1 : 0);
