import { TreeSelect } from 'antd';
import { useState } from 'react';

export interface TreeNode {
  id: number;
  name: string;
  disabled?: boolean;
  children: TreeNode[];
}

/** The props that a form passes to a picker of one node, or of several. */
export type TreeControl = {
  id?: string | undefined;
  disabled?: boolean | undefined;
  placeholder?: string;
  'aria-invalid'?: 'true' | undefined;
  'aria-describedby'?: string | undefined;
} & (
  | {
      multiple?: false;
      value?: number | null | undefined;
      onChange?: ((value: number | null) => void) | undefined;
    }
  | { multiple: true; value?: readonly number[] | undefined; onChange?: ((value: number[]) => void) | undefined }
);
export type TreePickerProps = TreeControl & {
  nodes: readonly TreeNode[];
  /** The accessible name, if no form names the field. */
  label?: string | undefined;
  /** While the nodes are being read. */
  loading?: boolean;
};

/** A larger tree is not expanded completely. */
const fewNodes = 50;
const idsOf = (nodes: readonly TreeNode[]): number[] => nodes.flatMap(({ id, children }) => [id, ...idsOf(children)]);

/** Picks one or several nodes of a tree, null for none; searches by name and expands the matches. */
export function TreePicker({ nodes, label, multiple, value, onChange, ...control }: TreePickerProps) {
  const [searched, setSearched] = useState('');
  const [opened, setOpened] = useState<number[]>();
  const ids = idsOf(nodes);
  const standing = opened ?? (ids.length <= fewNodes ? ids : []);
  return (
    <TreeSelect
      {...control}
      className="kit-wide"
      allowClear
      multiple={multiple ?? false}
      aria-label={label}
      // Our own keys, because the tree by itself stays collapsed if it arrives after the words.
      treeExpandedKeys={searched ? ids : standing}
      onTreeExpand={(keys) => setOpened(keys as number[])}
      showSearch={{ treeNodeFilterProp: 'name', onSearch: setSearched }}
      fieldNames={{ label: 'name', value: 'id', children: 'children' }}
      treeData={[...nodes]}
      value={multiple ? [...(value ?? [])] : value || undefined}
      onChange={(next: unknown) =>
        (onChange as ((value: unknown) => void) | undefined)?.(multiple ? next : (next ?? null))
      }
    />
  );
}
