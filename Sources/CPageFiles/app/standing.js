// Files that the service keeps, but does not show: they wait for a scan, or a moderator has blocked them.

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
export class Standings extends EventTarget {
  #client;
  #facts = new Map();

  constructor(client) {
    super();
    this.#client = client;
  }

  /** The standing of a file; undefined for one that is shown, and while that is not known. */
  of(id) { return this.#facts.has(id) ? standing(this.#facts.get(id)) : undefined; }

  /** Asks for the facts of files that are not known yet. */
  async look(ids) {
    const unknown = ids.filter(id => !this.#facts.has(id));
    if (!unknown.length) return undefined;
    // Shown until the answer is there.
    const asked = {};
    for (const id of unknown) this.#facts.set(id, asked);
    const found = await this.#client.attachments(unknown).catch(() => undefined);
    // Without an answer they are asked for again when something else has changed.
    if (!found) return this.forget(unknown);
    // What has changed meanwhile is not as the answer says.
    for (const id of unknown) if (this.#facts.get(id) === asked) this.#facts.set(id, found.find(file => file.id === id));
    return this.dispatchEvent(new Event('change'));
  }

  /** Files that have changed. */
  forget(ids) { for (const id of ids) this.#facts.delete(id); }
}
