// Small helpers: elements without HTML strings, lists that keep their elements, sizes and times as text, notices.

/** The element of an id. */
export const byId = id => document.getElementById(id);

/** An element with properties, `data-` and `aria-` attributes and children. Texts are never parsed. */
export function make(tag, {data, aria, role, ...properties} = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) if (value !== undefined) element[name] = value;
  for (const [name, value] of Object.entries(data ?? {})) if (value !== undefined) element.dataset[name] = value;
  for (const [name, value] of Object.entries(aria ?? {})) if (value !== undefined) element.setAttribute(`aria-${name}`, value);
  if (role) element.setAttribute('role', role);
  element.append(...children.filter(child => child !== undefined && child !== null && child !== false));
  return element;
}

/** An icon of icons.svg. */
export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  use.setAttribute('href', `/page/icons.svg#${name}`);
  svg.append(use);
  return svg;
}

/** A button with an icon and a name. */
export const iconButton = (name, label, onclick, className = '') =>
  make('button', {type: 'button', className: `round ${className}`, title: label, aria: {label}, onclick}, icon(name));

/** Whether things may move. */
export const mayMove = () => !matchMedia('(prefers-reduced-motion: reduce)').matches;

/**
 * Makes the children of an element those of a list: elements stay with their key, and glide to new positions.
 * `create(item)` makes an element, `update(element, item)` fills it.
 */
export function reconcile(parent, items, key, create, update) {
  const known = new Map([...parent.children].map(child => [child.dataset.key, child]));
  const before = new Map([...known.values()].map(child => [child, child.getBoundingClientRect()]));
  const focused = parent.contains(document.activeElement) ? document.activeElement : null;
  const isMoving = mayMove() && before.size > 0 && before.size < 40;
  items.forEach((item, index) => {
    const id = String(key(item));
    let element = known.get(id);
    if (!element) {
      element = create(item);
      element.dataset.key = id;
      if (isMoving) element.animate([{opacity: 0, transform: 'scale(.9)'}, {}], {duration: 160, easing: 'ease-out'});
    }
    known.delete(id);
    update(element, item, index);
    if (parent.children[index] !== element) parent.insertBefore(element, parent.children[index] ?? null);
  });
  for (const element of known.values()) element.remove();
  if (focused && document.contains(focused)) focused.focus({preventScroll: true});
  if (!isMoving) return;
  for (const [element, old] of before) {
    const now = element.getBoundingClientRect();
    const [x, y] = [old.x - now.x, old.y - now.y];
    if (element.isConnected && (x || y)) {
      element.animate([{transform: `translate(${x}px, ${y}px)`}, {}], {duration: 200, easing: 'cubic-bezier(.2, .8, .2, 1)'});
    }
  }
}

const units = new Intl.NumberFormat(undefined, {maximumFractionDigits: 1});

/** `131 MB`: units of 1,000, as in phones' settings. */
export function bytes(count) {
  const step = count < 999.5 ? 0 : count < 999_950 ? 1 : count < 999_950_000 ? 2 : 3;
  return `${units.format(count / 1000 ** step)} ${['bytes', 'kB', 'MB', 'GB'][step]}`;
}

/** `1:05`. */
export const duration = seconds =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** `3 photos`. */
export const plural = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;

let toastTimer;

/** Shows a notice for a while, and reads it out; with an action it stays until it is used or closed. */
export function notify(text, {isAlert = true, action, onAction} = {}) {
  const toast = byId('toast');
  clearTimeout(toastTimer);
  const hide = () => { toast.hidden = true; };
  toast.replaceChildren(
    make('span', {}, text),
    action ? make('button', {type: 'button', onclick: () => { hide(); onAction(); }}, action) : '',
    iconButton('close', 'Close the notice', hide, 'small'));
  toast.hidden = false;
  say(text, isAlert);
  if (!action) toastTimer = setTimeout(hide, 6000);
}

/** Reads a text out, without showing it. */
export function say(text, isAlert = false) {
  const region = byId(isAlert ? 'alert' : 'status');
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

/** Moves the focus with arrow keys among the elements that match; `columns()` is their number in a row. */
export function arrowKeys(container, selector, columns = () => 1, onMove = () => {}) {
  container.addEventListener('keydown', event => {
    const all = [...container.querySelectorAll(selector)];
    const index = all.indexOf(event.target.closest(selector));
    const sign = getComputedStyle(container).direction === 'rtl' ? -1 : 1;
    const step = {
      ArrowRight: sign, ArrowLeft: -sign, ArrowDown: columns(), ArrowUp: -columns(), Home: -index, End: all.length - 1 - index,
    }[event.key];
    if (step === undefined || index < 0 || event.altKey) return;
    event.preventDefault();
    const next = all[Math.max(0, Math.min(all.length - 1, index + step))];
    all[index].tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
    onMove(next, event);
  });
}

/** Why a file was refused, for people. */
export function reasonText(reason, name = 'The file') {
  const {code, limit, actual} = reason ?? {};
  switch (code) {
    case 'fileTooLarge': case 'tooLarge':
      return limit ? `${name} is ${actual ? bytes(actual) : 'too large'}; at most ${bytes(limit)} can be sent` : `${name} is too large`;
    case 'messageTooLarge': return `The message would be ${bytes(actual)}; at most ${bytes(limit)} fit`;
    case 'tooManyAttachments': return `A message has at most ${limit} attachments`;
    case 'duplicate': return `${name} is attached already`;
    case 'kindNotAllowed': case 'typeNotAllowed': case 'unsupportedType': return `${name} is of a type that cannot be sent`;
    case 'typeMismatch': return `${name} is not what its name says: it is ${actual}`;
    case 'tooManyPixels': return `${name} has too many pixels`;
    case 'tooLong': return `${name} lasts ${duration(actual)}; at most ${duration(limit)} can be sent`;
    case 'empty': return `${name} is empty`;
    case 'unreadable': return `${name} is damaged`;
    case 'blocked': return `${name} was blocked`;
    case 'quotaExceeded': case 'diskFull': return 'There is no space left for your files';
    case 'offline': return 'The service cannot be reached';
    default: return `${name} cannot be sent`;
  }
}
