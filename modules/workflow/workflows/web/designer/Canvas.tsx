import {
  Background,
  ConnectionMode,
  Controls,
  MiniMap,
  ReactFlow,
  useNodesState,
  useReactFlow,
  type Connection,
} from '@xyflow/react';
import { useCallback, useEffect, useMemo, type DragEvent, type KeyboardEvent } from 'react';
import '@xyflow/react/dist/base.css';
import { attributeType, type StateKind } from '../../engine/codes.ts';
import { fitting, flowEdges, flowNodes, noMarks } from '../graph/flow.ts';
import '../graph/graph.css';
import { linksOf, type GraphState, type GraphTransition, type Link } from '../graph/route/links.ts';
import { graphWords } from '../graph/locale.ts';
import { nodeSize, type Point, type Positions } from '../graph/route/route.ts';
import { edgeTypes, nodeTypes } from '../graph/WorkflowGraph.tsx';
import type { StateFlowNode } from '../graph/StateNode.tsx';
import { nearest } from './state/edits.ts';
import { InsertButton } from './parts/InsertButton.tsx';
import { dragType } from './parts/Palette.tsx';
import type { Selection } from './state/selection.ts';

export interface CanvasProps {
  states: readonly GraphState[];
  transitions: readonly GraphTransition[];
  at: Positions;
  problems: ReadonlyMap<number, readonly string[]>;
  selection: Selection;
  onSelect: (selection: Selection) => void;
  /** Moves the keyboard focus into the panel of the selected item. */
  onOpen: () => void;
  onMove: (to: Positions) => void;
  onDrop: (kind: StateKind, at: Point) => void;
  onInsert: (kind: StateKind, into: Link) => void;
  onConnect: (from: number, to: number) => void;
  onRemove: () => void;
}
const toolOf = (link: Link, onInsert: CanvasProps['onInsert']) =>
  link.source === link.target ? null : <InsertButton line={link.text} onInsert={(kind) => onInsert(kind, link)} />;

/** CSS pixels within which a dropped item counts as being on a line. */
const near = [0, 16, 32];
const around = near.flatMap((by) => [
  [0, by],
  [0, -by],
  [by, 0],
  [-by, 0],
]) as [number, number][];

/** The line under the pointer or near it, by its path or its name; and the state under it. */
function under({ clientX: x, clientY: y }: DragEvent): { line: string | undefined; state: number | undefined } {
  const at = document.elementsFromPoint(x, y).map((one) => one.closest<HTMLElement>('.react-flow__node'));
  const state = at.find((one) => one !== null)?.dataset['id'];
  const lines = around
    .flatMap(([dx, dy]) => document.elementsFromPoint(x + dx, y + dy))
    .map((one) => {
      const { dataset } = one.closest<HTMLElement | SVGElement>('.react-flow__edge, [data-line]') ?? {};
      return dataset?.['line'] ?? dataset?.['id'];
    });
  return { line: lines.find((id) => id !== undefined), state: state === undefined ? undefined : Number(state) };
}

const arrows = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' } as const;

/** The editable graph of a workflow: nodes are dragged, connected and selected, with the mouse or the keyboard. */
export function Canvas(props: CanvasProps) {
  const { states, transitions, at, problems, selection, onSelect, onOpen, onMove } = props;
  const { onDrop, onInsert, onConnect, onRemove } = props;
  const { screenToFlowPosition, setCenter, getZoom, fitView } = useReactFlow();
  const links = useMemo(() => linksOf(transitions), [transitions]);
  const marks = useMemo(() => ({ ...noMarks, problems }), [problems]);
  const chosen = selection?.kind === 'state' ? selection.id : null;
  const drawn = useMemo(
    () => flowNodes(states, at, marks, true).map((node) => ({ ...node, selected: Number(node.id) === chosen })),
    [states, at, marks, chosen],
  );
  const [nodes, setNodes, onNodesChange] = useNodesState<StateFlowNode>(drawn);
  useEffect(() => setNodes(drawn), [drawn, setNodes]);
  const edges = useMemo(
    () =>
      flowEdges(links, at, marks, ({ transition, branch }) =>
        onSelect({ kind: 'transition', id: transition, branch }),
      ).map((edge) => ({
        ...edge,
        selected: selection?.kind === 'transition' && edge.data?.link.transition === selection.id,
        data: edge.data && { ...edge.data, tool: toolOf(edge.data.link, onInsert) },
      })),
    [links, at, marks, onSelect, onInsert, selection],
  );

  const opened = selection !== null;
  useEffect(() => {
    // The side panel takes space from the canvas; the drawing stays in view.
    const timer = setTimeout(() => void fitView(fitting), 50);
    return () => clearTimeout(timer);
  }, [opened, fitView]);
  const focusOn = useCallback(
    (id: number) => {
      onSelect({ kind: 'state', id });
      const place = at.get(id);
      if (place) void setCenter(place.x + nodeSize.width / 2, place.y + nodeSize.height / 2, { zoom: getZoom() });
      document.querySelector<HTMLElement>(`.designer-canvas [data-id="${id}"]`)?.focus({ preventScroll: true });
    },
    [at, onSelect, setCenter, getZoom],
  );
  const pressed = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLElement && event.target.closest('button')) return;
    const towards = arrows[event.key as keyof typeof arrows];
    if (towards) {
      const here = chosen ?? states[0]?.id;
      const next = here === undefined ? undefined : chosen === null ? here : nearest(at, here, towards);
      if (next !== undefined) focusOn(next);
    } else if (event.key === 'Enter' || event.key === ' ') {
      const id = Number((event.target as HTMLElement).closest<HTMLElement>('.react-flow__node')?.dataset['id']);
      if (id) onSelect({ kind: 'state', id });
      onOpen();
    } else if (event.key === 'Delete' || event.key === 'Backspace') onRemove();
    else if (event.key === 'Escape') onSelect(null);
    else return;
    event.preventDefault();
  };
  const dropped = (event: DragEvent) => {
    event.preventDefault();
    const kind = event.dataTransfer.getData(dragType);
    if (!kind) return;
    const { line, state } = under(event);
    // An item dropped on a state comes after it.
    const into =
      links.find((one) => one.source === state && one.target !== state && one.attribute === attributeType.agree) ??
      links.find((one) => one.id === line && one.source !== one.target);
    if (into && kind !== 'start' && kind !== 'end') return onInsert(kind as StateKind, into);
    const point = screenToFlowPosition({ x: event.clientX, y: event.clientY });
    onDrop(kind as StateKind, { x: point.x - nodeSize.width / 2, y: point.y - nodeSize.height / 2 });
  };
  return (
    <div
      className="flow designer-canvas"
      role="application"
      aria-label="流程图，方向键在环节之间移动，Enter 打开，Delete 删除"
      onKeyDownCapture={pressed}
      onDragOver={(event) => event.preventDefault()}
      onDrop={dropped}
    >
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onNodesChange={onNodesChange}
        onNodeClick={(_event, node) => onSelect({ kind: 'state', id: Number(node.id) })}
        onNodeDoubleClick={onOpen}
        onEdgeClick={(_event, edge) => {
          const link = links.find((one) => one.id === edge.id);
          if (link) onSelect({ kind: 'transition', id: link.transition, branch: link.branch });
        }}
        onPaneClick={() => onSelect(null)}
        onNodeDragStop={(_event, _node, dragged) =>
          onMove(new Map(dragged.map(({ id, position }) => [Number(id), position])))
        }
        onConnect={({ source, target }: Connection) => onConnect(Number(source), Number(target))}
        connectionMode={ConnectionMode.Loose}
        connectionRadius={40}
        selectNodesOnDrag={false}
        edgesFocusable={false}
        deleteKeyCode={null}
        disableKeyboardA11y
        snapToGrid
        snapGrid={[10, 10]}
        minZoom={0.2}
        fitView
        fitViewOptions={fitting}
        ariaLabelConfig={graphWords}
        proOptions={{ hideAttribution: true }}
      >
        <Background gap={20} />
        <Controls showInteractive={false} position="bottom-left" />
        {states.length > 8 && <MiniMap pannable zoomable position="bottom-right" />}
      </ReactFlow>
    </div>
  );
}
