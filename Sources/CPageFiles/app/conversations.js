// The conversations of the service: a list of threads, with what is unread, drafts, and messages that were not sent.

import {button, icon, make, notify, plural, reconcile, ui} from './dom.js';
import {conversation} from './draft.js';
import {client} from './token.js';

const clock = new Intl.DateTimeFormat(undefined, {hour: 'numeric', minute: '2-digit'});
const day = new Intl.DateTimeFormat(undefined, {day: 'numeric', month: 'short'});
const dayOfYear = new Intl.DateTimeFormat(undefined, {dateStyle: 'medium'});

/** The most recent first. */
let threads = [];
let next;
/** Unread messages, also of conversations that are not in the list. */
let unread = 0;

/** The people of a conversation. */
export const names = ({participants}) => participants.map(name => name.replace(/\/TYPE=.*/, '')).join(', ') || 'Unknown sender';

function when(seconds) {
  const [date, now] = [new Date(seconds * 1000), new Date()];
  return (date.toDateString() === now.toDateString() ? clock : date.getFullYear() === now.getFullYear() ? day : dayOfYear).format(date);
}

// MARK: Reading

let isRead = false;
/** Changes since each page was asked for that is not there yet: they are newer than the page. */
const pages = new Set();

async function read(isMore = false) {
  const since = [];
  pages.add(since);
  const page = await client.threads(isMore ? next : undefined, 30).finally(() => pages.delete(since));
  ({next, totalUnread: unread} = page);
  isRead = true;
  threads = isMore ? [...threads, ...page.threads.filter(({id}) => !threads.some(other => other.id === id))] : page.threads;
  since.forEach(take);
  render();
}

/** Takes the new state of a conversation. */
function take({totalUnread, ...thread}) {
  unread = totalUnread;
  threads = [...threads.filter(({id}) => id !== thread.id), ...thread.removed ? [] : [thread]].sort((one, other) => (other.time ?? 0) - (one.time ?? 0));
}

addEventListener('changes', ({detail: {name, data}}) => {
  if (name === 'reset') read().catch(() => {});
  if (name !== 'thread') return;
  for (const since of pages) since.push(data);
  take(data);
  render();
});
// The list could not be read before.
addEventListener('live', () => { if (!isRead && !pages.size) read().catch(() => {}); });

/** Marks all messages of a thread as read. What the senders get for it, the client of the carrier collects from `/v1/messages/answers`. */
export async function markRead(thread) {
  await client.json('POST', `/v1/threads/${thread}/read`);
  const known = threads.find(({id}) => id === thread);
  if (known?.unread) take({...known, unread: 0, totalUnread: unread - known.unread});
  render();
}

// MARK: The list

const list = make('ul', {className: 'threads'});
const empty = make('p', {className: 'quiet'}, 'Conversations by SMS and MMS appear here.');
const more = button('Show more', () => read(true).catch(error => notify(error.message)), {className: 'more'});
const closer = button(icon('close'), () => dialog.close(), {className: 'round small', ariaLabel: 'Close', title: 'Close'});
const dialog = make('dialog', {className: 'sheet', ariaLabel: 'Conversations'},
  make('header', {}, make('h2', {}, 'Conversations'), make('a', {href: '#new', className: 'link compose'}, icon('compose'), 'New message'), closer),
  make('ul', {className: 'threads'}, make('li', {}, make('a', {href: '/', className: 'thread-link', ariaCurrent: conversation ? null : 'page'},
    make('span', {className: 'symbol'}, icon('photos')),
    make('span', {className: 'names'}, make('b', {}, 'This browser'), make('small', {}, 'Kept here and sent to nobody'))))),
  list, empty, more);
// Pressed beside it.
dialog.onclick = ({target}) => { if (target === dialog) dialog.close(); };
// The address stays the same: nothing is loaded.
dialog.addEventListener('click', ({target}) => { if (target.closest('[aria-current=page]')) dialog.close(); });
document.body.append(dialog);

/** Opens the list. */
export async function openList() {
  dialog.showModal();
  try {
    await read();
  } catch (error) {
    notify(error.message, 'Try again', openList);
  }
}

function render() {
  ui.unread.textContent = unread || '';
  ui.conversations.ariaLabel = ui.conversations.title = `Conversations${unread ? `, ${plural(unread, 'unread message')}` : ''}`;
  more.hidden = !next;
  empty.hidden = threads.length > 0;
  reconcile(list, threads, ({id}) => id, () => make('li', {},
    make('a', {className: 'thread-link'}, make('span', {className: 'symbol'}, icon('contact')),
      make('span', {className: 'names'}, make('bdi', {}), make('small', {})), make('time', {}), make('span', {className: 'badge'})),
    button('Mark as read', undefined, {className: 'link'})), fill);
}

function fill(item, thread) {
  const {id, preview = '', draft, lastSendFailed, notDownloaded, hasAttachment, time, unread} = thread;
  const [link, reader] = item.children;
  const [, texts, moment, badge] = link.children;
  const [name, line] = texts.children;
  const people = names(thread);
  link.href = `#${id}`;
  link.ariaCurrent = id === conversation ? 'page' : null;
  item.classList.toggle('unread', unread > 0);
  name.textContent = people;
  const flag = draft ? 'Draft' : lastSendFailed ? 'Not sent' : '';
  line.replaceChildren(...[flag && make('b', {className: lastSendFailed && !draft ? 'failed' : 'flag'}, flag), flag && ' ',
    hasAttachment && icon('attach'), make('bdi', {}, preview || (notDownloaded ? 'Not downloaded' : hasAttachment ? 'Attachment' : 'No text'))].filter(Boolean));
  moment.textContent = time ? when(time) : '';
  badge.textContent = unread || '';
  badge.ariaLabel = badge.role = null;
  if (unread) Object.assign(badge, {role: 'img', ariaLabel: plural(unread, 'unread message')});
  reader.hidden = !unread;
  reader.ariaLabel = `Mark the messages of ${people} as read`;
  reader.onclick = () => markRead(id).catch(error => notify(error.message));
}

// The number of unread messages follows without the list.
read().catch(() => {});
