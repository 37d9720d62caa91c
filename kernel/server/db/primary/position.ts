/** Parses a position in the primary's log, `16/B374D848`, as a number. */
function placeOf(position: string): bigint {
  const [high = '0', low = '0'] = position.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
/**
 * Returns the end of the last record before a position: a page or segment that was only begun holds no record, and the next record would start after
 * its header.
 */
function endBefore(place: bigint): bigint {
  const isHead = place % pageBytes === pageHead || place % segmentBytes === segmentHead;
  return isHead ? place - (place % pageBytes) : place;
}
const [pageBytes, pageHead, segmentBytes, segmentHead] = [8192n, 24n, 16_777_216n, 40n];

/** True if a server that has reached `come` has everything written up to a position. */
export const reaches = (come: string | null, position: string | null): boolean =>
  come !== null && position !== null && placeOf(come) >= endBefore(placeOf(position));
