/** The most letters of a place including the position. */
export const placeLength = 200;

interface Position {
  latitude: number;
  longitude: number;
}
const found = /（(?:北|南)纬 [\d.]+°，(?:东|西)经 [\d.]+°）$/;

/** A place without the position. */
export const withoutPosition = (place: string): string => place.replace(found, '');

/** A place with a position accurate to about a metre, replacing an earlier one. */
export function withPosition(place: string, { latitude, longitude }: Position): string {
  const north = `${latitude < 0 ? '南' : '北'}纬 ${Math.abs(latitude).toFixed(5)}°`;
  const east = `${longitude < 0 ? '西' : '东'}经 ${Math.abs(longitude).toFixed(5)}°`;
  return `${withoutPosition(place)}（${north}，${east}）`;
}
