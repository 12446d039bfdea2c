"use strict";
// The page works without this: it is then a plain grid. Nothing here makes markup; text is only ever set as text.
(() => {
  const grid = document.getElementById("grid");
  if (!grid) return;
  const limit = Number(grid.dataset.limit ?? Infinity);
  const maxBytes = Number(grid.dataset.bytes ?? Infinity);
  const cells = Array.from(grid.querySelectorAll(".cell:not(.empty)"));
  const message = document.getElementById("message");
  const draft = document.getElementById("draft");
  const remaining = document.getElementById("remaining");
  const toast = document.getElementById("toast");
  const names = cells.map((cell) => cell.dataset.name);
  // What is in the message, in its order: cells, and what was chosen elsewhere, of which only name and bytes are known.
  let order = JSON.parse(grid.dataset.order ?? "[]").map((chosen) => cells[chosen.cell] ?? chosen);
  let timer = 0;

  const isCell = (chosen) => chosen instanceof Element;
  const fileOf = (chosen) => isCell(chosen) ? chosen.dataset.file : chosen.file;
  const bytesOf = (chosen) => Number(isCell(chosen) ? chosen.dataset.bytes : chosen.bytes);
  const total = () => order.reduce((sum, chosen) => sum + bytesOf(chosen), 0);

  function say(text) {
    clearTimeout(timer);
    toast.textContent = text;
    toast.hidden = !text;
    // As long as Mattermost shows it (C4).
    if (text) timer = setTimeout(() => { toast.hidden = true; }, 5000);
  }

  /** Why a cell cannot be chosen now, short and long; null when it can. */
  function reason(cell) {
    if (cell.dataset.why) return [cell.dataset.short, cell.dataset.why];
    if (order.length >= limit) return ["", `the limit of ${limit} files is reached`];
    if (total() + bytesOf(cell) > maxBytes) return ["size limit reached", "the message would be too large with this file"];
    return null;
  }

  /** What is in the message, for an app: cells by their number in the tray, and files that were chosen elsewhere. */
  function selection() {
    return {
      count: order.length,
      files: order.map((chosen) => ({ cell: cells.indexOf(chosen), name: fileOf(chosen), bytes: bytesOf(chosen) })),
    };
  }

  const announce = (name) => document.dispatchEvent(new CustomEvent(`mediatool:${name}`, { detail: selection() }));

  function change() {
    draw();
    announce("selection");
  }

  function draw() {
    for (const [index, cell] of cells.entries()) {
      const number = order.indexOf(cell) + 1;
      const why = number ? null : reason(cell);
      cell.classList.toggle("selected", number > 0);
      cell.classList.toggle("disabled", why !== null);
      cell.setAttribute("aria-selected", String(number > 0));
      cell.setAttribute("aria-disabled", String(why !== null));
      cell.querySelector(".check").textContent = number ? String(number) : "";
      cell.querySelector(".why").textContent = why ? why[0] : "";
      cell.setAttribute("aria-label",
        names[index] + (number ? `, selected as number ${number}` : "") + (why ? `, ${why[1]}` : ""));
    }
    const left = Number.isFinite(limit) ? `, ${Math.max(0, limit - order.length)} more can be added` : "";
    remaining.textContent = `${order.length} selected${left}`;
    draft.replaceChildren(...order.map(tile));
    message.hidden = order.length === 0;
  }

  function named(tag, className, text = "") {
    const element = document.createElement(tag);
    element.className = className;
    element.textContent = text;
    return element;
  }

  function tile(chosen) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.title = fileOf(chosen);
    button.setAttribute("aria-label", `Remove ${fileOf(chosen)}`);
    const picture = isCell(chosen) ? chosen.querySelector("img, .icon").cloneNode(true) : named("span", "file", fileOf(chosen));
    button.append(picture, named("span", "x"));
    button.addEventListener("click", () => {
      const place = Array.from(draft.children).indexOf(item);
      toggle(chosen);
      const buttons = draft.querySelectorAll("button");
      if (buttons.length) buttons[Math.min(place, buttons.length - 1)].focus();
      else focus(isCell(chosen) ? cells.indexOf(chosen) : 0);
    });
    item.append(button);
    return item;
  }

  function toggle(chosen) {
    if (order.includes(chosen)) {
      order = order.filter((other) => other !== chosen);
      say("");
    } else {
      const why = reason(chosen);
      if (why) return say(why[1]);
      order.push(chosen);
      say(order.length === limit ? `The limit of ${limit} files is reached` : "");
    }
    change();
  }

  function focus(index) {
    const target = cells[Math.min(Math.max(index, 0), cells.length - 1)];
    for (const cell of cells) cell.tabIndex = cell === target ? 0 : -1;
    target.focus();
  }

  // Where the keys up and down began: rows may be of different lengths, and up leads back to where down came from.
  let goal = null;

  /** The cell above or below one, as they are laid out now: months begin rows of their own. */
  function vertical(index, isDown) {
    const here = cells[index];
    const there = cells.filter((cell) => isDown ? cell.offsetTop > here.offsetTop : cell.offsetTop < here.offsetTop);
    if (there.length === 0) return index;
    const top = (isDown ? there[0] : there[there.length - 1]).offsetTop;
    const row = there.filter((cell) => cell.offsetTop === top);
    goal ??= here.offsetLeft;
    const distance = (cell) => Math.abs(cell.offsetLeft - goal);
    return cells.indexOf(row.reduce((best, cell) => distance(cell) < distance(best) ? cell : best));
  }

  grid.addEventListener("keydown", (event) => {
    const index = cells.indexOf(document.activeElement);
    if (index < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = { ArrowRight: 1, ArrowLeft: -1 };
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") goal = null;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") focus(vertical(index, event.key === "ArrowDown"));
    else if (event.key in steps) focus(cells[index + steps[event.key]] ? index + steps[event.key] : index);
    else if (event.key === "Home") focus(0);
    else if (event.key === "End") focus(cells.length - 1);
    else if (event.key === " " || event.key === "Enter") toggle(cells[index]);
    else return;
    event.preventDefault();
  });
  grid.addEventListener("click", (event) => {
    const cell = event.target.closest(".cell:not(.empty)");
    if (!cell) return;
    goal = null;
    focus(cells.indexOf(cell));
    toggle(cell);
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") say(""); });
  document.getElementById("clear").addEventListener("click", () => {
    order = [];
    say("");
    change();
    focus(0);
  });
  // An app that shows the page takes the selection with these: without one, nothing could be sent.
  const send = document.getElementById("send");
  document.addEventListener("mediatool:connect", () => { send.hidden = false; });
  send.addEventListener("click", () => announce("send"));

  document.documentElement.classList.add("js");
  grid.setAttribute("role", "listbox");
  grid.setAttribute("aria-multiselectable", "true");
  for (const cell of cells) {
    cell.setAttribute("role", "option");
    cell.tabIndex = -1;
  }
  cells[0].tabIndex = 0;
  draw();
  // What the command was asked to choose and the rules refuse.
  if (toast.textContent) say(toast.textContent);
})();
