// One message of the thread: its modules as a gallery, players, files, and text with links; and messages that are received.

import {isExpired} from './addresses.js';
import {button, icon, kindIcon, make, notify, say, ui, withLinks} from './dom.js';
import {picture} from './picture.js';
import {audioPlayer, videoPlayer} from './players.js';
import {standing} from './standing.js';
import {addMessage, renewMessage} from './thread.js';
import {client} from './token.js';

const clock = new Intl.DateTimeFormat(undefined, {hour: 'numeric', minute: '2-digit'});

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
  return URL.createObjectURL(new Blob([Uint8Array.fromBase64(data)], {type: head.slice(5).split(';')[0]}));
}

const openViewer = async (...options) => (await import('./viewer.js')).openViewer(...options);
/** Why a sent file is not shown; undefined if it is. */
const absence = ({isOurs, file}) => isOurs ? standing(file) : undefined;
const absent = ({symbol, text}) => [icon(symbol), make('span', {}, text)];

/** A message as the thread shows it; `files` has what the service knows of its attachments, by their ids. */
export function messageElement({key, direction, from, subject, time, modules, attachments, status}, files) {
  const own = direction === 'outgoing';
  const items = modules.map(module => {
    const sent = attachments.find(item => item.id === module.id);
    const {media, poster, thumbnail} = module;
    // A part of a received message is no attachment: its own address is all that it has.
    const part = media && {urls: {original: media, view: source(thumbnail ?? poster)}};
    // Of a crop, a module has the size of what is shown, and a picture is of the whole image.
    const whole = sent?.crop && sent.info && {width: sent.info.width, height: sent.info.height};
    return {...module, ...sent, ...whole, file: sent ? files.get(sent.attachment) : part, isOurs: Boolean(sent)};
  });
  const pictures = items.filter(item => item.kind === 'image' && (item.thumbnail || item.isOurs) && item.state !== 'corrupted');
  return make('li', {className: `message ${own ? 'own' : ''}`, data: {key}},
    make('span', {className: 'hidden'}, own ? 'You: ' : `${from ?? 'Received'}: `),
    !own && from && make('span', {className: 'sender', dir: 'auto'}, from.replace(/\/TYPE=.*/, '')),
    make('div', {className: 'body'}, subject && make('strong', {dir: 'auto'}, subject),
      ...items.map(item => item === pictures[0] ? gallery(pictures) : !pictures.includes(item) && moduleElement(item))),
    make('p', {className: 'time'}, make('time', {dateTime: time}, clock.format(new Date(time))),
      status ? make('span', {className: 'status', data: {state: status.state}}, status.text) : own && icon('check'),
      own && !status && make('span', {className: 'hidden'}, ' sent'),
      status?.onRetry && button('Try again', status.onRetry, {className: 'link'})));
}

/** Up to four pictures; the last one shows how many more there are. */
function gallery(items) {
  const shown = items.slice(0, 4);
  const seen = items.filter(item => !absence(item));
  return make('div', {className: 'gallery', data: {count: shown.length}}, ...shown.map((item, index) => {
    const more = index === 3 && items.length > 4 && `+${items.length - 3}`;
    const {width = 4, height = 3} = item.crop ?? item;
    const hidden = absence(item);
    const shows = hidden ? absent(hidden)
      : [picture(item, source(item.isOurs ? item.file?.urls.message : item.thumbnail), {loading: 'lazy', decoding: 'async', width, height})];
    const tile = button([...shows, more && make('span', {className: 'plus'}, more)], () => openViewer(seen, Math.max(0, seen.indexOf(item))), {
      data: {attachment: item.attachment}, disabled: !seen.length || Boolean(hidden) && !more, className: hidden ? 'gone' : '',
      ariaLabel: more ? `Show ${items.length - 3} more photos` : `Photo: ${hidden?.text ?? (item.altText || item.filename || 'no description')}`,
      style: {backgroundColor: hidden ? null : item.placeholder?.color},
    });
    tile.style.setProperty('--ratio', `${width} / ${height}`);
    return tile;
  }));
}

/** Everything that is not a picture. */
function moduleElement(item) {
  const {kind, file, filename, size, label, attachment, text, links = []} = item;
  if (kind === 'text') {
    return make('p', {className: 'text', dir: 'auto'}, ...withLinks(text, links, (piece, link) => {
      const href = safe(link);
      if (!href) return piece;
      const anchor = make('a', {href, target: '_blank', rel: 'noopener noreferrer'}, piece);
      // The text names another address than the one that opens.
      return link.leadsTo ? make('span', {}, anchor, ' ', make('bdi', {}, `(${link.leadsTo})`)) : anchor;
    }));
  }
  const hidden = absence(item);
  if (hidden) return make('p', {className: 'file gone'}, ...absent(hidden), file && filename && make('bdi', {}, filename));
  // A file that was sent before it was scanned has its images now.
  const state = item.state === 'placeholder' && item.isOurs && ['audio', 'video'].includes(kind) && file ? 'ready' : item.state;
  if (state === 'ready' && kind === 'video') return videoPlayer(item, source(file?.urls.message ?? item.poster), openViewer);
  if (state === 'ready' && kind === 'audio' && file) return audioPlayer(item);
  const page = state === 'ready' && item.thumbnail && (file?.urls.grid ?? item.thumbnail);
  const stateText = {notDownloaded: 'Not downloaded', tooLarge: 'Too large to show', corrupted: 'Damaged', placeholder: 'No preview'}[state];
  return make(file ? 'a' : 'div', {className: 'file', href: file?.urls.original, download: file && (filename ?? ''), data: {state, attachment},
    ariaLabel: label || undefined},
  page ? make('img', {src: source(page), alt: '', loading: 'lazy'}) : make('span', {className: 'symbol'}, state === 'corrupted' ? icon('warning') : kindIcon(kind)),
  make('span', {className: 'names'}, make('bdi', {}, filename ?? 'Message'), make('small', {}, [stateText, size].filter(Boolean).join(' · '))),
  file && icon('download'));
}

// A file whose address has expired is shown with a new one, and a click on its download waits for that.
const keyAround = element => element.closest('[data-key]')?.dataset.key;
ui.thread.addEventListener('error', ({target}) => {
  if (target.src && isExpired(target.currentSrc || target.src, keyAround(target))) renewMessage(keyAround(target));
}, true);
ui.thread.addEventListener('click', async event => {
  const link = event.target.closest('a[download]');
  const part = link?.closest('.body > *');
  if (!part) return;
  const key = keyAround(link);
  // The part of the message has its position also when files of other parts were erased, whose links are gone.
  const place = `[data-key="${CSS.escape(key)}"] .body > :nth-child(${[...part.parentElement.children].indexOf(part) + 1})`;
  if (!isExpired(link.href, `download ${place}`)) return;
  event.preventDefault();
  await renewMessage(key);
  ui.thread.querySelector(`${place}[download], ${place} [download]`)?.click();
}, true);

/** Shows a received MMS: the PDU is uploaded, and its modules are read. */
export async function receive(file) {
  say(`Reading ${file.name}`);
  try {
    const {id} = await client.upload(file);
    const {modules, direction, from, date: sent, subject} = await client.modules(id);
    const time = new Date(sent ? sent * 1000 : Date.now()).toISOString();
    await addMessage({key: `message ${new Date().toISOString()}-${id}`, direction, from, subject, time, modules, attachments: [], pdu: id, read: Date.now()});
  } catch (error) {
    notify(`${file.name} cannot be read: ${error.message}`);
  }
}
