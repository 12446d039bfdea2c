// Ties the parts of the page together.

import {MediaClient, Store} from './media-client.js';
import {Composer} from './composer.js';
import {byId, make, notify} from './dom.js';
import {Editor} from './editor.js';
import {ThreadView} from './thread.js';
import {TrayView} from './tray.js';
import {recordVoice} from './voice.js';

let bearer = sessionStorage.getItem('token') ?? undefined;

/** Asks for a token where the service wants one; an app gets it from its own server. */
async function token(isExpired) {
  if (isExpired) {
    bearer = prompt('This service needs an access token.') ?? undefined;
    if (bearer) sessionStorage.setItem('token', bearer);
  }
  return bearer;
}

const client = new MediaClient({token});
const thread = new ThreadView(client, new Store('mediatool messages'));
const composer = new Composer(client, new Store('mediatool files'), thread, new Editor());
const tray = new TrayView(client, composer);

// MARK: Attaching

const room = async files => composer.addFiles([...files]);
byId('attach').onclick = () => composer.pick(room, byId('files'));
byId('camera').onclick = () => composer.pick(room, byId('shot'));
byId('record').onclick = () => recordVoice(file => room([file]));

addEventListener('paste', event => {
  const files = [...event.clipboardData?.files ?? []];
  if (!files.length) return;
  event.preventDefault();
  room(files);
});

// Enter and leave come for each element under the pointer: the overlay goes when all are left.
let depth = 0;
const hasFiles = event => event.dataTransfer?.types.includes('Files');
const show = () => { byId('drop').hidden = depth <= 0; };
addEventListener('dragenter', event => { if (hasFiles(event)) { depth++; show(); } });
addEventListener('dragleave', event => { if (hasFiles(event)) { depth--; show(); } });
addEventListener('dragover', event => {
  event.preventDefault();
  event.dataTransfer.dropEffect = hasFiles(event) && !composer.isFull ? 'copy' : 'none';
});
addEventListener('drop', event => {
  event.preventDefault();
  depth = 0;
  show();
  if (event.dataTransfer.files.length) room(event.dataTransfer.files);
  else notify('Only files can be dropped here, not links to them.');
});

// MARK: Tray

const wide = matchMedia('(min-width: 820px)');
function showTray(isOpen) {
  byId('tray').hidden = !isOpen;
  byId('tray-toggle').setAttribute('aria-expanded', String(isOpen));
  document.body.classList.toggle('with-tray', isOpen);
}
byId('tray-toggle').onclick = () => {
  showTray(byId('tray').hidden);
  if (!byId('tray').hidden && !wide.matches) byId('text').blur();
};
byId('tray-close').onclick = () => { showTray(false); byId('tray-toggle').focus(); };
byId('text').addEventListener('focus', () => { if (matchMedia('(pointer: coarse)').matches && !wide.matches) showTray(false); });
wide.onchange = () => showTray(wide.matches);
showTray(wide.matches);

// MARK: Starting

const connection = byId('connection');
function showConnection(isLive) {
  connection.hidden = isLive;
  connection.replaceChildren(make('span', {}, navigator.onLine ? 'Connecting …' : 'Offline – your message is kept'));
}
addEventListener('offline', () => showConnection(false));
addEventListener('online', () => showConnection(true));

thread.open();
const last = await tray.load();
client.events(event => {
  tray.take(event);
  composer.take(event);
  if (event.name === 'reset') tray.load();
  if (event.name === 'removed') thread.forget(event.data.ids);
}, {after: last, onState: showConnection});
composer.open().catch(error => notify(error.message, {action: 'Try again', onAction: () => location.reload()}));
