import { Cascader } from 'antd';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { pathWords, type ChoiceNode } from '../../../engine/fields/choice-tree.ts';

interface Props {
  control: FieldControl;
  nodes: readonly ChoiceNode[];
  label: string;
  placeholder?: string;
  /** Any level may be chosen, not only the last. */
  anywhere?: boolean;
}

/** Chooses level by level, or by typing part of a name; its value is the path from the top. */
export function PathInput({ control, nodes, label, placeholder, anywhere = false }: Props) {
  const { value, onChange, ...rest } = control;
  return (
    <Cascader
      {...rest}
      className="kit-wide"
      classNames={{ popup: { root: 'path-popup' } }}
      aria-label={control.id ? undefined : label}
      placeholder={placeholder || `请选择${label}`}
      allowClear
      changeOnSelect={anywhere}
      displayRender={pathWords}
      options={[...nodes]}
      showSearch={{ filter: (typed, path) => path.some((node) => String(node.label).includes(typed)), limit: 50 }}
      value={Array.isArray(value) ? (value as string[]) : []}
      onChange={(path) => onChange?.(path && path.length > 0 ? path : null)}
    />
  );
}
