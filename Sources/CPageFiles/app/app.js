// Ties the parts of the page together.

import './composer.js';
import {pick, showLimit, uploads} from './cards.js';
import {notify, ui} from './dom.js';
import * as draft from './draft.js';
import {outdate} from './standing.js';
import {openThread, refresh} from './thread.js';
import {client, owner} from './token.js';
import * as tray from './tray.js';

const isCoarse = () => matchMedia('(pointer: coarse)').matches;

// MARK: Attaching

const add = files => attach([...files]);
async function attach(files) {
  try {
    (await uploads()).addFiles(files);
  } catch (error) {
    notify(error.message, 'Try again', () => attach(files));
  }
}
const capture = async name => (await import('./capture.js'))[name](file => add([file]));
ui.attach.onclick = () => pick(add, ui.files);
// A phone's own camera is better than a page's.
ui.camera.onclick = () => isCoarse() ? pick(add, ui.shot) : capture('takePhoto');
ui.record.onclick = () => capture('recordVoice');
ui.conversations.onclick = async () => (await import('./conversations.js')).openList();
addEventListener('hashchange', () => location.reload());
ui.profile.onclick = async () => (await import('./profile.js')).editProfile();

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
  if (depth <= 0) return ui.drop.hidePopover();
  if (ui.drop.matches(':popover-open')) return undefined;
  ui['drop-text'].textContent = draft.isFull() ? 'No more files can be added' : 'Drop to attach';
  // Above a dialog that is open.
  return ui.drop.showPopover();
};
addEventListener('dragenter', event => enter(event, 1));
addEventListener('dragleave', event => enter(event, -1));
addEventListener('dragover', event => {
  // Text and links can be dragged into the field, and nowhere else: the browser would leave the page.
  if (!hasFiles(event) && event.target === ui.text) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = hasFiles(event) && !draft.isFull() ? 'copy' : 'none';
});
addEventListener('drop', event => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  enter(event, -depth);
  add(event.dataTransfer.files);
});

// MARK: Tray

const toggle = ui['tray-toggle'];
const wide = matchMedia('(min-width: 820px)');
function showTray(isOpen) {
  ui.tray.hidden = !isOpen;
  toggle.ariaExpanded = String(isOpen);
  document.body.classList.toggle('with-tray', isOpen);
}
toggle.onclick = () => {
  showTray(ui.tray.hidden);
  if (!wide.matches) ui.text.blur();
};
ui['tray-close'].onclick = () => { showTray(false); toggle.focus(); };
// Beside a phone's keyboard there is no room for it.
ui.text.onfocus = () => { if (!wide.matches && isCoarse()) showTray(false); };
wide.onchange = () => showTray(wide.matches);
showTray(wide.matches);

// MARK: Starting

function showConnection(isLive) {
  ui.connection.hidden = isLive;
  ui.connection.textContent = navigator.onLine ? 'Connecting …' : 'Offline – your message is kept';
}
addEventListener('offline', () => showConnection(false));
addEventListener('online', () => showConnection(true));

const latest = () => client.threads(undefined, 1).then(page => page.lastEvent, () => {});
// The stream continues from what was known before anything of the service was shown; a conversation does not wait for the tray.
const first = draft.conversation && await latest();
openThread().catch(error => notify(error.message));
const last = await tray.loadTray();
client.events(event => {
  const {ids = event.data.cells?.map(cell => cell.id) ?? []} = event.data;
  draft.takeEvent(event, ids);
  outdate(ids);
  tray.takeEvent(event);
  if (ids.length) refresh(ids, event.name === 'removed');
  // For what shows conversations.
  dispatchEvent(new CustomEvent('changes', {detail: event}));
}, {after: first || (last ?? await latest()), owner: await owner(), onState: isLive => {
  showConnection(isLive);
  if (!isLive) return;
  refresh();
  dispatchEvent(new Event('live'));
}});
const open = () => draft.read().then(uploads).then(part => part.resume()).catch(error => notify(error.message, 'Try again', open));
open();

// The parts that are loaded after the first pictures are there without a network, too.
const parts = ['moving', 'conversations', 'profile', 'capture', 'editor', 'message', 'reasons', 'sign-in', 'viewer'];
const loadParts = () => parts.forEach(name => import(`./${name}.js`).catch(() => {}));
setTimeout(() => { loadParts(); showLimit(); }, 1000);
addEventListener('online', loadParts);
