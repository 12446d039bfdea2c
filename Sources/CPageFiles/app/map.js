// The map: clusters of photos on coastlines, and the same places as a list.

import {ARROWS, button, clamp, duration, make, notify, onKeys, plural, reconcile, say, ui} from './dom.js';
import {watchGestures} from './gestures.js';
import {client} from './token.js';
import {openViewer} from './viewer.js';

const {back, land, map, members, more, places, summary, title} = ui;
const MAX_ZOOM = 18;
let [x, y, zoom] = [0.5, 0.42, 1];
let asking;
/** Ends the question for the places that is under way. */
let placing = new AbortController();
/** The cluster whose members are listed. */
let listed;

// MARK: Projection (Web Mercator: the world is a square from 0 to 1)

const fromDegrees = (latitude, longitude) => {
  const sine = Math.sin(clamp(-85.05, latitude, 85.05) * Math.PI / 180);
  return [longitude / 360 + 0.5, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)];
};
const toDegrees = (across, down) => [360 / Math.PI * Math.atan(Math.exp((0.5 - down) * 2 * Math.PI)) - 90, (across - 0.5) * 360];
const size = () => 256 * 2 ** zoom;
const onScreen = ({latitude, longitude}) => {
  const [across, down] = fromDegrees(latitude, longitude);
  return [map.clientWidth / 2 + (across - x) * size(), map.clientHeight / 2 + (down - y) * size()];
};

/** `47.0° N, 8.3° E` */
const spoken = ({latitude, longitude}) => `${Math.abs(latitude).toFixed(1)}° ${latitude < 0 ? 'S' : 'N'}, `
  + `${Math.abs(longitude).toFixed(1)}° ${longitude < 0 ? 'W' : 'E'}`;

// MARK: Drawing

let clusters = [];
let trip = [];
/** The path of a trip: lines of `[longitude, latitude]`, those between two sections apart. */
let route = {sections: [], gaps: []};

/** Lines as an SVG path; one of a single point is a dot. */
const pathOf = lines => lines.map(line => `M${line.map(([longitude, latitude]) => onScreen({latitude, longitude}).map(Math.round).join(' ')).join('L')}${
  line.length > 1 ? '' : 'h.01'}`).join('');

/** Shows the path of a trip. */
export function showRoute(value) {
  route = value;
  draw();
}

function draw() {
  x = clamp(0, x, 1);
  y = clamp(0.15, y, 0.8);
  const scale = size() / 1000;
  land.setAttribute('transform', `translate(${map.clientWidth / 2 - x * size()} ${map.clientHeight / 2 - y * size()}) scale(${scale})`);
  ui.trip.setAttribute('points', trip.map(member => onScreen(member).join()).join(' '));
  for (const name of ['sections', 'gaps']) ui[name].setAttribute('d', pathOf(route[name]));
  [...ui.clusters.children].forEach((element, index) => {
    const [left, top] = onScreen(clusters[index].anchor);
    element.style.transform = `translate(${left}px, ${top}px) translate(-50%, -50%)`;
  });
}

function move(dx, dy, factor = 0) {
  zoom = clamp(0.5, zoom + factor, MAX_ZOOM);
  [x, y] = [x + dx / size(), y + dy / size()];
  draw();
  clearTimeout(asking);
  asking = setTimeout(load, 200);
}

async function load() {
  const corner = sign => toDegrees(x + sign * map.clientWidth / 2 / size(), y + sign * map.clientHeight / 2 / size());
  const [[north, west], [south, east]] = [corner(-1), corner(1)];
  const bounds = [Math.max(-90, south), Math.max(-180, west), Math.min(90, north), Math.min(180, east)];
  // An earlier answer must not replace a later one.
  placing.abort();
  placing = new AbortController();
  const {signal} = placing;
  try {
    ({clusters} = await client.locations(bounds, Math.round(Math.max(0, zoom)), signal));
  } catch (error) {
    return signal.aborted ? undefined : notify(error.message, 'Try again', load);
  }
  reconcile(ui.clusters, clusters, cluster => cluster.id, () => button('', undefined, {className: 'cluster', tabIndex: -1}),
    (element, cluster) => {
      element.ariaLabel = `${plural(cluster.count, 'photo')} near ${spoken(cluster.centre)}`;
      element.onclick = () => open(cluster);
      element.style.setProperty('--size', `${36 + Math.min(36, 20 * Math.log10(cluster.count + 1))}px`);
      element.replaceChildren(cluster.thumbnail ? make('img', {src: cluster.thumbnail, alt: ''}) : String(cluster.count));
    });
  draw();
  if (!members.hidden) return undefined;
  const count = clusters.reduce((sum, cluster) => sum + cluster.count, 0);
  summary.textContent = count ? plural(count, 'photo') : 'No photos in this part of the map';
  reconcile(places, [...clusters].sort((one, two) => two.count - one.count), cluster => cluster.id,
    () => make('li', {}, button()), (item, cluster) => {
      item.firstChild.replaceChildren(make('b', {}, plural(cluster.count, 'photo')), make('small', {}, spoken(cluster.centre)));
      item.firstChild.onclick = () => open(cluster);
    });
  return undefined;
}

// MARK: Members

/** Zooms to a cluster and lists what it has; a path joins its members in the order of time. */
async function open(cluster) {
  const before = zoom;
  fit(cluster.bounds);
  zoom = Math.max(before, zoom);
  members.replaceChildren();
  summary.textContent = plural(cluster.count, 'photo');
  showList(true, spoken(cluster.centre));
  await showMembers(cluster.id);
}

/** Moves the map to bounds in degrees. */
export function fit({south, west, north, east}) {
  const [one, two] = [fromDegrees(north, west), fromDegrees(south, east)];
  const span = Math.max((two[0] - one[0]) / map.clientWidth, (two[1] - one[1]) / map.clientHeight, 1e-9);
  [x, y] = [(one[0] + two[0]) / 2, (one[1] + two[1]) / 2];
  zoom = Math.min(12, Math.log2(1 / span / 256) - 0.5);
}

/** Whether the members of a cluster or a trip are still those that are listed, by its id. */
export const isListed = id => listed === id;

/** Shows the members of a cluster or a trip, by its id, or all places. */
export function showList(isOfMembers, name, id) {
  listed = id;
  trip = [];
  route = {sections: [], gaps: []};
  places.hidden = ui.trips.hidden = isOfMembers;
  ui.trips.hidden ||= !ui['trip-list'].children.length;
  members.hidden = back.hidden = !isOfMembers;
  more.hidden = true;
  title.textContent = name;
  title.focus();
  move(0, 0);
}
back.onclick = () => showList(false, 'Locations');

/** A cell that opens the viewer. */
export function cellOf(items, index, {thumbnail, placeholder, title: name, time}) {
  const {filename, duration: length} = items[index];
  const label = [name ?? filename ?? 'Photo', time && new Date(time).toLocaleString()].filter(Boolean).join(', ');
  return button([thumbnail && make('img', {src: thumbnail, alt: '', loading: 'lazy'}), length && make('span', {className: 'length'}, duration(length))],
    () => openViewer(items, index), {className: 'cell', style: {backgroundColor: placeholder?.color}, title: label, ariaLabel: label});
}

async function showMembers(cluster, after) {
  listed = cluster;
  let page, files;
  try {
    page = await client.members(cluster, after);
    files = new Map((await client.attachments(page.members.map(member => member.id))).map(file => [file.id, file]));
  } catch (error) {
    return notify(error.message);
  }
  if (!isListed(cluster)) return undefined;
  trip = [...trip, ...page.members].sort((first, second) => (first.time ?? '').localeCompare(second.time ?? ''));
  draw();
  const items = page.members.map(({id}) => ({...files.get(id)?.info, file: files.get(id), filename: files.get(id)?.name}));
  page.members.forEach((member, index) => {
    members.append(cellOf(items, index, member));
  });
  more.hidden = !page.next;
  more.onclick = () => showMembers(cluster, page.next);
  return say(`${plural(page.members.length, 'photo')} shown`);
}

// MARK: Moving

ui.in.onclick = () => move(0, 0, 1);
ui.out.onclick = () => move(0, 0, -1);
onKeys(map, {...ARROWS, '+': [0, 0, 1], '-': [0, 0, -1]}, ([across, down, factor]) => move(80 * across, 80 * down, factor));
map.onwheel = event => {
  event.preventDefault();
  const box = map.getBoundingClientRect();
  const [dx, dy] = [event.clientX - box.x - box.width / 2, event.clientY - box.y - box.height / 2];
  const before = size();
  const old = zoom;
  move(0, 0, -event.deltaY / 400);
  // What is under the pointer stays there.
  if (zoom !== old) move(dx * (size() / before - 1), dy * (size() / before - 1));
};
watchGestures(map, {accepts: event => !event.target.closest('button'), move: (dx, dy) => move(-dx, -dy), zoom: factor => move(0, 0, Math.log2(factor))});
new ResizeObserver(() => move(0, 0)).observe(map);

const coast = await (await fetch('/page/coast.json')).json();
land.firstElementChild.setAttribute('d', coast.map(ring => {
  let [longitude, latitude, path] = [0, 0, ''];
  for (let index = 0; index < ring.length; index += 2) {
    [longitude, latitude] = [longitude + ring[index], latitude + ring[index + 1]];
    const [across, down] = fromDegrees(latitude / 10, longitude / 10);
    path += `${index ? 'L' : 'M'}${(across * 1000).toFixed(2)} ${(down * 1000).toFixed(2)}`;
  }
  return `${path}Z`;
}).join(''));
zoom = Math.max(0.5, Math.log2(map.clientWidth / 256) - 0.1);
move(0, 0);
import('./trips.js');
