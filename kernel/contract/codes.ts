/** The colour of a tag; its words say the same. */
export type Tone = 'default' | 'processing' | 'success' | 'warning' | 'error';
type Entries = Readonly<Record<string, readonly [code: number, label: string, tone?: Tone]>>;
type CodesIn<E extends Entries> = E[keyof E][0];

interface Readings<E extends Entries> {
  /** What each code is called. */
  readonly names: { readonly [K in keyof E as E[K][0]]: E[K][1] };
  readonly tones: Readonly<Record<number, Tone>>;
  /** What a code is called; nothing where there is none. */
  label(code: number | null | undefined): string;
  /** Whether it is one of these. */
  is<const C extends CodesIn<E>>(code: number | null | undefined, ...among: readonly C[]): code is C;
}
export type CodeSet<E extends Entries> = { readonly [K in keyof E]: E[K][0] } & Readings<E>;
/** One code of a set. */
export type CodeOf<S extends { readonly names: object }> = keyof S['names'] & number;

/**
 * Numbers of the wire, said once: `codeSet({ draft: [0, '草稿'] })` is compared with by name (`.draft`), and names its codes for forms
 * (`choice(title, set.names)`, `codesOf(set.names)`), lists, sheets and the log. In SQL text a code is written by `inSql`. It stands alone:
 * threads that read nothing else of a contract know codes too.
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
  }) as unknown as CodeSet<E>;
}
