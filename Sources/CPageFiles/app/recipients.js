// The recipients of a new message: any text may be entered, and one to which nothing can be sent is named.

import {button, icon, make, onKeys, reconcile, ui} from './dom.js';
import {store} from './draft.js';
import {client} from './token.js';

const people = make('ul', {className: 'people', ariaLabel: 'Recipients'});
const input = make('input', {id: 'to', autocomplete: 'off', spellcheck: false, enterKeyHint: 'done', placeholder: 'Phone number or e-mail address'});
const fault = make('p', {id: 'fault', className: 'fault', role: 'alert'});
let to = [];
let unusable = [];
let onChange;

const list = new Intl.ListFormat('en', {type: 'conjunction'});
const quoted = names => list.format(names.map(name => `“${name}”`));

/** The sentence about recipients to which nothing can be sent; undefined if there are none. */
const sentence = names => names.length ? `${quoted(names)} ${names.length > 1 ? 'are not phone numbers or e-mail addresses' : 'is not a phone number or an e-mail address'}.`
  : undefined;

/** Throws an error that names the recipients to which nothing can be sent. */
export async function check(names) {
  const {blockers} = await client.json('POST', '/v1/compose', {body: {to: names, text: '.'}});
  unusable = blockers.find(({code}) => code === 'invalidRecipients')?.addresses ?? [];
  const many = blockers.find(({code}) => code === 'tooManyRecipients');
  if (many) throw new Error(`A message can have at most ${many.limit} recipients.`);
  if (unusable.length) throw new Error(sentence(unusable));
}

/** Shows the field, with the recipients that were entered before a reload. */
export async function show(changed) {
  onChange = changed;
  ui.scroller.before(make('div', {className: 'recipients'}, make('label', {htmlFor: 'to'}, 'To'), people, input, fault));
  ({to = []} = await store.get('recipients').catch(() => {}) ?? {});
  if (to.length) change(to);
  else input.focus();
}

/** Those that were entered; throws if there are none, or some to which nothing can be sent. */
export async function checked() {
  add();
  if (!to.length) {
    input.focus();
    throw new Error('Add a recipient.');
  }
  await check(to);
  return to;
}

function change(names) {
  to = names;
  store.put({key: 'recipients', to});
  render();
  onChange(to);
  check(to).then(() => '', error => unusable.length ? error.message : '').then(text => {
    // An earlier answer must not replace a later one.
    if (names !== to) return;
    fault.textContent = text;
    render();
  });
}

function render() {
  reconcile(people, to, name => name, () => make('li', {}, make('bdi', {}), button(icon('close'), undefined, {className: 'round small'})), (item, name) => {
    const [label, remover] = item.children;
    const isUnusable = unusable.includes(name);
    item.className = isUnusable ? 'person unusable' : 'person';
    label.textContent = name;
    remover.ariaLabel = `Remove ${name}${isUnusable ? ', which cannot be used' : ''}`;
    remover.onclick = () => { change(to.filter(other => other !== name)); input.focus(); };
  });
  input.ariaInvalid = String(unusable.some(name => to.includes(name)));
}

/** Takes what is in the field; several are separated by commas, semicolons or lines. */
function add() {
  const names = input.value.split(/[,;\n]/).map(name => name.trim()).filter(Boolean);
  input.value = '';
  if (names.length) change([...new Set([...to, ...names])]);
}
input.setAttribute('aria-describedby', 'fault');
onKeys(input, {Enter: 1, ',': 1, ';': 1}, add);
onKeys(input, {Backspace: 1}, () => {
  if (input.value || !to.length) return false;
  return change(to.slice(0, -1));
});
input.onblur = add;
input.onpaste = () => setTimeout(() => { if (/[,;\n]/.test(input.value)) add(); });
