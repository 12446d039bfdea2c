// Gestures of fingers: of viewer and map, where one pointer moves and two zoom, and of the tray, where a long press begins a range.

/** Calls `move(dx, dy)`, `zoom(factor)`, and `end(dx)` with the way of the last pointer. `accepts(event)` says whether a press counts. */
export function watchGestures(element, {accepts = () => true, move, zoom, end = () => {}}) {
  const pointers = new Map();
  let begun;
  const spread = () => {
    const [one, two] = pointers.values();
    return two && Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
  };
  element.addEventListener('pointerdown', event => {
    if (!accepts(event)) return;
    begun = event.clientX;
    pointers.set(event.pointerId, event);
    element.setPointerCapture(event.pointerId);
  });
  element.addEventListener('pointermove', event => {
    const old = pointers.get(event.pointerId);
    if (!old) return;
    const before = spread();
    pointers.set(event.pointerId, event);
    if (before) zoom(spread() / before);
    else move(event.clientX - old.clientX, event.clientY - old.clientY);
  });
  const lift = event => { if (pointers.delete(event.pointerId) && !pointers.size) end(event.clientX - begun); };
  element.addEventListener('pointerup', lift);
  element.addEventListener('pointercancel', lift);
}

/**
 * Calls `begin(element)` with the element of a selector that a finger presses for long, `move(element)` with those that it is on until it is
 * lifted, and `end()` after the click that follows.
 */
export function watchLongPress(container, selector, {begin, move, end}) {
  let timer;
  let isPressed = false;
  container.addEventListener('pointerdown', event => {
    const element = event.target.closest(selector);
    if (!element || event.pointerType === 'mouse') return;
    timer = setTimeout(() => {
      isPressed = true;
      begin(element);
      navigator.vibrate?.(10);
    }, 400);
  });
  container.addEventListener('pointermove', event => {
    if (!isPressed) return clearTimeout(timer);
    const element = document.elementFromPoint(event.clientX, event.clientY)?.closest(selector);
    return element && move(element);
  });
  container.addEventListener('touchmove', event => { if (isPressed) event.preventDefault(); }, {passive: false});
  container.addEventListener('contextmenu', event => event.preventDefault());
  for (const name of ['pointerup', 'pointercancel']) {
    container.addEventListener(name, () => {
      clearTimeout(timer);
      // The click that follows belongs to the range.
      setTimeout(() => {
        isPressed = false;
        end();
      });
    });
  }
}
