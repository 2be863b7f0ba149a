'use strict';
// The page around the program: its address, what it keeps, files in and out, the clipboard, and when it draws.
(() => {
  const canvas = document.getElementById('canvas'), said = document.getElementById('said');
  const kKept = '/home/web_user/.local/state/warplens/state.json', kStarts = kKept + '.starts';
  const kFolder = '/downloads';  // where files seem to be
  const say = (text) => { said.textContent = text; };
  // Private windows and some file:// pages have no storage: then nothing is kept.
  const storage = (() => { try { return localStorage; } catch { return null; } })();
  const keep = (name, text) => { try { storage?.setItem(name, text); } catch { storage?.removeItem(name); } };
  // A link always has a question mark, so that an address names a place and never a command or a file.
  const link = () => {
    const [id, ...rest] = location.search.slice(1).split('&');
    return id === '' ? '' : id.includes('=') ? '?' + [id, ...rest].join('&') : id + '?' + rest.join('&');
  };

  let open = false, waiting = 0, asked = false, steps = 0, first = true;
  const end = (why) => {
    open = false;
    say(why + ' Reload the page to open it again.');
  };
  const step = () => {
    asked = false;
    clearTimeout(waiting);
    let seconds = -1;
    try {
      seconds = Module._warplens_step();
    } catch (why) {
      console.error(why);
      return end(`Warplens has failed: ${why}.`);
    }
    if (++steps === 8) storage?.removeItem('warplens.starts');
    if (seconds < 0) return end('Warplens is closed.');
    if (seconds === 0) wake();
    else waiting = setTimeout(wake, 1000 * seconds);
  };
  const wake = () => {
    if (open && !asked) asked = requestAnimationFrame(step);
  };

  // In slices, which are compiled as they come: the program lies nowhere as a whole, unpacked or not.
  const unpack = () => {
    const text = document.getElementById('wasm'), packed = text.textContent;
    text.remove();
    let at = 0;
    const slices = new ReadableStream({pull: (into) => {
      if (at >= packed.length) return into.close();
      into.enqueue(Uint8Array.from(atob(packed.slice(at, at += 1 << 16)), (c) => c.charCodeAt(0)));
    }});
    const plain = slices.pipeThrough(new DecompressionStream('gzip'));
    return new Response(plain, {headers: {'Content-Type': 'application/wasm'}});
  };

  const save = (name, blob) => {
    const anchor = document.createElement('a');
    anchor.href = URL.createObjectURL(blob);
    anchor.download = name;
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(anchor.href), 60000);
  };
  // The browser makes a PDF: the figure alone, on a page of its size.
  const print = (name, svg) => {
    const figure = new Image(), size = document.createElement('style'), title = document.title;
    figure.id = 'figure';
    figure.onload = () => {
      size.textContent = `@page { size: ${figure.width}px ${figure.height}px; margin: 0 }`;
      document.head.append(size);
      document.body.append(figure);
      document.title = name.replace(/\.pdf$/, '');  // the name that the browser proposes
      addEventListener('afterprint', () => {
        document.title = title;
        URL.revokeObjectURL(figure.src);
        figure.remove();
        size.remove();
      }, {once: true});
      window.print();
    };
    figure.src = URL.createObjectURL(new Blob([svg], {type: 'image/svg+xml'}));
  };
  const call = (what, text) => {
    const pointer = Module.stringToNewUTF8(text);
    what(pointer);
    Module._free(pointer);
  };
  const take = async (files) => {
    for (const file of files) {
      const path = kFolder + '/' + file.name.replace(/[^\w. -]/g, '_');
      Module.FS.writeFile(path, new Uint8Array(await file.arrayBuffer()));
      call(Module._warplens_open, path);
    }
    wake();
  };

  globalThis.Module = {
    canvas,
    noInitialRun: true,
    instantiateWasm: (imports, done) => {
      WebAssembly.instantiateStreaming(unpack(), imports).then(({instance}) => done(instance),
        (why) => say('This browser cannot unpack Warplens: ' + why));
      return {};
    },
    // Where the address is wrong, the window opens with less of it and says what is wrong with the rest.
    onRuntimeInitialized: () => {
      const wanted = link();
      for (const place of new Set(wanted === '' ? [''] : [wanted, wanted.split('?')[0] + '?', ''])) {
        Module.callMain(['--web-address', location.href.split(/[?#]/)[0], ...(place === '' ? [] : [place])]);
        if (!open) continue;
        if (place !== wanted) call(Module._warplens_follow, wanted);
        return;
      }
    },
    pasted: '',
    printed: 0,
    preRun: [() => {
      Module.FS.mkdir(kFolder);
      Module.FS.chdir(kFolder);
      const kept = storage?.getItem('warplens'), starts = storage?.getItem('warplens.starts');
      if (!kept) return;
      Module.FS.mkdirTree(kKept.replace(/\/[^/]*$/, ''));
      Module.FS.writeFile(kKept, kept);
      if (starts) Module.FS.writeFile(kStarts, starts);
    }],
    print: console.log,
    printErr: (text) => { console.error(text); say(text); },
    begin: () => { open = true; say(''); canvas.focus(); wake(); },
    handOver: (path) => {
      const bytes = Module.FS.readFile(path);
      const text = () => new TextDecoder().decode(bytes);
      if (path === kKept) return keep('warplens', text());
      if (path === kStarts) return keep('warplens.starts', text());
      Module.FS.unlink(path);  // it lies with the person's files now
      const name = path.split('/').pop();
      if (name.endsWith('.pdf')) print(name, bytes);
      else save(name, new Blob([bytes]));
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
    // Another scenario is another page to go back to.
    address: (link) => {
      const search = link === '' ? '' : link[0] === '?' ? link : '?' + link.replace('?', '&');
      if (search === location.search) return;
      const place = (text) => text.split('&')[0];
      const how = place(search) === place(location.search) || first ? 'replaceState' : 'pushState';
      first = false;
      try { history[how](null, '', location.pathname + search); } catch (why) { console.error(why); }
    },
    chooseFiles: () => {
      const input = document.createElement('input');
      input.type = 'file';
      input.multiple = true;
      input.onchange = () => take(input.files);
      input.click();
    },
  };

  // Before the program's own listeners. Some keys stay the browser's; what it would do with others is
  // prevented, but not that it pastes, and not that a key types a character.
  addEventListener('keydown', (event) => {
    Module.printed = event.key.length === 1 && event.key < '\x7f' ? event.key.toLowerCase().charCodeAt(0) : 0;
    const command = event.ctrlKey || event.metaKey, paste = command && /^v$/i.test(event.key);
    if (event.key === 'F5' || event.key === 'F12' || (command && /^[rtnw]$/i.test(event.key)))
      event.stopImmediatePropagation();
    else if (!paste && (command || event.key.length > 1)) event.preventDefault();
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
  addEventListener('pagehide', () => open && Module._warplens_keep());
  addEventListener('unload', () => {});  // or Firefox keeps pages that were left, 80 MB each
  document.addEventListener('visibilitychange', () => document.hidden && open && Module._warplens_keep());
  // On a screen with several pixels to a point GLFW fixes the canvas at its size, and asks for that size later.
  addEventListener('resize', () => {
    canvas.style.removeProperty('width');
    canvas.style.removeProperty('height');
  }, true);
  // On another screen GLFW takes the size that it had before.
  const watchPixels = () => matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener('change', () => {
    setTimeout(() => dispatchEvent(new Event('resize')));
    watchPixels();
  }, {once: true});
  watchPixels();
  addEventListener('popstate', () => { if (open) call(Module._warplens_follow, link()); wake(); });
  for (const what of ['keydown', 'keyup', 'mousemove', 'mousedown', 'mouseup', 'wheel', 'touchstart', 'touchmove',
    'touchend', 'touchcancel', 'mouseout', 'resize', 'focus', 'blur', 'fullscreenchange', 'visibilitychange'])
    addEventListener(what, wake);

  // One finger is the mouse, for Emscripten's GLFW; two scroll and zoom.
  let fingers = null;
  const two = ({touches: [a, b]}) => ({
    x: (a.pageX + b.pageX) / 2, y: (a.pageY + b.pageY) / 2, apart: Math.hypot(a.pageX - b.pageX, a.pageY - b.pageY)});
  addEventListener('touchstart', (event) => {
    fingers = event.touches.length === 2 ? two(event) : null;
    const {clientX, clientY} = event.touches[0];  // where the mouse has to be before its button goes down
    canvas.dispatchEvent(new MouseEvent('mousemove', {clientX, clientY, bubbles: true}));
  }, true);
  addEventListener('touchmove', (event) => {
    if (fingers === null || event.touches.length !== 2) return;
    event.stopImmediatePropagation();
    const now = two(event), zoom = now.apart / fingers.apart;
    if (zoom > 1.1 || zoom < 0.9) {
      if (open) Module._warplens_zoom(zoom);
      fingers = now;
    } else if (Math.hypot(now.x - fingers.x, now.y - fingers.y) > 4) {
      canvas.dispatchEvent(new WheelEvent('wheel', {deltaX: fingers.x - now.x, deltaY: fingers.y - now.y, bubbles: true}));
      fingers = {...now, apart: fingers.apart};
    }
    wake();
  }, true);

  if (!document.createElement('canvas').getContext('webgl2'))
    return say('Warplens draws with WebGL 2, which this browser does not offer here.');
  start(Module);
})();
