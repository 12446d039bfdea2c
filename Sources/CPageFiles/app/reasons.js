// Why a file is refused, in words: loaded with the first refusal.

import {bytes, duration} from './dom.js';

/** What is wrong with a file, by the code of the reason or of the failure to read it. */
const faults = {
  unreadable: 'cannot be read', truncated: 'is damaged', corrupt: 'is damaged', encrypted: 'is password-protected', timedOut: 'takes too long to read',
  unsupported: 'has an unsupported format', unrecognized: 'has an unknown format',
  duplicate: 'is already attached', unsupportedType: 'has a type that cannot be sent', empty: 'is empty', blocked: 'was blocked by a moderator', malware: 'contains malware',
  unscannable: 'cannot be scanned for malware', review: 'is not allowed on this service',
  metadata: 'has metadata that cannot be removed', similar: 'looks like an image that was blocked',
  awaitsReview: 'cannot be sent before a moderator has allowed it'};

/** Why a file was refused, for people; `shrink` has the bytes to which it can be reduced. */
export function reasonText({shrink, ...reason} = {}, name = 'The file') {
  return faultText(reason, name) + (shrink?.maxBytes ? `; reduce it to at most ${bytes(shrink.maxBytes, true)}` : '');
}

function faultText({code, limit, actual, failure}, name) {
  const most = limit ? `; at most ${bytes(limit, true)} can be sent` : '';
  switch (code) {
    case 'fileTooLarge': case 'tooLarge': return `${name} is ${actual ? bytes(actual) : 'too large'}${most}`;
    case 'messageTooLarge': return `The message would be ${bytes(actual)}${most}`;
    case 'tooManyAttachments': return `A message can have at most ${limit} attachments`;
    case 'tooManyPixels': return `${name} has ${actual.toLocaleString('en')} pixels; at most ${limit.toLocaleString('en')} can be sent`;
    case 'kindNotAllowed': return `${name} is of the kind ${actual}, which cannot be sent`;
    case 'typeNotAllowed': return `${name} is ${actual}, which cannot be sent`;
    case 'typeMismatch': return `${name} contains ${actual}, which does not match its name`;
    case 'tooLong': return `${name} lasts ${duration(actual)}; at most ${duration(limit)} can be sent`;
    case 'quotaExceeded': return 'Your storage is full; delete some files';
    case 'diskFull': return 'The service is full; try again later';
    case 'offline': return 'The service cannot be reached';
    default: return `${name} ${faults[failure ?? code] ?? (failure ? 'cannot be read' : 'cannot be sent')}`;
  }
}
