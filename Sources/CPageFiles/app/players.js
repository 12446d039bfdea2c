// Video and audio of a message: loaded with the first of them.

import {button, clamp, duration, icon, make, onKeys} from './dom.js';
import {client} from './token.js';

/** A poster; the pointer scrubs through the frames of the storyboard, a click plays. */
export function videoPlayer(item, poster, openViewer) {
  const {attachment, filename, altText = '', width = 16, height = 9} = item;
  const frame = make('span', {className: 'frame'});
  const video = button([make('img', {src: poster, alt: altText, loading: 'lazy'}), frame,
    make('span', {className: 'play'}, icon('play')), make('span', {className: 'length'}, duration(item.duration))],
  () => openViewer([item], 0), {className: 'video', data: {attachment}, ariaLabel: `Play ${filename ?? 'video'}, ${duration(item.duration)}`});
  video.style.setProperty('--ratio', `${width} / ${height}`);
  let frames;
  video.onpointermove = async ({clientX}) => {
    if (!attachment) return;
    const list = await (frames ??= framesOf(attachment));
    if (!list.length) return;
    const box = video.getBoundingClientRect();
    const share = clamp(0, (clientX - box.x) / box.width, 0.999);
    const {image, x, y, w, h} = list[Math.floor(share * list.length)];
    Object.assign(frame.style, {width: `${w}px`, height: `${h}px`, backgroundImage: `url("${image}")`, backgroundPosition: `-${x}px -${y}px`,
      scale: Math.max(box.width / w, box.height / h)});
    video.style.setProperty('--share', share);
    video.classList.add('scrubbing');
  };
  video.onpointerleave = () => video.classList.remove('scrubbing');
  return make('div', {className: 'media'}, video, filename && make('small', {}, make('bdi', {}, filename)));
}

/** The frames of a storyboard: its image, and the rectangle of each frame in it. */
async function framesOf(attachment) {
  const base = `/v1/attachments/${attachment}/`;
  const text = await client.send('GET', `${base}storyboard.vtt`).then(answer => answer.text()).catch(() => '');
  return [...text.matchAll(/^(\S+)#xywh=(\d+),(\d+),(\d+),(\d+)$/gm)].map(([, image, x, y, w, h]) =>
    ({image: new URL(image, location.origin + base).href, x, y, w, h}));
}

/** Makes the bars of a waveform in an element, and gives them with what shows peaks between 0 and 1. */
export function waveform(bars) {
  const all = Array.from({length: 48}, () => make('i'));
  bars.replaceChildren(...all);
  const draw = ({peaks = []}) => all.forEach((bar, index) => {
    bar.style.height = `${Math.max(8, 100 * (peaks[Math.floor(index * peaks.length / all.length)] ?? 0.3))}%`;
  });
  return {all, draw};
}

/** A waveform that plays and seeks. */
export function audioPlayer({attachment, filename, file, duration: length = 0, ...item}) {
  const audio = make('audio', {src: file.urls.original, preload: 'none'});
  const bars = make('div', {className: 'bars', tabIndex: 0, role: 'slider', ariaLabel: `Position in ${filename}`, ariaValueMin: '0',
    ariaValueMax: `${Math.round(length)}`});
  const {all, draw} = waveform(bars);
  draw(item);
  if (!item.peaks && attachment) client.json('GET', `/v1/attachments/${attachment}/waveform`).then(draw, () => {});
  const time = make('span', {className: 'length'});
  const play = button('', () => audio.paused ? audio.play() : audio.pause(), {className: 'round'});
  const show = () => {
    const {paused, currentTime} = audio;
    all.forEach((bar, index) => bar.classList.toggle('past', (index + 0.5) / all.length < currentTime / (length || 1)));
    time.textContent = duration(paused && !currentTime ? length : Math.floor(currentTime));
    bars.ariaValueNow = `${Math.round(currentTime)}`;
    bars.ariaValueText = duration(Math.floor(currentTime));
    play.replaceChildren(icon(paused ? 'play' : 'pause'));
    play.ariaLabel = `${paused ? 'Play' : 'Pause'} ${filename}`;
  };
  for (const name of ['timeupdate', 'play', 'pause', 'ended', 'seeked']) audio.addEventListener(name, show);
  const seek = seconds => {
    audio.currentTime = clamp(0, seconds, length);
    show();
  };
  bars.onpointerdown = ({clientX}) => {
    const {x, width} = bars.getBoundingClientRect();
    seek((clientX - x) / width * length);
  };
  onKeys(bars, {ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10},
    step => seek(audio.currentTime + step * Math.max(1, length / 20)));
  show();
  return make('div', {className: 'audio', data: {attachment}}, play, bars, time,
    make('small', {}, make('a', {href: file.urls.original, download: filename ?? ''}, make('bdi', {}, filename))), audio);
}
