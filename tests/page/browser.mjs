// A browser without a screen, driven by real mouse and keys over Chromium's devtools protocol.
import {spawn} from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const kCtrl = 2;

export const startBrowser = async (program, folder) => {
  // Software OpenGL, so that every machine draws alike.
  const browser = spawn(program, ['--headless=new', '--no-sandbox', '--remote-debugging-pipe', '--use-gl=angle',
    '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--no-first-run',
    `--user-data-dir=${path.join(folder, 'profile')}`], {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']});
  const asked = new Map(), listeners = [];
  let last = 0, read = '';
  browser.stdio[4].on('data', (bytes) => {
    const messages = (read + bytes).split('\0');
    read = messages.pop();
    for (const message of messages.map((text) => JSON.parse(text))) {
      if (!message.id) listeners.forEach((listen) => listen(message));
      else if (message.error) asked.get(message.id).no(new Error(message.error.message));
      else asked.get(message.id).yes(message.result);
    }
  });
  const send = (method, params = {}, sessionId) => new Promise((yes, no) => {
    asked.set(++last, {yes, no});
    browser.stdio[3].write(JSON.stringify({id: last, method, params, sessionId}) + '\0');
  });
  await send('Browser.setDownloadBehavior', {behavior: 'allow', downloadPath: path.join(folder, 'down')});
  await send('Browser.grantPermissions', {permissions: ['clipboardReadWrite', 'clipboardSanitizedWrite']});
  const close = async () => {
    await send('Browser.close').catch(() => {});
    await new Promise((ended) => browser.exitCode === null ? browser.once('exit', ended) : ended());
  };
  return {send, listeners, close, pid: browser.pid};
};

/// A tab that shows Warplens. `counts` in it are frames and how long each was worked on [ms].
export const openTab = async (browser, address) => {
  const {targetId} = await browser.send('Target.createTarget', {url: 'about:blank'});
  const {sessionId} = await browser.send('Target.attachToTarget', {targetId, flatten: true});
  const send = (method, params) => browser.send(method, params, sessionId);
  const tab = {send, errors: []};
  browser.listeners.push(({method, params, sessionId: from}) => {
    if (from !== sessionId) return;
    if (method === 'Runtime.exceptionThrown') tab.errors.push(params.exceptionDetails.exception?.description);
    if (method === 'Log.entryAdded' && params.entry.level === 'error') tab.errors.push(params.entry.text);
  });
  for (const domain of ['Page', 'Runtime', 'Log']) await send(`${domain}.enable`);
  tab.size = (width, height, deviceScaleFactor = 1) =>
    send('Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor, mobile: false});
  await tab.size(1280, 800);
  // The program writes where its controls are, as for the desktop's tests.
  await send('Page.addScriptToEvaluateOnNewDocument', {source: `{
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
  }`});
  tab.run = async (expression) => {
    const {result, exceptionDetails} = await send('Runtime.evaluate', {expression, awaitPromise: true, returnByValue: true});
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  tab.trace = async () => JSON.parse(await tab.run(`new TextDecoder().decode(Module.FS.readFile('/trace.json'))`));
  /// Waits until it is true: nothing is late on a slow machine.
  tab.until = async (what, holds) => {
    for (let i = 0; i < 600; ++i, await sleep(100)) if (await Promise.resolve().then(holds).catch(() => false)) return;
    throw new Error(`in a minute it did not come: ${what}`);
  };
  tab.quiet = async () => {
    for (let before = -1, now = 0; before !== now; before = now, now = await tab.run('counts.frames.length')) await sleep(400);
  };
  tab.load = async (search) => {
    await send('Page.navigate', {url: 'about:blank'});
    await send('Page.navigate', {url: address + search});
    await tab.until('the window', () => tab.run('counts.frames.length > 3'));
    await tab.quiet();
  };
  tab.reload = async () => {
    await send('Page.reload');
    await sleep(300);
    await tab.until('the window', () => tab.run('counts.frames.length > 3'));
    await tab.quiet();
  };
  tab.mouse = (type, x, y, more = {}) => send('Input.dispatchMouseEvent', {type, x, y, button: 'none', ...more});
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
  /// @param key  what is printed on it. @param code  where it is on an American keyboard
  tab.key = async (key, code, modifiers = 0, more = {}) => {
    const named = {Enter: 13, Escape: 27, F11: 122}[key], place = code.replace(/^(Key|Digit)/, '');
    const one = {key, code, modifiers, windowsVirtualKeyCode: named ?? place.charCodeAt(0), ...more};
    const ctrl = {key: 'Control', code: 'ControlLeft', windowsVirtualKeyCode: 17};
    if (modifiers & kCtrl) await send('Input.dispatchKeyEvent', {type: 'rawKeyDown', ...ctrl, modifiers});
    const text = key.length === 1 && modifiers === 0 ? {text: key} : {};
    await send('Input.dispatchKeyEvent', {type: text.text ? 'keyDown' : 'rawKeyDown', ...one, ...text});
    await sleep(60);
    await send('Input.dispatchKeyEvent', {type: 'keyUp', ...one});
    if (modifiers & kCtrl) await send('Input.dispatchKeyEvent', {type: 'keyUp', ...ctrl});
    await sleep(120);
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
  tab.touch = (type, points) =>
    send('Input.dispatchTouchEvent', {type, touchPoints: points.map(([x, y], id) => ({x, y, id}))});
  tab.shot = async (file) => {
    const {data} = await send('Page.captureScreenshot', {format: 'png'});
    fs.writeFileSync(file, Buffer.from(data, 'base64'));
  };
  return tab;
};

export const newFolder = () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'warplens-page-'));
  fs.mkdirSync(path.join(folder, 'down'));
  return folder;
};
