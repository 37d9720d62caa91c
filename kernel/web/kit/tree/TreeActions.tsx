import { Button } from 'antd';
import type { Calls } from '#kernel/contract/call.ts';
import { CallButton, WithCode } from '../press/CallButton.tsx';
import type { Node } from './moving.ts';

interface Props<N extends Node> {
  row: N;
  noun: string;
  remove: Calls[string];
  /** Contents that must be removed first. */
  holds: string;
  onEdit: (row: N) => void;
  onAdd: (parent: number) => void;
  onMove: (row: N) => void;
}

/** The actions on a node of a tree. */
export function TreeActions<N extends Node>({ row, noun, remove, holds, onEdit, onAdd, onMove }: Props<N>) {
  return (
    <div className="kit-row">
      {row.actions.includes('update') && (
        <WithCode code="Update">
          <Button size="small" onClick={() => onEdit(row)}>
            编辑
          </Button>
          <Button size="small" onClick={() => onMove(row)}>
            移动
          </Button>
        </WithCode>
      )}
      <WithCode code="Create">
        <Button size="small" onClick={() => onAdd(row.id)}>
          新增下级
        </Button>
      </WithCode>
      <CallButton
        call={remove}
        asked={{ params: { id: row.id } }}
        allowed={row.actions.includes('delete')}
        danger
        size="small"
        confirm={{ title: `删除${noun}“${row.name}”`, content: holds }}
      >
        删除
      </CallButton>
    </div>
  );
}
