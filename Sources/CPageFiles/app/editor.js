// The editor of one attachment: description, crop, replacement.

import {icon, make} from './dom.js';

export class Editor {
  /** @param key Of the card that gets the focus back. */
  open(composer, item, key) {
    const {info} = item;
    let crop = item.crop ?? undefined;
    const isImage = info.kind === 'image' && info.width;
    const image = item.attachment && item.thumbnail
      ? make('img', {src: `/v1/attachments/${item.attachment}/renditions/view.webp`, alt: '', draggable: false}) : icon('file');
    const frame = make('div', {className: 'frame', hidden: !crop, tabIndex: 0, role: 'group',
      aria: {label: 'Crop: arrows move it, Shift and arrows resize it'}}, ...['nw', 'ne', 'sw', 'se'].map(corner => make('i', {data: {corner}})));
    const picture = make('div', {className: 'picture'}, image, isImage ? frame : '');
    const text = make('textarea', {value: item.altText ?? '', rows: 3, maxLength: 1500, dir: 'auto',
      placeholder: 'What would you say to somebody who cannot see it?'});
    const square = make('button', {type: 'button', onclick: () => setCrop(ratio(1))}, 'Square');
    const whole = make('button', {type: 'button', onclick: () => setCrop(undefined)}, 'Whole');
    const free = make('button', {type: 'button', onclick: () => setCrop(ratio(info.width / info.height, 0.8))}, icon('crop'), 'Crop');
    const dialog = make('dialog', {className: 'editor', aria: {label: `Edit ${item.name ?? 'photo'}`}}, make('form', {method: 'dialog'},
      make('h2', {}, make('bdi', {}, item.name ?? 'Photo')), picture,
      make('div', {className: 'tools'}, ...(isImage ? [free, square, whole] : []),
        make('button', {type: 'button', onclick: () => { dialog.close(); composer.replace(item); }}, icon('replace'), 'Replace'),
        make('button', {type: 'button', onclick: () => { dialog.close(); composer.remove(key); }}, icon('trash'), 'Remove')),
      make('label', {}, 'Description', text),
      make('div', {className: 'actions'}, make('button', {type: 'submit', value: 'cancel', formNoValidate: true}, 'Cancel'),
        make('button', {type: 'submit', value: 'done', className: 'primary'}, 'Done'))));

    /** The largest crop of a ratio around the centre. */
    function ratio(value, part = 1) {
      const width = Math.round(Math.min(info.width, info.height * value) * part);
      const height = Math.round(Math.min(info.height, info.width / value) * part);
      return {x: Math.floor((info.width - width) / 2), y: Math.floor((info.height - height) / 2), width, height};
    }
    function setCrop(value) {
      crop = value;
      frame.hidden = !crop;
      if (!crop) return;
      crop.width = Math.max(16, Math.min(info.width, crop.width));
      crop.height = Math.max(16, Math.min(info.height, crop.height));
      crop.x = Math.max(0, Math.min(info.width - crop.width, crop.x));
      crop.y = Math.max(0, Math.min(info.height - crop.height, crop.y));
      const percent = (one, of) => `${100 * one / of}%`;
      Object.assign(frame.style, {left: percent(crop.x, info.width), top: percent(crop.y, info.height),
        width: percent(crop.width, info.width), height: percent(crop.height, info.height)});
    }
    frame.addEventListener('pointerdown', event => {
      event.preventDefault();
      frame.focus();
      frame.setPointerCapture(event.pointerId);
      const {corner = ''} = event.target.dataset;
      const [begun, from] = [{...crop}, event];
      const scale = info.width / image.clientWidth;
      frame.onpointermove = moved => {
        const [dx, dy] = [(moved.clientX - from.clientX) * scale, (moved.clientY - from.clientY) * scale].map(Math.round);
        const next = {...begun};
        if (!corner) Object.assign(next, {x: begun.x + dx, y: begun.y + dy});
        if (corner.includes('w')) Object.assign(next, {x: Math.max(0, begun.x + dx), width: begun.width - Math.max(-begun.x, dx)});
        if (corner.includes('e')) next.width = Math.min(info.width - begun.x, begun.width + dx);
        if (corner.includes('n')) Object.assign(next, {y: Math.max(0, begun.y + dy), height: begun.height - Math.max(-begun.y, dy)});
        if (corner.includes('s')) next.height = Math.min(info.height - begun.y, begun.height + dy);
        setCrop(next);
      };
      frame.onpointerup = () => { frame.onpointermove = null; };
    });
    frame.addEventListener('keydown', event => {
      const step = Math.round(info.width / 50);
      const [dx, dy] = {ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step]}[event.key] ?? [];
      if (dx === undefined) return;
      event.preventDefault();
      if (event.shiftKey) setCrop({...crop, width: crop.width + dx, height: crop.height + dy});
      else setCrop({...crop, x: crop.x + dx, y: crop.y + dy});
    });
    dialog.addEventListener('close', () => {
      dialog.remove();
      document.querySelector(`#cards [data-key="${CSS.escape(key)}"] .preview`)?.focus();
      if (dialog.returnValue !== 'done') return;
      const change = {};
      if (text.value !== (item.altText ?? '')) change.altText = text.value || null;
      if (JSON.stringify(crop) !== JSON.stringify(item.crop ?? undefined)) change.crop = crop ?? null;
      if (Object.keys(change).length) composer.change(item, change);
    });
    document.body.append(dialog);
    dialog.showModal();
    setCrop(crop);
    text.focus();
  }
}
