import { codes, refusal } from '#kernel/contract/refusal.ts';

/** The maximum nesting of a body: the code that reads and keeps it is recursive. */
export const deepest = 64;

export const tooDeep = refusal(codes.invalid, () => `提交的内容嵌套过深，最多 ${deepest} 层`);

/** True if a JSON text is nested too deep, judged by its brackets alone. */
export function isTooDeep(json: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < json.length; at++) {
    const sign = json[at];
    if (quoted) {
      if (sign === '\\') at++;
      else if (sign === '"') quoted = false;
    } else if (sign === '"') quoted = true;
    else if (sign === '[' || sign === '{') {
      if (++depth > deepest) return true;
    } else if (sign === ']' || sign === '}') depth--;
  }
  return false;
}
