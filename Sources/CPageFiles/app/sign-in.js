// The dialog that asks for an access token.

import {ui} from './dom.js';

const {'sign-in': dialog, token: field, 'keep-token': keep} = ui;

/** Asks for a token, and whether to keep it on the device; gives no token if it is declined. */
export function signIn(isExpired) {
  ui['first-token'].hidden = isExpired;
  ui['next-token'].hidden = !isExpired;
  field.value = dialog.returnValue = '';
  keep.checked = false;
  dialog.showModal();
  return new Promise(resolve => {
    dialog.onclose = () => resolve(dialog.returnValue ? {token: field.value.trim(), isKept: keep.checked} : {});
  });
}
ui['no-token'].onclick = () => dialog.close();
