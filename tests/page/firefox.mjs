// A browser without a screen, driven by real mouse and keys over WebDriver BiDi, which Firefox speaks.
import {spawn} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {addHands, kCtrl, kWatch, megabytes, sleep} from './browser.mjs';

const kKeys = {Enter: '\uE007', Escape: '\uE00C', F11: '\uE03B'}, kControl = '\uE009';
const kPreferences = (folder) => ({
  'browser.download.dir': path.join(folder, 'down'), 'browser.download.folderList': 2,
  'browser.download.useDownloadDir': true, 'browser.download.alwaysOpenPanel': false,
  'browser.shell.checkDefaultBrowser': false, 'browser.startup.page': 0, 'datareporting.policy.dataSubmissionEnabled': false,
  'dom.w3c_touch_events.enabled': 1, 'webgl.force-enabled': true,
});

/// Its values as they come over the line.
const valueOf = (sent) => {
  if (sent.type === 'array') return sent.value.map(valueOf);
  if (sent.type === 'object') return Object.fromEntries(sent.value.map(([key, value]) => [key, valueOf(value)]));
  return sent.type === 'null' ? null : sent.value;
};

export const startBrowser = async (program, folder) => {
  const profile = path.join(folder, 'profile');
  fs.mkdirSync(profile);
  fs.writeFileSync(path.join(profile, 'user.js'), Object.entries(kPreferences(folder))
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`).join(''));
  const browser = spawn(program, ['--no-remote', '--remote-debugging-port=0', '--profile', profile],
    {stdio: ['ignore', 'ignore', 'pipe'], env: {...process.env, LIBGL_ALWAYS_SOFTWARE: '1'}});
  const address = await new Promise((found) => {
    let said = '';
    browser.stderr.on('data', (bytes) => {
      const at = /WebDriver BiDi listening on (ws:\S+)/.exec(said += bytes);
      if (at) found(at[1]);
    });
  });
  const line = new WebSocket(`${address}/session`);
  await new Promise((open) => { line.onopen = open; });
  const asked = new Map(), listeners = [];
  let last = 0;
  line.onmessage = ({data}) => {
    const message = JSON.parse(data);
    if (!message.id) listeners.forEach((listen) => listen(message));
    else if (message.type === 'error') asked.get(message.id).no(new Error(message.message));
    else asked.get(message.id).yes(message.result);
  };
  const send = (method, params = {}) => new Promise((yes, no) => {
    asked.set(++last, {yes, no});
    line.send(JSON.stringify({id: last, method, params}));
  });
  await send('session.new', {capabilities: {}});
  const close = async () => {
    await send('browser.close').catch(() => {});
    await new Promise((ended) => browser.exitCode === null ? browser.once('exit', ended) : ended());
  };
  /// Of the largest of its pages [MB].
  const memory = async () => Math.max(...fs.readdirSync('/proc').filter((pid) => {
    const command = /^\d+$/.test(pid) ? fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8') : '';
    return command.includes('-isForBrowser');
  }).map(megabytes));
  return {send, listeners, close, memory};
};

/// A tab that shows Warplens. `counts` in it are frames and how long each was worked on [ms].
export const openTab = async (browser, address) => {
  const {send} = browser;
  const {context} = await send('browsingContext.create', {type: 'tab'});
  const tab = {errors: []};
  browser.listeners.push(({method, params}) => {
    if (method === 'log.entryAdded' && params.type === 'javascript' && params.level === 'error') tab.errors.push(params.text);
  });
  await send('session.subscribe', {events: ['log.entryAdded']});
  tab.size = (width, height, devicePixelRatio = 1) =>
    send('browsingContext.setViewport', {context, viewport: {width, height}, devicePixelRatio});
  await tab.size(1280, 800);
  await send('script.addPreloadScript', {functionDeclaration: `() => ${kWatch}`});
  tab.run = async (expression) => {
    const {result, exceptionDetails} = await send('script.evaluate', {expression, target: {context}, awaitPromise: true,
      serializationOptions: {maxObjectDepth: 8}});
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return valueOf(result);
  };
  tab.go = async (search) => {
    await send('browsingContext.navigate', {context, url: 'about:blank', wait: 'complete'});
    await send('browsingContext.navigate', {context, url: address + search, wait: 'complete'});
  };
  tab.again = () => send('browsingContext.reload', {context, wait: 'complete'});
  const act = (id, actions, more) => send('input.performActions', {context, actions: [{id, ...more, actions}]});
  tab.mouse = (type, x, y) => act('mouse', [
    {type: 'pointerMove', x: Math.round(x), y: Math.round(y)},
    ...type === 'mousePressed' ? [{type: 'pointerDown', button: 0}] : type === 'mouseReleased' ? [{type: 'pointerUp', button: 0}] : [],
  ], {type: 'pointer', parameters: {pointerType: 'mouse'}});
  tab.fingers = async () => {};  // its page has a touch screen from the beginning
  let down = 0;
  tab.touch = async (type, points) => {
    const steps = ([x, y]) => [{type: 'pointerMove', x: Math.round(x), y: Math.round(y)},
      ...type === 'touchStart' ? [{type: 'pointerDown', button: 0}] : []];
    const fingers = points.length > 0 ? points.map(steps) : Array.from({length: down}, () => [{type: 'pointerUp', button: 0}]);
    down = points.length;
    await send('input.performActions', {context, actions: fingers.map((actions, i) => (
      {id: `finger${i}`, type: 'pointer', parameters: {pointerType: 'touch'}, actions}))});
  };
  tab.key = async (key, code, modifiers = 0) => {
    const value = kKeys[key] ?? key, ctrl = modifiers & kCtrl;
    await act('keys', [
      ...ctrl ? [{type: 'keyDown', value: kControl}] : [],
      {type: 'keyDown', value}, {type: 'pause', duration: 60}, {type: 'keyUp', value},
      ...ctrl ? [{type: 'keyUp', value: kControl}] : [],
    ], {type: 'key'});
    await sleep(120);
  };
  tab.print = async () => Buffer.from((await send('browsingContext.print', {context, background: true})).data, 'base64');
  tab.shot = async (file) => {
    const {data} = await send('browsingContext.captureScreenshot', {context});
    fs.writeFileSync(file, Buffer.from(data, 'base64'));
  };
  return addHands(tab);
};
