/** Hides the middle of every mobile number in a text, also one with a country code or in groups: `138****0000`. For sheets and logs. */
export function maskPhones(text: string): string {
  return text.replace(/(?<!\d)((?:00)?86[- ]?)?(1[3-9]\d)[- ]?\d{4}[- ]?(\d{4})(?!\d)/g, '$1$2****$3');
}

const ofThings = /(?:编号|单号|文号|字号|学号|工号|档号|案号|凭证号|发票号|流水号|序列号|代码)$/;
/** Masks a value that has a title: eleven digits in the number of a thing are no telephone number; an account often is one. */
export const maskIn = (title: string, text: string): string => (ofThings.test(title) ? text : maskPhones(text));
