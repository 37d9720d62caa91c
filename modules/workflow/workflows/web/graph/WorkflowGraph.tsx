import { Background, ConnectionMode, Controls, ReactFlow } from '@xyflow/react';
import { Skeleton } from 'antd';
import { useEffect, useMemo, useState } from 'react';
import '@xyflow/react/dist/base.css';
import { arrange } from './route/arrange.ts';
import { fitting, flowEdges, flowNodes, noMarks, type Marks } from './flow.ts';
import './graph.css';
import { LinkEdge } from './LinkEdge.tsx';
import { linksOf, type GraphState, type GraphTransition } from './route/links.ts';
import { graphWords } from './locale.ts';
import type { Positions } from './route/route.ts';
import { StateNode } from './StateNode.tsx';

export const nodeTypes = { state: StateNode };
export const edgeTypes = { link: LinkEdge };

export interface WorkflowGraphProps {
  states: readonly GraphState[];
  transitions: readonly GraphTransition[];
  /** States the ticket has been in. */
  visited?: readonly number[];
  /** States the ticket is in now; several when it runs in parallel. */
  current?: readonly number[];
  /** Transitions that were used; with `to` only the line that led there. */
  taken?: readonly (number | { transition: number; to: number })[];
  /** The nodes' positions; laid out automatically if missing. */
  positions?: Positions;
  problems?: Marks['problems'];
  changes?: Marks['changes'];
  /** CSS pixels. */
  height?: number;
  onOpen?: (stateId: number) => void;
}

/** One below the other, for environments that cannot compute a layout in a worker. */
const stacked = (states: readonly GraphState[]): Positions =>
  new Map(states.map(({ id }, at) => [id, { x: 0, y: at * 110 }]));

/** A read-only workflow: pan, zoom, the path taken. */
export default function WorkflowGraph(props: WorkflowGraphProps) {
  const { states, transitions, visited, current, taken, positions, problems, changes, height = 360, onOpen } = props;
  const links = useMemo(() => linksOf(transitions), [transitions]);
  const [laid, setLaid] = useState<Positions | null>(null);
  useEffect(() => {
    if (positions) return;
    let wanted = true;
    void arrange(states, links)
      .catch(() => stacked(states))
      .then((found) => wanted && setLaid(found));
    return () => {
      wanted = false;
    };
  }, [states, links, positions]);
  const at = positions ?? laid;
  const marks = useMemo(
    () => ({
      ...noMarks,
      visited: new Set(visited),
      current: new Set(current),
      taken: new Set(taken?.map((one) => (typeof one === 'number' ? `${one}` : `${one.transition}:${one.to}`))),
      ...(problems && { problems }),
      ...(changes && { changes }),
    }),
    [visited, current, taken, problems, changes],
  );
  if (!at) return <Skeleton active className="flow" title={false} paragraph={{ rows: 6 }} />;
  const named = (ids: readonly number[]) =>
    states
      .filter((state) => ids.includes(state.id))
      .map((state) => state.name)
      .join('、');
  return (
    <figure
      className="flow"
      style={{ height, margin: 0 }}
      aria-label={`流程图${current?.length ? `，当前环节：${named(current)}` : ''}`}
    >
      <ReactFlow
        nodes={flowNodes(states, at, marks, false)}
        edges={flowEdges(links, at, marks)}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        connectionMode={ConnectionMode.Loose}
        nodesDraggable={false}
        nodesConnectable={false}
        edgesFocusable={false}
        elementsSelectable={onOpen !== undefined}
        onNodeClick={(_event, node) => onOpen?.(Number(node.id))}
        zoomOnScroll={false}
        preventScrolling={false}
        minZoom={0.3}
        fitView
        fitViewOptions={fitting}
        ariaLabelConfig={graphWords}
        proOptions={{ hideAttribution: true }}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </figure>
  );
}
