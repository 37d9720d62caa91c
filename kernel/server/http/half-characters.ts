interface Place {
  value: object;
  key: PropertyKey;
  up: Place | null;
}

/**
 * Finds half a character (a lone surrogate, which JSON can write and no text can hold) in a value or a name; null if there is none. It does not
 * recurse, because what was sent may be nested to any depth.
 */
export function halfCharacterIn(sent: unknown): PropertyKey[] | null {
  if (typeof sent === 'string') return sent.isWellFormed() ? null : [];
  const open: Place[] = isNested(sent) ? [{ value: sent, key: '', up: null }] : [];
  for (let at = open.pop(); at; at = open.pop()) {
    for (const [key, value] of Object.entries(at.value)) {
      if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())) return pathTo(at, key);
      if (isNested(value)) open.push({ value, key, up: at });
    }
  }
  return null;
}

/** Bytes and dates hold no text. */
function isNested(value: unknown): value is object {
  return Array.isArray(value) || (typeof value === 'object' && value !== null && !isOther(value));
}
const isOther = (value: object) => ArrayBuffer.isView(value) || value instanceof Date;

function pathTo(at: Place, last: string): PropertyKey[] {
  const path: PropertyKey[] = [];
  let key = stepOf(at.value, last);
  for (let place: Place | null = at; place; place = place.up) {
    path.unshift(key);
    if (place.up) key = stepOf(place.up.value, String(place.key));
  }
  return path;
}
const stepOf = (inside: object, key: string) => (Array.isArray(inside) ? Number(key) : key.toWellFormed());
