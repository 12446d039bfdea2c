// The draft: attachments and text as the service has them, with the files that are still on their way to it.

import {clamp, notify, plural, say} from './dom.js';
import {look, standingOf} from './standing.js';
import {client, storeOf} from './token.js';

/** The conversation that the address names: the id of a thread of the service, `new`, or the page's own if it is empty. */
export const [conversation] = location.hash.match(/(?<=^#)(new|\d+)$/) ?? [''];
export const store = storeOf('mediatool files');
/** As the service has it; each answer replaces it. */
export let draft = {attachments: [], text: '', limitReached: false};
/** Keys of all cards in their order: ids of the draft's attachments, and keys of files on their way. */
export let order = [];
/** Files on their way, by key. */
export const local = new Map();
/** Pictures of attachments that the browser has itself, by attachment. */
export const pictures = new Map();
const opened = Promise.withResolvers();
/** Fulfilled when the draft was read. */
export const isOpen = opened.promise;

/** Reports a change: `draft` is an event of the window. */
export const changed = () => dispatchEvent(new Event('draft'));

export const itemOf = key => draft.attachments.find(item => item.id === key);
export const cardsInOrder = () => order.map(key => local.get(key) ?? itemOf(key)).filter(Boolean);
/** How many more attachments fit. */
export const room = () => Math.max(0, (draft.remaining ?? Infinity) - local.size);
/** How many files on their way are too many. */
export const excess = () => Math.max(0, local.size - (draft.remaining ?? Infinity));
export const isFull = () => draft.limitReached || room() <= 0;
/** The number of a selected attachment, from 1; 0 for others. */
export const numberOf = attachment => order.findIndex(key => itemOf(key)?.attachment === attachment) + 1;

/** The state of a card: of a file on its way, or of what the service has. */
export function stateOf(card) {
  if (card.key) return card.state;
  if (draft.blockers?.some(({code, ids}) => code === 'blocked' && ids.includes(card.id))) return 'blocked';
  return standingOf(card.attachment) ? 'held' : 'ready';
}

// MARK: Answers and events of the service

/** Reads the draft. */
export async function read() {
  take(await client.draft(conversation ? `thread ${conversation}` : 'page'));
  opened.resolve();
}

/** Takes an event of the stream; `ids` are the files that it is about. */
export async function takeEvent({name, data}, ids) {
  // The draft says of its files what it shows: again, when one was erased, blocked, released, or found clean.
  if (name === 'reset' || ids.some(id => numberOf(id) && (name === 'removed' || standingOf(id)))) return read();
  const {id} = draft;
  if (name !== 'draft' || data.id !== id) return undefined;
  // The answer to a change of this tab has the same news, and comes at about the same time.
  await new Promise(resolve => setTimeout(resolve, 300));
  if (draft.id !== id) return undefined;
  if (data.removed) return read();
  // When it was sent meanwhile, there is another one.
  return data.version > draft.version && client.readDraft(id).then(answer => draft.id === id && take(answer), () => {});
}

/** Takes an answer of the service. */
export function take(answer) {
  if (answer.id === draft.id && answer.version < draft.version) return;
  draft = answer;
  const ids = draft.attachments.map(item => item.id);
  for (const card of local.values()) {
    if (!ids.includes(card.attachment)) continue;
    // It has arrived: the attachment takes the position of its card.
    order[order.indexOf(card.key)] = card.attachment;
    local.delete(card.key);
    store.delete(card.key);
    say(`${card.name} is ready.`);
  }
  // Cards of files on their way keep their positions among the attachments, whose order is the draft's.
  const known = order.filter(key => local.has(key) || ids.includes(key));
  const sorted = ids.filter(id => known.includes(id)).values();
  order = [...known.map(key => local.has(key) ? key : sorted.next().value), ...ids.filter(id => !known.includes(id))];
  look(draft.attachments.filter(item => !item.thumbnail).map(item => item.attachment));
  changed();
}

/** Why a file was refused, of an error, and what would be taken instead. */
export const reasonOf = ({verdict, ...error}) => ({
  ...verdict?.files?.[0]?.reasons?.[0] ?? error, shrink: verdict?.suggestions?.find(({action}) => action === 'shrink'),
});

/** The sentence about a refusal, without a full stop. */
export const textOf = async (reason, name) => (await import('./reasons.js')).reasonText(reason, name);

/** Changes the draft on the server; a refusal is shown. */
async function change(work, name) {
  try {
    const answer = await work(draft.id);
    take(answer);
    for (const event of answer.events ?? []) if (event.name === 'refused') notify(`${await textOf(event.reasons?.[0], name)}.`);
  } catch (error) {
    notify(`${await textOf(reasonOf(error), name)}.`);
    await read().catch(() => {});
  }
}

// MARK: Changes of attachments

/** Changes alternative text or crop of an attachment. */
export const changeItem = (item, values) => change(id => client.changeAttachment(id, item.id, values), item.name);

/** As many of the files as fit; for the rest a notice. */
export function fitting(files) {
  const added = files.slice(0, room());
  if (added.length < files.length) {
    const most = `a message can have at most ${plural(order.length + added.length, 'attachment')}.`;
    notify(`${added.length} of ${plural(files.length, 'file')} added: ${most}`);
  }
  return added;
}

/** Adds cells of the tray. */
export async function addFromTray(cells) {
  await isOpen;
  const added = fitting(cells);
  if (!added.length) return;
  // Shown at once, and mended by the answer.
  const shown = added.map(cell => ({...cell, attachment: cell.id, name: cell.title, info: cell}));
  draft = {...draft, attachments: [...draft.attachments, ...shown], remaining: draft.remaining - shown.length};
  order.push(...shown.map(item => item.id));
  changed();
  await change(id => client.addToDraft(id, added.map(cell => ({attachment: cell.id}))));
}

/** Adds a file on its way, after another card or at the end. */
export function insert(card, after) {
  const {key} = card;
  local.set(key, card);
  if (!order.includes(key)) order.splice(order.indexOf(after) + 1 || order.length, 0, key);
  changed();
}

/** Ends a file on its way. */
export function drop({abort, key, picture}) {
  abort.abort();
  if (picture) URL.revokeObjectURL(picture);
  local.delete(key);
  order = order.filter(other => other !== key);
  store.delete(key);
  changed();
}

/** Removes a card, as the person asks: `removal` is an event of the window, before the `draft` events. */
export function remove(key) {
  dispatchEvent(new Event('removal'));
  const card = local.get(key);
  if (card) {
    if (card.address && card.state !== 'refused') client.cancelUpload(card.address);
    drop(card);
  } else {
    order = order.filter(other => other !== key);
    draft = {...draft, attachments: draft.attachments.filter(item => item.id !== key), limitReached: false};
    changed();
    change(id => client.removeFromDraft(id, key));
  }
  say('Removed');
}

/** Removes all cards. */
export function clear() {
  for (const key of local.keys()) remove(key);
  if (draft.attachments.length) change(id => client.removeFromDraft(id));
}

let ordering;
/** Moves a card to an index. */
export function move(key, index) {
  const from = order.indexOf(key);
  const to = clamp(0, index, order.length - 1);
  if (from === to) return;
  order.splice(to, 0, ...order.splice(from, 1));
  changed();
  say(`Moved to position ${to + 1} of ${order.length}`);
  clearTimeout(ordering);
  ordering = setTimeout(() => { if (itemOf(key)) change(id => client.changeDraft(id, {order: order.filter(itemOf)})); }, 300);
}
