// Voice messages: level while recording, then a preview.

import {byId, duration, iconButton, make, notify, say} from './dom.js';

/** Records until it is stopped, and gives the file when it was listened to and taken. */
export async function recordVoice(take) {
  const panel = byId('voice');
  if (!panel.hidden) return;
  let stream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({audio: true});
  } catch {
    notify('There is no access to a microphone. Allow it in the settings of the browser.');
    return;
  }
  const recorder = new MediaRecorder(stream);
  const pieces = [];
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Uint8Array(analyser.fftSize);
  const level = make('meter', {max: 1, aria: {label: 'Level'}});
  const time = make('span', {className: 'length', role: 'timer'}, '0:00');
  const begun = performance.now();
  const timer = setInterval(() => {
    analyser.getByteTimeDomainData(samples);
    level.value = Math.min(1, 3 * Math.sqrt(samples.reduce((sum, sample) => sum + ((sample - 128) / 128) ** 2, 0) / samples.length));
    time.textContent = duration((performance.now() - begun) / 1000);
  }, 100);
  let isKept = true;
  const close = () => {
    panel.hidden = true;
    panel.replaceChildren();
    byId('record').focus();
  };
  const stop = isWanted => {
    isKept = isWanted;
    recorder.stop();
  };
  recorder.ondataavailable = event => pieces.push(event.data);
  recorder.onstop = () => {
    clearInterval(timer);
    context.close();
    for (const track of stream.getTracks()) track.stop();
    if (!isKept) return close();
    const type = recorder.mimeType.split(';')[0];
    const now = new Date().toTimeString().slice(0, 5).replace(':', '.');
    const file = new File(pieces, `Voice ${now}.${type.includes('mp4') ? 'm4a' : 'webm'}`, {type});
    const address = URL.createObjectURL(file);
    const attach = make('button', {type: 'button', className: 'primary', onclick: () => { close(); take(file); }}, 'Attach');
    panel.replaceChildren(make('audio', {src: address, controls: true}), iconButton('trash', 'Discard', close, 'small'), attach);
    attach.focus();
    return undefined;
  };
  const done = iconButton('stop', 'Stop recording', () => stop(true), 'recording');
  panel.replaceChildren(done, level, time, iconButton('trash', 'Discard', () => stop(false), 'small'));
  panel.hidden = false;
  recorder.start(1000);
  done.focus();
  say('Recording');
}
