// The profile picture: a square of a photo, chosen, cropped again, replaced and removed.

import {pick} from './cards.js';
import {notify, say, ui} from './dom.js';
import {reasonOf} from './draft.js';
import {reasonText} from './reasons.js';
import {client} from './token.js';

const {avatar, profile: opener} = ui;
/** As the service has it; without a picture there is an icon. */
let choice;

function show(profile) {
  choice = profile?.avatar;
  const address = choice?.urls[Math.max(...Object.keys(choice.urls))];
  load(address);
  opener.title = opener.ariaLabel = address ? 'Change the profile picture' : 'Add a profile picture';
}

/** Shows an image whose address has no signature: where requests need a token, an `img` cannot load it. */
async function load(address) {
  const shown = choice;
  const image = address && await client.send('GET', address).then(answer => answer.blob()).catch(() => {});
  if (shown !== choice) return;
  URL.revokeObjectURL(avatar.src);
  avatar.hidden = !image;
  if (image) avatar.src = URL.createObjectURL(image);
  else avatar.removeAttribute('src');
}

let reading;
/** Reads the profile, again if that has failed. */
const read = () => reading ??= client.json('GET', '/v1/profile').then(show).catch(error => {
  reading = undefined;
  throw error;
});
read().catch(() => {});

/** Opens the picture that there is, or asks for one. */
export async function editProfile() {
  try {
    await read();
    const [file] = choice ? await client.attachments([choice.attachment]) : [];
    if (file) edit(file, choice.crop);
    else choose();
  } catch (error) {
    notify(`The profile picture cannot be loaded: ${error.message}`);
  }
}

const choose = () => pick(async ([file]) => {
  try {
    say('Uploading the picture');
    edit(await client.upload(file));
  } catch (error) {
    notify(`${reasonText(reasonOf(error), file.name)}.`);
  }
});

async function edit({id, info}, crop) {
  if (info.kind !== 'image' || !info.width) return notify('A profile picture has to be an image.');
  const {openSquare} = await import('./editor.js');
  let square = crop;
  return openSquare({attachment: id, name: 'Profile picture', info, crop, thumbnail: true}, {
    opener: () => opener,
    done: change => {
      square = change.crop ?? square;
      save(() => client.json('PUT', '/v1/avatar', {body: {attachment: id, crop: square}}), 'The profile picture is saved.');
    },
    replace: choose,
    remove: () => save(() => client.json('DELETE', '/v1/avatar'), 'The profile picture is removed.'),
  });
}

/** Changes the picture on the service. */
async function save(work, done) {
  try {
    show(await work());
    say(done);
  } catch (error) {
    notify(`${reasonText(reasonOf(error), 'The picture')}.`);
  }
}
