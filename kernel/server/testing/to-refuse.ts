import { expect } from 'vitest';
import type { RefusalKind } from '#kernel/contract/refusal.ts';

declare module 'vitest' {
  interface Matchers<T> {
    /** The answer is this kind of refusal: with the values given in its sentence, or with any. */
    toRefuse<A extends unknown[]>(kind: RefusalKind<A>, ...values: A | []): T;
  }
}

/** A value that stands in a sentence for whatever may stand there. */
const any = '\u{1}';
const escaped = (text: string) => text.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

expect.extend({
  toRefuse(answer: { code: number; msg: string }, kind: RefusalKind<unknown[]>, ...values: unknown[]) {
    const { code, message } = kind(...(values.length > 0 ? values : Array.from({ length: 9 }, () => any)));
    const sentence = new RegExp(`^${message.split(any).map(escaped).join('.*')}$`, 's');
    return {
      pass: answer.code === code && sentence.test(answer.msg),
      message: () => `expected ${code} ${message.replaceAll(any, '…')}, got ${answer.code} ${answer.msg}`,
    };
  },
});
