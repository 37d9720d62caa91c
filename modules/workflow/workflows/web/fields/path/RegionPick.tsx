import { pathTo } from '../../../engine/fields/choice-tree.ts';
import { regions } from '../../../engine/fields/regions.ts';
import { PathInput } from './PathInput.tsx';

interface Props {
  label: string;
  /** A code; empty for none. */
  value: string;
  onChange: (code: string | null) => void;
}

/** Chooses one region of any level, to search for what lies in it. */
export default function RegionPick({ label, value, onChange }: Props) {
  const path = value ? (pathTo(regions, value) ?? []) : [];
  const control = {
    value: path.map((node) => node.value),
    onChange: (next: unknown) => onChange((next as string[] | null)?.at(-1) ?? null),
  };
  return <PathInput anywhere control={control} nodes={regions} label={label} placeholder={label} />;
}
