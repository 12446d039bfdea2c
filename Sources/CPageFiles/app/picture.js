// Images of messages and of the viewer.

import {make} from './dom.js';

/** An image; of a crop, which is a window on the whole image, only that is shown. */
export function picture({crop, width, height, altText = ''}, src, properties) {
  const image = make('img', {src, alt: altText, draggable: false, ...properties});
  if (crop) {
    const sides = [crop.y / height, 1 - (crop.x + crop.width) / width, 1 - (crop.y + crop.height) / height, crop.x / width];
    image.style.objectViewBox = `inset(${sides.map(side => `${100 * side}%`).join(' ')})`;
  }
  return image;
}
