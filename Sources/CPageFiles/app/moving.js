// What the pointer drags: cards of the composer to another position, and ranges of cells in the tray.

import {direction, ui} from './dom.js';
import {move} from './draft.js';
import {extend} from './tray.js';

/**
 * Calls `begin(element)` with an element of a selector that is dragged, by a finger after a long press, by a mouse (if it counts) at once;
 * then `follow(element, event)` with each move, and `end(element)`.
 */
function watchDrags(container, selector, isForMouse, begin, follow, end = () => {}) {
  let isDragging = false;
  let pressedBy;
  container.addEventListener('pointerdown', ({target, clientX, pointerType, button}) => {
    const element = target.closest(selector);
    pressedBy = pointerType;
    const isMouse = pointerType === 'mouse';
    if (!element || button || isMouse && !isForMouse) return;
    const ended = new AbortController();
    const {signal} = ended;
    const start = () => {
      isDragging = true;
      begin(element);
      navigator.vibrate?.(10);
    };
    const timer = isMouse ? undefined : setTimeout(start, 400);
    const stop = () => {
      clearTimeout(timer);
      ended.abort();
      if (!isDragging) return;
      isDragging = false;
      end(element);
      // The click that follows belongs to the drag.
      const swallow = click => click.stopPropagation();
      addEventListener('click', swallow, true);
      setTimeout(() => removeEventListener('click', swallow, true));
    };
    addEventListener('pointermove', event => {
      if (!isDragging) {
        if (Math.abs(event.clientX - clientX) < 6) return;
        if (!isMouse) return void stop();
        start();
      }
      event.preventDefault();
      follow(element, event);
    }, {signal});
    for (const name of ['pointerup', 'pointercancel']) addEventListener(name, stop, {signal});
  });
  // A finger that drags does not scroll, and opens no menu. The event of a menu does not have the type in each browser, nor with the menu key.
  container.addEventListener('touchmove', event => { if (isDragging) event.preventDefault(); }, {passive: false});
  container.addEventListener('contextmenu', event => { if (['touch', 'pen'].includes(pressedBy)) event.preventDefault(); });
}

const {cards, grid} = ui;
watchDrags(cards, '.preview', true, preview => preview.parentElement.classList.add('dragged'), (preview, {clientX}) => {
  const card = preview.parentElement;
  const isPast = other => {
    const {x, width} = other.getBoundingClientRect();
    return (clientX - x - width / 2) * direction(cards) > 0;
  };
  move(card.dataset.key, [...cards.children].filter(other => other !== card && isPast(other)).length);
}, preview => preview.parentElement.classList.remove('dragged'));

let last;
watchDrags(grid, '.cell', false, ({dataset: {key}}) => extend(last = key, key), ({dataset}, {clientX, clientY}) => {
  const {key = last} = document.elementFromPoint(clientX, clientY)?.closest('.cell')?.dataset ?? {};
  if (key !== last) extend(last = key, dataset.key);
});
