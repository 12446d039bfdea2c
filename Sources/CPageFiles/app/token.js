// The client of the page, and its access token: asked for in a dialog, where an app would get it from its own server.

import {MediaClient, Store} from './media-client.js';

let bearer = sessionStorage.getItem('token') ?? localStorage.getItem('token') ?? undefined;
/** The answer of the dialog that is open: all requests that were refused meanwhile wait for it. */
let asked;
let isDeclined = false;
for (const name of ['pointerdown', 'keydown']) addEventListener(name, () => { isDeclined = false; }, true);

export const client = new MediaClient({token});

/** The owner for whom the page keeps messages and files: undefined for a service without tokens; and whether that is known. */
let user;
let isKnown = false;

/**
 * Whose messages and files the page keeps, by the answer of the service. Two people at one browser have stores of their own.
 * @returns {Promise<string | undefined>} Undefined for a service without tokens; empty if the token is refused, and no other one is given.
 */
export function owner() {
  user ??= client.json('GET', '/v1/owner', {tries: 1})
    .then(answer => bearer && answer.owner, error => error.status === 401 ? '' : bearer && subject(bearer))
    .finally(() => { isKnown = true; });
  return user;
}

/** What the browser keeps for the person who uses the page, by a name. */
export const storeOf = name => new Store(owner().then(owner => owner === undefined ? name : `${name} of ${owner}`));

/** The owner that a token names. */
function subject(token) {
  try {
    const body = Uint8Array.fromBase64(token.split('.')[1], {alphabet: 'base64url'});
    return JSON.parse(new TextDecoder().decode(body)).sub;
  } catch {
    return '';
  }
}

/** The token for `MediaClient`; one that was refused is asked for again. */
async function token(refused) {
  if (refused === undefined || refused !== (bearer ?? '')) return bearer;
  // Who did not want to is asked again when they do something, not when the stream tries again.
  if (isDeclined) return undefined;
  asked ??= ask(Boolean(refused)).finally(() => { asked = undefined; });
  return asked;
}

async function ask(isExpired) {
  const {token: given, isKept} = await (await import('./sign-in.js')).signIn(isExpired);
  isDeclined = !given;
  if (isDeclined) return undefined;
  bearer = given;
  // First the old one, wherever it is: storing may fail, and a token that was refused must not come back.
  sessionStorage.removeItem('token');
  localStorage.removeItem('token');
  (isKept ? localStorage : sessionStorage).setItem('token', bearer);
  // Somebody else: what is shown and what is kept belongs to the one before.
  // Nothing that waits for a token goes on with this one.
  if (isKnown && subject(bearer) !== await user) {
    location.reload();
    return new Promise(() => {});
  }
  return bearer;
}
