// The thread: messages as modules, the newest at the bottom.

import {byId, make, notify, say} from './dom.js';
import {standing} from './standing.js';

const date = new Intl.DateTimeFormat(undefined, {weekday: 'long', day: 'numeric', month: 'long'});
const PAGE = 40;

/** Loaded with the first message. */
const messageModule = () => import('./message.js');

export class ThreadView {
  /** Messages that are known, the oldest first; and the index of the first one that is shown. */
  #messages = [];
  #first = 0;
  #list = byId('thread');
  #scroller = byId('scroller');
  #isAtEnd = true;
  #top = 0;
  /** Attachments that are not shown, some of which will be. */
  #absent = new Set();

  constructor(client, store) {
    Object.assign(this, {client, store});
    byId('older').onclick = () => this.#older();
    new IntersectionObserver(([entry]) => { if (entry.isIntersecting) this.#older(); }, {root: this.#scroller}).observe(byId('older'));
    // Who reads the newest message sees it whole when the composer grows.
    this.#scroller.onscroll = () => {
      const {scrollHeight, scrollTop, clientHeight} = this.#scroller;
      const isAtEnd = scrollHeight - scrollTop - clientHeight < 40;
      // On its way down to a new message it is not somewhere else.
      if (isAtEnd || scrollTop < this.#top) this.#isAtEnd = isAtEnd;
      this.#top = scrollTop;
    };
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
    this.#isAtEnd = true;
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

  /**
   * Shows messages again whose files have changed: erased and blocked ones at once, and those that were not shown before.
   * Without ids: all that are not shown.
   */
  async refresh(ids = [...this.#absent], isRemoved = false) {
    const changed = ids.filter(id => isRemoved || this.#absent.has(id));
    const shown = this.#messages.slice(this.#first).filter(message => message.attachments.some(item => changed.includes(item.attachment)));
    if (!shown.length) return;
    const files = await this.#files(shown);
    const {messageElement} = await messageModule();
    for (const message of shown) {
      this.#list.querySelector(`[data-key="${CSS.escape(message.key)}"]`)?.replaceWith(messageElement(this.client, message, files));
    }
  }

  /** What the service has of the files of messages. Addresses expire, and files are erased: one request answers for all. */
  async #files(messages) {
    const ids = [...new Set(messages.flatMap(message => message.attachments.map(item => item.attachment)))];
    const found = await this.client.attachments(ids).catch(() => ids.map(id => ({id, isUnknown: true, urls: {}})));
    const files = new Map(found.map(file => [file.id, file]));
    // What was erased stays away.
    for (const id of ids) this.#absent[files.has(id) && standing(files.get(id)) ? 'add' : 'delete'](id);
    return files;
  }

  #scroll(behavior = 'instant') { this.#scroller.scrollTo({top: this.#scroller.scrollHeight, behavior}); }

  async #show(messages, isOlder) {
    const files = await this.#files(messages);
    const {messageElement} = messages.length ? await messageModule() : {};
    const elements = [];
    let day = isOlder ? '' : this.day;
    for (const message of messages) {
      const own = date.format(new Date(message.time));
      if (own !== day) elements.push(make('li', {className: 'date'}, own));
      day = own;
      elements.push(messageElement(this.client, message, files));
    }
    if (!isOlder) this.day = day;
    this.#list[isOlder ? 'prepend' : 'append'](...elements);
    byId('older').hidden = !this.#first;
    byId('welcome').hidden = this.#messages.length > 0;
  }
}
