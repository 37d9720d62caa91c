// The unified social credit code by GB 32100—2015: 17 characters and one to check them, modulo 31.
const letters = '0123456789ABCDEFGHJKLMNPQRTUWXY';

/** Whether a code of 18 characters ends with the one that the others call for. */
export function hasCheckDigit(code: string): boolean {
  if (!/^[0-9A-HJ-NPQRTUWXY]{2}\d{6}[0-9A-HJ-NPQRTUWXY]{10}$/.test(code)) return false;
  let [sum, weight] = [0, 1];
  for (const letter of code.slice(0, 17)) {
    sum += letters.indexOf(letter) * weight;
    weight = (weight * 3) % 31;
  }
  return letters[(31 - (sum % 31)) % 31] === code[17];
}
