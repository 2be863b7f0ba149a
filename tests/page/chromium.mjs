// A browser without a screen, driven by real mouse and keys over Chromium's devtools protocol.
import {spawn} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {addHands, kCtrl, kWatch, megabytes, sleep} from './browser.mjs';

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
  /// Of the page [MB].
  const memory = async () => {
    const {processInfo} = await send('SystemInfo.getProcessInfo');
    return Math.max(...processInfo.filter(({type}) => type === 'renderer').map(({id}) => megabytes(id)));
  };
  return {send, listeners, close, memory};
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
  await send('Page.addScriptToEvaluateOnNewDocument', {source: kWatch});
  tab.run = async (expression) => {
    const {result, exceptionDetails} = await send('Runtime.evaluate', {expression, awaitPromise: true, returnByValue: true});
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  tab.go = async (search) => {
    await send('Page.navigate', {url: 'about:blank'});
    await send('Page.navigate', {url: address + search});
  };
  tab.again = async () => {
    await send('Page.reload');
    await sleep(300);
  };
  tab.mouse = (type, x, y, more = {}) => send('Input.dispatchMouseEvent', {type, x, y, button: 'none', ...more});
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
  tab.print = async () => {
    const {data} = await send('Page.printToPDF', {preferCSSPageSize: true, printBackground: true});
    return Buffer.from(data, 'base64');
  };
  tab.fingers = (enabled) => send('Emulation.setTouchEmulationEnabled', {enabled, maxTouchPoints: 2});
  tab.touch = (type, points) =>
    send('Input.dispatchTouchEvent', {type, touchPoints: points.map(([x, y], id) => ({x, y, id}))});
  tab.shot = async (file) => {
    const {data} = await send('Page.captureScreenshot', {format: 'png'});
    fs.writeFileSync(file, Buffer.from(data, 'base64'));
  };
  return addHands(tab);
};
