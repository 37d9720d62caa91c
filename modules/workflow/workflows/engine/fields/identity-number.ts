const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const checks = '10X98765432';

/** True if a number of eighteen places is an identity number: an existing date of birth, and the check digit of the others (GB 11643). */
export function isIdentityNumber(text: string): boolean {
  if (!/^[1-9]\d{16}[\dX]$/.test(text)) return false;
  const born = `${text.slice(6, 10)}-${text.slice(10, 12)}-${text.slice(12, 14)}`;
  const at = new Date(`${born}T00:00:00Z`);
  if (Number.isNaN(at.getTime()) || !at.toISOString().startsWith(born)) return false;
  const sum = weights.reduce((total, weight, place) => total + weight * Number(text[place]), 0);
  return checks[sum % 11] === text[17];
}
