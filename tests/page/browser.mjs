// All that is done with a page in any browser.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
export const kCtrl = 2;

/// Runs in a page before its own scripts. `counts` are frames and how long each was worked on [ms].
export const kWatch = `{
  const began = performance.now();
  globalThis.counts = {frames: [], first: 0};
  let module, step;
  Object.defineProperty(globalThis, 'Module', {configurable: true, get: () => module, set: (made) => {
    module = made;
    const handOver = made.handOver;
    made.handOver = (path) => { if (path !== '/trace.json') handOver(path); };
    made.preRun.push(() => { made.ENV.WARPLENS_UI_TRACE = '/trace.json'; });
    Object.defineProperty(made, '_warplens_step', {configurable: true, set: (to) => { step = to; }, get: () =>
      step && (() => {
        const now = performance.now(), next = step();
        if (next !== 0) return next;
        counts.frames.push(performance.now() - now);
        counts.first ||= performance.now() - began;
        return next;
      })});
  }});
  globalThis.print = () => { globalThis.printed = document.getElementById('figure').outerHTML + document.title; };
}`;

/// Adds what persons do to a tab that can run() an expression, go() and come again(), and has mouse() and key().
export const addHands = (tab) => {
  tab.trace = async () => JSON.parse(await tab.run(`new TextDecoder().decode(Module.FS.readFile('/trace.json'))`));
  /// Waits until it is true: nothing is late on a slow machine.
  tab.until = async (what, holds) => {
    for (let i = 0; i < 600; ++i, await sleep(100)) if (await Promise.resolve().then(holds).catch(() => false)) return;
    throw new Error(`in a minute it did not come: ${what}`);
  };
  tab.quiet = async () => {
    for (let before = -1, now = 0; before !== now; before = now, now = await tab.run('counts.frames.length')) await sleep(400);
  };
  tab.opened = async () => {
    await tab.until('the window', () => tab.run('counts.frames.length > 3'));
    await tab.quiet();
  };
  tab.load = async (search) => {
    await tab.go(search);
    await tab.opened();
  };
  tab.reload = async () => {
    await tab.again();
    await tab.opened();
  };
  tab.click = async (x, y) => {
    const left = {button: 'left', clickCount: 1};
    await tab.mouse('mouseMoved', x, y);
    await sleep(120);
    await tab.mouse('mousePressed', x, y, left);
    await sleep(60);
    await tab.mouse('mouseReleased', x, y, left);
    await sleep(200);
  };
  tab.place = async (item) => {
    let place;
    await tab.until(item, async () => (place = (await tab.trace()).items[item]));
    return place;
  };
  tab.press = async (item) => {
    await tab.place(item);
    await tab.quiet();  // a menu that opens moves
    const [x, y, w, h] = await tab.place(item);
    await tab.click(x + w / 2, y + h / 2);
  };
  tab.type = async (text) => {
    for (const one of text) await tab.key(one, 'Key' + one.toUpperCase());
  };
  tab.ctrl = (key, code = 'Key' + key.toUpperCase()) => tab.key(key, code, kCtrl);
  tab.drop = (name, text) => tab.run(`{
    const dropped = new DataTransfer();
    dropped.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
    document.getElementById('canvas').dispatchEvent(new DragEvent('drop', {dataTransfer: dropped, bubbles: true, cancelable: true}));
  }`);
  return tab;
};

/// The memory of a process, shared parts divided among those who share them.
export const megabytes = (pid) => Number(/^Pss: *(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;

export const newFolder = () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'warplens-page-'));
  fs.mkdirSync(path.join(folder, 'down'));
  return folder;
};
