// @ts-check
/**
 * A client of the media service, without dependencies: uploads that resume, drafts, the tray and its live changes.
 * An app can take this file as it is; everything that it calls is in /openapi.json.
 * @module media-client
 */

/**
 * @typedef {{id: string, name?: string, info: Record<string, any>, placeholder?: Record<string, string>, urls: Record<string, string>,
 *   verdict: Record<string, any>, module?: Record<string, any>}} Attachment
 * @typedef {{id: string, version: number, text: string, attachments: Record<string, any>[], remaining?: number, limitReached: boolean,
 *   canSend: boolean, blockers: {code: string, limit?: number, actual?: number}[], events?: Record<string, any>[]}} Draft
 * @typedef {{id?: string, name: string, data: any}} TrayEvent `added`, `changed`, `removed`, `draft`, `thread`, `message`, `deleted` or `reset`
 * @typedef {{body?: any, headers?: Record<string, string>, signal?: AbortSignal, tries?: number, keepalive?: boolean}} RequestOptions
 * @typedef {{address?: string, key?: string, signal?: AbortSignal, onAddress?: (address: string) => void, onProgress?: (synced: number) => void,
 *   onState?: (state: 'uploading' | 'processing' | 'waiting') => void, onRetry?: () => void | Promise<void>}} UploadOptions
 */

/** A refusal of the service: its problem document (RFC 9457), or code `offline` if it was not reached. */
export class MediaError extends Error {
  /** @param {Record<string, any>} problem */
  constructor({detail, code = 'unknown', status = 0, ...rest}) {
    super(detail ?? code);
    this.code = code;
    this.status = status;
    /** @type {Record<string, any> | undefined} */ this.verdict = rest.verdict;
    /** @type {number | undefined} */ this.limit = rest.limit;
    /** @type {number | undefined} */ this.actual = rest.actual;
    /** Seconds. @type {number} */ this.retryAfter = rest.retryAfter ?? 0;
  }

  /** Whether the same request may succeed later. */
  get isTemporary() { return [0, 408, 409, 423, 425, 429, 500, 502, 503, 504].includes(this.status); }
}

/**
 * Waits; ends early when the network is back.
 * @param {number} ms @param {AbortSignal} [signal]
 */
async function pause(ms, signal) {
  signal?.throwIfAborted();
  const ended = new AbortController();
  await new Promise(resolve => {
    setTimeout(resolve, ms);
    addEventListener('online', resolve, {signal: ended.signal});
    signal?.addEventListener('abort', resolve, {signal: ended.signal});
  });
  ended.abort();
  signal?.throwIfAborted();
}

/**
 * Milliseconds before another try: doubled each time, at most 30 s, and different for each client.
 * @param {number} attempt @param {any} [error]
 */
const delay = (attempt, error) =>
  Math.max(Math.min(30_000, 500 * 2 ** attempt) * (0.75 + Math.random() / 2), (error?.retryAfter ?? 0) * 1000);

/** A name that no other one has. `crypto.randomUUID` is missing on pages that are neither encrypted nor on this computer. */
export const uniqueName = () => crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint32Array(4)), part => part.toString(36)).join('-');

/** @param {string} text UTF-8 in base64 */
const base64 = text => btoa(Array.from(new TextEncoder().encode(text), byte => String.fromCharCode(byte)).join(''));

export class MediaClient {
  /** @type {Promise<number> | undefined} */ #maxBytes;

  /**
   * @param {object} options
   * @param {string} [options.base] The origin of the service; by default that of the page.
   * @param {(refused?: string) => Promise<string | undefined>} [options.token] Gives the bearer token. After a 401 it is called with the
   *   token that was refused (empty if there was none), and the request is sent again with another one.
   * @param {number} [options.pieceBytes] The largest piece of an upload. 8 MiB by default.
   */
  constructor({base = '', token = async () => undefined, pieceBytes = 8 << 20} = {}) {
    this.base = base;
    this.token = token;
    this.pieceBytes = pieceBytes;
  }

  // MARK: Requests

  /**
   * Sends a request and returns the answer. Bodies that are not blobs become JSON.
   * @param {string} method @param {string} path @param {RequestOptions} options `tries`: how often a request that may be repeated is sent.
   * @returns {Promise<Response>}
   * @throws {MediaError}
   */
  async send(method, path, {body, headers, signal, tries = 1, keepalive} = {}) {
    const isJSON = body !== undefined && !(body instanceof Blob);
    let token = await this.token();
    for (let [attempt, tokens] = [0, 0]; ;) {
      const response = await fetch(this.base + path, {
        method, signal, keepalive, cache: 'no-store', body: isJSON ? JSON.stringify(body) : body,
        headers: {...(isJSON && {'Content-Type': 'application/json'}), ...(token && {Authorization: `Bearer ${token}`}), ...headers},
      }).catch(error => {
        if (signal?.aborted) throw error;
      });
      if (response?.ok) return response;
      const problem = await response?.json().catch(() => ({})) ?? {code: 'offline', detail: 'The service cannot be reached.'};
      const error = new MediaError({...problem, status: response?.status, retryAfter: Number(response?.headers.get('Retry-After'))});
      if (error.status === 401 && tokens++ < 5) {
        const other = await this.token(token ?? '');
        if (!other || other === token) throw error;
        token = other;
      } else if (error.isTemporary && ++attempt < tries) {
        await pause(delay(attempt, error), signal);
      } else {
        throw error;
      }
    }
  }

  /**
   * As {@link send}, with the JSON of the answer; sent five times at most, unless `tries` says otherwise.
   * @param {string} method @param {string} path @param {RequestOptions} [options]
   */
  async json(method, path, options) {
    const response = await this.send(method, path, {tries: 5, ...options});
    return response.status === 204 ? undefined : response.json();
  }

  // MARK: Uploads (tus 1.0)

  /**
   * The largest file in bytes that the service takes.
   * @returns {Promise<number>}
   */
  maxBytes() {
    return this.#maxBytes ??= this.send('OPTIONS', '/v1/uploads').then(
      answer => Number(answer.headers.get('Tus-Max-Size')) || Infinity,
      error => {
        this.#maxBytes = undefined;
        throw error;
      });
  }

  /**
   * Uploads a file in pieces and returns the attachment. Lost connections, restarts of the server and expired tokens are waited out; a service
   * that cannot take the file is asked seven times. After a reload, call it again with the same `key`, or with the address that `onAddress` reported.
   * `onProgress` reports bytes that the server has on its disk. What `onRetry` returns is awaited before each other try, also of one from the beginning.
   * @param {File} file @param {UploadOptions} options
   * @returns {Promise<Attachment>}
   * @throws {MediaError} if the file is refused; its `verdict` has the reasons.
   */
  async upload(file, {address, key = uniqueName(), signal, onAddress, onProgress, onRetry, onState} = {}) {
    const tus = {'Tus-Resumable': '1.0.0'};
    let piece = 256 << 10;
    for (let [attempt, faults] = [0, 0]; ;) {
      try {
        if (!address) {
          const metadata = `filename ${base64(file.name)},filetype ${base64(file.type || 'application/octet-stream')}`;
          const created = await this.send('POST', '/v1/uploads', {
            signal, headers: {...tus, 'Idempotency-Key': key, 'Upload-Length': `${file.size}`, 'Upload-Metadata': metadata},
          });
          address = created.headers.get('Location') ?? '';
          onAddress?.(address);
        }
        const state = await this.send('HEAD', address, {signal, headers: tus});
        let offset = Number(state.headers.get('Upload-Offset'));
        onProgress?.(offset);
        while (offset < file.size) {
          onState?.('uploading');
          const begun = performance.now();
          const answer = await this.send('PATCH', address, {
            signal, body: file.slice(offset, offset + piece),
            headers: {...tus, 'Upload-Offset': `${offset}`, 'Content-Type': 'application/offset+octet-stream'},
          });
          offset = Number(answer.headers.get('Upload-Offset'));
          attempt = faults = 0;
          onProgress?.(offset);
          // Pieces of about a second: small enough to show progress, large enough to cost nothing.
          const seconds = (performance.now() - begun) / 1000;
          if (seconds < 0.7) piece = Math.min(piece * 2, this.pieceBytes);
          else if (seconds > 2) piece = Math.max(piece >> 1, 64 << 10);
        }
        onState?.('processing');
        for (;;) {
          const upload = await this.json('GET', address, {signal, tries: 9});
          if (upload.attachment) return upload.attachment;
          if (upload.state !== 'examining' && upload.state !== 'receiving') throw new MediaError({...upload, status: 422});
          await pause(400, signal);
        }
      } catch (error) {
        if (signal?.aborted || !(error instanceof MediaError)) throw error;
        if (address && (error.status === 404 || error.status === 410)) {
          const upload = await this.json('GET', address, {signal}).catch(() => ({}));
          if (upload.state === 'refused') throw new MediaError({...upload, status: 422});
          // It was not continued for a day, or the server has another library: from the beginning.
          [address, key] = [undefined, uniqueName()];
          await onRetry?.();
        } else if (error.isTemporary && (error.status < 500 || ++faults < 7)) {
          onState?.('waiting');
          await pause(delay(attempt++, error), signal);
          await onRetry?.();
        } else {
          throw error;
        }
      }
    }
  }

  /**
   * Ends an upload; the server removes its bytes.
   * @param {string} address
   */
  async cancelUpload(address) {
    await this.send('DELETE', address, {headers: {'Tus-Resumable': '1.0.0'}}).catch(() => {});
  }

  // MARK: Drafts

  /**
   * The draft of a thread, created if there is none.
   * @param {string} thread @returns {Promise<Draft>}
   */
  draft(thread) { return this.json('POST', '/v1/drafts', {body: {thread}, tries: 9}); }

  /**
   * A draft as it is now.
   * @param {string} id @returns {Promise<Draft>}
   */
  readDraft(id) { return this.json('GET', `/v1/drafts/${id}`); }

  /**
   * Changes text or order.
   * @param {string} id @param {{text?: string, order?: string[]}} change @param {boolean} [keepalive] @returns {Promise<Draft>}
   */
  changeDraft(id, change, keepalive) { return this.json('PATCH', `/v1/drafts/${id}`, {body: change, keepalive}); }

  /**
   * Adds attachments to a draft. Those that the rules refuse are in `events`.
   * @param {string} id @param {{attachment: string, altText?: string}[]} attachments @param {number} [position] @returns {Promise<Draft>}
   */
  addToDraft(id, attachments, position) {
    return this.json('POST', `/v1/drafts/${id}/attachments`, {body: {attachments, position}});
  }

  /**
   * Changes crop, alternative text, position or file of one attachment; null removes a property.
   * @param {string} id @param {string} item @param {Record<string, any>} change @returns {Promise<Draft>}
   */
  changeAttachment(id, item, change) {
    return this.json('PATCH', `/v1/drafts/${id}/attachments/${item}`, {body: change});
  }

  /**
   * Removes an attachment from a draft; without one, all.
   * @param {string} id @param {string} [item] @returns {Promise<Draft>}
   */
  removeFromDraft(id, item) {
    return this.json('DELETE', `/v1/drafts/${id}/attachments${item ? `/${item}` : ''}`);
  }

  /**
   * Sends a draft. May be repeated: the answer stays the same.
   * @param {string} id @param {string[]} [labels]
   */
  commit(id, labels = []) { return this.json('POST', `/v1/drafts/${id}/commit`, {body: {labels}, tries: 3}); }

  /**
   * The modules of a draft, or of an uploaded MMS.
   * @param {string} id
   */
  modules(id) { return this.json('GET', `/v1/messages/${id}/modules`, {tries: 3}); }

  /**
   * Links and SMS segments of a text.
   * @param {string} text @param {AbortSignal} [signal]
   */
  text(text, signal) { return this.json('POST', '/v1/text', {body: {text}, signal}); }

  // MARK: Attachments

  /**
   * Facts and fresh addresses; unknown ids are skipped.
   * @param {string[]} ids @returns {Promise<Attachment[]>}
   */
  async attachments(ids) {
    const pages = [];
    for (let first = 0; first < ids.length; first += 100) {
      pages.push(this.json('GET', `/v1/attachments?ids=${ids.slice(first, first + 100).join(',')}`, {tries: 3}));
    }
    return (await Promise.all(pages)).flatMap(page => page.attachments);
  }

  /**
   * A page of recent photos and videos, newest first.
   * @param {string} [before] The `next` of the page before.
   */
  tray(before) { return this.json('GET', `/v1/tray${before ? `?before=${encodeURIComponent(before)}` : ''}`); }

  /**
   * A page of threads, the most recent first.
   * @param {string} [before] The `next` of the page before. @param {number} [limit]
   */
  threads(before, limit = 50) { return this.json('GET', `/v1/threads?limit=${limit}${before ? `&before=${encodeURIComponent(before)}` : ''}`); }

  /**
   * Clusters of a part of the map.
   * @param {number[]} bounds South, west, north, east. @param {number} zoom @param {AbortSignal} [signal]
   */
  locations(bounds, zoom, signal) {
    return this.json('GET', `/v1/locations?bounds=${bounds.map(degrees => degrees.toFixed(5)).join(',')}&zoom=${zoom}`, {signal});
  }

  /**
   * A page of the members of a cluster.
   * @param {string} cluster @param {string} [after]
   */
  members(cluster, after) {
    return this.json('GET', `/v1/locations/${cluster}/members?limit=100${after ? `&after=${encodeURIComponent(after)}` : ''}`);
  }

  // MARK: Live changes

  /**
   * Reports changes of tray, drafts, threads and messages, with one stream for all tabs of a browser: browsers open six connections to a server, and
   * the seventh tab would hang. The visible tab that holds a lock reads the stream and passes events on; hidden tabs give it up.
   * @param {(event: TrayEvent) => void} onEvent Also `reset`, after which everything has to be read again.
   * @param {object} options
   * @param {string} [options.after] The `lastEvent` of a tray or of a page of threads; of several answers, that of the first one.
   * @param {(isLive: boolean) => void} [options.onState]
   * @param {string} [options.owner] Whose changes they are, where several people use a browser: tabs share a stream with this owner's alone.
   * @param {AbortSignal} [options.signal] Ends it.
   */
  events(onEvent, {after, onState, signal, owner} = {}) {
    const channel = new BroadcastChannel(`media-client events ${this.base || location.origin}${owner === undefined ? '' : ` ${owner}`}`);
    /** @type {AbortController | undefined} */ let turn;
    /** @param {{event?: TrayEvent, isLive?: boolean}} news */
    const take = ({event, isLive}) => {
      if (event?.id) after = event.id;
      if (event?.data) onEvent(event);
      if (isLive !== undefined) onState?.(isLive);
    };
    channel.onmessage = ({data}) => take(data);
    /** @param {{event?: TrayEvent, isLive?: boolean}} news */
    const tell = news => { take(news); if (!signal?.aborted) channel.postMessage(news); };
    /** @param {AbortSignal} end */
    const lead = async end => {
      for (let attempt = 0; ; attempt++) {
        // When the connection is gone, it is tried again below.
        await this.#read(after, end, event => {
          if (attempt >= 0) tell({isLive: true});
          attempt = -1;
          tell({event});
        }).catch(() => {});
        if (end.aborted) return;
        tell({isLive: false});
        await pause(delay(Math.max(0, attempt)), end);
      }
    };
    const update = () => {
      if (signal?.aborted || document.hidden) {
        turn?.abort();
        turn = undefined;
        if (signal?.aborted) channel.close();
      } else if (!turn) {
        turn = new AbortController();
        const end = turn.signal;
        const held = navigator.locks?.request(channel.name, {signal: end}, () => lead(end)) ?? lead(end);
        held.catch(() => {});
      }
    };
    document.addEventListener('visibilitychange', update, {signal});
    addEventListener('pagehide', () => turn?.abort(), {signal});
    signal?.addEventListener('abort', update);
    update();
  }

  /**
   * Reads one stream of server-sent events to its end. `EventSource` cannot send a token.
   * @param {string | undefined} after @param {AbortSignal} signal @param {(event: TrayEvent) => void} onEvent
   */
  async #read(after, signal, onEvent) {
    const headers = after ? {'Last-Event-ID': after} : undefined;
    const response = await this.send('GET', '/v1/events', {headers, signal});
    const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).pipeThrough(new TextDecoderStream()).getReader();
    for (let rest = ''; ;) {
      // The server sends a comment every 15 seconds: three that are missing mean that the connection is gone.
      const watchdog = setTimeout(() => reader.cancel(), 45_000);
      const {done, value = ''} = await reader.read().finally(() => clearTimeout(watchdog));
      if (done) return;
      const blocks = (rest + value).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        // Lines end at \n alone: a text can have U+2028.
        const {id, event, data} = Object.fromEntries(block.split('\n').map(line => line.split(/: ?(.*)/s)));
        onEvent({id, name: event, data: data && JSON.parse(data)});
      }
    }
  }
}

/**
 * Records that survive a reload, in IndexedDB. Files are kept up to a bound; of larger ones only the rest of the record is kept.
 */
export class Store {
  /** @type {Promise<IDBDatabase>} */ #database;

  /** @param {string | Promise<string>} name Of the database, with one store. @param {number} [maxBytes] Of all files together. 256 MiB by default. */
  constructor(name, maxBytes = 256 << 20) {
    this.maxBytes = maxBytes;
    this.#database = Promise.resolve(name).then(name => new Promise((resolve, reject) => {
      const opening = indexedDB.open(name, 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore('records', {keyPath: 'key'});
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    }));
    // In a private window there may be none: nothing is kept then.
    this.#database.catch(() => {});
  }

  /** @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest} body @returns {Promise<any>} */
  async #run(mode, body) {
    const database = await this.#database;
    return new Promise((resolve, reject) => {
      const transaction = database.transaction('records', mode);
      const request = body(transaction.objectStore('records'));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = transaction.onerror = () => reject(transaction.error);
    });
  }

  /**
   * All records in the order of their keys.
   * @returns {Promise<Record<string, any>[]>}
   */
  async all() { return this.#run('readonly', store => store.getAll()).catch(() => []); }

  /**
   * The record of a key; undefined if there is none.
   * @param {string} key
   * @throws if the browser cannot read its records.
   */
  async get(key) { return this.#run('readonly', store => store.get(key)); }

  /** @param {{key: string, file?: File} & Record<string, any>} record */
  async put(record) {
    const {file, ...rest} = record;
    const kept = file ? (await this.all()).reduce((sum, other) => sum + (other.key !== record.key && other.file?.size || 0), 0) : 0;
    const isKept = file && kept + file.size <= this.maxBytes;
    await this.#run('readwrite', store => store.put(isKept ? record : rest))
      .catch(() => this.#run('readwrite', store => store.put(rest))).catch(() => {});
  }

  /** @param {string} key */
  async delete(key) { await this.#run('readwrite', store => store.delete(key)).catch(() => {}); }
}
