// Camera and microphone: a photo, or a voice message with its level and a preview.

import {button, duration, iconButton, make, notify, say, ui} from './dom.js';

const panel = ui.capture;

/**
 * Opens camera or microphone: `fill` shows elements in the panel of the composer, `close` hides it and ends what is recorded.
 * Without access a notice says what to do, and offers to try `again`.
 */
async function open(device, constraints, opener, again) {
  if (!panel.hidden) return {};
  try {
    const stream = await navigator.mediaDevices.getUserMedia(constraints);
    const stop = () => { for (const track of stream.getTracks()) track.stop(); };
    const close = () => {
      stop();
      panel.hidden = true;
      panel.replaceChildren();
      opener.focus();
    };
    const fill = (...children) => {
      panel.replaceChildren(...children);
      panel.hidden = false;
      panel.querySelector('button').focus();
    };
    return {close, fill, stop, stream};
  } catch (error) {
    const {state} = await navigator.permissions.query({name: device}).catch(() => ({}));
    const text = error.name === 'NotFoundError' ? `There is no ${device} on this device.`
      : state === 'denied' ? `The ${device} is not available. Allow access in the browser settings.` : `The ${device} cannot be used.`;
    notify(text, 'Try again', again);
    return {};
  }
}

const stamp = () => new Date().toTimeString().slice(0, 8).replaceAll(':', '.');

/** Takes a photo, and gives the file. */
export async function takePhoto(take) {
  const {close, fill, stream} = await open('camera', {video: {facingMode: 'environment', width: {ideal: 1920}}}, ui.camera, () => takePhoto(take));
  if (!stream) return;
  const finder = make('video', {srcObject: stream, autoplay: true, muted: true, playsInline: true, ariaLabel: 'Camera',
    onplaying: () => { shoot.disabled = false; }});
  const shoot = iconButton('camera', 'Take the photo', async () => {
    const canvas = new OffscreenCanvas(finder.videoWidth, finder.videoHeight);
    canvas.getContext('2d').drawImage(finder, 0, 0);
    const blob = await canvas.convertToBlob({type: 'image/jpeg', quality: 0.9});
    close();
    take(new File([blob], `Photo ${stamp()}.jpg`, {type: blob.type}));
  }, 'send');
  shoot.disabled = true;
  fill(finder, shoot, iconButton('close', 'Close the camera', close, 'small'));
}

/** Records until it is stopped, and gives the file when it was listened to and taken. */
export async function recordVoice(take) {
  const {close, fill, stop, stream} = await open('microphone', {audio: true}, ui.record, () => recordVoice(take));
  if (!stream) return;
  const recorder = new MediaRecorder(stream);
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const level = make('meter', {max: 1, ariaLabel: 'Level'});
  const time = make('span', {className: 'length', role: 'timer'}, '0:00');
  const begun = performance.now();
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    level.value = 3 * Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length);
    time.textContent = duration((performance.now() - begun) / 1000);
  }, 100);
  const end = () => {
    clearInterval(timer);
    context.close();
    stop();
  };
  const discard = () => {
    recorder.ondataavailable = null;
    end();
    close();
  };
  // All of it at once, when it is stopped.
  recorder.ondataavailable = ({data}) => {
    end();
    const type = recorder.mimeType.split(';')[0];
    const file = new File([data], `Voice ${stamp()}.${type.includes('mp4') ? 'm4a' : 'webm'}`, {type});
    fill(button('Attach', () => { close(); take(file); }, {className: 'primary'}),
      make('audio', {src: URL.createObjectURL(file), controls: true}), iconButton('trash', 'Discard', close, 'small'));
  };
  fill(iconButton('stop', 'Stop recording', () => recorder.stop(), 'recording'), level, time, iconButton('trash', 'Discard', discard, 'small'));
  recorder.start();
  say('Recording');
}
