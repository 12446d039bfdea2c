// The viewer: one photo or video on the whole screen.

import {bytes, duration, icon, iconButton, make, mayMove} from './dom.js';

/** Opens photos or videos, beginning with one. Keys: arrows, + and -, 0, i, Escape. */
export function openViewer(items, start) {
  let [index, zoom, x, y] = [start, 1, 0, 0];
  const opener = document.activeElement;
  const stage = make('div', {className: 'stage'});
  const facts = make('dl', {className: 'facts-list', hidden: true});
  const title = make('h2', {});
  const download = make('a', {className: 'round', title: 'Download', aria: {label: 'Download'}}, icon('download'));
  const previous = iconButton('previous', 'Previous', () => show(index - 1), 'side start');
  const next = iconButton('next', 'Next', () => show(index + 1), 'side end');
  const info = iconButton('info', 'Facts', () => {
    facts.hidden = !facts.hidden;
    info.setAttribute('aria-expanded', String(!facts.hidden));
  });
  const dialog = make('dialog', {className: 'viewer', aria: {label: 'Viewer'}},
    make('header', {}, title, info, download, iconButton('close', 'Close', () => dialog.close())), stage, previous, next, facts);

  function place() {
    const medium = stage.firstChild;
    const limit = (zoom - 1) / 2;
    x = Math.max(-limit * stage.clientWidth, Math.min(limit * stage.clientWidth, x));
    y = Math.max(-limit * stage.clientHeight, Math.min(limit * stage.clientHeight, y));
    medium.style.transform = `translate(${x}px, ${y}px) scale(${zoom})`;
    stage.classList.toggle('zoomed', zoom > 1);
  }
  function zoomTo(value) {
    const old = zoom;
    zoom = Math.max(1, Math.min(8, value));
    [x, y] = [x * zoom / old, y * zoom / old];
    place();
  }
  function show(position) {
    if (position < 0 || position >= items.length) return;
    const direction = Math.sign(position - index);
    [index, zoom, x, y] = [position, 1, 0, 0];
    const item = items[index];
    const urls = item.file?.urls ?? {};
    const medium = item.kind === 'video' && urls.original
      ? make('video', {src: urls.original, poster: urls.view, controls: true, autoplay: true, playsInline: true})
      : make('img', {src: urls.view ?? item.thumbnail ?? item.poster, alt: item.altText ?? '', draggable: false});
    if (item.kind === 'image' && item.crop) {
      const {crop} = item;
      medium.style.objectViewBox = `inset(${100 * crop.y / item.height}% ${100 - 100 * (crop.x + crop.width) / item.width}% `
        + `${100 - 100 * (crop.y + crop.height) / item.height}% ${100 * crop.x / item.width}%)`;
    }
    stage.replaceChildren(medium);
    if (mayMove() && direction) medium.animate([{opacity: 0, transform: `translateX(${direction * 40}px)`}, {}], {duration: 180, easing: 'ease-out'});
    title.textContent = items.length > 1 ? `${index + 1} of ${items.length}` : item.filename ?? '';
    previous.hidden = index === 0;
    next.hidden = index === items.length - 1;
    download.hidden = !urls.original;
    if (urls.original) Object.assign(download, {href: urls.original, download: item.filename ?? ''});
    const known = item.file?.info ?? {};
    const rows = [['Name', item.filename], ['Description', item.altText], ['Size', item.bytes && bytes(item.bytes)],
      ['Pixels', item.width && `${item.width} × ${item.height}`], ['Length', item.duration && duration(item.duration)],
      ['Taken', known.takenAt && new Date(known.takenAt).toLocaleString()], ['Camera', [known.make, known.model].filter(Boolean).join(' ')]];
    facts.replaceChildren(...rows.filter(([, value]) => value).flatMap(([name, value]) =>
      [make('dt', {}, name), make('dd', {dir: 'auto'}, value)]));
  }

  dialog.addEventListener('keydown', event => {
    const sign = getComputedStyle(dialog).direction === 'rtl' ? -1 : 1;
    if (event.target.tagName === 'VIDEO') return;
    const act = {ArrowRight: () => show(index + sign), ArrowLeft: () => show(index - sign), '+': () => zoomTo(zoom * 1.5),
      '-': () => zoomTo(zoom / 1.5), 0: () => zoomTo(1), i: () => info.click()}[event.key];
    if (act) {
      event.preventDefault();
      act();
    }
  });
  const isImage = () => stage.firstChild?.tagName === 'IMG';
  stage.addEventListener('wheel', event => {
    event.preventDefault();
    if (isImage()) zoomTo(zoom * Math.exp(-event.deltaY / 300));
  }, {passive: false});
  stage.addEventListener('dblclick', () => { if (isImage()) zoomTo(zoom > 1 ? 1 : 2.5); });
  // One pointer moves or swipes, two zoom.
  const pointers = new Map();
  let [spread, begun] = [0, 0];
  const distance = () => {
    const [one, two] = [...pointers.values()];
    return Math.hypot(one.x - two.x, one.y - two.y);
  };
  stage.addEventListener('pointerdown', event => {
    if (!isImage()) return;
    pointers.set(event.pointerId, {x: event.clientX, y: event.clientY});
    stage.setPointerCapture(event.pointerId);
    begun = event.clientX;
    if (pointers.size === 2) spread = distance();
  });
  stage.addEventListener('pointermove', event => {
    const old = pointers.get(event.pointerId);
    if (!old) return;
    pointers.set(event.pointerId, {x: event.clientX, y: event.clientY});
    if (pointers.size === 2) {
      zoomTo(zoom * distance() / spread);
      spread = distance();
    } else if (zoom > 1) {
      [x, y] = [x + event.clientX - old.x, y + event.clientY - old.y];
      place();
    }
  });
  const lift = event => {
    if (pointers.delete(event.pointerId) && zoom === 1 && !pointers.size && Math.abs(event.clientX - begun) > 60) {
      show(index + (event.clientX < begun ? 1 : -1) * (getComputedStyle(dialog).direction === 'rtl' ? -1 : 1));
    }
  };
  stage.addEventListener('pointerup', lift);
  stage.addEventListener('pointercancel', lift);
  dialog.addEventListener('close', () => {
    dialog.remove();
    opener?.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  show(start);
}
