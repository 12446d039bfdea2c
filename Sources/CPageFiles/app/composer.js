// The composer: a draft of the service, with the files that are still on their way to it.

import {MediaError} from './media-client.js';
import {arrowKeys, byId, bytes, duration, icon, iconButton, make, notify, plural, reasonText, reconcile, say} from './dom.js';

const isMessage = file => /\.(mms|pdu)$/i.test(file.name) || file.type === 'application/vnd.wap.mms-message';

/** A digest of the first bytes, by which a file that was chosen again is recognised. */
const fingerprint = async file =>
  [...new Uint8Array(await crypto.subtle.digest('SHA-256', await file.slice(0, 65_536).arrayBuffer()))].join();

export class Composer extends EventTarget {
  /** Files on their way, by key. */
  #local = new Map();
  /** Keys of all cards in their order: ids of the draft's attachments, and of local files. */
  #order = [];
  /** Pictures that the browser has, by attachment. */
  #pictures = new Map();
  #draft = {attachments: [], text: '', limitReached: false};
  #counting;
  #isTyping = false;
  #isWaitingToSend = false;
  #wasReminded = false;
  #opened = Promise.withResolvers();

  constructor(client, store, thread, editor) {
    super();
    Object.assign(this, {client, store, thread, editor});
    byId('composer').addEventListener('submit', event => {
      event.preventDefault();
      this.send(event.submitter === byId('send'));
    });
    this.text = byId('text');
    this.text.addEventListener('input', () => this.#typed());
    this.text.addEventListener('scroll', () => { byId('marks').scrollTop = this.text.scrollTop; });
    this.text.addEventListener('keydown', event => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing || matchMedia('(pointer: coarse)').matches) return;
      event.preventDefault();
      byId('composer').requestSubmit();
    });
    addEventListener('pagehide', () => this.#saveText(true));
    addEventListener('online', () => this.#saveText());
    arrowKeys(byId('cards'), '.preview');
    byId('cards').addEventListener('keydown', event => {
      const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
      const card = event.target.closest('.card');
      if (!card) return;
      if (event.altKey && step) {
        event.preventDefault();
        const sign = getComputedStyle(card).direction === 'rtl' ? -1 : 1;
        this.move(card.dataset.key, this.#order.indexOf(card.dataset.key) + step * sign);
      } else if (event.key === 'Delete' || event.key === 'Backspace') {
        event.preventDefault();
        this.remove(card.dataset.key);
      }
    });
    this.#watchDragging();
  }

  // MARK: The draft

  /** Reads the draft, and continues what a reload interrupted. */
  async open() {
    this.#take(await this.client.draft('page'));
    this.#opened.resolve();
    for (const record of await this.store.all()) {
      // A crashed tab frees its lock, and another one continues.
      if (record.key.startsWith('file ') && !this.#local.has(record.key)) this.#begin(record);
    }
  }

  /** Takes an event of the stream. */
  async take({name, data}) {
    if (name === 'draft' && data.id === this.#draft.id) {
      // The answer to a change of this tab has the same news, and comes at about the same time.
      await new Promise(resolve => setTimeout(resolve, 300));
      if (data.id !== this.#draft.id || this.isSending) return;
      if (data.removed) this.#take(await this.client.draft('page'));
      else if (data.version > this.#draft.version) this.#take(await this.client.readDraft(data.id));
    } else if (name === 'reset') {
      this.#take(await this.client.draft('page'));
    }
  }

  #take(draft) {
    if (draft.id === this.#draft.id && draft.version < this.#draft.version) return;
    const isNew = draft.id !== this.#draft.id;
    this.#draft = draft;
    const ids = draft.attachments.map(item => item.id);
    for (const card of this.#local.values()) {
      if (!ids.includes(card.attachment)) continue;
      // It has arrived: the attachment takes the position of its card.
      this.#order[this.#order.indexOf(card.key)] = card.attachment;
      this.#local.delete(card.key);
      this.store.delete(card.key);
      say(`${card.name} is ready.`);
    }
    const known = this.#order.filter(key => this.#local.has(key) || ids.includes(key));
    const rest = ids.filter(id => !known.includes(id));
    const old = ids.filter(id => known.includes(id))[Symbol.iterator]();
    this.#order = [...known.map(key => this.#local.has(key) ? key : old.next().value), ...rest];
    if (isNew || !this.#isTyping && draft.text !== this.text.value) {
      this.text.value = draft.text;
      this.#fitText();
    }
    this.#render();
  }

  /** Changes the draft on the server; a refusal is said. */
  async #change(work, name) {
    try {
      const draft = await work(this.#draft.id);
      this.#take(draft);
      for (const event of draft.events ?? []) if (event.name === 'refused') notify(`${reasonText(event.reasons?.[0], name)}.`);
      return draft;
    } catch (error) {
      const reason = error.verdict?.files?.[0]?.reasons?.[0];
      notify(`${reasonText(reason ?? error, name)}.`);
      this.#take(await this.client.draft('page').catch(() => this.#draft));
      return undefined;
    }
  }

  get count() { return this.#order.length; }
  get isFull() { return this.#draft.limitReached || this.room <= 0; }
  /** How many more fit. */
  get room() { return (this.#draft.remaining ?? Infinity) - this.#local.size; }
  sayFull() { notify(`A message has at most ${plural(this.count, 'attachment')}.`); }
  /** The number of a selected attachment, from 1; 0 for others. */
  numberOf(attachment) {
    return this.#order.findIndex(key => this.#item(key)?.attachment === attachment) + 1;
  }
  #item(key) { return this.#draft.attachments.find(item => item.id === key); }

  // MARK: Attaching

  /** Adds cells of the tray. */
  async addFromTray(cells) {
    await this.#opened.promise;
    const fitting = cells.slice(0, Math.max(0, this.room));
    if (fitting.length < cells.length) notify(`${fitting.length} of ${cells.length} were added: no more fit.`);
    if (!fitting.length) return;
    // Shown at once, and mended by the answer.
    const shown = fitting.map(cell => ({id: cell.id, attachment: cell.id, name: cell.title, thumbnail: cell.thumbnail,
      placeholder: cell.placeholder, info: {kind: cell.kind, duration: cell.duration, width: cell.width, height: cell.height}}));
    this.#draft = {...this.#draft, attachments: [...this.#draft.attachments, ...shown], remaining: this.#draft.remaining - shown.length};
    this.#order.push(...shown.map(item => item.id));
    this.#render();
    await this.#change(id => this.client.addToDraft(id, fitting.map(cell => ({attachment: cell.id}))), 'The file');
  }

  removeAttachment(attachment) {
    const item = this.#draft.attachments.find(other => other.attachment === attachment);
    if (item) this.remove(item.id);
  }

  /** Adds files that were picked, dropped, pasted or recorded. */
  async addFiles(files) {
    await this.#opened.promise;
    const messages = files.filter(isMessage);
    for (const file of messages) this.thread.receive(this.client, file);
    const added = files.filter(file => !isMessage(file));
    const maxBytes = await this.client.maxBytes().catch(() => Infinity);
    const fitting = added.slice(0, Math.max(0, this.room));
    if (fitting.length < added.length) {
      notify(`${fitting.length} of ${plural(added.length, 'file')} added: a message has at most ${this.count + fitting.length} attachments.`);
    }
    for (const file of fitting) {
      const same = [...this.#local.values()].find(other => other.name === file.name && other.size === file.size);
      if (same) {
        notify(`${file.name} is attached already.`);
        continue;
      }
      const record = {key: `file ${Date.now()}-${crypto.randomUUID()}`, name: file.name, size: file.size, type: file.type,
        lastModified: file.lastModified, fingerprint: await fingerprint(file), file};
      if (file.size > maxBytes) this.#refuse(this.#begin(record, true), {code: 'fileTooLarge', limit: maxBytes, actual: file.size});
      else {
        await this.store.put(record);
        this.#begin(record);
      }
    }
  }

  /** Shows a card for a file, and uploads it; a file that was not kept over a reload has to be chosen again. */
  #begin(record, isRefused) {
    const card = {...record, state: 'preparing', synced: 0, abort: new AbortController()};
    this.#local.set(card.key, card);
    if (!this.#order.includes(card.key)) this.#order.push(card.key);
    if (card.file && /^(image|video)/.test(card.type)) card.picture = URL.createObjectURL(card.file);
    if (!isRefused) this.#upload(card);
    this.#render();
    return card;
  }

  async #upload(card) {
    card.error = undefined;
    const work = async () => {
      const kept = await this.store.get(card.key);
      if (!kept && !card.file) return this.#drop(card);
      if (!card.file) return this.#set(card, {state: 'missing'});
      card.address ??= kept?.address;
      const attachment = await this.client.upload(card.file, {
        address: card.address, signal: card.abort.signal,
        onAddress: address => {
          card.address = address;
          const {abort, picture, state, synced, ...rest} = card;
          this.store.put(rest);
        },
        onProgress: synced => this.#set(card, {synced}), onState: state => this.#set(card, {state}),
      });
      // One after the other: each position counts on those before it.
      const turn = this.attaching ?? Promise.resolve();
      await (this.attaching = turn.catch(() => {}).then(() => this.#attach(card, attachment)));
    };
    try {
      const options = {signal: card.abort.signal};
      await (navigator.locks ? navigator.locks.request(card.key, options, work) : work());
    } catch (error) {
      if (card.abort.signal.aborted) return;
      if (!(error instanceof MediaError)) console.error(error);
      if (error.code === 'quotaExceeded' || error.code === 'diskFull' || !error.status || error.status >= 500) {
        this.#isWaitingToSend = false;
        this.#set(card, {state: 'failed', error: reasonText(error, card.name)});
        say(`${card.name} was not uploaded.`, true);
      } else {
        this.#refuse(card, error.verdict?.files?.[0]?.reasons?.[0] ?? error);
      }
    }
  }

  #refuse(card, reason) {
    this.#isWaitingToSend = false;
    this.store.delete(card.key);
    this.#set(card, {state: 'refused', error: reasonText(reason, card.name)});
    say(`${card.error}.`, true);
  }

  /** Puts what was uploaded into the draft, at the position of its card. */
  async #attach(card, attachment) {
    const twin = this.#draft.attachments.find(item => item.attachment === attachment.id);
    if (twin) {
      notify(`${card.name} is attached already${twin.name && twin.name !== card.name ? ` as ${twin.name}` : ''}.`);
      return this.#drop(card);
    }
    if (card.picture && attachment.info.kind === 'image') this.#pictures.set(attachment.id, card.picture);
    card.attachment = attachment.id;
    const addition = {attachment: attachment.id, altText: card.altText};
    const position = this.#order.slice(0, this.#order.indexOf(card.key)).filter(key => this.#item(key)).length;
    const draft = card.replaces && this.#item(card.replaces)
      ? await this.client.changeAttachment(this.#draft.id, card.replaces, {replacement: addition})
      : await this.client.addToDraft(this.#draft.id, [addition], position);
    this.#take(draft);
    if (this.#isWaitingToSend && !this.#local.size) this.send(true);
  }

  #drop(card) {
    card.abort.abort();
    this.#local.delete(card.key);
    this.#order = this.#order.filter(key => key !== card.key);
    this.store.delete(card.key);
    this.#render();
  }

  #set(card, change) {
    Object.assign(card, change);
    this.#render();
  }

  // MARK: Cards

  /** Removes a card, and keeps the focus near it. */
  remove(key) {
    const index = this.#order.indexOf(key);
    const card = this.#local.get(key);
    if (card) {
      if (card.address && card.state !== 'refused') this.client.cancelUpload(card.address);
      this.#drop(card);
    } else {
      const item = this.#item(key);
      this.#order.splice(index, 1);
      this.#draft = {...this.#draft, attachments: this.#draft.attachments.filter(other => other !== item), limitReached: false};
      this.#render();
      this.#change(id => this.client.removeFromDraft(id, key));
    }
    say('Removed');
    const cards = byId('cards').querySelectorAll('.preview');
    (cards[Math.min(index, cards.length - 1)] ?? this.text).focus();
  }

  clear() {
    for (const card of [...this.#local.values()]) this.remove(card.key);
    if (this.#draft.attachments.length) this.#change(id => this.client.removeFromDraft(id));
  }

  /** Moves a card to an index. */
  move(key, index) {
    const from = this.#order.indexOf(key);
    const to = Math.max(0, Math.min(this.#order.length - 1, index));
    if (from === to) return;
    this.#order.splice(to, 0, ...this.#order.splice(from, 1));
    this.#render();
    say(`Moved to ${to + 1} of ${this.#order.length}`);
    clearTimeout(this.moving);
    this.moving = setTimeout(() => {
      const order = this.#order.filter(id => this.#item(id));
      if (this.#item(key)) this.#change(id => this.client.changeDraft(id, {order}));
    }, 300);
  }

  /** Asks for a file, and calls `take` with it. */
  pick(take, input = byId('one-file')) {
    input.onchange = () => {
      const files = [...input.files];
      input.value = '';
      if (files.length) take(files);
    };
    input.click();
  }

  /** Uploads another file in the place of an attachment, whose description stays. */
  replace(item) {
    this.pick(async ([file]) => {
      const record = {key: `file ${Date.now()}-${crypto.randomUUID()}`, name: file.name, size: file.size, type: file.type,
        lastModified: file.lastModified, fingerprint: await fingerprint(file), file, replaces: item.id, altText: item.altText};
      await this.store.put(record);
      this.#order.splice(this.#order.indexOf(item.id) + 1, 0, record.key);
      this.#begin(record);
    });
  }

  /** Changes alternative text or crop of an attachment. */
  change(item, change) { return this.#change(id => this.client.changeAttachment(id, item.id, change), item.name); }

  #render() {
    const cards = this.#order.map(key => this.#local.get(key) ?? this.#item(key)).filter(Boolean);
    const list = byId('cards');
    list.hidden = !cards.length;
    reconcile(list, cards, card => card.key ?? card.id, card => this.#create(card.key ?? card.id), (element, card, index) => {
      this.#fill(element, card, index, cards.length);
    });
    const previews = [...list.querySelectorAll('.preview')];
    if (previews.length && !previews.some(preview => preview.tabIndex === 0)) previews[0].tabIndex = 0;
    const isFull = this.isFull;
    for (const id of ['attach', 'camera', 'record']) byId(id).disabled = isFull;
    byId('left').textContent = isFull ? 'No more files fit' : cards.length ? `${this.room} more ${this.room === 1 ? 'file fits' : 'files fit'}` : '';
    const isEmpty = !cards.length && !this.text.value.trim();
    byId('send').setAttribute('aria-disabled', String(isEmpty));
    byId('composer').classList.toggle('empty', isEmpty);
    byId('send').classList.toggle('waiting', this.#isWaitingToSend);
    byId('kind').textContent = cards.length || this.isLong ? 'MMS' : 'SMS';
    byId('kind').classList.toggle('mms', Boolean(cards.length || this.isLong));
    if (this.wasMMS !== undefined && this.wasMMS !== byId('kind').textContent) {
      say(byId('kind').textContent === 'MMS' ? 'This is a multimedia message now.' : 'This is a text message now.');
    }
    this.wasMMS = byId('kind').textContent;
    this.dispatchEvent(new Event('change'));
  }

  #create(key) {
    return make('li', {className: 'card'},
      make('button', {type: 'button', className: 'preview', tabIndex: -1, onclick: () => this.#open(key)},
        make('img', {alt: '', draggable: false}), make('span', {className: 'symbol'}), make('span', {className: 'length'})),
      make('progress', {className: 'progress', max: 1}), make('span', {className: 'note'}),
      make('button', {type: 'button', className: 'alt', tabIndex: -1, onclick: () => this.#open(key)}, 'ALT'),
      iconButton('close', 'Remove', () => this.remove(key), 'small remove'));
  }

  #fill(element, card, index, count) {
    const [preview, progress, note, alt, remove] = element.children;
    const [image, symbol, length] = preview.children;
    const isLocal = Boolean(card.key);
    const state = isLocal ? card.state : 'ready';
    const kind = isLocal ? card.type.split('/')[0] : card.info.kind;
    const source = isLocal ? kind === 'image' && card.picture : (this.#pictures.get(card.attachment) ?? card.thumbnail);
    const name = card.name ?? 'Photo';
    element.dataset.state = state;
    preview.style.backgroundColor = card.placeholder?.color ?? '';
    if (source && image.getAttribute('src') !== source) image.src = source;
    // What the browser cannot show has an icon.
    const isShown = Boolean(source) && image.dataset.failed !== source;
    image.onerror = () => { image.dataset.failed = image.getAttribute('src'); this.#render(); };
    image.hidden = !isShown;
    symbol.classList.toggle('behind', isShown);
    if (symbol.dataset.name !== kind) {
      symbol.dataset.name = kind;
      symbol.replaceChildren(icon(['image', 'video', 'audio', 'contact'].includes(kind) ? kind : 'file'), make('span', {}, name));
    }
    length.textContent = card.info?.duration ? duration(card.info.duration) : '';
    const share = card.size ? card.synced / card.size : 0;
    progress.hidden = !['uploading', 'processing', 'waiting'].includes(state);
    if (progress.hidden) { /* keeps its last value */ }
    else if (state === 'processing') progress.removeAttribute('value');
    else progress.value = share;
    progress.setAttribute('aria-label', `Upload of ${name}`);
    note.textContent = {preparing: 'Preparing', uploading: `${Math.round(share * 100)} %`, processing: 'Processing', waiting: 'Waiting for network',
      refused: card.error, failed: 'Failed – retry', missing: `Choose ${name} again`, ready: ''}[state];
    note.title = card.error ?? '';
    alt.hidden = isLocal || !['image', 'video', 'audio'].includes(kind);
    alt.classList.toggle('done', Boolean(card.altText));
    alt.title = card.altText || 'Describe it for people who cannot see it';
    alt.setAttribute('aria-label', card.altText ? `Description of ${name}: ${card.altText}` : `Describe ${name}`);
    preview.setAttribute('aria-label', [`${name}, ${index + 1} of ${count}`, note.textContent || 'ready'].join(', '));
    remove.setAttribute('aria-label', `Remove ${name}`);
  }

  #open(key) {
    const card = this.#local.get(key);
    if (!card) return this.editor.open(this, this.#item(key), key);
    if (card.state === 'failed') this.#upload(card);
    if (card.state === 'missing') {
      this.pick(async ([file]) => {
        if (file.size !== card.size || await fingerprint(file) !== card.fingerprint) return notify(`This is another file than ${card.name}.`);
        card.file = file;
        this.#upload(card);
      });
    }
    return undefined;
  }

  /** Lets the pointer move cards: at once with a mouse, after a long press with a finger. */
  #watchDragging() {
    const list = byId('cards');
    list.addEventListener('pointerdown', event => {
      const card = event.target.closest('.preview')?.parentElement;
      if (!card || event.button) return;
      const start = event.clientX;
      let isDragging = false;
      let timer = setTimeout(() => { if (event.pointerType !== 'mouse') begin(); }, 350);
      const begin = () => { isDragging = true; card.classList.add('dragged'); };
      const move = moved => {
        if (!isDragging) {
          if (Math.abs(moved.clientX - start) < 6) return;
          if (event.pointerType !== 'mouse') return end();
          begin();
        }
        moved.preventDefault();
        const others = [...list.children].filter(other => other !== card);
        const sign = getComputedStyle(list).direction === 'rtl' ? -1 : 1;
        const index = others.filter(other => {
          const box = other.getBoundingClientRect();
          return (moved.clientX - box.x - box.width / 2) * sign > 0;
        }).length;
        this.move(card.dataset.key, index);
      };
      const end = () => {
        clearTimeout(timer);
        timer = undefined;
        card.classList.remove('dragged');
        if (isDragging) addEventListener('click', click => { click.stopPropagation(); click.preventDefault(); }, {capture: true, once: true});
        setTimeout(() => { isDragging = false; });
        for (const [name, listener] of [['pointermove', move], ['pointerup', end], ['pointercancel', end]]) removeEventListener(name, listener);
      };
      for (const [name, listener] of [['pointermove', move], ['pointerup', end], ['pointercancel', end]]) addEventListener(name, listener);
    });
  }

  // MARK: Text

  #typed() {
    this.#isTyping = true;
    this.#fitText();
    this.#render();
    clearTimeout(this.saving);
    this.saving = setTimeout(() => this.#saveText(), 400);
  }

  #fitText() {
    const {text} = this;
    text.style.height = 'auto';
    text.style.height = `${text.scrollHeight}px`;
    byId('marks').textContent = text.value;
    clearTimeout(this.countDelay);
    this.countDelay = setTimeout(() => this.#count(), 150);
  }

  async #saveText(keepalive = false) {
    if (!this.#isTyping || !this.#draft.id) return;
    const text = this.text.value;
    try {
      const draft = await this.client.changeDraft(this.#draft.id, {text}, keepalive);
      if (this.text.value === text) this.#isTyping = false;
      this.#take(draft);
    } catch { /* kept in the field, and saved when the network is back */ }
  }

  /** Marks links, and counts segments as the service does. */
  async #count() {
    this.#counting?.abort();
    const {signal} = this.#counting = new AbortController();
    const text = this.text.value;
    try {
      const {links, segments} = await this.client.text(text, signal);
      const pieces = [];
      let end = 0;
      for (const {utf16: [from, to]} of links) {
        pieces.push(text.slice(end, from), make('mark', {}, text.slice(from, to)));
        end = to;
      }
      byId('marks').replaceChildren(...pieces, text.slice(end), '\u200b');
      this.isLong = segments.count > 1 && (await this.client.compose({text, to: ['+15551234567']}, signal)).type === 'mms';
      byId('counter').textContent = segments.showsCounter && !this.isLong && !this.count ? `${segments.available} / ${segments.count}` : '';
      byId('counter').title = `${segments.available} characters left in part ${segments.count}`;
      this.#render();
    } catch { /* typed on, or offline: the next keystroke asks again */ }
  }

  // MARK: Sending

  /**
   * Sends the message; while files are on their way, as soon as they are there.
   * @param isDeliberate False for the Enter key, which does not pass the reminder of descriptions.
   */
  async send(isDeliberate) {
    if (byId('send').getAttribute('aria-disabled') === 'true' || this.isSending) return;
    const stuck = [...this.#local.values()].filter(card => ['refused', 'failed', 'missing'].includes(card.state));
    if (stuck.length) return notify(`${stuck[0].name} is not uploaded: ${stuck[0].state === 'failed' ? 'retry' : 'remove'} it first.`);
    if (this.#local.size) {
      this.#isWaitingToSend = true;
      this.#render();
      return say('Sending as soon as all files are uploaded.');
    }
    const bare = this.#draft.attachments.filter(item => item.info.kind === 'image' && !item.altText);
    if (bare.length && !(this.#wasReminded && isDeliberate)) return this.#remind(bare);
    byId('reminder').hidden = true;
    this.isSending = true;
    this.#isWaitingToSend = false;
    byId('send').classList.add('busy');
    const draft = this.#draft;
    try {
      clearTimeout(this.saving);
      this.#isTyping = true;
      await this.client.changeDraft(draft.id, {text: this.text.value});
      const {modules} = await this.client.modules(draft.id);
      const sent = await this.client.commit(draft.id);
      this.#isTyping = false;
      this.#wasReminded = false;
      await this.thread.add({key: `message ${sent.committed}-${sent.id}`, direction: 'outgoing', time: sent.committed, modules,
        attachments: sent.attachments});
      this.text.value = '';
      this.#order = [];
      this.#pictures.clear();
      this.#take(await this.client.draft('page'));
      say('Sent');
    } catch (error) {
      notify(`Not sent: ${error.message} Your message is kept.`, {action: 'Try again', onAction: () => this.send(true)});
    } finally {
      this.isSending = false;
      byId('send').classList.remove('busy');
      this.#fitText();
      this.#render();
    }
    return undefined;
  }

  #remind(bare) {
    this.#wasReminded = true;
    const reminder = byId('reminder');
    const describe = make('button', {type: 'button', className: 'primary', onclick: () => {
      reminder.hidden = true;
      this.editor.open(this, bare[0], bare[0].id);
    }}, 'Describe');
    reminder.replaceChildren(make('span', {}, `${plural(bare.length, 'photo')} without a description for people who cannot see.`),
      describe, make('button', {type: 'button', onclick: () => this.send(true)}, 'Send anyway'));
    reminder.hidden = false;
    describe.focus();
  }
}
