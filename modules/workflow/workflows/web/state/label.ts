import type { State } from '../../engine/definition.ts';

/** A label with one value changed; null removes it. */
export function withLabel(label: State['label'], key: string, value: string | null): State['label'] {
  const { [key]: _before, ...rest } = label;
  return value === null ? rest : { ...rest, [key]: value };
}
