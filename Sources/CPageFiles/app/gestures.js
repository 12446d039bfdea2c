// Gestures of viewer and map: one pointer moves, and two zoom.

/** Calls `move(dx, dy)`, `zoom(factor)`, and `end(dx)` with the way of the last pointer. `accepts(event)` says whether a press counts. */
export function watchGestures(element, {accepts, move, zoom, end}) {
  const pointers = new Map();
  let begun;
  const spread = () => {
    const [one, two] = pointers.values();
    return two && Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
  };
  element.onpointerdown = event => {
    if (!accepts(event)) return;
    begun = event.clientX;
    pointers.set(event.pointerId, event);
    element.setPointerCapture(event.pointerId);
  };
  element.onpointermove = event => {
    const old = pointers.get(event.pointerId);
    if (!old) return;
    const before = spread();
    pointers.set(event.pointerId, event);
    if (before) zoom(spread() / before);
    else move(event.clientX - old.clientX, event.clientY - old.clientY);
  };
  element.onlostpointercapture = event => {
    if (pointers.delete(event.pointerId) && !pointers.size) end?.(event.clientX - begun);
  };
}
