// What all parts of the page use: elements without HTML strings, lists that keep their elements, texts for people, notices.

/** The elements of the document that have an id, by it. */
export const ui = Object.fromEntries(Array.from(document.querySelectorAll('[id]'), element => [element.id, element]));

/** An element with properties and children; `data` has its `data-` attributes, `style` its styles. Texts are never parsed. */
export function make(tag, {data, style, ...properties} = {}, ...children) {
  const element = document.createElement(tag);
  for (const [target, values = {}] of [[element, properties], [element.dataset, data], [element.style, style]]) {
    for (const [name, value] of Object.entries(values)) if (value !== undefined) target[name] = value;
  }
  element.append(...children.filter(Boolean));
  return element;
}

/** A copy of the element in a template. */
export const copy = template => template.content.firstElementChild.cloneNode(true);

/** A button; `content` is its text, or what it contains. */
export const button = (content, onclick, properties = {}) => make('button', {type: 'button', onclick, ...properties}, ...[content].flat());

/** An icon of icons.svg. */
export function icon(name) {
  const [svg, use] = ['svg', 'use'].map(tag => document.createElementNS('http://www.w3.org/2000/svg', tag));
  svg.classList.add('icon');
  svg.ariaHidden = 'true';
  use.setAttribute('href', `/page/icons.svg#${name}`);
  svg.append(use);
  return svg;
}

/** The icon of a kind of media. */
export const kindIcon = kind => icon(['audio', 'calendar', 'contact', 'image', 'video'].includes(kind) ? kind : 'file');

for (const element of document.querySelectorAll('[data-icon]')) {
  element.prepend(icon(element.dataset.icon));
  element.title = element.ariaLabel ?? '';
}

/** Whether things may move. */
export const mayMove = () => !matchMedia('(prefers-reduced-motion: reduce)').matches;

/** 1, or -1 where the text runs from right to left. */
export const direction = element => getComputedStyle(element).direction === 'rtl' ? -1 : 1;

/** A number within bounds. */
export const clamp = (least, value, most) => Math.max(least, Math.min(most, value));

/**
 * Makes the children of an element those of a list: elements stay with their key, and glide to new positions.
 * `create(item)` makes an element, `update(element, item, index)` fills it.
 */
export function reconcile(parent, items, key, create, update) {
  const old = [...parent.children];
  const ids = items.map(item => String(key(item)));
  // Where nothing moves, nothing is measured: that would lay out the page again for each list.
  const moves = old.length < 40 && old.some((child, index) => child.dataset.key !== ids[index]) && mayMove();
  const before = new Map(moves ? old.map(child => [child, child.getBoundingClientRect()]) : []);
  const focused = parent.contains(document.activeElement) && document.activeElement;
  const known = new Map(old.map(child => [child.dataset.key, child]));
  const listed = new Set(ids);
  for (const [id, child] of known) if (!listed.has(id)) child.remove();
  let last;
  items.forEach((item, index) => {
    const id = ids[index];
    let element = known.get(id);
    if (!element) {
      element = create(item);
      element.dataset.key = id;
    }
    update(element, item, index);
    const next = last ? last.nextSibling : parent.firstChild;
    if (next !== element) parent.insertBefore(element, next);
    last = element;
  });
  if (focused && focused !== document.activeElement && focused.isConnected) focused.focus({preventScroll: true});
  for (const [element, {x, y}] of before) {
    const now = element.getBoundingClientRect();
    if (!element.isConnected || now.x === x && now.y === y) continue;
    element.animate({translate: [`${x - now.x}px ${y - now.y}px`, '0']}, {duration: 200, easing: 'cubic-bezier(.2, .8, .2, 1)'});
  }
}

/** The directions of the arrow keys, to the right and down. */
export const ARROWS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

/** Calls `act(value, event)` with the value of the key that is pressed; keys that have none, or for which it returns false, are the browser's. */
export function onKeys(element, values, act) {
  element.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || !Object.hasOwn(values, event.key)) return;
    if (act(values[event.key], event) !== false) event.preventDefault();
  });
}

/** The element above or below another one, among the hundred before and after it; undefined in the first and the last row. Rows differ in length, and begin again with each group. */
function beside(every, from, down) {
  const index = every.indexOf(from);
  const all = every.slice(Math.max(0, index - 100), index + 100);
  const box = from.getBoundingClientRect();
  const boxes = new Map(all.map(element => [element, element.getBoundingClientRect()]));
  const tops = [...boxes.values()].map(({top}) => top).filter(top => (top - box.top) * down > 1);
  const row = down > 0 ? Math.min(...tops) : Math.max(...tops);
  const distance = element => Math.abs(boxes.get(element).x - box.x);
  return all.filter(element => Math.abs(boxes.get(element).top - row) <= 1).sort((one, two) => distance(one) - distance(two))[0];
}

/** Moves the focus with arrow keys among the elements that match, which are one row or, with `isGrid`, several. */
export function arrowKeys(container, selector, isGrid = false, onMove = () => {}) {
  onKeys(container, {...ARROWS, Home: [0, -Infinity], End: [0, Infinity]}, ([across, down], event) => {
    const all = [...container.querySelectorAll(selector)];
    const focused = event.target.closest(selector);
    if (!focused || event.altKey) return false;
    const step = across * direction(container) + down;
    const next = isGrid && Math.abs(down) === 1 ? beside(all, focused, down) ?? focused : all[clamp(0, all.indexOf(focused) + step, all.length - 1)];
    focused.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
    return onMove(next, event);
  });
}

/** Makes one of the elements that arrow keys move among reachable by the Tab key. */
export function keepReachable(container, selector) {
  const all = [...container.querySelectorAll(selector)];
  if (!all.some(element => element.tabIndex === 0)) all[0]?.setAttribute('tabindex', 0);
}

/** Shows an element, and none of those beside it. */
export function showAlone(element) {
  for (const other of element.parentElement.children) other.hidden = other !== element;
  element.parentElement.hidden = false;
}

// MARK: Texts

/** The pieces of a text, with its links as `wrap(piece, link)` makes them. */
export function withLinks(text, links, wrap) {
  let end = 0;
  const pieces = links.flatMap(link => {
    const [from, to] = link.utf16;
    const before = text.slice(end, from);
    end = to;
    return [before, wrap(text.slice(from, to), link)];
  });
  return [...pieces, text.slice(end)];
}

/** `4.8 kB`, `131 MB`; of a limit also the exact number if that is rounded: `105 MB (100 MiB)`. As HumanNumbers writes them in messages and tables. */
export function bytes(count, isLimit) {
  let [power, unit] = [0, 1];
  for (; count / unit >= 999.5; unit *= 1000) power++;
  const step = power && count / unit < 9.95 ? unit / 10 : unit;
  const value = Math.round(count / step) * step;
  const size = `${(value / unit).toFixed(step < unit)} ${['', ...'kMGTPE'][power]}B`;
  if (!isLimit || value === count) return size;
  let exact = 3;
  while (count % 1024 ** exact) exact--;
  return `${size} (${(count / 1024 ** exact).toLocaleString('en')} ${['bytes', 'KiB', 'MiB', 'GiB'][exact]})`;
}

/** `1:05`, `1:02:03`; less than a second counts as 1. */
export function duration(seconds = 0) {
  const whole = seconds && Math.max(1, Math.round(seconds));
  return [whole / 3600, whole / 60 % 60, whole % 60].map(part => `${Math.floor(part)}`.padStart(2, 0)).join(':').replace(/^[0:]{1,4}/, '');
}

/** `3 photos`. */
export const plural = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;

// MARK: Notices

const {toast, 'toast-action': actionButton} = ui;
let toastTimer;
const hide = () => toast.hidePopover();
ui['toast-close'].onclick = hide;

/** Shows a notice above everything for a while, and reads it out; with an action it stays until it is used or closed. */
export function notify(text, action, onAction) {
  clearTimeout(toastTimer);
  ui.notice.textContent = text;
  actionButton.hidden = !action;
  actionButton.textContent = action;
  actionButton.onclick = () => { hide(); onAction(); };
  // Shown again, it is above a dialog that was opened meanwhile.
  hide();
  toast.showPopover();
  say(text, true);
  if (!action) toastTimer = setTimeout(hide, 6000);
}

/** Reads a text out, without showing it. */
export function say(text, isAlert = false) {
  const region = isAlert ? ui.alert : ui.status;
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}
