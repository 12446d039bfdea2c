// The thread: messages as modules, the newest at the bottom.

import {button, byId, icon, make, notify, picture, say, withLinks} from './dom.js';

const clock = new Intl.DateTimeFormat(undefined, {hour: 'numeric', minute: '2-digit'});
const date = new Intl.DateTimeFormat(undefined, {weekday: 'long', day: 'numeric', month: 'long'});
const PAGE = 40;

/** An address that a page may open: no other scheme ever becomes a link. */
const safe = ({kind, target}) => {
  if (kind === 'phone') return `tel:${target.replaceAll('#', '%23')}`;
  if (kind === 'email') return `mailto:${target}`;
  return /^https?:\/\//i.test(target) ? target : undefined;
};

/** Images of parts are `data:` URLs, which the policy of the page does not load: they become blobs. */
function source(address) {
  const [head, data] = (address ?? '').split(',');
  if (!head.startsWith('data:')) return address;
  return URL.createObjectURL(new Blob([Uint8Array.from(atob(data), byte => byte.charCodeAt(0))], {type: head.slice(5).split(';')[0]}));
}

const openViewer = async (...options) => (await import('./viewer.js')).openViewer(...options);
const removed = () => [icon('trash'), make('span', {}, 'Removed')];

export class ThreadView {
  /** Messages that are known, the oldest first; and the index of the first one that is shown. */
  #messages = [];
  #first = 0;
  #list = byId('thread');
  #scroller = byId('scroller');
  #isAtEnd = true;
  #players;

  constructor(client, store) {
    Object.assign(this, {client, store});
    byId('older').onclick = () => this.#older();
    new IntersectionObserver(([entry]) => { if (entry.isIntersecting) this.#older(); }, {root: this.#scroller}).observe(byId('older'));
    // Who reads the newest message sees it whole when the composer grows.
    this.#scroller.onscroll = () => { this.#isAtEnd = this.#scroller.scrollHeight - this.#scroller.scrollTop - this.#scroller.clientHeight < 40; };
    new ResizeObserver(() => { if (this.#isAtEnd) this.#scroll(); }).observe(this.#scroller);
  }

  async open() {
    this.#messages = await this.store.all();
    this.#first = Math.max(0, this.#messages.length - PAGE);
    await this.#show(this.#messages.slice(this.#first), false);
    this.#scroll();
  }

  async #older() {
    if (!this.#first) return;
    const end = this.#first;
    this.#first = Math.max(0, end - PAGE);
    const bottom = this.#scroller.scrollHeight - this.#scroller.scrollTop;
    await this.#show(this.#messages.slice(this.#first, end), true);
    this.#scroller.scrollTop = this.#scroller.scrollHeight - bottom;
  }

  /** Adds a message, and keeps it. */
  async add(message) {
    await this.store.put(message);
    this.#messages.push(message);
    await this.#show([message], false);
    this.#scroll('smooth');
  }

  /** Shows a received MMS: the PDU is uploaded, and its modules are read. */
  async receive(file) {
    say(`Reading ${file.name}`);
    try {
      const {id} = await this.client.upload(file);
      const {modules, direction, from, date: sent, subject} = await this.client.modules(id);
      const time = new Date(sent ? sent * 1000 : Date.now()).toISOString();
      await this.add({key: `message ${new Date().toISOString()}-${id}`, direction, from, subject, time, modules, attachments: []});
    } catch (error) {
      notify(`${file.name} cannot be read: ${error.message}`);
    }
  }

  /** Marks what was erased. */
  forget(ids) {
    for (const element of ids.flatMap(id => [...this.#list.querySelectorAll(`[data-attachment="${CSS.escape(id)}"]`)])) {
      element.replaceChildren(...removed());
      element.classList.add('gone');
    }
  }

  #scroll(behavior = 'instant') { this.#scroller.scrollTo({top: this.#scroller.scrollHeight, behavior}); }

  async #show(messages, isOlder) {
    // Addresses expire, and files are erased: one request answers for all.
    const ids = [...new Set(messages.flatMap(message => message.attachments.map(item => item.attachment)))];
    const files = new Map((await this.client.attachments(ids).catch(() => [])).map(file => [file.id, file]));
    if (messages.some(message => message.modules.some(({kind}) => kind === 'audio' || kind === 'video'))) {
      this.#players ??= await import('./players.js');
    }
    const elements = [];
    let day = isOlder ? '' : this.day;
    for (const message of messages) {
      const own = date.format(new Date(message.time));
      if (own !== day) elements.push(make('li', {className: 'date'}, own));
      day = own;
      elements.push(this.#message(message, files));
    }
    if (!isOlder) this.day = day;
    this.#list[isOlder ? 'prepend' : 'append'](...elements);
    byId('older').hidden = !this.#first;
    byId('welcome').hidden = this.#messages.length > 0;
  }

  #message({direction, from, subject, time, modules, attachments}, files) {
    const own = direction === 'outgoing';
    const items = modules.map(module => {
      const sent = attachments.find(item => item.id === module.id);
      return {...module, ...sent, file: files.get(sent?.attachment), isOurs: Boolean(sent)};
    });
    const pictures = items.filter(item => item.kind === 'image' && (item.thumbnail || item.isOurs) && item.state !== 'corrupted');
    return make('li', {className: `message ${own ? 'own' : ''}`},
      make('span', {className: 'hidden'}, own ? 'You: ' : `${from ?? 'Received'}: `),
      !own && from && make('span', {className: 'sender', dir: 'auto'}, from.replace(/\/TYPE=.*/, '')),
      make('div', {className: 'body'}, subject && make('strong', {dir: 'auto'}, subject),
        ...items.map(item => item === pictures[0] ? this.#gallery(pictures) : !pictures.includes(item) && this.#module(item))),
      make('p', {className: 'time'}, make('time', {dateTime: time}, clock.format(new Date(time))),
        own && icon('check'), own && make('span', {className: 'hidden'}, ' sent')));
  }

  /** Up to four pictures; the last one shows how many more there are. */
  #gallery(items) {
    const shown = items.slice(0, 4);
    return make('div', {className: 'gallery', data: {count: shown.length}}, ...shown.map((item, index) => {
      const more = index === 3 && items.length > 4 && `+${items.length - 3}`;
      const {width = 4, height = 3} = item.crop ?? item;
      const isGone = item.isOurs && !item.file;
      const image = picture(item, source(item.isOurs ? item.file?.urls.message : item.thumbnail), {loading: 'lazy', decoding: 'async', width, height});
      const tile = button(isGone ? removed() : [image, more && make('span', {className: 'plus'}, more)], () => openViewer(items, index), {
        data: {attachment: item.attachment}, disabled: isGone, className: isGone ? 'gone' : '',
        ariaLabel: more ? `Show ${items.length - 3} more photos` : `Photo: ${item.altText || item.filename || 'no description'}`,
      });
      tile.style.backgroundColor = item.placeholder?.color ?? '';
      if (shown.length === 1) tile.style.setProperty('--ratio', `${width} / ${height}`);
      return tile;
    }));
  }

  #module(item) {
    const {kind, state, file, filename, size, label, attachment, text, links = []} = item;
    if (kind === 'text') {
      return make('p', {className: 'text', dir: 'auto'}, ...withLinks(text, links, (piece, link) => {
        const href = safe(link);
        return href ? make('a', {href, target: '_blank', rel: 'noopener noreferrer'}, piece) : piece;
      }));
    }
    if (item.isOurs && !file) return make('p', {className: 'file gone'}, ...removed());
    if (state === 'ready' && kind === 'video') return this.#players.videoPlayer(this.client, item, source(file?.urls.message ?? item.poster), openViewer);
    if (state === 'ready' && kind === 'audio' && file) return this.#players.audioPlayer(this.client, item);
    const symbol = state === 'corrupted' ? 'warning' : ['contact', 'calendar', 'audio', 'video', 'image'].includes(kind) ? kind : 'file';
    const page = state === 'ready' && item.thumbnail && (file?.urls.grid ?? item.thumbnail);
    const stateText = {notDownloaded: 'Not downloaded', tooLarge: 'Too large to show', corrupted: 'Damaged', placeholder: 'No preview'}[state];
    return make(file ? 'a' : 'div', {className: 'file', href: file?.urls.original, download: file && (filename ?? ''), data: {state, attachment},
      ariaLabel: label || undefined},
    page ? make('img', {src: source(page), alt: '', loading: 'lazy'}) : make('span', {className: 'symbol'}, icon(symbol)),
    make('span', {className: 'names'}, make('bdi', {}, filename ?? 'Message'), make('small', {}, [stateText, size].filter(Boolean).join(' · '))),
    file && icon('download'));
  }
}
