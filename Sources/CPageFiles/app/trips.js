// The trips of the person: a list beside the map, and one of them with its path and its moments.

import {button, make, notify, plural, reconcile, say, ui} from './dom.js';
import {cellOf, fit, isListed, showList, showRoute} from './map.js';
import {client} from './token.js';

const {members, more, 'more-trips': moreTrips, summary, 'trip-list': list, trips} = ui;
const days = new Intl.DateTimeFormat(undefined, {dateStyle: 'medium'});
let all = [];

/** `3 – 9 May 2024` */
const period = ({started, ended}) => ended ? days.formatRange(started * 1000, ended * 1000) : `Since ${days.format(started * 1000)}`;
const after = cursor => cursor ? `&after=${encodeURIComponent(cursor)}` : '';

async function read(cursor) {
  const page = await client.json('GET', `/v1/trips?limit=50${after(cursor)}`);
  all = [...all, ...page.trips];
  reconcile(list, all, ({id}) => id, () => make('li', {}, button()), (item, trip) => {
    item.firstChild.replaceChildren(make('b', {dir: 'auto'}, trip.title), make('small', {}, `${plural(trip.moments, 'moment')} · ${period(trip)}`));
    item.firstChild.onclick = () => open(trip);
  });
  trips.hidden = !all.length || !members.hidden;
  moreTrips.hidden = !page.next;
  moreTrips.onclick = () => read(page.next).catch(error => notify(error.message));
}

/** Shows the path of a trip on the map, and its moments in their order. */
async function open(trip) {
  const key = `trip ${trip.id}`;
  showList(true, trip.title, key);
  members.replaceChildren();
  summary.textContent = `${plural(trip.moments, 'moment')} · ${period(trip)}`;
  try {
    await Promise.all([showPath(trip.id, key), showMoments(trip.id, key)]);
  } catch (error) {
    notify(error.message);
  }
}

async function showPath(id, key) {
  const {features} = await client.json('GET', `/v1/trips/${id}/path`);
  if (!isListed(key)) return;
  const route = {sections: [], gaps: []};
  for (const {geometry: {type, coordinates}, properties: {gap}} of features) {
    const lines = type === 'MultiLineString' ? coordinates : type === 'LineString' ? [coordinates] : [[coordinates]];
    route[gap ? 'gaps' : 'sections'].push(...lines);
  }
  const points = route.sections.flat();
  if (points.length) {
    const [longitudes, latitudes] = [0, 1].map(part => points.map(point => point[part]));
    fit({south: Math.min(...latitudes), west: Math.min(...longitudes), north: Math.max(...latitudes), east: Math.max(...longitudes)});
  }
  showRoute(route);
}

async function showMoments(id, key, cursor) {
  const page = await client.json('GET', `/v1/trips/${id}/moments?limit=100${after(cursor)}`);
  const files = new Map((await client.attachments(page.moments.map(moment => moment.attachment).filter(Boolean))).map(file => [file.id, file]));
  if (!isListed(key)) return;
  const shown = page.moments.filter(({attachment}) => files.has(attachment));
  const items = shown.map(({attachment, caption}) => {
    const file = files.get(attachment);
    return {...file.info, file, filename: file.name, altText: caption};
  });
  members.append(...page.moments.map(moment => {
    const index = shown.indexOf(moment);
    const {caption, placeholder, time, title, urls} = moment;
    return index < 0 ? make('p', {className: 'moment', dir: 'auto'}, [title, caption].filter(Boolean).join('\n') || 'Removed')
      : cellOf(items, index, {thumbnail: urls?.grid ?? files.get(moment.attachment).urls.grid, placeholder, title, time: time * 1000});
  }));
  more.hidden = !page.next;
  more.onclick = () => showMoments(id, key, page.next).catch(error => notify(error.message));
  say(`${plural(page.moments.length, 'moment')} shown`);
}

read().catch(() => {});
