import { Button, Select } from 'antd';
import type { StateKind } from '../../../engine/codes.ts';
import { addable } from '../kinds.ts';
import { marksOf } from '../state/problems.ts';
import type { Names } from '../../names.ts';
import { nodeText } from '../../node-text.ts';
import { kindNames } from '../../words.ts';
import type { Selection } from '../state/selection.ts';
import type { Designer } from '../state/useDesigner.ts';

interface Props {
  designer: Designer;
  names: Names;
  onSelect: (selection: Selection) => void;
  onAdd: (kind: StateKind) => void;
}

/** The workflow as a list: each state with its buttons, for people who do not use the drawing. */
export function PartList({ designer, names, onSelect, onAdd }: Props) {
  const { draft, problems } = designer;
  const marks = marksOf(draft, problems);
  const nameOf = (id: number) => draft.states.find((state) => state.id === id)?.name ?? '已删除的环节';
  return (
    <div className="kit-stack">
      <ul className="designer-parts">
        {[...draft.states]
          .sort((a, b) => a.order - b.order)
          .map((state) => (
            <li key={state.id} className="kit-panel">
              <button
                type="button"
                className="kit-link designer-part"
                onClick={() => onSelect({ kind: 'state', id: state.id })}
              >
                {state.name}
              </button>
              <span className="kit-muted">
                {[kindNames[state.kind], nodeText(state, draft, names)].filter(Boolean).join(' · ')}
              </span>
              {(marks.get(state.id) ?? []).map((problem) => (
                <span key={problem} className="designer-wrong">
                  {problem}
                </span>
              ))}
              <ul className="designer-plain">
                {draft.transitions
                  .filter((one) => one.source === state.id)
                  .map((one) => (
                    <li key={one.id}>
                      <button
                        type="button"
                        className="kit-link"
                        onClick={() => onSelect({ kind: 'transition', id: one.id, branch: null })}
                      >
                        {one.name} → {nameOf(one.destination)}
                        {one.conditions.length > 0 && `（另有 ${one.conditions.length} 个条件分支）`}
                      </button>
                    </li>
                  ))}
              </ul>
            </li>
          ))}
      </ul>
      <div className="kit-row">
        <Select
          className="designer-half"
          aria-label="添加环节"
          placeholder="添加环节…"
          value={null}
          options={addable
            .filter(([kind]) => kind !== 'start' || !draft.states.some((state) => state.kind === 'start'))
            .map(([kind]) => ({ value: kind, label: kindNames[kind] }))}
          onChange={(kind: StateKind | null) => kind && onAdd(kind)}
        />
        <Button type="text" disabled={!designer.canUndo} onClick={designer.undo}>
          撤销
        </Button>
      </div>
    </div>
  );
}
