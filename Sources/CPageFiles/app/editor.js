// The editor of one attachment: description, crop, replacement; and of the square of a profile picture.

import {removeCard, replace} from './cards.js';
import {ARROWS, clamp, onKeys, ui} from './dom.js';
import {changeItem} from './draft.js';
import {client} from './token.js';

const {description, editor, frame, whole} = ui;
const sides = ['x', 'y', 'width', 'height'];
let crop, edited, info, isSquare;

/** Edits an attachment of the draft; its card gets the focus back. */
export const openEditor = item => open(item, {
  opener: () => document.querySelector(`#cards [data-key="${CSS.escape(item.id)}"] .preview`),
  done: change => Object.keys(change).length && changeItem(item, change), replace: () => replace(item), remove: () => removeCard(item.id),
});

/** Edits the square of an image: `done` gets a change with its `crop`. */
export function openSquare(item, acts) {
  open(item, acts, true);
  if (!crop) centre(1);
}

function open(item, acts, isLocked = false) {
  const {attachment, name = 'Photo', thumbnail} = item;
  isSquare = isLocked;
  ui.square.hidden = ui.crop.hidden = ui.uncropped.hidden = ui.described.hidden = isSquare;
  const altText = item.altText ?? '';
  ({info} = item);
  const isImage = Boolean(info.kind === 'image' && info.width);
  editor.ariaLabel = `Edit ${name}`;
  ui.edited.textContent = name;
  ui.crops.hidden = !isImage;
  whole.hidden = true;
  if (thumbnail) showWhole(attachment);
  description.value = altText;
  setCrop(isImage && item.crop);
  const before = crop;
  frame.onpointermove = null;
  editor.returnValue = '';
  editor.showModal();
  editor.onclose = () => {
    // The next file does not begin with this picture.
    edited = undefined;
    whole.removeAttribute('src');
    acts.opener()?.focus();
    const change = {};
    if (description.value !== altText) change.altText = description.value || null;
    if (sides.some(side => crop?.[side] !== before?.[side])) change.crop = crop ?? null;
    if (Object.hasOwn(acts, editor.returnValue)) acts[editor.returnValue](change);
  };
}

/** Shows the whole picture, whose address has a signature. */
async function showWhole(attachment) {
  edited = attachment;
  const [file] = await client.attachments([attachment]).catch(() => []);
  if (edited === attachment && file) whole.src = file.urls.view;
}

/** Sets the crop to the largest one of a ratio around the centre, or to a part of it. */
function centre(ratio, part = 1) {
  const width = Math.round(Math.min(info.width, info.height * ratio) * part);
  const height = Math.round(Math.min(info.height, info.width / ratio) * part);
  setCrop({x: Math.floor((info.width - width) / 2), y: Math.floor((info.height - height) / 2), width, height});
}
ui.crop.onclick = () => centre(info.width / info.height, 0.8);
ui.square.onclick = () => centre(1);
ui.uncropped.onclick = () => setCrop();
whole.onload = () => { whole.hidden = false; };

function setCrop(value) {
  frame.hidden = !value;
  crop = value || undefined;
  if (!crop) return;
  const width = clamp(Math.min(16, info.width), crop.width, info.width);
  const height = clamp(Math.min(16, info.height), crop.height, info.height);
  crop = {x: clamp(0, crop.x, info.width - width), y: clamp(0, crop.y, info.height - height), width, height};
  const percent = (one, of) => `${100 * one / of}%`;
  Object.assign(frame.style, {left: percent(crop.x, info.width), top: percent(crop.y, info.height),
    width: percent(width, info.width), height: percent(height, info.height)});
}

frame.onpointerdown = event => {
  if (whole.hidden) return;
  event.preventDefault();
  frame.focus();
  frame.setPointerCapture(event.pointerId);
  const {corner} = event.target.dataset;
  const before = crop;
  const scale = info.width / whole.clientWidth;
  frame.onpointermove = ({clientX, clientY}) =>
    drag(before, corner, Math.round((clientX - event.clientX) * scale), Math.round((clientY - event.clientY) * scale));
};
frame.onlostpointercapture = () => { frame.onpointermove = null; };
onKeys(frame, ARROWS, ([across, down], {shiftKey}) => {
  const step = Math.round(info.width / 50);
  // A square grows in both axes, or in none.
  const both = shiftKey && isSquare && across + down;
  drag(crop, shiftKey ? 'se' : undefined, (both || across) * step, (both || down) * step);
});

/** Moves a crop, or one corner of it while the opposite corner stays. */
function drag({x, y, width, height}, corner, dx, dy) {
  if (!corner) return setCrop({x: x + dx, y: y + dy, width, height});
  let [left, right] = corner.includes('w') ? [clamp(0, x + dx, x + width - 16), x + width] : [x, clamp(x + 16, x + width + dx, info.width)];
  let [top, bottom] = corner.includes('n') ? [clamp(0, y + dy, y + height - 16), y + height] : [y, clamp(y + 16, y + height + dy, info.height)];
  if (isSquare) {
    const side = Math.min(right - left, bottom - top);
    [left, right] = corner.includes('w') ? [right - side, right] : [left, left + side];
    [top, bottom] = corner.includes('n') ? [bottom - side, bottom] : [top, top + side];
  }
  return setCrop({x: left, y: top, width: right - left, height: bottom - top});
}
