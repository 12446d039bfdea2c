// Camera and microphone: a photo, or a voice message with its level, its waveform and a preview.

import {duration, notify, say, showAlone, ui} from './dom.js';
import {audioPlayer, waveform} from './players.js';

const {capture, finder, level, shoot} = ui;

/**
 * Opens camera or microphone: `close` hides the panel of the composer, and ends what is recorded.
 * Without access a notice says what to do, and offers to try `again`.
 */
async function open(device, constraints, opener, again) {
  if (!capture.hidden) return {};
  try {
    const stream = await navigator.mediaDevices.getUserMedia(constraints);
    const end = () => { for (const track of stream.getTracks()) track.stop(); };
    const close = () => {
      end();
      capture.hidden = true;
      opener.focus();
    };
    return {close, end, stream};
  } catch (error) {
    const {state} = await navigator.permissions.query({name: device}).catch(() => ({}));
    const text = error.name === 'NotFoundError' ? `There is no ${device} on this device.`
      : state === 'denied' ? `The ${device} is not available. Allow access in the browser settings.` : `The ${device} cannot be used.`;
    notify(text, 'Try again', again);
    return {};
  }
}

function show(panel) {
  showAlone(panel);
  panel.querySelector('button').focus();
}

const stamp = () => new Date().toTimeString().slice(0, 8).replaceAll(':', '.');

/** Takes a photo, and gives the file. */
export async function takePhoto(take) {
  const {close, stream} = await open('camera', {video: {facingMode: 'environment', width: {ideal: 1920}}}, ui.camera, () => takePhoto(take));
  if (!stream) return;
  finder.srcObject = stream;
  finder.onplaying = () => { shoot.disabled = false; };
  shoot.disabled = true;
  shoot.onclick = async () => {
    const canvas = new OffscreenCanvas(finder.videoWidth, finder.videoHeight);
    canvas.getContext('2d').drawImage(finder, 0, 0);
    const blob = await canvas.convertToBlob({type: 'image/jpeg', quality: 0.9});
    close();
    take(new File([blob], `Photo ${stamp()}.jpg`, {type: blob.type}));
  };
  ui['photo-close'].onclick = close;
  show(ui.photo);
}

/** Records until it is stopped, and gives the file when it was listened to and taken. */
export async function recordVoice(take) {
  const {close, end, stream} = await open('microphone', {audio: true}, ui.record, () => recordVoice(take));
  if (!stream) return;
  const recorder = new MediaRecorder(stream);
  const context = new AudioContext();
  // Longer than a tick of the timer: nothing between two ticks is missed.
  const analyser = new AnalyserNode(context, {fftSize: 8192});
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const {draw} = waveform(ui['voice-bars']);
  const peaks = [];
  const begun = performance.now();
  let seconds;
  const tick = () => {
    analyser.getFloatTimeDomainData(samples);
    level.value = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    peaks.push(level.value);
    draw({peaks: [...Array(48).fill(0), ...peaks].slice(-48)});
    seconds = (performance.now() - begun) / 1000;
    ui['voice-time'].textContent = duration(Math.floor(seconds));
  };
  tick();
  const timer = setInterval(tick, 100);
  const finish = () => {
    clearInterval(timer);
    context.close();
    end();
  };
  ui['voice-cancel'].onclick = () => {
    recorder.ondataavailable = null;
    finish();
    close();
  };
  // All of it at once, when it is stopped.
  recorder.ondataavailable = ({data}) => {
    finish();
    const type = recorder.mimeType.split(';')[0];
    const voice = new File([data], `Voice ${stamp()}.${type.includes('mp4') ? 'm4a' : 'webm'}`, {type});
    const original = URL.createObjectURL(voice);
    const done = () => {
      close();
      ui['voice-player'].replaceChildren();
      URL.revokeObjectURL(original);
    };
    ui['voice-player'].replaceChildren(audioPlayer({filename: voice.name, file: {urls: {original}}, duration: seconds, peaks}));
    ui['voice-attach'].onclick = () => { done(); take(voice); };
    ui['voice-discard'].onclick = done;
    show(ui['voice-done']);
  };
  ui.stop.onclick = () => recorder.stop();
  show(ui.voice);
  recorder.start();
  say('Recording');
}
