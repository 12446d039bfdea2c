// The viewer: one photo or video on the whole screen.

import {isExpired} from './addresses.js';
import {bytes, clamp, direction, duration, make, mayMove, onKeys, ui} from './dom.js';
import {watchGestures} from './gestures.js';
import {picture} from './picture.js';
import {client} from './token.js';

const {details, download, facts, next, previous, stage, viewed, viewer} = ui;
let items, index, zoom, x, y;

/** Opens photos or videos, beginning with one. Keys: arrows, + and -, 0, i, Escape. */
export async function openViewer(list, start) {
  await renew(list);
  [items, index] = [list, start];
  viewer.showModal();
  show(start);
}

/** Asks for new addresses of files whose addresses have expired. */
async function renew(list) {
  const expired = list.filter(({file}) => file?.id && isExpired(file.urls.original, `viewer ${file.id}`));
  if (!expired.length) return;
  const files = await client.attachments(expired.map(({file}) => file.id)).catch(() => []);
  for (const item of expired) item.file = files.find(({id}) => id === item.file.id) ?? item.file;
}

function moveBy(dx, dy) {
  const limit = (zoom - 1) / 2;
  x = clamp(-limit * stage.clientWidth, x + dx, limit * stage.clientWidth);
  y = clamp(-limit * stage.clientHeight, y + dy, limit * stage.clientHeight);
  stage.firstChild.style.transform = `translate(${x}px, ${y}px) scale(${zoom})`;
  stage.classList.toggle('zoomed', zoom > 1);
}

function zoomTo(value) {
  if (stage.firstChild.tagName !== 'IMG') return;
  const old = zoom;
  zoom = clamp(1, value, 8);
  [x, y] = [x * zoom / old, y * zoom / old];
  moveBy(0, 0);
  if (zoom > 1) sharpen(stage.firstChild, items[index]);
}

/** What browsers show; other originals are only downloaded. */
const SHOWN = ['image/avif', 'image/gif', 'image/jpeg', 'image/png', 'image/webp'];

/** Shows the original of an image that has more pixels than what is shown, as soon as it is there. */
async function sharpen(image, {file, type, width}) {
  const original = file?.urls.original;
  if (!original || image.dataset.original || !SHOWN.includes(file.info?.type ?? type) || width <= image.naturalWidth) return;
  image.dataset.original = original;
  // Loaded beside it: what is shown stays until then, and if the original cannot be shown.
  await Object.assign(new Image(), {src: original}).decode().then(() => { image.src = original; }, () => {});
}

function show(position) {
  const item = items[position];
  if (!item) return;
  const way = Math.sign(position - index);
  [index, zoom, x, y] = [position, 1, 0, 0];
  const {original, view} = item.file?.urls ?? {};
  const medium = item.kind === 'video' && original
    // The keys in a video are the player's.
    ? make('video', {src: original, poster: view, controls: true, autoplay: true, playsInline: true, ariaLabel: item.altText || item.filename || 'Video',
      onkeydown: event => event.stopPropagation()})
    : picture(item, view ?? item.thumbnail ?? item.poster);
  const {width, height} = item.crop ?? item;
  if (item.crop) {
    medium.className = 'cropped';
    medium.style.setProperty('--ratio', width / height);
  }
  stage.replaceChildren(medium);
  stage.classList.remove('zoomed');
  if (mayMove() && way) medium.animate([{opacity: 0, transform: `translateX(${way * 40}px)`}, {}], {duration: 180, easing: 'ease-out'});
  viewed.textContent = items.length > 1 ? `${index + 1} of ${items.length}` : item.filename ?? '';
  previous.hidden = index === 0;
  next.hidden = index === items.length - 1;
  download.hidden = !original;
  if (original) Object.assign(download, {href: original, download: item.filename ?? ''});
  const {takenAt, make: maker, model} = item.file?.info ?? {};
  const rows = {Name: item.filename, Description: item.altText, Size: item.bytes && bytes(item.bytes),
    Pixels: width && `${width}×${height}`, Length: item.duration && duration(item.duration),
    Taken: takenAt && new Date(takenAt).toLocaleString(), Camera: [maker, model].filter(Boolean).join(' ')};
  facts.replaceChildren(...Object.entries(rows).flatMap(([name, value]) => value ? [make('dt', {}, name), make('dd', {dir: 'auto'}, value)] : []));
}

const showNext = step => show(index + step * direction(viewer));

previous.onclick = () => show(index - 1);
next.onclick = () => show(index + 1);
ui['viewer-close'].onclick = () => viewer.close();
onKeys(viewer, {ArrowRight: () => showNext(1), ArrowLeft: () => showNext(-1), '+': () => zoomTo(zoom * 1.5), '-': () => zoomTo(zoom / 1.5),
  0: () => zoomTo(1), i: () => details.click()}, act => act());
stage.onwheel = event => {
  event.preventDefault();
  zoomTo(zoom * Math.exp(-event.deltaY / 300));
};
stage.ondblclick = () => zoomTo(zoom > 1 ? 1 : 2.5);
watchGestures(stage, {
  accepts: () => stage.firstChild.tagName === 'IMG', move: moveBy, zoom: factor => zoomTo(zoom * factor),
  end: dx => { if (zoom === 1 && Math.abs(dx) > 60) showNext(-Math.sign(dx)); },
});
viewer.onclose = () => {
  // A video ends with it.
  stage.replaceChildren();
  facts.hidePopover();
};
