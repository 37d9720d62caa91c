import { Select } from 'antd';
import type { Calls } from '#kernel/contract/call.ts';
import { FormDrawer } from '../form/FormDrawer.tsx';
import { TreePicker } from '../form/TreePicker.tsx';
import { neighbours, type Node } from './moving.ts';
import { pickable } from './nodes.ts';

interface Props {
  call: Calls[string];
  noun: string;
  nodes: readonly Node[];
  node: Node;
  onClose: () => void;
}

/** Moves a node without dragging: by keyboard, and on a phone. */
export function MoveDrawer({ call, noun, nodes, node, onClose }: Props) {
  return (
    <FormDrawer
      open
      onClose={onClose}
      onDone={() => undefined}
      title={`移动${noun}“${node.name}”`}
      name={`${call.path}:${node.id}`}
      call={call}
      params={{ id: node.id }}
      initial={{ parent: node.parent || null }}
      also={{ version: node.version }}
      submit="移动"
      fields={[
        {
          name: 'parent',
          label: `上级${noun}`,
          render: (control) => (
            <TreePicker {...(control as object)} nodes={pickable(nodes, node.id)} placeholder="不选则为一级" />
          ),
        },
        {
          name: 'before',
          label: '位置',
          render: ({ id, value, onChange }, values) => (
            <Select
              id={id}
              className="kit-wide"
              allowClear
              placeholder="放在最后"
              value={value as number | undefined}
              onChange={(next?: number) => onChange?.(next ?? null)}
              options={neighbours(nodes, Number(values['parent'] ?? 0))
                .filter((one) => one.id !== node.id)
                .map((one) => ({ value: one.id, label: `在“${one.name}”之前` }))}
            />
          ),
        },
      ]}
    />
  );
}
