'use strict';
// The page around the program: its address, what it keeps, files in and out, the clipboard, and when it draws.
(() => {
  const canvas = document.getElementById('canvas'), said = document.getElementById('said');
  const kKept = '/home/web_user/.local/state/warplens/state.json', kStarts = kKept + '.starts';
  const say = (text) => { said.textContent = text; };
  // Private windows and some file:// pages have no storage: then nothing is kept.
  const storage = (() => { try { return localStorage; } catch { return null; } })();
  const keep = (name, text) => { try { storage?.setItem(name, text); } catch { storage?.removeItem(name); } };
  // A link always has a question mark, so that an address names a place and never a command or a file.
  const link = () => {
    const [id, ...rest] = location.search.slice(1).split('&');
    return id === '' ? '' : id.includes('=') ? '?' + [id, ...rest].join('&') : id + '?' + rest.join('&');
  };

  let waiting = 0, asked = false, steps = 0;
  const step = () => {
    asked = false;
    clearTimeout(waiting);
    const seconds = Module._warplens_step();
    if (++steps === 8) storage?.removeItem('warplens.starts');
    if (seconds < 0) return say('Warplens is closed. Reload the page to open it again.');
    if (seconds === 0) wake();
    else waiting = setTimeout(wake, 1000 * seconds);
  };
  const wake = () => {
    if (!asked && steps >= 0) requestAnimationFrame(step);
    asked = true;
  };

  const unpack = async () => {
    const text = document.getElementById('wasm');
    const packed = Uint8Array.from(atob(text.textContent), (c) => c.charCodeAt(0));
    text.remove();
    const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Uint8Array(await new Response(plain).arrayBuffer());
  };

  const save = (name, blob) => {
    const anchor = document.createElement('a');
    anchor.href = URL.createObjectURL(blob);
    anchor.download = name;
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(anchor.href), 60000);
  };
  const take = async (files) => {
    for (const file of files) {
      const path = '/home/web_user/' + file.name.replace(/[^\w. -]/g, '_');
      Module.FS.writeFile(path, new Uint8Array(await file.arrayBuffer()));
      const text = Module.stringToNewUTF8(path);
      Module._warplens_open(text);
      Module._free(text);
    }
    wake();
  };

  globalThis.Module = {
    canvas,
    arguments: link() ? [link()] : [],
    pasted: '',
    printed: 0,
    preRun: [() => {
      const kept = storage?.getItem('warplens'), starts = storage?.getItem('warplens.starts');
      if (!kept) return;
      Module.FS.mkdirTree(kKept.replace(/\/[^/]*$/, ''));
      Module.FS.writeFile(kKept, kept);
      if (starts) Module.FS.writeFile(kStarts, starts);
    }],
    print: console.log,
    printErr: (text) => { console.error(text); say(text); },
    begin: () => { say(''); canvas.focus(); wake(); },
    handOver: (path) => {
      const bytes = Module.FS.readFile(path);
      const text = () => new TextDecoder().decode(bytes);
      if (path === kKept) return keep('warplens', text());
      if (path === kStarts) return keep('warplens.starts', text());
      save(path.split('/').pop(), new Blob([bytes]));
    },
    copyText: (text) => {
      Module.pasted = text;
      const asBefore = () => {  // where a page has no clipboard, as from a plain http address
        const area = document.createElement('textarea');
        area.value = text;
        document.body.append(area);
        area.select();
        document.execCommand('copy');
        area.remove();
        canvas.focus();
      };
      if (navigator.clipboard) navigator.clipboard.writeText(text).catch(asBefore);
      else asBefore();
    },
    copyPicture: (png) => {
      if (!navigator.clipboard?.write || !globalThis.ClipboardItem) return 0;
      const picture = new Blob([png], {type: 'image/png'});
      navigator.clipboard.write([new ClipboardItem({'image/png': picture})]).catch((why) => console.error(why));
      return 1;
    },
    wantsMotion: () => matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 1,
    isFullScreen: () => document.fullscreenElement ? 1 : 0,
    toggleFullScreen: () => {
      if (document.fullscreenElement) document.exitFullscreen();
      else document.documentElement.requestFullscreen().catch((why) => console.error(why));
    },
    chooseFile: () => {
      const input = document.createElement('input');
      input.type = 'file';
      input.multiple = true;
      input.onchange = () => take(input.files);
      input.click();
    },
  };

  // Before the program's own listeners. What the browser would do with a key of the program's is prevented,
  // but not that it pastes, and not that a key types a character.
  addEventListener('keydown', (event) => {
    Module.printed = event.key.length === 1 && event.key < '\x7f' ? event.key.toLowerCase().charCodeAt(0) : 0;
    const command = event.ctrlKey || event.metaKey;
    const browsers = event.key === 'F5' || event.key === 'F12' || (command && /^[rtnwv]$/i.test(event.key));
    if (!browsers && (command || event.key.length > 1)) event.preventDefault();
  }, true);
  addEventListener('keypress', (event) => event.preventDefault());
  addEventListener('paste', (event) => { Module.pasted = event.clipboardData.getData('text/plain'); wake(); });
  addEventListener('contextmenu', (event) => event.preventDefault());
  addEventListener('dragover', (event) => event.preventDefault(), true);
  addEventListener('drop', (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    take(event.dataTransfer.files);
  }, true);
  for (const what of ['keydown', 'keyup', 'mousemove', 'mousedown', 'mouseup', 'wheel', 'touchstart', 'touchmove',
    'touchend', 'touchcancel', 'mouseout', 'resize', 'focus', 'blur', 'fullscreenchange', 'visibilitychange'])
    addEventListener(what, wake);

  unpack().then((wasm) => { Module.wasmBinary = wasm; start(Module); },
    (why) => say('This browser cannot unpack Warplens: ' + why));
})();
