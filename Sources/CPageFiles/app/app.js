// Ties the parts of the page together.

import {MediaClient, Store} from './media-client.js';
import {Composer} from './composer.js';
import {byId, notify} from './dom.js';
import {Standings} from './standing.js';
import {ThreadView} from './thread.js';
import {owner, token} from './token.js';
import {TrayView} from './tray.js';

const client = new MediaClient({token});
/** The name of what the browser keeps for the person who uses the page. */
const own = name => owner(client).then(owner => owner === undefined ? name : `${name} of ${owner}`);
const thread = new ThreadView(client, new Store(own('mediatool messages')));
const standings = new Standings(client);
const composer = new Composer(client, new Store(own('mediatool files')), thread, standings);
const tray = new TrayView(client, composer, standings);

// MARK: Attaching

const add = files => composer.addFiles([...files]);
const capture = async name => (await import('./capture.js'))[name](file => add([file]));
byId('attach').onclick = () => composer.pick(add, byId('files'));
// A phone's own camera is better than a page's.
byId('camera').onclick = () => matchMedia('(pointer: coarse)').matches ? composer.pick(add, byId('shot')) : capture('takePhoto');
byId('record').onclick = () => capture('recordVoice');

addEventListener('paste', event => {
  const {files = []} = event.clipboardData ?? {};
  if (!files.length) return;
  event.preventDefault();
  add(files);
});

// Enter and leave come for each element under the pointer: the overlay is hidden when all are left.
let depth = 0;
const hasFiles = ({dataTransfer}) => dataTransfer?.types.includes('Files');
const enter = (event, step) => {
  if (hasFiles(event)) depth += step;
  byId('drop').hidden = depth <= 0;
};
addEventListener('dragenter', event => enter(event, 1));
addEventListener('dragleave', event => enter(event, -1));
addEventListener('dragover', event => {
  event.preventDefault();
  event.dataTransfer.dropEffect = hasFiles(event) && !composer.isFull ? 'copy' : 'none';
});
addEventListener('drop', event => {
  event.preventDefault();
  enter(event, -depth);
  const {files} = event.dataTransfer;
  if (files.length) add(files);
  else notify('Only files can be dropped here, not links to them.');
});

// MARK: Tray

const wide = matchMedia('(min-width: 820px)');
function showTray(isOpen) {
  byId('tray').hidden = !isOpen;
  byId('tray-toggle').ariaExpanded = String(isOpen);
  document.body.classList.toggle('with-tray', isOpen);
}
byId('tray-toggle').onclick = () => {
  showTray(byId('tray').hidden);
  if (!byId('tray').hidden && !wide.matches) byId('text').blur();
};
byId('tray-close').onclick = () => { showTray(false); byId('tray-toggle').focus(); };
byId('text').addEventListener('focus', () => { if (!wide.matches && matchMedia('(pointer: coarse)').matches) showTray(false); });
wide.onchange = () => showTray(wide.matches);
showTray(wide.matches);

// MARK: Starting

const connection = byId('connection');
function showConnection(isLive) {
  connection.hidden = isLive;
  connection.textContent = navigator.onLine ? 'Connecting …' : 'Offline – your message is kept';
}
addEventListener('offline', () => showConnection(false));
addEventListener('online', () => showConnection(true));

thread.open();
const last = await tray.load();
client.events(event => {
  const {ids = event.data.cells?.map(cell => cell.id) ?? []} = event.data;
  composer.take(event);
  standings.forget(ids);
  tray.take(event);
  if (event.name === 'reset') tray.load();
  if (ids.length) thread.refresh(ids, event.name === 'removed');
}, {after: last, onState: isLive => {
  showConnection(isLive);
  if (isLive) thread.refresh();
}, owner: await owner(client)});
const open = () => composer.open().catch(error => notify(error.message, 'Try again', open));
open();

// The parts that are loaded with their first use are there without a network, too.
const parts = ['capture', 'editor', 'message', 'moving', 'sign-in', 'viewer'];
setTimeout(() => parts.forEach(name => import(`./${name}.js`).catch(() => {})), 1000);
