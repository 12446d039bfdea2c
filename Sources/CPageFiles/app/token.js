// The access token: asked for in a dialog, where an app would get it from its own server.

let bearer = sessionStorage.getItem('token') ?? localStorage.getItem('token') ?? undefined;
/** The answer of the dialog that is open: all requests that were refused meanwhile wait for it. */
let asked;
let isDeclined = false;
for (const name of ['pointerdown', 'keydown']) addEventListener(name, () => { isDeclined = false; }, true);

/** The token for `MediaClient`; one that was refused is asked for again. */
export async function token(refused) {
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
  return bearer;
}
