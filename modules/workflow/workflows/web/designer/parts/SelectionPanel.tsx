import { CloseOutlined } from '@ant-design/icons';
import { Button, Drawer, Select } from 'antd';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { LinkPanel } from '../../link/LinkPanel.tsx';
import type { Names } from '../../names.ts';
import { StatePanel } from '../../state/StatePanel.tsx';
import {
  addTransition,
  changeState,
  changeTransition,
  copyState,
  removeStates,
  removeTransition,
} from '../state/edits.ts';
import { marksOf } from '../state/problems.ts';
import type { Selection } from '../state/selection.ts';
import type { Designer } from '../state/useDesigner.ts';

export const panelId = 'designer-panel';

interface Props {
  designer: Designer;
  names: Names;
  selection: Selection;
  onSelect: (selection: Selection) => void;
}

/** The selected item, open for editing: beside the canvas, or full screen on a phone. */
export function SelectionPanel(props: Props) {
  const narrow = useNarrow();
  const { selection, onSelect, designer } = props;
  const { draft } = designer;
  const part =
    selection?.kind === 'state'
      ? draft.states.find((state) => state.id === selection.id)
      : draft.transitions.find((one) => one.id === selection?.id);
  if (!selection || !part) return null;
  const title = `${selection.kind === 'state' ? '环节' : '流转'}“${part.name}”`;
  const body = <Body key={`${selection.kind}${selection.id}`} {...props} />;
  if (narrow)
    return (
      <Drawer open size="100%" title={title} onClose={() => onSelect(null)}>
        {body}
      </Drawer>
    );
  return (
    <aside id={panelId} className="designer-panel kit-panel" aria-label={title} tabIndex={-1}>
      <div className="kit-row kit-list-head">
        <h2 className="designer-h">{title}</h2>
        <Button type="text" aria-label="关闭" icon={<CloseOutlined />} onClick={() => onSelect(null)} />
      </div>
      {body}
    </aside>
  );
}

function Body({ designer, names, selection, onSelect }: Props) {
  const { draft, edit, ids, problems } = designer;
  if (selection?.kind === 'state') {
    const { id } = selection;
    const state = draft.states.find((one) => one.id === id);
    if (!state) return null;
    const nameOf = (to: number) => draft.states.find((one) => one.id === to)?.name ?? '已删除的环节';
    return (
      <StatePanel
        state={state}
        definition={draft}
        names={names}
        problems={marksOf(draft, problems).get(id) ?? []}
        exits={draft.transitions
          .filter((one) => one.source === id)
          .map((one) => ({ id: one.id, name: one.name, to: nameOf(one.destination) }))}
        onChange={(part) => edit((now) => changeState(now, id, part), `state:${id}:${Object.keys(part).join()}`)}
        onChangeExit={(exit, part) =>
          edit((now) => changeTransition(now, exit, part), `transition:${exit}:${Object.keys(part).join()}`)
        }
        onOpenExit={(transition) => onSelect({ kind: 'transition', id: transition, branch: null })}
        onCopy={() => {
          edit((now) => copyState(now, id, ids.state));
          onSelect({ kind: 'state', id: ids.state });
        }}
        onRemove={() => {
          edit((now) => removeStates(now, new Set([id])));
          onSelect(null);
        }}
      >
        {state.kind !== 'end' && (
          <Select
            className="kit-wide"
            aria-label="添加流转到"
            placeholder="添加流转到…"
            value={null}
            options={draft.states
              .filter((one) => one.id !== id || one.kind === 'start')
              .map((one) => ({ value: one.id, label: one.id === id ? `${one.name}（保存草稿）` : one.name }))}
            onChange={(to: number | null) => {
              if (to === null) return;
              edit((now) => addTransition(now, ids.transition, id, to));
              onSelect({ kind: 'transition', id: ids.transition, branch: null });
            }}
          />
        )}
      </StatePanel>
    );
  }
  const transition = draft.transitions.find((one) => one.id === selection?.id);
  if (!transition) return null;
  return (
    <LinkPanel
      transition={transition}
      definition={draft}
      names={names}
      problems={problems.filter((one) => one.kind === 'transition' && one.key === transition.key).map((one) => one.msg)}
      onChange={(part) =>
        edit(
          (now) => changeTransition(now, transition.id, part),
          `transition:${transition.id}:${Object.keys(part).join()}`,
        )
      }
      onRemove={() => {
        edit((now) => removeTransition(now, transition.id));
        onSelect(null);
      }}
    />
  );
}
