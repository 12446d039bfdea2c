// The cards of the composer: one for each attachment, and for each file on its way.

import {ARROWS, arrowKeys, bytes, copy, direction, duration, keepReachable, kindIcon, make, onKeys, plural, reconcile, ui} from './dom.js';
import {cardsInOrder, draft, isFull, itemOf, local, move, order, pictures, remove, room, stateOf} from './draft.js';
import {look, standingOf} from './standing.js';
import {client} from './token.js';

const {cards, left} = ui;
let most = '';
const keyOf = ({target}) => target.closest('.card')?.dataset.key;
cards.onclick = event => {
  const key = keyOf(event);
  if (event.target.closest('.remove')) removeCard(key);
  else if (event.target.closest('button')) open(key);
};
arrowKeys(cards, '.preview');
onKeys(cards, {Delete: 1, Backspace: 1}, (_, event) => removeCard(keyOf(event)));
onKeys(cards, ARROWS, ([step], event) =>
  event.altKey && move(keyOf(event), order.indexOf(keyOf(event)) + step * direction(cards)));

/** Removes a card, and keeps the focus near it. */
export function removeCard(key) {
  const index = order.indexOf(key);
  remove(key);
  const previews = cards.querySelectorAll('.preview');
  (previews[Math.min(index, previews.length - 1)] ?? ui.text).focus();
}

/** Asks for files, and calls `use` with them. */
export function pick(use, input = ui['one-file']) {
  input.onchange = () => {
    const files = [...input.files];
    input.value = '';
    if (files.length) use(files);
  };
  input.click();
}

/** What uploads files: loaded after the first pictures. */
export const uploads = () => import('./uploads.js').catch(() => { throw new Error('The service cannot be reached.'); });

/** Uploads another file in the place of an attachment, whose description stays. */
export const replace = ({id, altText}) => pick(async ([file]) => (await uploads()).addFile(file, {replaces: id, altText}));

/** Opens the editor of an attachment. */
export const edit = async item => (await import('./editor.js')).openEditor(item);

/** Opens the editor, or does what helps a file on its way. */
async function open(key) {
  const card = local.get(key);
  if (!card) edit(itemOf(key));
  else if (card.state === 'failed') (await uploads()).upload(card);
  else if (card.state === 'missing') pick(async ([file]) => (await uploads()).uploadAgain(card, file));
}

function render() {
  const all = cardsInOrder();
  const isLimit = isFull();
  cards.hidden = !all.length;
  reconcile(cards, all, card => card.key ?? card.id, () => copy(ui.card), (element, card, index) => fill(element, card, `${index + 1} of ${all.length}`));
  keepReachable(cards, '.preview');
  for (const id of ['attach', 'camera', 'record']) ui[id].disabled = isLimit;
  const count = plural(room(), all.length ? 'more file' : 'file');
  left.textContent = isLimit ? 'No more files can be added' : draft.id && (all.length || most) ? `${count}${most} can be added` : '';
}
for (const name of ['draft', 'progress', 'standings']) addEventListener(name, render);
/** Shows how many files of which size can be added. */
export const showLimit = () => client.maxBytes().then(limit => {
  most = ` of at most ${bytes(limit, true)}`;
  ui.attach.title = `Attach ${plural(room(), 'file')}${most}`;
  render();
}, () => {});
ui.attach.onpointerenter = ui.attach.onfocus = showLimit;

function fill(element, card, place) {
  const [preview, progress, note, alt, removeButton] = element.children;
  const [image, symbol, length] = preview.children;
  const state = stateOf(card);
  const {altText, attachment, error, info, key, name = 'Photo', synced} = card;
  const kind = info?.kind ?? card.type.split('/')[0];
  const source = key ? kind === 'image' && card.picture : !card.crop && pictures.get(attachment) || card.thumbnail;
  element.dataset.state = state;
  if (source && image.getAttribute('src') !== source) image.src = source;
  // What the browser cannot show has an icon.
  image.onerror = () => {
    image.dataset.failed = image.getAttribute('src');
    // A local picture makes way for the service's.
    if (!key && !pictures.delete(attachment)) look([attachment]);
    render();
  };
  image.hidden = !source || image.dataset.failed === source;
  // Behind a picture only: a name would not be readable on it.
  preview.style.backgroundColor = !image.hidden && card.placeholder?.color || '';
  symbol.classList.toggle('behind', !image.hidden);
  if (symbol.dataset.name !== kind) {
    symbol.dataset.name = kind;
    symbol.replaceChildren(kindIcon(kind), make('span', {}, name));
  }
  length.textContent = info?.duration ? duration(info.duration) : '';
  const share = synced / card.size || 0;
  progress.hidden = !['uploading', 'processing', 'waiting'].includes(state);
  if (state === 'processing') progress.removeAttribute('value');
  else if (!progress.hidden) progress.value = share;
  progress.ariaLabel = `Upload of ${name}`;
  note.textContent = {preparing: 'Preparing', uploading: `${Math.round(share * 100)} %`, processing: 'Processing', waiting: `Waiting for the ${navigator.onLine ? 'service' : 'network'}`,
    refused: error, failed: 'Failed – retry', missing: `Choose ${name} again`, held: standingOf(attachment)?.text,
    blocked: standingOf(attachment)?.text ?? 'Cannot be sent'}[state] ?? '';
  note.title = error ?? '';
  alt.hidden = Boolean(key) || !['image', 'video', 'audio'].includes(kind);
  alt.classList.toggle('done', Boolean(altText));
  alt.title = altText || 'Describe it for people who cannot see it';
  alt.ariaLabel = altText ? `Description of ${name}: ${altText}` : `Describe ${name}`;
  preview.title = preview.ariaLabel = `${name}, ${place}, ${note.textContent || 'ready'}`;
  removeButton.ariaLabel = `Remove ${name}`;
}
