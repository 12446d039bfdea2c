// The thread: messages as modules, the newest at the bottom.

import {make, mayMove, ui} from './dom.js';
import {conversation} from './draft.js';
import {standing} from './standing.js';
import {client, owner, storeOf} from './token.js';

const {older, scroller, thread, welcome} = ui;
const date = new Intl.DateTimeFormat(undefined, {weekday: 'long', day: 'numeric', month: 'long'});
const PAGE = 40;
const store = storeOf('mediatool messages');

/** What shows messages: their files, and the part of the page that is loaded with the first one. */
const prepare = async shown => shown.length ? Promise.all([filesOf(shown), import('./message.js'), ...shown.map(renew)]) : [];

/** Reads a received message again whose addresses may have expired; what was erased meanwhile stays as it was. */
async function renew(message) {
  const {pdu, read} = message;
  if (!pdu || Date.now() - read < 3_600_000) return;
  const answer = await client.modules(pdu).catch(() => {});
  if (answer) Object.assign(message, {modules: answer.modules, read: Date.now()});
}

/** Messages that are known, the oldest first; the index of the first one that is shown; and the day of the last one. */
let messages = [];
let first = 0;
let lastDay;
/** Attachments that are not shown, some of which will be. */
const absent = new Set();

const scroll = (behavior = 'instant') => scroller.scrollTo({top: scroller.scrollHeight, behavior});
/** Who reads the newest message sees it whole when the composer grows. */
let isAtEnd = true;
let top = 0;
scroller.onscroll = () => {
  const {scrollHeight, scrollTop, clientHeight} = scroller;
  const isNearEnd = scrollHeight - scrollTop - clientHeight < 40;
  // On its way down to a new message it is not somewhere else.
  if (isNearEnd || scrollTop < top) isAtEnd = isNearEnd;
  top = scrollTop;
};
new ResizeObserver(() => { if (isAtEnd) scroll(); }).observe(scroller);

/** What reads the messages of a conversation of the service. */
let remote;

/** Shows the messages that the browser keeps, or those of a conversation of the service. */
export async function openThread() {
  if (conversation) remote = await import('./conversation.js');
  else messages = await store.all();
  first = messages.length;
  await remote?.open();
  await showOlder();
  scroll();
}

async function showOlder() {
  const page = !first && await remote?.older() || [];
  messages.unshift(...page);
  const end = first + page.length;
  first = Math.max(0, end - PAGE);
  const bottom = scroller.scrollHeight - scroller.scrollTop;
  await show(messages.slice(first, end), true);
  scroller.scrollTop = scroller.scrollHeight - bottom;
}
older.onclick = showOlder;
new IntersectionObserver(([entry]) => { if (entry.isIntersecting) showOlder(); }, {root: scroller}).observe(older);

/** The other tabs of the person show what is sent and received in this one. */
const tabs = owner().then(owner => {
  const channel = new BroadcastChannel(`mediatool messages ${owner}`);
  channel.onmessage = ({data}) => { if (!conversation) append(data); };
  return channel;
});

/** Adds a message, and keeps it. */
export async function addMessage(message) {
  if (!conversation) {
    await store.put(message);
    tabs.then(channel => channel.postMessage(message));
  }
  await append(message);
}

/** Removes a message. */
export function removeMessage(key) {
  const index = messages.findIndex(message => message.key === key);
  if (index < 0) return;
  messages.splice(index, 1);
  if (index < first) first--;
  thread.querySelector(`[data-key="${CSS.escape(key)}"]`)?.remove();
}

async function append(message) {
  const index = messages.findIndex(({key}) => key === message.key);
  if (index >= 0) {
    messages[index] = message;
    return showAgain([message]);
  }
  messages.push(message);
  await show([message]);
  isAtEnd = true;
  return scroll(mayMove() ? 'smooth' : 'instant');
}

/**
 * Shows messages again whose files have changed: erased and blocked ones at once, and those that were not shown before.
 * Without ids: all that are not shown.
 */
export async function refresh(ids = [...absent], isRemoved = false) {
  const changed = ids.filter(id => isRemoved || absent.has(id));
  const shown = messages.slice(first).filter(message => message.attachments.some(item => changed.includes(item.attachment)));
  if (shown.length) await showAgain(shown);
}

async function showAgain(shown) {
  const [files, {messageElement}] = await prepare(shown);
  // Nothing waits between finding an element and replacing it: another refresh would do so, too.
  for (const message of shown) {
    thread.querySelector(`[data-key="${CSS.escape(message.key)}"]`)?.replaceWith(messageElement(message, files));
  }
}

/** Messages that are being shown again because an address had expired. */
const renewing = new Map();
/** Shows the message with a key again, with new addresses. */
export function renewMessage(key) {
  const message = messages.find(message => message.key === key);
  if (!message) return undefined;
  if (!renewing.has(key)) renewing.set(key, showAgain([message]).finally(() => renewing.delete(key)));
  return renewing.get(key);
}

/** What the service has of the files of messages. Addresses expire, and files are erased: one request answers for all. */
async function filesOf(messages) {
  const ids = [...new Set(messages.flatMap(message => message.attachments.map(item => item.attachment)))];
  const found = await client.attachments(ids).catch(() => ids.map(id => ({id, isUnknown: true, urls: {}})));
  const files = new Map(found.map(file => [file.id, file]));
  // What was erased stays away.
  for (const id of ids) absent[files.has(id) && standing(files.get(id)) ? 'add' : 'delete'](id);
  return files;
}

async function show(added, isOlder = false) {
  const [files, part] = await prepare(added);
  const elements = [];
  let day = isOlder ? '' : lastDay;
  for (const message of added) {
    const own = date.format(new Date(message.time));
    if (own !== day) elements.push(make('li', {className: 'date'}, own));
    day = own;
    elements.push(part.messageElement(message, files));
  }
  lastDay = isOlder ? lastDay ?? day : day;
  thread[isOlder ? 'prepend' : 'append'](...elements);
  older.hidden = !first && !remote?.hasOlder();
  welcome.hidden = messages.length > 0;
}
