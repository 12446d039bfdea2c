// The dialog that asks for an access token.

import {button, make} from './dom.js';

/** Asks for a token, and whether to keep it on the device; gives no token if it is declined. */
export function signIn(isExpired) {
  const field = make('input', {type: 'password', name: 'token', autocomplete: 'current-password', required: true, spellcheck: false});
  const isKept = make('input', {type: 'checkbox'});
  const dialog = make('dialog', {className: 'editor', ariaLabel: 'Access token'}, make('form', {method: 'dialog'},
    make('h2', {}, isExpired ? 'Your access has expired' : 'Enter the access token for this service'),
    make('p', {}, isExpired ? 'Enter a new token to continue. Your message and your files are kept.' : 'Ask the operator of the service for one.'),
    make('label', {}, 'Token', field), make('label', {className: 'choice'}, isKept, 'Keep it on this device'),
    make('div', {className: 'actions'}, button('Not now', () => dialog.close()), make('button', {className: 'primary', value: 'done'}, 'Continue'))));
  document.body.append(dialog);
  dialog.showModal();
  return new Promise(resolve => {
    dialog.onclose = () => {
      dialog.remove();
      resolve(dialog.returnValue === 'done' ? {token: field.value.trim(), isKept: isKept.checked} : {});
    };
  });
}
