/** A place in what the primary wrote, `16/B374D848`, as a number. */
function placeOf(position: string): bigint {
  const [high = '0', low = '0'] = position.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
/** Where the last record before a place ends: a page or a segment that was only begun holds none, and where one would begin is behind its head. */
function endBefore(place: bigint): bigint {
  const isHead = place % pageBytes === pageHead || place % segmentBytes === segmentHead;
  return isHead ? place - (place % pageBytes) : place;
}
const [pageBytes, pageHead, segmentBytes, segmentHead] = [8192n, 24n, 16_777_216n, 40n];

/** Whether a server that has come so far has all that was written up to a position. */
export const reaches = (come: string | null, position: string | null): boolean =>
  come !== null && position !== null && placeOf(come) >= endBefore(placeOf(position));
