import { expect } from 'vitest';
import type { RefusalKind } from '#kernel/contract/refusal.ts';

/** Values for a refusal's sentence; of an object only those that matter. */
type Values<A extends unknown[]> = {
  [K in keyof A]: A[K] extends readonly unknown[] ? A[K] : A[K] extends object ? Partial<A[K]> : A[K];
};

declare module 'vitest' {
  interface Matchers<T> {
    /** Asserts that the answer is this kind of refusal: with the given values in its sentence, or with any. */
    toRefuse<A extends unknown[]>(kind: RefusalKind<A>, ...values: Values<A> | []): T;
  }
}

/** A placeholder in a sentence for any value. */
const any = '\u{1}';
const escaped = (text: string) => text.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Stands for any value: as text, as any of its fields, as a list of one, or as the result of a function. */
const whatever: unknown = new Proxy(() => any, {
  get(_target, key) {
    if (key === Symbol.toPrimitive || key === 'toString' || key === 'valueOf') return () => any;
    if (key === Symbol.iterator) return () => [whatever][Symbol.iterator]();
    if (key === 'join') return () => any;
    if (key === 'length') return 1;
    return whatever;
  },
  apply: () => whatever,
});
/** The given value; any other field of it is a placeholder. */
const filled = (value: unknown): unknown =>
  isPlain(value)
    ? new Proxy(value, {
        get: (target, key) => (key in target ? filled(Reflect.get(target, key)) : Reflect.get(whatever as object, key)),
      })
    : value;

expect.extend({
  toRefuse(answer: { code: number; msg: string }, kind: RefusalKind<unknown[]>, ...values: unknown[]) {
    const given = values.length > 0 ? values.map(filled) : Array.from({ length: 9 }, () => whatever);
    const { code, message } = kind(...given);
    const sentence = new RegExp(`^${message.split(any).map(escaped).join('.*')}$`, 's');
    return {
      pass: answer.code === code && sentence.test(answer.msg),
      message: () => `expected ${code} ${message.replaceAll(any, '…')}, got ${answer.code} ${answer.msg}`,
    };
  },
});
