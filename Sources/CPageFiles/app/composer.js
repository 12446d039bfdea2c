// The composer: the text with its links and segments, and sending.

import {edit} from './cards.js';
import {make, notify, plural, say, ui, withLinks} from './dom.js';
import {cardsInOrder, conversation, draft, local, order, read, stateOf, take} from './draft.js';
import {addMessage} from './thread.js';
import {client} from './token.js';

const {change, composer, counter, kind, marks, reminder, send: sendButton, text} = ui;

// MARK: Text

/** The id of the draft whose text is shown, and whether the text was changed since it was saved. */
let shown;
let isTyping = false;
/** Whether the text needs an MMS, and whether the message was one. */
let isLong = false;
let segments = {};
let wasMMS, segmentCount;
let announcing, counting, countDelay, saving;

text.oninput = () => {
  isTyping = true;
  if (attempt) attempt.typed = text.value;
  showText();
  clearTimeout(saving);
  saving = setTimeout(saveText, 400);
};
text.onscroll = () => { marks.scrollTop = text.scrollTop; };
text.onkeydown = event => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing || matchMedia('(pointer: coarse)').matches) return;
  event.preventDefault();
  composer.requestSubmit();
};
addEventListener('pagehide', () => saveText(true));
addEventListener('online', () => saveText());

addEventListener('draft', () => {
  const isFirst = shown === undefined;
  const isOther = shown !== draft.id;
  shown = draft.id;
  // The next message has not changed: it is another one.
  if (isOther) [isLong, segmentCount, segments, wasMMS] = [false, undefined, {}, undefined];
  if (isFirst && isTyping) {
    // Typed before the draft was there: the draft's own text comes first.
    text.value = [draft.text, text.value].filter(Boolean).join('\n');
    showText();
    saveText();
  } else if (isOther || !isTyping && draft.text !== text.value) {
    text.value = draft.text;
    showText();
  }
  render();
  // The next draft is there: the message was sent, whose commit had no answer.
  if (attempt && attempt.id !== draft.id && !isSending) {
    isSending = true;
    finish(notify).catch(() => {}).then(() => { isSending = false; render(); });
  }
  if (isWaitingToSend && !local.size) send(true);
});

// Who removes a file does not send the rest by it.
addEventListener('removal', () => { isWaitingToSend = false; });

function showText() {
  marks.textContent = `${text.value}\u200b`;
  clearTimeout(countDelay);
  countDelay = setTimeout(countSegments, 150);
  render();
}

async function saveText(keepalive = false) {
  if (!isTyping || !draft.id) return;
  const {value} = text;
  try {
    const answer = await client.changeDraft(draft.id, {text: value}, keepalive);
    if (text.value === value) isTyping = false;
    take(answer);
  } catch { /* kept in the field, and saved when the network is back */ }
}

/** Marks links, and counts segments as the service does. */
async function countSegments() {
  counting?.abort();
  counting = new AbortController();
  const {value} = text;
  try {
    const {links, type, ...answer} = await client.text(value, counting.signal);
    marks.replaceChildren(...withLinks(value, links, piece => make('mark', {}, piece)), '\u200b');
    isLong = type === 'mms';
    ({segments} = answer);
    render();
  } catch { /* typed on, or offline: the next keystroke asks again */ }
}

function render() {
  const isEmpty = !order.length && !text.value.trim();
  composer.classList.toggle('empty', isEmpty);
  sendButton.ariaDisabled = String(isEmpty);
  // Nothing is sent without the files that have failed.
  isWaitingToSend &&= !isEmpty && !stuckCard();
  sendButton.classList.toggle('waiting', isWaitingToSend);
  sendButton.classList.toggle('busy', isSending);
  const isMMS = Boolean(order.length || isLong || composer.dataset.type === 'mms');
  const {available, count, showsCounter} = segments;
  counter.textContent = showsCounter && !isMMS ? `${available} / ${count}` : '';
  counter.title = `${available} characters left in segment ${count}`;
  kind.textContent = isMMS ? 'MMS' : 'SMS';
  kind.classList.toggle('mms', isMMS);
  if (wasMMS === !isMMS) announce(isMMS ? 'Multimedia message' : 'Text message', `This is a ${isMMS ? 'multimedia' : 'text'} message now.`);
  else if (!isMMS && segmentCount && count > 0 && count !== segmentCount) announce(plural(count, 'segment'));
  wasMMS = isMMS;
  segmentCount = count;
}

/** Shows for 3 s what the message has become, and reads it out. */
function announce(news, spoken = news) {
  change.textContent = news;
  change.hidden = false;
  clearTimeout(announcing);
  announcing = setTimeout(() => { change.hidden = true; }, 3000);
  say(spoken);
}

// MARK: Sending

let isSending = false;
let isWaitingToSend = false;
let wasReminded = false;
/** The message whose commit has no answer yet: it may have been sent. */
let attempt;

composer.onsubmit = event => {
  event.preventDefault();
  send(event.submitter === sendButton);
};

/** Kinds of media that not everybody can see or hear, as the reminder names them. */
const DESCRIBED = {image: 'photo', video: 'video', audio: 'audio file'};

/** A card that keeps the message from being sent. */
const stuckCard = () => cardsInOrder().find(card => ['refused', 'failed', 'missing', 'blocked'].includes(stateOf(card)));

/**
 * Sends the message; while files are on their way, as soon as they are there.
 * @param isDeliberate False for the Enter key, which does not pass the reminder of descriptions.
 */
async function send(isDeliberate) {
  if (sendButton.ariaDisabled === 'true' || isSending) return undefined;
  const stuck = stuckCard();
  if (stuck) {
    const ways = {failed: 'retry or remove it', missing: 'choose again or remove it'};
    return notify(`${stuck.name ?? 'A file'}: ${ways[stuck.state] ?? 'it cannot be sent; remove it'}.`);
  }
  isWaitingToSend = local.size > 0;
  render();
  if (isWaitingToSend) return say('Your message will be sent when all files are uploaded.');
  const undescribed = draft.attachments.filter(item => DESCRIBED[item.info.kind] && !item.altText);
  if (undescribed.length && !(wasReminded && isDeliberate)) return remind(undescribed);
  reminder.hidden = true;
  isSending = true;
  render();
  try {
    clearTimeout(saving);
    isTyping = true;
    if (!draft.id) await read();
    await prepare(draft.id).catch(error => {
      // It was sent, and the answer was lost.
      if (error.status !== 410 || attempt?.id !== draft.id) throw error;
    });
    await finish(say);
  } catch (error) {
    notify(`Not sent: ${error.message} Your message is kept.`, 'Try again', () => send(true));
  }
  isSending = false;
  return render();
}

async function prepare(id) {
  const {value} = text;
  await client.changeDraft(id, {text: value});
  const {modules} = conversation ? {} : await client.modules(id);
  attempt = {id, modules, text: value};
}

/** Sends what was prepared, or asks for the answer again; what was typed meanwhile is the next message's. */
async function finish(report) {
  const {id, text: value} = attempt;
  const message = conversation ? await (await import('./conversation.js')).send(id) : await commit(attempt);
  const {typed} = attempt;
  attempt = undefined;
  isTyping = wasReminded = false;
  // Asked for first: what is selected when the message is there belongs to the next one.
  const next = draft.id === id && readNext();
  await addMessage(message);
  await next;
  if (typed) {
    text.value = typed.startsWith(value) ? typed.slice(value.length) : typed;
    text.oninput();
  }
  report(conversation ? 'Ready to be sent' : 'Sent');
}

async function commit({id, modules}) {
  const {attachments, committed: time, id: sent} = await client.commit(id);
  return {key: `message ${time}-${sent}`, direction: 'outgoing', time, modules, attachments};
}

/** Reads the draft of the next message; if that fails, the message was sent all the same. */
const readNext = () => read().catch(error => notify(`Sent, but a new message cannot be started: ${error.message}`, 'Try again', readNext));
ui.anyway.onclick = () => send(true);

function remind(undescribed) {
  wasReminded = true;
  const kinds = new Set(undescribed.map(item => DESCRIBED[item.info.kind]));
  const nouns = plural(undescribed.length, kinds.size > 1 ? 'file' : [...kinds][0]);
  ui.undescribed.textContent = `${nouns} without a description for people who cannot see${kinds.has('photo') && kinds.size === 1 ? '' : ' or hear'} ${undescribed.length > 1 ? 'them' : 'it'}.`;
  ui.describe.onclick = () => {
    reminder.hidden = true;
    edit(undescribed[0]);
  };
  reminder.hidden = false;
  ui.describe.focus();
}
