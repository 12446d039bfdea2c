// The tray: recent photos and videos as a grid that follows the library and the draft.

import {arrowKeys, copy, duration, icon, keepReachable, make, notify, onKeys, plural, reconcile, say, showAlone, ui} from './dom.js';
import {isExpired} from './addresses.js';
import {addFromTray, clear, isFull, numberOf, order, remove, textOf} from './draft.js';
import {look, standingOf} from './standing.js';
import {client} from './token.js';

const {grid, more} = ui;
const state = ui['tray-state'];
const format = options => new Intl.DateTimeFormat(undefined, options);
const day = format({weekday: 'long', day: 'numeric', month: 'long'});
const dayOfYear = format({day: 'numeric', month: 'long', year: 'numeric'});
const spoken = format({dateStyle: 'long', timeStyle: 'short'});

/** `Today`, `Yesterday`, or the day. */
function heading(date) {
  const now = new Date();
  const days = Math.round((new Date(now).setHours(0, 0, 0, 0) - new Date(date).setHours(0, 0, 0, 0)) / 86_400_000);
  return ['Today', 'Yesterday'][days] ?? (date.getFullYear() === now.getFullYear() ? day : dayOfYear).format(date);
}

/** Newest first. */
let cells = [];
let next;
/** The cell from which a range is counted. */
let anchor;

/** Reads the newest page again, or the next older one. Returns the id of the last event that it knows of. */
export async function loadTray(isOlder = false) {
  let page;
  try {
    page = await client.tray(isOlder ? next : undefined);
  } catch (error) {
    ui['tray-error'].textContent = error.message;
    showAlone(ui['tray-failed']);
    return undefined;
  }
  next = page.next;
  cells = isOlder ? merge(page.cells) : page.cells;
  more.hidden = !next;
  state.hidden = true;
  if (page.state !== 'grid') showAlone(ui[page.state === 'empty' ? 'tray-empty' : 'tray-denied']);
  ui.access.hidden = page.access !== 'limited';
  render();
  return page.lastEvent;
}
more.onclick = () => loadTray(true);
ui['tray-retry'].onclick = () => loadTray();

/** Takes an event of the stream. */
export function takeEvent({name, data}) {
  if (name === 'removed') {
    cells = cells.filter(cell => !data.ids.includes(cell.id));
    if (!cells.length) loadTray();
  } else if (data.cells) {
    cells = merge(data.cells);
    state.hidden = true;
  } else {
    if (name === 'reset') loadTray();
    return;
  }
  render();
}

function merge(added) {
  const all = new Map([...cells, ...added].map(cell => [cell.id, cell]));
  return [...all.values()].sort((one, two) => (two.time ?? '').localeCompare(one.time ?? '') || two.id - one.id);
}

function render() {
  look(cells.filter(cell => !cell.thumbnail).map(cell => cell.id));
  const days = Object.entries(Object.groupBy(cells, cell => heading(new Date(cell.time))));
  reconcile(grid, days, ([title]) => title,
    ([title]) => make('div', {role: 'group', className: 'day', ariaLabel: title},
      make('h3', {ariaHidden: 'true'}, title), make('div', {className: 'days', role: 'presentation'})),
    (element, [, ofDay]) => reconcile(element.lastChild, ofDay, cell => cell.id, () => copy(ui.cell), fill));
  keepReachable(grid, '.cell');
  const count = order.length;
  ui.chosen.textContent = count ? `${count} selected${isFull() ? ' – no more can be added' : ''}` : '';
  ui.clear.hidden = !count;
}
for (const name of ['draft', 'standings']) addEventListener(name, render);
ui.clear.onclick = clear;

/** What each cell shows. */
const filled = new WeakMap();

function fill(element, cell) {
  const {duration: seconds, id, kind, placeholder, thumbnail, thumbnail2x, time, title} = cell;
  const number = numberOf(id);
  const isOff = !number && (isFull() || Boolean(refusal(cell)));
  const isVideo = kind === 'video';
  const standing = standingOf(id);
  // Of thousands of cells, few have changed.
  const state = [number, isOff, standing?.text, thumbnail, cell === cells[0]].join();
  if (filled.get(element)?.cell === cell && filled.get(element).state === state) return;
  filled.set(element, {cell, state});
  element.classList.toggle('off', isOff);
  element.classList.toggle('on', number > 0);
  element.ariaSelected = String(number > 0);
  element.ariaDisabled = String(isOff);
  element.title = element.ariaLabel = [isVideo ? 'Video' : 'Photo', title, spoken.format(new Date(time)), seconds && `lasts ${duration(seconds)}`,
    standing?.text, number && `selected, number ${number}`].filter(Boolean).join(', ');
  element.style.backgroundColor = placeholder?.color ?? '';
  const [image, length, badge, symbol] = element.children;
  badge.textContent = number || '';
  length.textContent = isVideo ? duration(seconds) : '';
  image.hidden = !thumbnail || Boolean(standing);
  image.onerror = () => isExpired(image.src, `cell ${id}`) ? renew(cell) : look([id]);
  // Asked for before anything else, and not after a layout.
  if (cell === cells[0]) image.loading = 'eager';
  if (thumbnail && image.getAttribute('src') !== thumbnail) Object.assign(image, {srcset: `${thumbnail2x} 2x`, src: thumbnail});
  const name = image.hidden ? standing?.symbol ?? kind : '';
  if ((symbol.dataset.name ?? '') !== name) {
    symbol.dataset.name = name;
    symbol.replaceChildren(...name ? [icon(name), standing?.text ?? ''] : []);
  }
}

/** Cells whose addresses have expired; all that a scroll shows are asked for at once. */
const expired = new Map();
function renew(cell) {
  if (!expired.size) setTimeout(renewAll, 100);
  expired.set(cell.id, cell);
}

async function renewAll() {
  // Those that expire meanwhile are the next ones.
  const asked = new Map(expired);
  expired.clear();
  const files = await client.attachments([...asked.keys()]).catch(() => []);
  for (const {id, urls} of files) {
    if (urls?.grid) Object.assign(asked.get(id), {thumbnail: urls.grid, thumbnail2x: urls.message ?? urls.grid});
  }
  render();
}

// MARK: Selecting

/** Why a cell cannot be selected, apart from the number of those that are. */
const refusal = ({enabled, reason}) => enabled === false && !['duplicate', 'tooManyAttachments'].includes(reason?.code) ? reason : undefined;

function select(event) {
  const id = event.target.closest('.cell')?.dataset.key;
  if (!id) return;
  if (event.shiftKey && anchor) extend(id);
  else toggle(cells.find(cell => cell.id === id));
}
grid.onclick = select;
onKeys(grid, {' ': 1, Enter: 1}, (_, event) => select(event));
arrowKeys(grid, '.cell', true, (cell, event) => { if (event.shiftKey) extend(cell.dataset.key); });

function toggle(cell) {
  const {id, title = 'This file'} = cell;
  const reason = refusal(cell);
  anchor = id;
  const number = numberOf(id);
  if (number) remove(order[number - 1]);
  else if (isFull()) notify(`A message can have at most ${plural(order.length, 'attachment')}.`);
  else if (reason) textOf(reason, title).then(text => notify(`${text}.`));
  else addFromTray([cell]);
}

/** Selects everything between the last cell that was chosen, or a given one, and another one. */
export function extend(id, start = anchor ?? id) {
  anchor = start;
  const [from, to] = [start, id].map(key => cells.findIndex(cell => cell.id === key));
  const range = cells.slice(Math.min(from, to), Math.max(from, to) + 1);
  const added = (from <= to ? range : range.reverse()).filter(cell => !numberOf(cell.id));
  if (added.length) addFromTray(added);
  say(`${plural(range.length, 'item')} selected`);
}
