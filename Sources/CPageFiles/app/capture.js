// Camera and microphone: a photo, or a voice message with its level and a preview.

import {button, byId, duration, iconButton, make, notify, say} from './dom.js';

/** Opens camera or microphone; without access a notice says what to do, and offers to try again. */
async function open(device, constraints, again) {
  try {
    return await navigator.mediaDevices.getUserMedia(constraints);
  } catch (error) {
    const {state} = await navigator.permissions.query({name: device}).catch(() => ({}));
    const text = error.name === 'NotFoundError' ? `There is no ${device} on this device.`
      : state === 'denied' ? `The ${device} is not available. Allow access in the browser settings.` : `The ${device} cannot be used.`;
    notify(text, 'Try again', again);
    return undefined;
  }
}

/** Shows the panel of the composer; `close` hides it and ends what is recorded. */
function show(opener, stream) {
  const panel = byId('capture');
  const close = () => {
    for (const track of stream.getTracks()) track.stop();
    panel.hidden = true;
    panel.replaceChildren();
    opener.focus();
  };
  const fill = (...children) => {
    panel.replaceChildren(...children);
    panel.hidden = false;
    panel.querySelector('button').focus();
  };
  return {close, fill};
}

const stamp = () => new Date().toTimeString().slice(0, 8).replaceAll(':', '.');

/** Takes a photo, and gives the file. */
export async function takePhoto(take) {
  if (!byId('capture').hidden) return;
  const stream = await open('camera', {video: {facingMode: 'environment', width: {ideal: 1920}}}, () => takePhoto(take));
  if (!stream) return;
  const {close, fill} = show(byId('camera'), stream);
  const finder = make('video', {srcObject: stream, autoplay: true, muted: true, playsInline: true, ariaLabel: 'Camera'});
  const shoot = iconButton('camera', 'Take the photo', async () => {
    const canvas = make('canvas', {width: finder.videoWidth, height: finder.videoHeight});
    canvas.getContext('2d').drawImage(finder, 0, 0);
    const blob = await new Promise(done => canvas.toBlob(done, 'image/jpeg', 0.9));
    close();
    take(new File([blob], `Photo ${stamp()}.jpg`, {type: blob.type}));
  }, 'send');
  shoot.disabled = true;
  finder.onplaying = () => { shoot.disabled = false; };
  fill(finder, shoot, iconButton('close', 'Close the camera', close, 'small'));
}

/** Records until it is stopped, and gives the file when it was listened to and taken. */
export async function recordVoice(take) {
  if (!byId('capture').hidden) return;
  const stream = await open('microphone', {audio: true}, () => recordVoice(take));
  if (!stream) return;
  const {close, fill} = show(byId('record'), stream);
  const recorder = new MediaRecorder(stream);
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Uint8Array(analyser.fftSize);
  const level = make('meter', {max: 1, ariaLabel: 'Level'});
  const time = make('span', {className: 'length', role: 'timer'}, '0:00');
  const begun = performance.now();
  const timer = setInterval(() => {
    analyser.getByteTimeDomainData(samples);
    level.value = Math.min(1, 3 * Math.sqrt(samples.reduce((sum, sample) => sum + ((sample - 128) / 128) ** 2, 0) / samples.length));
    time.textContent = duration((performance.now() - begun) / 1000);
  }, 100);
  const pieces = [];
  let isKept = true;
  const discard = () => {
    isKept = false;
    recorder.stop();
  };
  recorder.ondataavailable = event => pieces.push(event.data);
  recorder.onstop = () => {
    clearInterval(timer);
    context.close();
    if (!isKept) return close();
    for (const track of stream.getTracks()) track.stop();
    const type = recorder.mimeType.split(';')[0];
    const file = new File(pieces, `Voice ${stamp()}.${type.includes('mp4') ? 'm4a' : 'webm'}`, {type});
    return fill(button('Attach', () => { close(); take(file); }, {className: 'primary'}),
      make('audio', {src: URL.createObjectURL(file), controls: true}), iconButton('trash', 'Discard', close, 'small'));
  };
  fill(iconButton('stop', 'Stop recording', () => recorder.stop(), 'recording'), level, time, iconButton('trash', 'Discard', discard, 'small'));
  recorder.start(1000);
  say('Recording');
}
