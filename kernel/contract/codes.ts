/** The colour of a tag; the tag's text carries the same meaning. */
export type Tone = 'default' | 'processing' | 'success' | 'warning' | 'error';
type Entries = Readonly<Record<string, readonly [code: number, label: string, tone?: Tone]>>;
type CodesIn<E extends Entries> = E[keyof E][0];

interface Readings<E extends Entries> {
  /** The label of each code. */
  readonly names: { readonly [K in keyof E as E[K][0]]: E[K][1] };
  readonly tones: Readonly<Record<number, Tone>>;
  /** Returns the label of a code; '' for a code that does not exist. */
  label(code: number | null | undefined): string;
  /** True if the code is one of those given. */
  is<const C extends CodesIn<E>>(code: number | null | undefined, ...among: readonly C[]): code is C;
}
export type CodeSet<E extends Entries> = { readonly [K in keyof E]: E[K][0] } & Readings<E>;
/** One code of a set. */
export type CodeOf<S extends { readonly names: object }> = keyof S['names'] & number;

/**
 * Declares the numeric codes of a field once: `codeSet({ draft: [0, '草稿'] })`. Code compares them by name (`.draft`); the set names them for forms
 * (`choice(title, set.names)`, `codesOf(set.names)`), lists, sheets and the log. `inSql` writes a code into SQL text. This file imports nothing, so
 * that threads can use codes without loading a contract.
 */
export function codeSet<const E extends Entries>(
  entries: E & { readonly [K in keyof Readings<E>]?: never },
): CodeSet<E> {
  const all: [string, Entries[string]][] = Object.entries(entries);
  const names = Object.fromEntries(all.map(([, [code, label]]) => [code, label])) as Record<number, string>;
  return Object.freeze({
    ...Object.fromEntries(all.map(([name, [code]]) => [name, code])),
    names,
    tones: Object.fromEntries(all.flatMap(([, [code, , tone]]) => (tone ? [[code, tone]] : []))),
    label: (code: number | null | undefined) => names[code ?? -1] ?? '',
    is: (code: number | null | undefined, ...among: readonly number[]) => among.includes(code ?? Number.NaN),
  }) as CodeSet<E>;
}
