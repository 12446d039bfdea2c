// The tray: recent photos and videos as a grid that follows the library and the draft.

import {arrowKeys, byId, duration, icon, make, notify, plural, reasonText, reconcile, say} from './dom.js';

const day = new Intl.DateTimeFormat(undefined, {weekday: 'long', day: 'numeric', month: 'long'});
const dayOfYear = new Intl.DateTimeFormat(undefined, {day: 'numeric', month: 'long', year: 'numeric'});
const spoken = new Intl.DateTimeFormat(undefined, {dateStyle: 'long', timeStyle: 'short'});

/** `Today`, `Yesterday`, or the day. */
function heading(date) {
  const start = moment => new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).getTime();
  const days = Math.round((start(new Date()) - start(date)) / 86_400_000);
  if (days === 0 || days === 1) return days ? 'Yesterday' : 'Today';
  return (date.getFullYear() === new Date().getFullYear() ? day : dayOfYear).format(date);
}

export class TrayView {
  #client;
  #composer;
  #grid = byId('grid');
  /** Cells by id, newest first. */
  #cells = [];
  #next;
  #anchor;
  #range;

  constructor(client, composer) {
    this.#client = client;
    this.#composer = composer;
    composer.addEventListener('change', () => this.render());
    byId('more').onclick = () => this.load(true);
    byId('clear').onclick = () => composer.clear();
    const columns = () => getComputedStyle(this.#grid.querySelector('.days') ?? this.#grid).gridTemplateColumns.split(' ').length;
    arrowKeys(this.#grid, '.cell', columns, (cell, event) => { if (event.shiftKey) this.#extend(cell.dataset.key); });
    this.#grid.addEventListener('click', event => this.#click(event));
    this.#grid.addEventListener('keydown', event => {
      if (event.key !== ' ' && event.key !== 'Enter') return;
      event.preventDefault();
      this.#click(event);
    });
    this.#watchLongPress();
  }

  /** Reads the newest page again, or the next older one. Returns the id of the last event that it knows of. */
  async load(isOlder = false) {
    let page;
    try {
      page = await this.#client.tray(isOlder ? this.#next : undefined);
    } catch (error) {
      this.#state('warning', 'Photos cannot be shown', error.message, 'Try again', () => this.load());
      return undefined;
    }
    this.#next = page.next;
    this.#cells = isOlder ? this.#merge(this.#cells, page.cells) : page.cells;
    byId('more').hidden = !page.next;
    if (['denied', 'restricted', 'notDetermined'].includes(page.state)) {
      this.#state('lock', 'No access to your photos', 'Allow access in the settings of the app.');
    } else if (page.state === 'empty') {
      this.#state('camera', 'No photos yet', 'What you attach is kept here.');
    } else {
      byId('tray-state').hidden = true;
    }
    if (page.access === 'limited') say('Only the photos that you have allowed are shown.');
    this.render();
    return page.lastEvent;
  }

  /** Takes an event of the stream. */
  take({name, data}) {
    if (name === 'removed') {
      this.#cells = this.#cells.filter(cell => !data.ids.includes(cell.id));
      if (!this.#cells.length) this.load();
    } else if (name === 'added' || name === 'changed') {
      this.#cells = this.#merge(this.#cells, data.cells);
      byId('tray-state').hidden = true;
    }
    this.render();
  }

  #merge(old, added) {
    const cells = new Map([...old, ...added].map(cell => [cell.id, cell]));
    return [...cells.values()].sort((one, two) => (two.time ?? '').localeCompare(one.time ?? '') || two.id - one.id);
  }

  render() {
    const days = [];
    for (const cell of this.#cells) {
      const title = heading(new Date(cell.time));
      if (days.at(-1)?.title !== title) days.push({title, cells: []});
      days.at(-1).cells.push(cell);
    }
    const full = this.#composer.isFull;
    reconcile(this.#grid, days, group => group.title,
      group => make('div', {role: 'group', className: 'day', aria: {label: group.title}},
        make('h3', {aria: {hidden: 'true'}}, group.title), make('div', {className: 'days', role: 'presentation'})),
      (element, group) => reconcile(element.lastChild, group.cells, cell => cell.id,
        () => this.#create(), (cell, item) => this.#fill(cell, item, full)));
    const all = [...this.#grid.querySelectorAll('.cell')];
    if (all.length && !all.some(cell => cell.tabIndex === 0)) all[0].tabIndex = 0;
    const count = this.#composer.count;
    const text = count ? `${count} selected${full ? ' – no more can be added' : ''}` : '';
    if (byId('chosen').textContent !== text) byId('chosen').textContent = text;
    byId('clear').hidden = !count;
  }

  #create() {
    return make('div', {className: 'cell', role: 'option', tabIndex: -1},
      make('img', {alt: '', loading: 'lazy', decoding: 'async', draggable: false}),
      make('span', {className: 'length'}), make('span', {className: 'badge'}));
  }

  #fill(element, cell, full) {
    const number = this.#composer.numberOf(cell.id);
    const isOff = !number && (full || cell.reason?.code === 'blocked' || (cell.enabled === false && cell.reason && cell.reason.code !== 'duplicate'
      && cell.reason.code !== 'tooManyAttachments'));
    element.classList.toggle('off', isOff);
    element.classList.toggle('on', Boolean(number));
    element.setAttribute('aria-selected', String(Boolean(number)));
    element.setAttribute('aria-disabled', String(isOff));
    element.setAttribute('aria-label', [
      cell.kind === 'video' ? 'Video' : 'Photo', cell.title, spoken.format(new Date(cell.time)),
      cell.duration && `lasts ${duration(cell.duration)}`, number && `selected, number ${number}`,
    ].filter(Boolean).join(', '));
    const [image, length, badge] = element.children;
    badge.textContent = number || '';
    length.textContent = cell.kind === 'video' ? duration(cell.duration ?? 0) : '';
    if (cell.placeholder?.color) element.style.backgroundColor = cell.placeholder.color;
    if (cell.thumbnail && image.getAttribute('src') !== cell.thumbnail) {
      image.srcset = `${cell.thumbnail2x} 2x`;
      image.src = cell.thumbnail;
    } else if (!cell.thumbnail && !element.querySelector('.icon')) {
      image.hidden = true;
      element.prepend(icon(cell.kind === 'video' ? 'video' : 'image'));
      element.append(image);
    }
  }

  #state(symbol, title, text, action, onclick) {
    const state = byId('tray-state');
    state.replaceChildren(icon(symbol), make('h3', {}, title), make('p', {}, text),
      action ? make('button', {type: 'button', onclick}, action) : '');
    state.hidden = false;
  }

  // MARK: Selecting

  #click(event) {
    const cell = event.target.closest('.cell');
    if (!cell || this.#range) return;
    if (event.shiftKey && this.#anchor) this.#extend(cell.dataset.key);
    else this.#toggle(cell.dataset.key);
  }

  #toggle(id) {
    this.#anchor = id;
    const cell = this.#cells.find(other => other.id === id);
    if (this.#composer.numberOf(id)) this.#composer.removeAttachment(id);
    else if (this.#composer.isFull) this.#composer.sayFull();
    else if (cell.enabled === false && cell.reason && !['duplicate', 'tooManyAttachments'].includes(cell.reason.code)) {
      notify(`${reasonText(cell.reason, cell.title ?? 'This file')}.`);
    } else this.#composer.addFromTray([cell]);
  }

  /** Selects everything between the last cell that was chosen and another one. */
  #extend(id) {
    const ids = this.#cells.map(cell => cell.id);
    const [from, to] = [ids.indexOf(this.#anchor ?? id), ids.indexOf(id)];
    const range = this.#cells.slice(Math.min(from, to), Math.max(from, to) + 1);
    const added = (from <= to ? range : range.reverse()).filter(cell => !this.#composer.numberOf(cell.id));
    if (added.length) this.#composer.addFromTray(added);
    say(`${plural(range.length, 'item')} in the range`);
  }

  /** A long press begins a range that follows the finger. */
  #watchLongPress() {
    let timer;
    const end = () => {
      clearTimeout(timer);
      // The click that follows belongs to the range.
      setTimeout(() => { this.#range = undefined; });
    };
    this.#grid.addEventListener('pointerdown', event => {
      const cell = event.target.closest('.cell');
      if (!cell || event.pointerType === 'mouse') return;
      timer = setTimeout(() => {
        this.#range = cell.dataset.key;
        this.#anchor = this.#range;
        if (!this.#composer.numberOf(this.#range)) this.#extend(this.#range);
        navigator.vibrate?.(10);
      }, 400);
    });
    this.#grid.addEventListener('pointermove', event => {
      if (!this.#range) return clearTimeout(event.pointerType === 'mouse' ? undefined : timer);
      const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest('.cell');
      if (cell && cell.dataset.key !== this.#range) {
        this.#range = cell.dataset.key;
        this.#extend(this.#range);
      }
    });
    this.#grid.addEventListener('touchmove', event => { if (this.#range) event.preventDefault(); }, {passive: false});
    this.#grid.addEventListener('contextmenu', event => event.preventDefault());
    for (const name of ['pointerup', 'pointercancel']) this.#grid.addEventListener(name, end);
  }
}
