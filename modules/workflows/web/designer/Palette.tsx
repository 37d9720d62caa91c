import { Button } from 'antd';
import type { StateKind } from '../../engine/codes.ts';
import { kindNames } from '../words.ts';

export const dragType = 'application/x-workflow-state';
const kinds: readonly [StateKind, string][] = [
  ['start', '发起人填写表单'],
  ['approve', '同意或拒绝'],
  ['handle', '办理后继续'],
  ['cc', '告知，不停留'],
  ['condition', '自动按条件走'],
  ['parallel_split', '同时走所有出口'],
  ['inclusive', '走所有满足条件的出口'],
  ['join', '等各条分支都到齐'],
  ['end', '流程结束'],
];

/** What can be put into the workflow: dragged to a place, or added below by a click or Enter. */
export function Palette({ onAdd, hasStart }: { onAdd: (kind: StateKind) => void; hasStart: boolean }) {
  return (
    <div className="designer-palette" role="toolbar" aria-label="添加环节" aria-orientation="vertical">
      {kinds
        .filter(([kind]) => kind !== 'start' || !hasStart)
        .map(([kind, hint]) => (
          <Button
            key={kind}
            block
            draggable
            title={`${hint}；拖到画布上，或点击添加`}
            onDragStart={(event) => {
              event.dataTransfer.setData(dragType, kind);
              event.dataTransfer.effectAllowed = 'copy';
            }}
            onClick={() => onAdd(kind)}
          >
            {kindNames[kind]}
          </Button>
        ))}
    </div>
  );
}
