// The tray: recent photos and videos as a grid that follows the library and the draft.

import {arrowKeys, button, byId, duration, icon, keepReachable, make, notify, plural, reasonText, reconcile, say} from './dom.js';

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

/** Why a cell cannot be selected, apart from the number of those that are. */
const refusal = ({enabled, reason}) => enabled === false && !['duplicate', 'tooManyAttachments'].includes(reason?.code) ? reason : undefined;

export class TrayView {
  #client;
  #composer;
  #standings;
  #grid = byId('grid');
  /** Newest first. */
  #cells = [];
  #next;
  /** The cell from which a range is counted, and the one that a finger is on. */
  #anchor;
  #finger;

  constructor(client, composer, standings) {
    this.#client = client;
    this.#composer = composer;
    this.#standings = standings;
    for (const source of [composer, standings]) source.addEventListener('change', () => this.render());
    byId('more').onclick = () => this.load(true);
    byId('clear').onclick = () => composer.clear();
    const columns = () => getComputedStyle(this.#grid.querySelector('.days')).gridTemplateColumns.split(' ').length;
    arrowKeys(this.#grid, '.cell', columns, (cell, event) => { if (event.shiftKey) this.#extend(cell.dataset.key); });
    const select = event => {
      const key = event.target.closest('.cell')?.dataset.key;
      if (!key || this.#finger) return;
      if (event.shiftKey && this.#anchor) this.#extend(key);
      else this.#toggle(key);
    };
    // Loaded after the first picture, which people wait for.
    this.#grid.addEventListener('load', () => this.#watchLongPress().catch(() => {}), {once: true, capture: true});
    this.#grid.addEventListener('click', select);
    this.#grid.addEventListener('keydown', event => {
      if (event.key !== ' ' && event.key !== 'Enter') return;
      event.preventDefault();
      select(event);
    });
  }

  /** Reads the newest page again, or the next older one. Returns the id of the last event that it knows of. */
  async load(isOlder = false) {
    let page;
    try {
      page = await this.#client.tray(isOlder ? this.#next : undefined);
    } catch (error) {
      this.#show('warning', 'The photos cannot be loaded', error.message, button('Try again', () => this.load()));
      return undefined;
    }
    this.#next = page.next;
    this.#cells = isOlder ? this.#merge(page.cells) : page.cells;
    byId('more').hidden = !page.next;
    byId('tray-state').hidden = true;
    if (page.state === 'empty') this.#show('camera', 'No photos yet', 'Photos that you attach appear here.');
    else if (page.state !== 'grid') this.#show('lock', 'No access to your photos', 'Allow access in the app settings.');
    byId('access').hidden = page.access !== 'limited';
    this.render();
    return page.lastEvent;
  }

  /** Takes an event of the stream. */
  take({name, data}) {
    if (name === 'removed') {
      this.#cells = this.#cells.filter(cell => !data.ids.includes(cell.id));
      if (!this.#cells.length) this.load();
    } else if (name === 'added' || name === 'changed') {
      this.#cells = this.#merge(data.cells);
      byId('tray-state').hidden = true;
    }
    this.render();
  }

  #merge(added) {
    const cells = new Map([...this.#cells, ...added].map(cell => [cell.id, cell]));
    return [...cells.values()].sort((one, two) => (two.time ?? '').localeCompare(one.time ?? '') || two.id - one.id);
  }

  render() {
    this.#standings.look(this.#cells.filter(cell => !cell.thumbnail).map(cell => cell.id));
    const days = Object.entries(Object.groupBy(this.#cells, cell => heading(new Date(cell.time))));
    reconcile(this.#grid, days, ([title]) => title,
      ([title]) => make('div', {role: 'group', className: 'day', ariaLabel: title},
        make('h3', {ariaHidden: 'true'}, title), make('div', {className: 'days', role: 'presentation'})),
      (element, [, cells]) => reconcile(element.lastChild, cells, cell => cell.id, () => this.#create(), (...both) => this.#fill(...both)));
    keepReachable(this.#grid, '.cell');
    const {count, isFull} = this.#composer;
    byId('chosen').textContent = count ? `${count} selected${isFull ? ' – no more can be added' : ''}` : '';
    byId('clear').hidden = !count;
  }

  #create() {
    return make('div', {className: 'cell', role: 'option', tabIndex: -1},
      make('img', {alt: '', loading: 'lazy', decoding: 'async', draggable: false}),
      make('span', {className: 'length'}), make('span', {className: 'badge'}), make('span', {className: 'symbol'}));
  }

  #fill(element, cell) {
    const number = this.#composer.numberOf(cell.id);
    const isOff = !number && (this.#composer.isFull || Boolean(refusal(cell)));
    element.classList.toggle('off', isOff);
    element.classList.toggle('on', number > 0);
    element.ariaSelected = String(number > 0);
    element.ariaDisabled = String(isOff);
    const standing = this.#standings.of(cell.id);
    element.ariaLabel = [
      cell.kind === 'video' ? 'Video' : 'Photo', cell.title, spoken.format(new Date(cell.time)),
      cell.duration && `lasts ${duration(cell.duration)}`, standing?.text, number && `selected, number ${number}`,
    ].filter(Boolean).join(', ');
    const [image, length, badge, symbol] = element.children;
    badge.textContent = number || '';
    length.textContent = cell.kind === 'video' ? duration(cell.duration) : '';
    element.style.backgroundColor = cell.placeholder?.color ?? '';
    image.hidden = !cell.thumbnail || Boolean(standing);
    image.onerror = () => this.#standings.look([cell.id]);
    if (cell.thumbnail && image.getAttribute('src') !== cell.thumbnail) Object.assign(image, {srcset: `${cell.thumbnail2x} 2x`, src: cell.thumbnail});
    const name = image.hidden ? standing?.symbol ?? cell.kind : '';
    if ((symbol.dataset.name ?? '') !== name) {
      symbol.dataset.name = name;
      symbol.replaceChildren(...name ? [icon(name), standing?.text ?? ''] : []);
    }
  }

  #show(symbol, title, text, action) {
    byId('tray-state').replaceChildren(icon(symbol), make('h3', {}, title), make('p', {}, text), action ?? '');
    byId('tray-state').hidden = false;
  }

  // MARK: Selecting

  #toggle(id) {
    this.#anchor = id;
    const cell = this.#cells.find(other => other.id === id);
    const reason = refusal(cell);
    if (this.#composer.numberOf(id)) this.#composer.removeAttachment(id);
    else if (this.#composer.isFull) this.#composer.notifyFull();
    else if (reason) notify(`${reasonText(reason, cell.title ?? 'This file')}.`);
    else this.#composer.addFromTray([cell]);
  }

  /** Selects everything between the last cell that was chosen and another one. */
  #extend(id) {
    const index = key => this.#cells.findIndex(cell => cell.id === key);
    const [from, to] = [index(this.#anchor ?? id), index(id)];
    const range = this.#cells.slice(Math.min(from, to), Math.max(from, to) + 1);
    const added = (from <= to ? range : range.reverse()).filter(cell => !this.#composer.numberOf(cell.id));
    if (added.length) this.#composer.addFromTray(added);
    say(`${plural(range.length, 'item')} selected`);
  }

  /** With a finger, a long press begins a range that follows it. */
  async #watchLongPress() {
    const {watchLongPress} = await import('./gestures.js');
    watchLongPress(this.#grid, '.cell', {
      begin: ({dataset: {key}}) => {
        this.#finger = this.#anchor = key;
        if (!this.#composer.numberOf(key)) this.#extend(key);
      },
      move: ({dataset: {key}}) => { if (key !== this.#finger) this.#extend(this.#finger = key); },
      end: () => { this.#finger = undefined; },
    });
  }
}
