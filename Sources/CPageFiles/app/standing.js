// Files that the service keeps, but does not show: they wait for a scan, or a moderator has blocked them.

import {client} from './token.js';

const REMOVED = {text: 'Removed', symbol: 'trash'};
const UNKNOWN = {text: 'Not loaded', symbol: 'clock'};
const BLOCKED = {text: 'Blocked by a moderator', symbol: 'lock'};
const HELD = {text: 'Waiting for a malware scan', symbol: 'clock'};

/** What people read and see instead of a file, by its facts; undefined if it is shown. A file without facts was erased. */
export function standing(file) {
  if (!file) return REMOVED;
  return file.isUnknown ? UNKNOWN : file.blocked ? BLOCKED : file.held ? HELD : undefined;
}

/** Why files without an image have none: asked for once, and again after they have changed. */
const facts = new Map();

/** The standing of a file by its id; undefined for one that is shown, and while that is not known. */
export const standingOf = id => facts.has(id) ? standing(facts.get(id)) : undefined;

/** Asks for the facts of files that are not known yet; `standings` is an event of the window when they are there. */
export async function look(ids) {
  const unknown = ids.filter(id => !facts.has(id));
  if (!unknown.length) return;
  // Shown until the answer is there.
  const asked = {};
  for (const id of unknown) facts.set(id, asked);
  const found = await client.attachments(unknown).catch(() => undefined);
  // What has changed meanwhile is not as the answer says; without an answer they are asked for when something else has changed.
  for (const id of unknown.filter(id => facts.get(id) === asked)) {
    if (found) facts.set(id, found.find(file => file.id === id));
    else facts.delete(id);
  }
  if (found) dispatchEvent(new Event('standings'));
}

/** Files that have changed are asked for again. */
export function outdate(ids) { for (const id of ids) facts.delete(id); }
