import { ReactFlowProvider } from '@xyflow/react';
import { Button } from 'antd';
import { useCallback, useMemo, useState } from 'react';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import type { StateKind } from '../../engine/codes.ts';
import { arrange } from '../graph/route/arrange.ts';
import { linksOf } from '../graph/route/links.ts';
import { graphOfDefinition } from '../graph/of-draft.ts';
import type { Point } from '../graph/route/route.ts';
import WorkflowGraph from '../graph/WorkflowGraph.tsx';
import type { Names } from '../names.ts';
import { Canvas } from './Canvas.tsx';
import { positionsOf } from './state/draft.ts';
import {
  addState,
  addTransition,
  insertState,
  moveStates,
  orderByPlace,
  placeBelow,
  removeBranch,
  removeStates,
  removeTransition,
  type Way,
} from './state/edits.ts';
import { Palette } from './parts/Palette.tsx';
import { PartList } from './parts/PartList.tsx';
import { marksOf } from './state/problems.ts';
import { panelId, SelectionPanel } from './parts/SelectionPanel.tsx';
import type { Selection } from './state/selection.ts';
import type { Designer } from './state/useDesigner.ts';

interface Props {
  designer: Designer;
  names: Names;
  selection: Selection;
  onSelect: (selection: Selection) => void;
}

/** The drawing with its palette and the panel of the selected item; on a phone a read-only drawing and a list to edit. */
export function FlowTab({ designer, names, selection, onSelect }: Props) {
  const narrow = useNarrow();
  const [listed, setListed] = useState(false);
  const { draft, edit, ids, problems } = designer;
  const graph = useMemo(() => graphOfDefinition(draft, names), [draft, names]);
  const at = useMemo(() => positionsOf(draft) ?? new Map<number, Point>(), [draft]);
  const marks = useMemo(() => marksOf(draft, problems), [draft, problems]);
  const add = useCallback(
    (kind: StateKind, place?: Point) => {
      edit((now) => addState(now, ids.state, kind, place ?? placeBelow(now)));
      onSelect({ kind: 'state', id: ids.state });
    },
    [edit, ids.state, onSelect],
  );
  const insert = useCallback(
    (kind: StateKind, into: Way) => {
      edit((now) => insertState(now, { state: ids.state, transition: ids.transition }, into, kind));
      onSelect({ kind: 'state', id: ids.state });
    },
    [edit, ids.state, ids.transition, onSelect],
  );
  const tidy = async () => {
    const places = await arrange(graph.states, linksOf(graph.transitions));
    edit((now) => orderByPlace(moveStates(now, places)));
  };
  const remove = () => {
    if (!selection) return;
    const { id } = selection;
    if (selection.kind === 'state') edit((now) => removeStates(now, new Set([id])));
    else if (selection.branch === null) edit((now) => removeTransition(now, id));
    else edit((now) => removeBranch(now, id, selection.branch ?? 0));
    onSelect(null);
  };
  const list = <PartList designer={designer} names={names} onSelect={onSelect} onAdd={add} />;
  const panel = <SelectionPanel designer={designer} names={names} selection={selection} onSelect={onSelect} />;
  if (narrow)
    return (
      <div className="kit-stack">
        <WorkflowGraph {...graph} positions={at} problems={marks} height={300} />
        {list}
        {panel}
      </div>
    );
  return (
    <div className={selection ? 'designer-flow designer-open' : 'designer-flow'}>
      <div className="designer-tools">
        <Palette onAdd={add} hasStart={draft.states.some((state) => state.kind === 'start')} />
        <Button block onClick={() => void tidy()}>
          自动排列
        </Button>
        <Button block type={listed ? 'primary' : 'default'} aria-pressed={listed} onClick={() => setListed(!listed)}>
          清单
        </Button>
      </div>
      {listed ? (
        <div className="designer-scroll">{list}</div>
      ) : (
        <ReactFlowProvider>
          <Canvas
            {...graph}
            at={at}
            problems={marks}
            selection={selection}
            onSelect={onSelect}
            onOpen={() => setTimeout(() => document.querySelector<HTMLElement>(`#${panelId} input`)?.focus(), 50)}
            onMove={(to) => edit((now) => moveStates(now, to))}
            onDrop={add}
            onInsert={insert}
            onConnect={(from, to) => {
              edit((now) => addTransition(now, ids.transition, from, to));
              onSelect({ kind: 'transition', id: ids.transition, branch: null });
            }}
            onRemove={remove}
          />
        </ReactFlowProvider>
      )}
      {panel}
    </div>
  );
}
