import { Button } from 'antd';
import type { StateKind } from '../../../engine/codes.ts';
import { kindNames } from '../../words.ts';
import { addable } from '../kinds.ts';

export const dragType = 'application/x-workflow-state';

/** The states that can be added: dragged to a position, or added below by a click or Enter. */
export function Palette({ onAdd, hasStart }: { onAdd: (kind: StateKind) => void; hasStart: boolean }) {
  return (
    <div className="designer-palette" role="toolbar" aria-label="添加环节" aria-orientation="vertical">
      {addable
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
