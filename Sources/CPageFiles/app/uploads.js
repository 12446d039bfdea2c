// Files on their way to the service: each one is kept over a reload, uploaded, and put into the draft.

import {notify, say} from './dom.js';
import {conversation, draft, drop, excess, fitting, insert, isOpen, itemOf, local, order, pictures, reasonOf, store, take, textOf} from './draft.js';
import {MediaError, uniqueName} from './media-client.js';
import {client} from './token.js';

const isMessage = file => /\.(mms|pdu)$/i.test(file.name) || file.type === 'application/vnd.wap.mms-message';

/**
 * A digest of some bytes at the beginning, in the middle and at the end, by which a file that was chosen again is recognised. Browsers make none on a page
 * that is neither encrypted nor on this computer: then it is the time of its last change with its name.
 */
async function fingerprint(file) {
  const {lastModified, name, size} = file;
  const bytes = await new Blob([0, size / 2, size - SAMPLE].map(start => file.slice(start, start + SAMPLE))).arrayBuffer();
  return crypto.subtle ? [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))].join() : `changed ${lastModified} ${name}`;
}
const SAMPLE = 65_536;

/** Whether two cards have the same file: where fingerprints agree, all bytes are compared. One that has to be chosen again has only its fingerprint. */
async function isTwin(card, other) {
  let isSame = other !== card && other.fingerprint === card.fingerprint && other.size === card.size;
  for (let start = 0; isSame && other.file && start < card.size; start += PIECE) {
    const pieces = await Promise.all([card, other].map(({file}) => file.slice(start, start + PIECE).arrayBuffer()));
    isSame = !indexedDB.cmp(...pieces);
  }
  return isSame;
}
const PIECE = 1 << 20;

/** A file that cannot be read: a folder, or one whose bytes are somewhere else. */
const UNREADABLE = {code: 'unreadable'};
/** Reads the fingerprint of a card; without one it is refused, and there is no answer. */
const identify = card => fingerprint(card.file).then(fingerprint => Object.assign(card, {fingerprint}), () => refuse(card, UNREADABLE));

/** Continues what a reload interrupted. */
export async function resume() {
  for (const record of await store.all()) {
    // A crashed tab frees its lock, and another one continues.
    const {key, thread = ''} = record;
    if (key.startsWith('file ') && thread === conversation && !local.has(key)) upload(place({...record, isKept: true}));
  }
}

/** Adds files that were picked, dropped, pasted or recorded: their cards are there at once. */
export async function addFiles(files) {
  for (const file of files.filter(isMessage)) import('./message.js').then(part => part.receive(file), error => notify(error.message));
  const added = fitting(files.filter(file => !isMessage(file))).map(file => place({file, name: file.name, size: file.size, type: file.type}));
  await isOpen;
  // Before the draft was read, nobody knew how many fit.
  for (const card of added.splice(Math.max(0, added.length - excess()))) discard(card, 'No more files can be added');
  for (const card of added) {
    if (!await identify(card)) continue;
    let isKnown = false;
    for (const other of local.values()) isKnown ||= await isTwin(card, other).catch(() => false);
    if (isKnown) discard(card, `${card.name} is already attached`);
    else if (local.has(card.key)) await keep(card);
  }
}

/** Adds a file; `more` has the `replaces` and the `altText` of one that replaces an attachment. */
export async function addFile(file, more) {
  const card = place({file, name: file.name, size: file.size, type: file.type, ...more});
  if (await identify(card)) await keep(card);
}

/** Shows a card for a file. */
function place(record) {
  const card = {key: `file ${Date.now()}-${uniqueName()}`, thread: conversation, ...record, state: 'preparing', synced: 0, abort: new AbortController()};
  if (card.file && /^(image|video)/.test(card.type)) card.picture = URL.createObjectURL(card.file);
  insert(card, card.replaces);
  return card;
}

function discard(card, reason) {
  drop(card);
  notify(`${reason}.`);
}

/** Keeps a file over a reload and uploads it, unless it is too large. */
async function keep(card) {
  const limit = await client.maxBytes().catch(() => Infinity);
  if (!local.has(card.key)) return undefined;
  if (card.size > limit) return refuse(card, {code: 'fileTooLarge', limit, actual: card.size});
  await store.put(recordOf(card));
  card.isKept = Boolean(await store.get(card.key).catch(() => {}));
  // It was removed meanwhile.
  if (!local.has(card.key)) return store.delete(card.key);
  upload(card);
  return undefined;
}

/** What is kept of a card. */
const recordOf = ({abort, isKept, picture, state, synced, ...record}) => record;

/** How many uploads there are at a time: the others leave connections to what the person does. */
const MAX_UPLOADS = 3;
/** The keys of the files that have their turn, and what gives the others theirs. */
const turns = new Set();
const waiting = [];
const enter = key => turns.has(key) || turns.size < MAX_UPLOADS ? turns.add(key) : new Promise(resolve => waiting.push(() => resolve(turns.add(key))));
/** The turn goes to the one that waits longest; nobody comes in between. */
const leave = key => { if (turns.delete(key)) waiting.shift()?.(); };

/** Uploads the file of a card; a file that was not kept over a reload has to be chosen again. */
export async function upload(card) {
  const {key, abort: {signal}} = card;
  card.error = undefined;
  const work = async () => {
    // Null if the browser cannot say.
    const kept = await store.get(key).catch(() => null);
    // Another tab has finished it or removed it.
    if (kept === undefined && (!card.file || card.isKept)) return drop(card);
    if (!card.file) return set(card, {state: 'missing'});
    card.address ??= kept?.address;
    await enter(key);
    const attachment = await client.upload(card.file, {
      key, address: card.address, signal,
      // Removed in another tab, it is not uploaded again.
      onRetry: async () => kept && await store.get(key).catch(() => null) === undefined ? drop(card) : enter(key),
      onAddress: address => {
        card.address = address;
        store.put(recordOf(card));
      },
      onProgress: synced => set(card, {synced}),
      onState: state => {
        if (state === 'waiting') leave(key);
        if (state !== card.state) set(card, {state});
      },
    }).finally(() => leave(key));
    // One after the other: each position counts on those before it.
    const turn = attaching;
    await (attaching = Promise.allSettled([turn]).then(() => attach(card, attachment))).catch(error => {
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
      set(card, {state: 'failed', error: await textOf(error, card.name)});
      say(`${card.name} was not uploaded.`, true);
    } else {
      await refuse(card, reasonOf(error));
    }
  }
}
let attaching;

/** Uploads a file that was chosen again, if it is the one of the card. */
export async function uploadAgain(card, file) {
  const found = await fingerprint(file).catch(() => {});
  if (!found) return notify(`${await textOf(UNREADABLE, file.name)}.`);
  if (file.size !== card.size || found !== card.fingerprint) {
    return notify(`This is not the same file as ${card.name}; choose the original.`);
  }
  card.file = file;
  return upload(card);
}

async function refuse(card, reason) {
  // It was removed meanwhile.
  if (!local.has(card.key)) return;
  store.delete(card.key);
  set(card, {state: 'refused', error: await textOf(reason, card.name)});
  say(`${card.error}.`, true);
}

/** Progress is an event of its own: it changes a card, and nothing else. */
function set(card, values) {
  Object.assign(card, values);
  dispatchEvent(new Event(values.state ? 'draft' : 'progress'));
}

/** Puts what was uploaded into the draft, at the position of its card. */
async function attach(card, {id: attachment, info}) {
  const {altText, key, name, picture, replaces} = card;
  const twin = draft.attachments.find(item => item.attachment === attachment);
  if (twin) {
    notify(`${name} is already attached${twin.name && twin.name !== name ? ` as ${twin.name}` : ''}.`);
    return drop(card);
  }
  if (picture && info.kind === 'image') pictures.set(attachment, picture);
  card.attachment = attachment;
  const addition = {attachment, altText};
  const position = order.slice(0, order.indexOf(key)).filter(itemOf).length;
  return take(itemOf(replaces) ? await client.changeAttachment(draft.id, replaces, {replacement: addition})
    : await client.addToDraft(draft.id, [addition], position));
}
