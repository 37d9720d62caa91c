import { Select } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { lookups } from '#modules/people/contract/lookups.ts';
import { keyOf, type Party } from '../contract/shapes.ts';

interface Node {
  id: number;
  name: string;
  children?: Node[];
}
const flat = (nodes: readonly Node[]): Node[] => nodes.flatMap((node) => [node, ...flat(node.children ?? [])]);

/** Takes addressees: departments of the house from the list, others by their name. */
export function PartiesInput({ control }: { control: FieldControl }) {
  const { data = [] } = useCall(lookups.simpleDepts, {});
  const value = (control.value as Party[] | undefined) ?? [];
  const known = new Map<string, Party>([
    ...flat(data as Node[]).map((one) => [`dept:${one.id}`, { type: 'dept', id: one.id, name: one.name }] as const),
    ...value.map((party) => [keyOf(party), party] as const),
  ]);
  return (
    <Select
      id={control.id}
      mode="tags"
      className="kit-wide"
      disabled={control.disabled ?? false}
      aria-invalid={control['aria-invalid']}
      aria-describedby={control['aria-describedby']}
      placeholder="选择部门，或输入外单位名称后回车"
      showSearch={{ optionFilterProp: 'label' }}
      options={[...known].map(([key, party]) => ({ value: key, label: party.name }))}
      value={value.map(keyOf)}
      onChange={(keys: string[]) =>
        control.onChange?.(keys.map((key): Party => known.get(key) ?? { type: 'org', name: key }))
      }
    />
  );
}
