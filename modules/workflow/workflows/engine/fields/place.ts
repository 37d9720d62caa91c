/** Most letters of a place, with where somebody is. */
export const placeLength = 200;

interface Position {
  latitude: number;
  longitude: number;
}
const found = /（(?:北|南)纬 [\d.]+°，(?:东|西)经 [\d.]+°）$/;

/** The words of a place alone. */
export const withoutPosition = (place: string): string => place.replace(found, '');

/** The words of a place with where somebody is, to about a metre; in place of where they were before. */
export function withPosition(place: string, { latitude, longitude }: Position): string {
  const north = `${latitude < 0 ? '南' : '北'}纬 ${Math.abs(latitude).toFixed(5)}°`;
  const east = `${longitude < 0 ? '西' : '东'}经 ${Math.abs(longitude).toFixed(5)}°`;
  return `${withoutPosition(place)}（${north}，${east}）`;
}
