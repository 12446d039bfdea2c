// Signed URLs expire, also under a page that stays open over night.

const asked = new Map();

/**
 * Whether a signed URL has expired; others never do. It is asked once a minute for what is shown, by a name: where the clocks of browser and service differ,
 * a new address may look expired, too.
 */
export function isExpired(address, name) {
  const expires = new URL(address, location.href).searchParams.get('e');
  if (expires === null || Number(expires) * 1000 >= Date.now()) return false;
  if (asked.get(name) > Date.now() - 60_000) return false;
  asked.set(name, Date.now());
  return true;
}
