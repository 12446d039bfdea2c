// The composer: a draft of the service, with the files that are still on their way to it.

import {MediaError} from './media-client.js';
import {arrowKeys, button, byId, clamp, duration, icon, iconButton, keepReachable, make, notify, plural, reasonText, reconcile, say, withLinks}
  from './dom.js';

const isMessage = file => /\.(mms|pdu)$/i.test(file.name) || file.type === 'application/vnd.wap.mms-message';

/** A digest of the first bytes, by which a file that was chosen again is recognised. */
const fingerprint = async file =>
  [...new Uint8Array(await crypto.subtle.digest('SHA-256', await file.slice(0, 65_536).arrayBuffer()))].join();

/** What is kept of a file until it has arrived. */
const recordOf = async (file, more) => ({key: `file ${Date.now()}-${crypto.randomUUID()}`, name: file.name, size: file.size, type: file.type,
  fingerprint: await fingerprint(file), file, ...more});

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

  constructor(client, store, thread, standings) {
    super();
    standings.addEventListener('change', () => this.#render());
    Object.assign(this, {client, store, thread, standings, form: byId('composer'), text: byId('text'), list: byId('cards')});
    this.form.addEventListener('submit', event => {
      event.preventDefault();
      this.send(event.submitter === byId('send'));
    });
    this.text.addEventListener('input', () => this.#typed());
    this.text.addEventListener('scroll', () => { byId('marks').scrollTop = this.text.scrollTop; });
    this.text.addEventListener('keydown', event => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing || matchMedia('(pointer: coarse)').matches) return;
      event.preventDefault();
      this.form.requestSubmit();
    });
    addEventListener('pagehide', () => this.#saveText(true));
    addEventListener('online', () => this.#saveText());
    arrowKeys(this.list, '.preview');
  }

  // MARK: The draft

  /** Reads the draft, and continues what a reload interrupted. */
  async open() {
    await this.#read();
    this.#opened.resolve();
    for (const record of await this.store.all()) {
      // A crashed tab frees its lock, and another one continues.
      if (record.key.startsWith('file ') && !this.#local.has(record.key)) this.#begin(record);
    }
  }

  async #read() { this.#take(await this.client.draft('page')); }

  /** Takes an event of the stream. */
  async take({name, data}) {
    if (name === 'reset') return this.#read();
    // The draft says of its files what it shows: again, when one was erased, blocked, released, or found clean.
    const ids = data.ids ?? data.cells?.map(cell => cell.id) ?? [];
    if (ids.some(id => this.numberOf(id) && (name === 'removed' || this.standings.of(id)))) return this.#read();
    if (name !== 'draft' || data.id !== this.#draft.id) return undefined;
    // The answer to a change of this tab has the same news, and comes at about the same time.
    await new Promise(resolve => setTimeout(resolve, 300));
    if (data.id !== this.#draft.id || this.isSending) return undefined;
    if (data.removed) return this.#read();
    return data.version > this.#draft.version && this.#take(await this.client.readDraft(data.id));
  }

  #take(draft) {
    const isNew = draft.id !== this.#draft.id;
    if (!isNew && draft.version < this.#draft.version) return;
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
    // Cards of files on their way keep their positions among the attachments, whose order is the draft's.
    const known = this.#order.filter(key => this.#local.has(key) || ids.includes(key));
    const sorted = ids.filter(id => known.includes(id)).values();
    this.#order = [...known.map(key => this.#local.has(key) ? key : sorted.next().value), ...ids.filter(id => !known.includes(id))];
    this.standings.look(draft.attachments.filter(item => !item.thumbnail).map(item => item.attachment));
    if (isNew || !this.#isTyping && draft.text !== this.text.value) {
      this.text.value = draft.text;
      this.#fitText();
    }
    this.#render();
  }

  /** Changes the draft on the server; a refusal is shown. */
  async #change(work, name) {
    try {
      const draft = await work(this.#draft.id);
      this.#take(draft);
      for (const event of draft.events ?? []) if (event.name === 'refused') notify(`${reasonText(event.reasons?.[0], name)}.`);
    } catch (error) {
      notify(`${reasonText(error.verdict?.files?.[0]?.reasons?.[0] ?? error, name)}.`);
      await this.#read().catch(() => {});
    }
  }

  get count() { return this.#order.length; }
  get isFull() { return this.#draft.limitReached || this.room <= 0; }
  /** How many more fit. */
  get room() { return Math.max(0, (this.#draft.remaining ?? Infinity) - this.#local.size); }
  notifyFull() { notify(`A message can have at most ${plural(this.count, 'attachment')}.`); }
  #notifyPartly(count, all) {
    notify(`${count} of ${plural(all, 'file')} added: a message can have at most ${plural(this.count + count, 'attachment')}.`);
  }
  /** The number of a selected attachment, from 1; 0 for others. */
  numberOf(attachment) { return this.#order.findIndex(key => this.#item(key)?.attachment === attachment) + 1; }
  #item(key) { return this.#draft.attachments.find(item => item.id === key); }
  get #cards() { return this.#order.map(key => this.#local.get(key) ?? this.#item(key)).filter(Boolean); }
  /** The state of a card: of a file on its way, or of what the service has. */
  #stateOf(card) {
    if (card.key) return card.state;
    if (this.#draft.blockers?.some(({code, ids}) => code === 'blocked' && ids.includes(card.id))) return 'blocked';
    return this.standings.of(card.attachment) ? 'held' : 'ready';
  }

  // MARK: Attaching

  /** Adds cells of the tray. */
  async addFromTray(cells) {
    await this.#opened.promise;
    const fitting = cells.slice(0, this.room);
    if (fitting.length < cells.length) this.#notifyPartly(fitting.length, cells.length);
    if (!fitting.length) return;
    // Shown at once, and mended by the answer.
    const shown = fitting.map(cell => ({...cell, attachment: cell.id, name: cell.title, info: cell}));
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
    const [added, messages] = [files.filter(file => !isMessage(file)), files.filter(isMessage)];
    for (const file of messages) this.thread.receive(file);
    const maxBytes = await this.client.maxBytes().catch(() => Infinity);
    const fitting = added.slice(0, this.room);
    if (fitting.length < added.length) this.#notifyPartly(fitting.length, added.length);
    for (const file of fitting) {
      if ([...this.#local.values()].some(other => other.name === file.name && other.size === file.size)) {
        notify(`${file.name} is already attached.`);
        continue;
      }
      const record = await recordOf(file);
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
    const {key, abort: {signal}} = card;
    card.error = undefined;
    const work = async () => {
      const kept = await this.store.get(key);
      if (!kept && !card.file) return this.#drop(card);
      if (!card.file) return this.#set(card, {state: 'missing'});
      card.address ??= kept?.address;
      const attachment = await this.client.upload(card.file, {
        key, address: card.address, signal,
        onAddress: address => {
          card.address = address;
          const {abort, picture, state, synced, ...rest} = card;
          this.store.put(rest);
        },
        onProgress: synced => this.#set(card, {synced}), onState: state => this.#set(card, {state}),
      });
      // One after the other: each position counts on those before it.
      const turn = this.attaching;
      await (this.attaching = Promise.allSettled([turn]).then(() => this.#attach(card, attachment))).catch(error => {
        // It has arrived, and the service hides it from everybody.
        throw error.status === 404 ? new MediaError({code: 'awaitsReview', status: 422}) : error;
      });
    };
    try {
      await (navigator.locks ? navigator.locks.request(key, {signal}, work) : work());
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof MediaError)) console.error(error);
      if (['quotaExceeded', 'diskFull'].includes(error.code) || !error.status || error.status === 401 || error.status >= 500) {
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
      notify(`${card.name} is already attached${twin.name && twin.name !== card.name ? ` as ${twin.name}` : ''}.`);
      return this.#drop(card);
    }
    if (card.picture && attachment.info.kind === 'image') this.#pictures.set(attachment.id, card.picture);
    card.attachment = attachment.id;
    const addition = {attachment: attachment.id, altText: card.altText};
    const position = this.#order.slice(0, this.#order.indexOf(card.key)).filter(key => this.#item(key)).length;
    this.#take(this.#item(card.replaces)
      ? await this.client.changeAttachment(this.#draft.id, card.replaces, {replacement: addition})
      : await this.client.addToDraft(this.#draft.id, [addition], position));
    return this.#isWaitingToSend && !this.#local.size && this.send(true);
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
      this.#order.splice(index, 1);
      this.#draft = {...this.#draft, attachments: this.#draft.attachments.filter(item => item.id !== key), limitReached: false};
      this.#render();
      this.#change(id => this.client.removeFromDraft(id, key));
    }
    say('Removed');
    const cards = this.list.querySelectorAll('.preview');
    (cards[Math.min(index, cards.length - 1)] ?? this.text).focus();
  }

  clear() {
    for (const card of [...this.#local.values()]) this.remove(card.key);
    if (this.#draft.attachments.length) this.#change(id => this.client.removeFromDraft(id));
  }

  /** Moves a card to an index. */
  move(key, index) {
    const from = this.#order.indexOf(key);
    const to = clamp(0, index, this.#order.length - 1);
    if (from === to) return;
    this.#order.splice(to, 0, ...this.#order.splice(from, 1));
    this.#render();
    say(`Moved to position ${to + 1} of ${this.#order.length}`);
    clearTimeout(this.ordering);
    this.ordering = setTimeout(() => {
      const order = this.#order.filter(id => this.#item(id));
      if (this.#item(key)) this.#change(id => this.client.changeDraft(id, {order}));
    }, 300);
  }

  /** Asks for files, and calls `take` with them. */
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
      const record = await recordOf(file, {replaces: item.id, altText: item.altText});
      await this.store.put(record);
      this.#order.splice(this.#order.indexOf(item.id) + 1, 0, record.key);
      this.#begin(record);
    });
  }

  /** Changes alternative text or crop of an attachment. */
  change(item, change) { return this.#change(id => this.client.changeAttachment(id, item.id, change), item.name); }

  #render() {
    const cards = this.#cards;
    this.list.hidden = !cards.length;
    reconcile(this.list, cards, card => card.key ?? card.id, card => this.#create(card.key ?? card.id),
      (element, card, index) => this.#fill(element, card, `${index + 1} of ${cards.length}`));
    keepReachable(this.list, '.preview');
    for (const id of ['attach', 'camera', 'record']) byId(id).disabled = this.isFull;
    byId('left').textContent = this.isFull ? 'No more files can be added' : cards.length ? `${plural(this.room, 'more file')} can be added` : '';
    const isEmpty = !cards.length && !this.text.value.trim();
    byId('send').ariaDisabled = String(isEmpty);
    this.form.classList.toggle('empty', isEmpty);
    byId('send').classList.toggle('waiting', this.#isWaitingToSend);
    const kind = byId('kind');
    const isMMS = Boolean(cards.length || this.isLong);
    kind.textContent = isMMS ? 'MMS' : 'SMS';
    if (kind.classList.toggle('mms', isMMS) !== this.wasMMS && this.wasMMS !== undefined) {
      say(isMMS ? 'This is a multimedia message now.' : 'This is a text message now.');
    }
    this.wasMMS = isMMS;
    this.dispatchEvent(new Event('change'));
  }

  #create(key) {
    this.moving ??= import('./moving.js').then(({watchMoving}) => watchMoving(this), () => { this.moving = undefined; });
    const open = () => this.#open(key);
    return make('li', {className: 'card'},
      button([make('img', {alt: '', draggable: false}), make('span', {className: 'symbol'}), make('span', {className: 'length'})], open,
        {className: 'preview', tabIndex: -1}),
      make('progress', {className: 'progress', max: 1}), make('span', {className: 'note'}),
      button('ALT', open, {className: 'alt', tabIndex: -1}), iconButton('close', 'Remove', () => this.remove(key), 'small remove'));
  }

  #fill(element, card, place) {
    const [preview, progress, note, alt, remove] = element.children;
    const [image, symbol, length] = preview.children;
    const state = this.#stateOf(card);
    const kind = card.info?.kind ?? card.type.split('/')[0];
    const source = card.key ? kind === 'image' && card.picture : this.#pictures.get(card.attachment) ?? card.thumbnail;
    const name = card.name ?? 'Photo';
    element.dataset.state = state;
    preview.style.backgroundColor = card.placeholder?.color ?? '';
    if (source && image.getAttribute('src') !== source) image.src = source;
    // What the browser cannot show has an icon.
    image.onerror = () => {
      image.dataset.failed = image.getAttribute('src');
      if (!card.key) this.standings.look([card.attachment]);
      this.#render();
    };
    image.hidden = !source || image.dataset.failed === source;
    symbol.classList.toggle('behind', !image.hidden);
    if (symbol.dataset.name !== kind) {
      symbol.dataset.name = kind;
      symbol.replaceChildren(icon(['image', 'video', 'audio', 'contact'].includes(kind) ? kind : 'file'), make('span', {}, name));
    }
    length.textContent = card.info?.duration ? duration(card.info.duration) : '';
    const share = card.synced / card.size || 0;
    progress.hidden = !['uploading', 'processing', 'waiting'].includes(state);
    if (state === 'processing') progress.removeAttribute('value');
    else if (!progress.hidden) progress.value = share;
    progress.ariaLabel = `Upload of ${name}`;
    note.textContent = {preparing: 'Preparing', uploading: `${Math.round(share * 100)} %`, processing: 'Processing', waiting: 'Waiting for the network',
      refused: card.error, failed: 'Failed – retry', missing: `Choose ${name} again`, held: this.standings.of(card.attachment)?.text,
      blocked: this.standings.of(card.attachment)?.text ?? 'Cannot be sent'}[state] ?? '';
    note.title = card.error ?? '';
    alt.hidden = Boolean(card.key) || !['image', 'video', 'audio'].includes(kind);
    alt.classList.toggle('done', Boolean(card.altText));
    alt.title = card.altText || 'Describe it for people who cannot see it';
    alt.ariaLabel = card.altText ? `Description of ${name}: ${card.altText}` : `Describe ${name}`;
    preview.ariaLabel = `${name}, ${place}, ${note.textContent || 'ready'}`;
    remove.ariaLabel = `Remove ${name}`;
  }

  #open(key) {
    const card = this.#local.get(key);
    if (!card) this.#edit(this.#item(key));
    else if (card.state === 'failed') this.#upload(card);
    else if (card.state === 'missing') {
      this.pick(async ([file]) => {
        if (file.size !== card.size || await fingerprint(file) !== card.fingerprint) return notify(`This is not the same file as ${card.name}; choose the original.`);
        card.file = file;
        return this.#upload(card);
      });
    }
  }

  async #edit(item) { (await import('./editor.js')).openEditor(this, item); }

  // MARK: Text

  #typed() {
    this.#isTyping = true;
    this.#fitText();
    this.#render();
    clearTimeout(this.saving);
    this.saving = setTimeout(() => this.#saveText(), 400);
  }

  #fitText() {
    byId('marks').textContent = `${this.text.value}\u200b`;
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
    this.#counting = new AbortController();
    const text = this.text.value;
    try {
      const {links, segments, type} = await this.client.text(text, this.#counting.signal);
      byId('marks').replaceChildren(...withLinks(text, links, piece => make('mark', {}, piece)), '\u200b');
      this.isLong = type === 'mms';
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
    if (byId('send').ariaDisabled === 'true' || this.isSending) return undefined;
    const stuck = this.#cards.find(card => ['refused', 'failed', 'missing', 'blocked'].includes(this.#stateOf(card)));
    if (stuck) {
      const ways = {failed: 'retry or remove it', missing: 'choose again or remove it'};
      return notify(`${stuck.name ?? 'A file'}: ${ways[stuck.state] ?? 'it cannot be sent; remove it'}.`);
    }
    if (this.#local.size) {
      this.#isWaitingToSend = true;
      this.#render();
      return say('Your message will be sent when all files are uploaded.');
    }
    const bare = this.#draft.attachments.filter(item => item.info.kind === 'image' && !item.altText);
    if (bare.length && !(this.#wasReminded && isDeliberate)) return this.#remind(bare);
    byId('reminder').hidden = true;
    this.isSending = true;
    this.#isWaitingToSend = false;
    byId('send').classList.add('busy');
    const {id} = this.#draft;
    try {
      clearTimeout(this.saving);
      this.#isTyping = true;
      await this.client.changeDraft(id, {text: this.text.value});
      const {modules} = await this.client.modules(id);
      const sent = await this.client.commit(id);
      this.#isTyping = false;
      this.#wasReminded = false;
      await this.thread.add({key: `message ${sent.committed}-${sent.id}`, direction: 'outgoing', time: sent.committed, modules,
        attachments: sent.attachments});
      this.text.value = '';
      this.#order = [];
      this.#pictures.clear();
      await this.#read();
      say('Sent');
    } catch (error) {
      notify(`Not sent: ${error.message} Your message is kept.`, 'Try again', () => this.send(true));
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
    const describe = button('Describe', () => {
      reminder.hidden = true;
      this.#edit(bare[0]);
    }, {className: 'primary'});
    reminder.replaceChildren(make('span', {}, `${plural(bare.length, 'photo')} without a description for people who cannot see them.`),
      describe, button('Send anyway', () => this.send(true)));
    reminder.hidden = false;
    describe.focus();
  }
}
