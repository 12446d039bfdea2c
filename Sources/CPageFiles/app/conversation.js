// One conversation of the service: its messages, its recipients, and what is written to them.

import {markRead, names} from './conversations.js';
import {notify, ui} from './dom.js';
import {conversation, draft, isOpen, store, take} from './draft.js';
import {addMessage, removeMessage} from './thread.js';
import {client} from './token.js';

const isNew = conversation === 'new';
/** As the service has it; of a new one, who gets it. */
let thread = {participants: []};
let next;
let isAtStart = isNew;
let recipients;

/** Shows who takes part, and follows the conversation. */
export async function open() {
  if (isNew) {
    title('New message');
    [ui.welcome.querySelector('h2').textContent, ui.welcome.querySelector('p').textContent] =
      ['Write to one or more people', 'Add their phone numbers or e-mail addresses above.'];
    recipients = await import('./recipients.js');
    return recipients.show(showType);
  }
  [ui.welcome.querySelector('h2').textContent, ui.welcome.querySelector('p').textContent] = ['No messages yet', 'What you write is kept as a draft.'];
  addEventListener('changes', ({detail: {name, data}}) => {
    if (name === 'message' && data.thread === conversation) {
      takeMessage(data);
    } else if (name === 'deleted') {
      removeMessage(data.id);
    } else if (name === 'reset') {
      location.reload();
    }
  });
  thread = await client.json('GET', `/v1/threads/${conversation}`);
  title(names(thread));
  showType(thread.participants);
  document.addEventListener('visibilitychange', () => readAll());
  meetDraft().catch(error => notify(`The draft cannot be saved: ${error.message}`));
  return readAll(thread.unread > 0);
}

function title(text) {
  ui.heading.textContent = text;
  ui.heading.dir = 'auto';
  document.title = `${text} · mediatool`;
}

/** A group and an e-mail address get an MMS. */
const showType = people => {
  ui.composer.dataset.type = people.length > 1 || people.some(name => name.includes('@')) ? 'mms' : '';
  dispatchEvent(new Event('draft'));
};

let isUnread = false;
/** Marks what is seen as read. */
async function readAll(hasNew = false) {
  isUnread ||= hasNew;
  if (!isUnread || document.hidden) return;
  isUnread = false;
  await markRead(conversation).catch(() => { isUnread = true; });
}

// MARK: Messages

/** Whether there are earlier messages. */
export const hasOlder = () => !isAtStart;

/** What is known of each message, as JSON; the time of the oldest one; and what has come before the first page. */
const known = new Map();
let oldest;
const early = [];

/** Adds or replaces a message, unless it belongs to a page that was not read yet. */
function takeMessage(message) {
  if (oldest === undefined) return void early.push(message);
  if (!known.has(message.id) && message.time < oldest) return;
  if (known.get(message.id) !== essence(message)) addMessage(shown(message));
  readAll(message.unread);
}

/** All of a message that is shown: that it was read changes nothing. */
const essence = ({state, recipients, modules}) => JSON.stringify([state, recipients, modules]);

let isReading = false;
/** The next page of earlier messages, the oldest first. */
export async function older() {
  if (isAtStart || isReading) return [];
  isReading = true;
  try {
    const page = await client.json('GET', `/v1/threads/${conversation}/messages?limit=40${next ? `&before=${encodeURIComponent(next)}` : ''}`);
    ({next} = page);
    isAtStart = !next;
    oldest = isAtStart ? -Infinity : Math.min(...page.messages.map(({time}) => time));
    const messages = page.messages.reverse().map(shown);
    // After these are there.
    setTimeout(() => early.splice(0).forEach(takeMessage));
    return messages;
  } finally {
    isReading = false;
  }
}

/** A message as the thread shows it. */
function shown(message) {
  const {id, direction, subject, time, modules, truncated} = message;
  known.set(id, essence(message));
  const isWhole = !truncated && modules.every(({kind}) => kind === 'text');
  return {key: id, direction, subject, modules, time: new Date(time * 1000).toISOString(), attachments: [], status: statusOf(message),
    from: thread.participants.length > 1 ? message.from : undefined,
    // The facts of files, and all of a long text, are asked for with the message.
    pdu: id, read: isWhole ? Infinity : 0};
}

/** What is reported about a message that the carrier does not have yet, or of which it has sent a report. */
function statusOf({id, direction, state, recipients = []}) {
  if (direction === 'incoming') return state === 'expired' ? {state, text: 'Expired at the carrier'} : undefined;
  const all = (key, value) => recipients.length > 0 && recipients.every(recipient => recipient[key] === value);
  switch (state) {
    case 'failed': return {state, text: 'Not sent', onRetry: () => retry(id)};
    case 'sent': return all('reading', 'read') ? {state, text: 'Read'} : all('delivery', 'success') ? {state, text: 'Delivered'} : undefined;
    default: return {state, text: 'Waiting to be sent'};
  }
}

async function retry(id) {
  try {
    await addMessage(shown((await client.json('POST', `/v1/messages/${id}/resend`)).message));
  } catch (error) {
    notify(error.message);
  }
}

// MARK: Writing

const contentOf = ({text, attachments}) => [...text.trim() ? [{text}] : [],
  ...attachments.map(({attachment, altText, crop}) => ({attachment, ...altText && {altText}, ...crop && {crop}}))];

/** The content of the thread's draft, as JSON. */
let saved = '[]';
let isSending = false;
let saving;
/** The draft of the thread that becomes a message. */
let committing;

/** Takes what another device has written, and saves what is written here. */
async function meetDraft() {
  await isOpen;
  const kept = thread.draft && await client.json('GET', `/v1/threads/${conversation}/draft`);
  if (kept) {
    const texts = kept.content.filter(({text}) => text).map(({text}) => text).join('\n');
    const content = contentOf({text: texts, attachments: kept.content.filter(({info}) => info)});
    const own = contentOf(draft);
    saved = JSON.stringify(content);
    if (JSON.stringify(own) !== saved && (!own.length || kept.time * 1000 > Date.parse(draft.changed) + 2000)) {
      if (draft.attachments.length) take(await client.removeFromDraft(draft.id));
      take(await client.changeDraft(draft.id, {text: texts}));
      const files = content.filter(({attachment}) => attachment);
      if (files.length) take(await client.addToDraft(draft.id, files));
    }
  }
  const save = () => {
    clearTimeout(saving);
    saving = setTimeout(() => saveDraft().catch(() => {}), 800);
  };
  addEventListener('draft', save);
  save();
}

async function saveDraft() {
  const content = contentOf(draft);
  const text = JSON.stringify(content);
  // With the files that are still to come it is saved again.
  if (isSending || text === saved || content.some(({attachment}) => attachment && !/^\d+$/.test(attachment))) return;
  await client.json('PUT', `/v1/threads/${conversation}/draft`, {body: {content}});
  saved = text;
}

/** Makes the draft a message, which the client of the carrier sends; returns it as the thread shows it. May be repeated. */
export async function send(id) {
  isSending = true;
  try {
    const to = isNew ? await recipients.checked() : thread.participants;
    if (!isNew) await (await import('./recipients.js')).check(to);
    const content = contentOf(await client.readDraft(id));
    const text = JSON.stringify([to, content]);
    // A repetition after a lost answer leaves no draft behind.
    if (committing?.text !== text) {
      const {thread: target} = isNew ? await client.json('POST', '/v1/threads', {body: {to, content}})
        : await client.json('PUT', `/v1/threads/${conversation}/draft`, {body: {content}});
      committing = {text, target};
    }
    const {target} = committing;
    const {message} = await client.json('POST', `/v1/threads/${target}/draft/commit`, {body: {}, headers: {'Idempotency-Key': id}});
    await client.json('DELETE', `/v1/drafts/${id}`);
    committing = undefined;
    saved = '[]';
    if (isNew) {
      await store.delete('recipients');
      location.hash = target;
    }
    return shown(message);
  } finally {
    isSending = false;
  }
}
