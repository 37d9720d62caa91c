/** Hides the middle of every mobile number in a text, also one with its country or in groups: `138****0000`. For sheets and logs. */
export function maskPhones(text: string): string {
  return text.replace(/(?<!\d)((?:00)?86[- ]?)?(1[3-9]\d)[- ]?\d{4}[- ]?(\d{4})(?!\d)/g, '$1$2****$3');
}
