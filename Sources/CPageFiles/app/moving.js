// Moving and removing cards of the composer, by keys and with the pointer.

import {direction} from './dom.js';

/** Lets Alt and arrow keys move cards, and the pointer: at once with a mouse, after a long press with a finger. Delete removes a card. */
export function watchMoving(composer) {
  const {list} = composer;
  list.addEventListener('keydown', event => {
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    const card = event.target.closest('.card');
    if (!card) return;
    if (event.altKey && step) composer.move(card.dataset.key, [...list.children].indexOf(card) + step * direction(list));
    else if (event.key === 'Delete' || event.key === 'Backspace') composer.remove(card.dataset.key);
    else return;
    event.preventDefault();
  });
  list.addEventListener('pointerdown', event => {
    const card = event.target.closest('.preview')?.parentElement;
    if (card && !event.button) drag(composer, card, event);
  });
}

function drag(composer, card, {clientX: start, pointerType}) {
  const {list} = composer;
  const isMouse = pointerType === 'mouse';
  const ended = new AbortController();
  let isDragging = false;
  const begin = () => {
    isDragging = true;
    card.classList.add('dragged');
  };
  const timer = isMouse ? undefined : setTimeout(begin, 350);
  const end = () => {
    clearTimeout(timer);
    ended.abort();
    card.classList.remove('dragged');
    if (!isDragging) return;
    // The click that follows belongs to the drag.
    const swallow = click => click.stopPropagation();
    addEventListener('click', swallow, true);
    setTimeout(() => removeEventListener('click', swallow, true));
  };
  const move = event => {
    if (!isDragging) {
      if (Math.abs(event.clientX - start) < 6) return;
      if (!isMouse) return void end();
      begin();
    }
    event.preventDefault();
    const isPast = other => {
      const {x, width} = other.getBoundingClientRect();
      return (event.clientX - x - width / 2) * direction(list) > 0;
    };
    composer.move(card.dataset.key, [...list.children].filter(other => other !== card && isPast(other)).length);
  };
  const {signal} = ended;
  addEventListener('pointermove', move, {signal});
  addEventListener('pointerup', end, {signal});
  addEventListener('pointercancel', end, {signal});
  // A finger that drags a card does not scroll the list.
  list.addEventListener('touchmove', touch => { if (isDragging) touch.preventDefault(); }, {signal, passive: false});
}
