// The thread: messages as modules, the newest at the bottom.

import {byId, duration, icon, make, notify, say} from './dom.js';
import {openViewer} from './viewer.js';

const clock = new Intl.DateTimeFormat(undefined, {hour: 'numeric', minute: '2-digit'});
const date = new Intl.DateTimeFormat(undefined, {weekday: 'long', day: 'numeric', month: 'long'});
const PAGE = 40;

/** An address that a page may open: no other scheme ever becomes a link. */
const safe = (kind, target) => {
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

export class ThreadView {
  /** Messages that are known, the oldest first; and the index of the first one that is shown. */
  #messages = [];
  #first = 0;
  #list = byId('thread');

  constructor(client, store) {
    Object.assign(this, {client, store});
    byId('older').onclick = () => this.#older();
    new IntersectionObserver(([entry]) => { if (entry.isIntersecting) this.#older(); }, {root: byId('scroller')}).observe(byId('older'));
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
    const scroller = byId('scroller');
    const bottom = scroller.scrollHeight - scroller.scrollTop;
    await this.#show(this.#messages.slice(this.#first, end), true);
    scroller.scrollTop = scroller.scrollHeight - bottom;
  }

  /** Adds a message, and keeps it. */
  async add(message) {
    await this.store.put(message);
    this.#messages.push(message);
    await this.#show([message], false);
    this.#scroll(true);
  }

  /** Shows a received MMS: the PDU is uploaded, and its modules are read. */
  async receive(client, file) {
    say(`Reading ${file.name}`);
    try {
      const {id} = await client.upload(file);
      const {modules, direction, from, date: sent, subject} = await client.modules(id);
      const time = new Date(sent ? sent * 1000 : Date.now()).toISOString();
      await this.add({key: `message ${new Date().toISOString()}-${id}`, direction, from, subject, time, modules, attachments: []});
    } catch (error) {
      notify(`${file.name} cannot be read: ${error.message}`);
    }
  }

  /** Marks what was erased. */
  forget(ids) {
    for (const id of ids) {
      for (const element of this.#list.querySelectorAll(`[data-attachment="${CSS.escape(id)}"]`)) {
        element.replaceChildren(icon('trash'), make('span', {}, 'Removed'));
        element.classList.add('gone');
      }
    }
  }

  #scroll(isSmooth) {
    byId('scroller').scrollTo({top: byId('scroller').scrollHeight, behavior: isSmooth ? 'smooth' : 'instant'});
  }

  async #show(messages, isOlder) {
    // Addresses expire, and files are erased: one request tells for all.
    const ids = [...new Set(messages.flatMap(message => message.attachments.map(item => item.attachment)))];
    const files = new Map((await this.client.attachments(ids).catch(() => [])).map(file => [file.id, file]));
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

  #message(message, files) {
    const own = message.direction === 'outgoing';
    const items = message.modules.map(module => {
      const sent = message.attachments.find(item => item.id === module.id);
      return {...module, ...sent, file: files.get(sent?.attachment), isOurs: Boolean(sent)};
    });
    const pictures = items.filter(item => item.kind === 'image' && (item.thumbnail || item.isOurs) && item.state !== 'corrupted');
    const body = make('div', {className: 'body'});
    if (message.subject) body.append(make('strong', {dir: 'auto'}, message.subject));
    for (const item of items) {
      if (item === pictures[0]) body.append(this.#gallery(pictures));
      else if (!pictures.includes(item)) body.append(this.#module(item));
    }
    const time = new Date(message.time);
    return make('li', {className: `message ${own ? 'own' : ''}`},
      make('span', {className: 'hidden'}, own ? 'You: ' : `${message.from ?? 'Received'}: `),
      !own && message.from ? make('span', {className: 'sender', dir: 'auto'}, message.from.replace(/\/TYPE=.*/, '')) : '', body,
      make('p', {className: 'time'}, make('time', {dateTime: message.time}, clock.format(time)), own ? icon('check') : '',
        own ? make('span', {className: 'hidden'}, ' sent') : ''));
  }

  /** Up to four pictures; the last one tells how many more there are. */
  #gallery(items) {
    const shown = items.slice(0, 4);
    return make('div', {className: 'gallery', data: {count: shown.length}}, ...shown.map((item, index) => {
      const more = index === 3 && items.length > 4 ? `+${items.length - 3}` : '';
      const {crop} = item;
      const [width, height] = crop ? [crop.width, crop.height] : [item.width, item.height];
      const image = make('img', {alt: item.altText ?? '', decoding: 'async', loading: 'lazy', width: width ?? 4, height: height ?? 3,
        src: source(item.isOurs ? item.file?.urls.message : item.thumbnail)});
      if (crop) {
        // The crop is a window on the whole image.
        image.style.objectViewBox = `inset(${100 * crop.y / item.height}% ${100 - 100 * (crop.x + crop.width) / item.width}% `
          + `${100 - 100 * (crop.y + crop.height) / item.height}% ${100 * crop.x / item.width}%)`;
      }
      const button = make('button', {type: 'button', data: {attachment: item.attachment},
        aria: {label: more ? `Show ${items.length - 3} more photos` : `Photo: ${item.altText || item.filename || 'no description'}`},
        onclick: () => openViewer(items, index)}, image, more ? make('span', {className: 'plus'}, more) : '');
      button.style.backgroundColor = item.placeholder?.color ?? '';
      if (shown.length === 1) button.style.setProperty('--ratio', `${width ?? 4} / ${height ?? 3}`);
      if (item.isOurs && !item.file) {
        button.replaceChildren(icon('trash'), make('span', {}, 'Removed'));
        button.classList.add('gone');
        button.disabled = true;
      }
      return button;
    }));
  }

  #module(item) {
    if (item.kind === 'text') return this.#text(item);
    const states = {notDownloaded: 'Not downloaded', tooLarge: 'Too large to show', corrupted: 'Damaged', placeholder: 'No preview'};
    if (item.isOurs && !item.file) return make('p', {className: 'file gone'}, icon('trash'), 'Removed');
    if (item.state === 'ready' && item.kind === 'video') return this.#video(item);
    if (item.state === 'ready' && item.kind === 'audio' && item.file) return this.#audio(item);
    const symbol = {contact: 'contact', calendar: 'calendar', audio: 'audio', video: 'video', image: 'image'}[item.kind] ?? 'file';
    const page = item.state === 'ready' && item.thumbnail && (item.file?.urls.grid ?? item.thumbnail);
    const facts = [item.state !== 'ready' && states[item.state], item.size].filter(Boolean).join(' · ');
    return make(item.file ? 'a' : 'div', {
      className: 'file', href: item.file?.urls.original, download: item.file && (item.filename ?? ''),
      data: {state: item.state, attachment: item.attachment}, aria: {label: item.label || undefined},
    }, page ? make('img', {src: source(page), alt: '', loading: 'lazy'}) : make('span', {className: 'symbol'}, icon(item.state === 'corrupted' ? 'warning' : symbol)),
    make('span', {className: 'names'}, make('bdi', {}, item.filename ?? 'Message'), make('small', {}, facts)), item.file ? icon('download') : '');
  }

  /** Text with links; nothing of it is parsed as HTML. */
  #text({text, links = []}) {
    const pieces = [];
    let end = 0;
    for (const {kind, utf16: [from, to], target} of links) {
      const href = safe(kind, target);
      pieces.push(text.slice(end, from), href
        ? make('a', {href, target: '_blank', rel: 'noopener noreferrer'}, text.slice(from, to)) : text.slice(from, to));
      end = to;
    }
    return make('p', {className: 'text', dir: 'auto'}, ...pieces, text.slice(end));
  }

  /** A poster; the pointer scrubs through the frames of the storyboard. */
  #video(item) {
    const frame = make('span', {className: 'frame'});
    const button = make('button', {type: 'button', className: 'video', data: {attachment: item.attachment},
      aria: {label: `Play ${item.filename ?? 'video'}, ${duration(item.duration ?? 0)}`}, onclick: () => openViewer([item], 0)},
    make('img', {src: source(item.file?.urls.message ?? item.poster), alt: item.altText ?? '', loading: 'lazy'}), frame,
    make('span', {className: 'play'}, icon('play')), make('span', {className: 'length'}, duration(item.duration ?? 0)));
    button.style.setProperty('--ratio', `${item.width ?? 16} / ${item.height ?? 9}`);
    if (item.file) {
      let cues;
      button.addEventListener('pointermove', async event => {
        cues ??= this.#cues(item.attachment);
        const list = await cues;
        if (!list.length) return;
        const box = button.getBoundingClientRect();
        const share = Math.max(0, Math.min(0.999, (event.clientX - box.x) / box.width));
        const {image, x, y, width, height} = list[Math.floor(share * list.length)];
        const scale = Math.max(box.width / width, box.height / height);
        Object.assign(frame.style, {width: `${width}px`, height: `${height}px`, backgroundImage: `url("${image}")`,
          backgroundPosition: `-${x}px -${y}px`, scale});
        frame.parentElement.style.setProperty('--share', share);
        button.classList.add('scrubbing');
      });
      button.addEventListener('pointerleave', () => button.classList.remove('scrubbing'));
    }
    return make('div', {className: 'media'}, button, item.filename ? make('small', {}, make('bdi', {}, item.filename)) : '');
  }

  async #cues(attachment) {
    const base = `/v1/attachments/${attachment}/`;
    const text = await this.client.send('GET', `${base}storyboard.vtt`).then(answer => answer.text()).catch(() => '');
    return [...text.matchAll(/^(\S+)#xywh=(\d+),(\d+),(\d+),(\d+)$/gm)].map(([, image, x, y, width, height]) =>
      ({image: new URL(image, location.origin + base).href, x, y, width, height}));
  }

  /** A waveform that plays and seeks. */
  #audio(item) {
    const audio = make('audio', {src: item.file.urls.original, preload: 'none'});
    const bars = make('div', {className: 'bars', tabIndex: 0, role: 'slider', aria: {label: `Position in ${item.filename}`, valuemin: 0,
      valuemax: Math.round(item.duration ?? 0), valuenow: 0, valuetext: '0:00'}});
    const count = 48;
    bars.append(...Array.from({length: count}, () => make('i')));
    const draw = ({peaks = []}) => [...bars.children].forEach((bar, index) => {
      bar.style.height = `${Math.max(8, 100 * (peaks[Math.floor(index * peaks.length / count)] ?? 0.3))}%`;
    });
    draw(item);
    if (!item.peaks) this.client.json('GET', `/v1/attachments/${item.attachment}/waveform`).then(draw, () => {});
    const time = make('span', {className: 'length'}, duration(item.duration ?? 0));
    const play = make('button', {type: 'button', className: 'round', aria: {label: `Play ${item.filename}`},
      onclick: () => audio.paused ? audio.play() : audio.pause()}, icon('play'));
    const show = () => {
      const total = item.duration || audio.duration || 1;
      [...bars.children].forEach((bar, index) => bar.classList.toggle('past', (index + 0.5) / count < audio.currentTime / total));
      time.textContent = duration(audio.paused && !audio.currentTime ? total : audio.currentTime);
      bars.setAttribute('aria-valuenow', String(Math.round(audio.currentTime)));
      bars.setAttribute('aria-valuetext', duration(audio.currentTime));
      play.replaceChildren(icon(audio.paused ? 'play' : 'pause'));
      play.setAttribute('aria-label', `${audio.paused ? 'Play' : 'Pause'} ${item.filename}`);
    };
    for (const name of ['timeupdate', 'play', 'pause', 'ended', 'seeked']) audio.addEventListener(name, show);
    const seek = seconds => {
      audio.currentTime = Math.max(0, Math.min(item.duration ?? 0, seconds));
      show();
    };
    bars.addEventListener('pointerdown', event => {
      const box = bars.getBoundingClientRect();
      seek((event.clientX - box.x) / box.width * (item.duration ?? 0));
    });
    bars.addEventListener('keydown', event => {
      const step = {ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10}[event.key];
      if (!step) return;
      event.preventDefault();
      seek(audio.currentTime + step * Math.max(1, (item.duration ?? 0) / 20));
    });
    return make('div', {className: 'audio', data: {attachment: item.attachment}}, play, bars, time, make('small', {}, make('bdi', {}, item.filename)), audio);
  }
}
