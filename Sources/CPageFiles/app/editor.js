// The editor of one attachment: description, crop, replacement.

import {button, clamp, icon, make} from './dom.js';

/** Edits an attachment of the composer's draft; its card gets the focus back. */
export function openEditor(composer, item) {
  const {info} = item;
  let crop = item.crop ?? undefined;
  const isImage = info.kind === 'image' && info.width;
  const image = item.thumbnail ? make('img', {src: `/v1/attachments/${item.attachment}/renditions/view.webp`, alt: '', draggable: false}) : icon('file');
  const frame = make('div', {className: 'frame', tabIndex: 0, role: 'group', ariaLabel: 'Crop area. Arrow keys move it, Shift and arrow keys resize it'},
    ...['nw', 'ne', 'sw', 'se'].map(corner => make('i', {data: {corner}})));
  const text = make('textarea', {value: item.altText ?? '', rows: 3, maxLength: 1500, dir: 'auto',
    placeholder: 'Describe the image for people who cannot see it'});
  const crops = [button([icon('crop'), 'Crop'], () => setCrop(centred(info.width / info.height, 0.8))),
    button('Square', () => setCrop(centred(1))), button('No crop', () => setCrop())];
  const dialog = make('dialog', {className: 'editor', ariaLabel: `Edit ${item.name ?? 'photo'}`}, make('form', {method: 'dialog'},
    make('h2', {}, make('bdi', {}, item.name ?? 'Photo')), make('div', {className: 'picture'}, image, isImage && frame),
    make('div', {className: 'tools'}, ...isImage ? crops : [],
      button([icon('replace'), 'Replace'], () => { dialog.close(); composer.replace(item); }),
      button([icon('trash'), 'Remove'], () => { dialog.close(); composer.remove(item.id); })),
    make('label', {}, 'Description', text),
    make('div', {className: 'actions'}, make('button', {value: 'cancel'}, 'Cancel'), make('button', {value: 'done', className: 'primary'}, 'Done'))));

  /** The largest crop of a ratio around the centre, or a part of it. */
  function centred(ratio, part = 1) {
    const width = Math.round(Math.min(info.width, info.height * ratio) * part);
    const height = Math.round(Math.min(info.height, info.width / ratio) * part);
    return {x: Math.floor((info.width - width) / 2), y: Math.floor((info.height - height) / 2), width, height};
  }
  function setCrop(value) {
    crop = value;
    frame.hidden = !crop;
    if (!crop) return;
    crop.width = clamp(16, crop.width, info.width);
    crop.height = clamp(16, crop.height, info.height);
    crop.x = clamp(0, crop.x, info.width - crop.width);
    crop.y = clamp(0, crop.y, info.height - crop.height);
    const percent = (one, of) => `${100 * one / of}%`;
    Object.assign(frame.style, {left: percent(crop.x, info.width), top: percent(crop.y, info.height),
      width: percent(crop.width, info.width), height: percent(crop.height, info.height)});
  }
  frame.onpointerdown = event => {
    event.preventDefault();
    frame.focus();
    frame.setPointerCapture(event.pointerId);
    const {corner = ''} = event.target.dataset;
    const {x, y, width, height} = crop;
    const scale = info.width / image.clientWidth;
    frame.onpointermove = moved => {
      const [dx, dy] = [moved.clientX - event.clientX, moved.clientY - event.clientY].map(way => Math.round(way * scale));
      if (!corner) return setCrop({...crop, x: x + dx, y: y + dy});
      // The opposite corner stays.
      const [left, right] = corner.includes('w') ? [clamp(0, x + dx, x + width - 16), x + width] : [x, clamp(x + 16, x + width + dx, info.width)];
      const [top, bottom] = corner.includes('n') ? [clamp(0, y + dy, y + height - 16), y + height] : [y, clamp(y + 16, y + height + dy, info.height)];
      return setCrop({x: left, y: top, width: right - left, height: bottom - top});
    };
    frame.onpointerup = () => { frame.onpointermove = null; };
  };
  frame.onkeydown = event => {
    const step = Math.round(info.width / 50);
    const [dx, dy] = {ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step]}[event.key] ?? [];
    if (dx === undefined) return;
    event.preventDefault();
    const {x, y, width, height} = crop;
    setCrop(event.shiftKey ? {x, y, width: width + dx, height: height + dy} : {x: x + dx, y: y + dy, width, height});
  };
  dialog.onclose = () => {
    dialog.remove();
    document.querySelector(`#cards [data-key="${CSS.escape(item.id)}"] .preview`)?.focus();
    if (dialog.returnValue !== 'done') return;
    const change = {};
    if (text.value !== (item.altText ?? '')) change.altText = text.value || null;
    if (JSON.stringify(crop) !== JSON.stringify(item.crop ?? undefined)) change.crop = crop ?? null;
    if (Object.keys(change).length) composer.change(item, change);
  };
  document.body.append(dialog);
  dialog.showModal();
  setCrop(crop);
  text.focus();
}
