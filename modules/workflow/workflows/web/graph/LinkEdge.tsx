import { BaseEdge, EdgeLabelRenderer, getSmoothStepPath, type Edge, type EdgeProps } from '@xyflow/react';
import { memo, type ReactNode } from 'react';
import type { Link } from './route/links.ts';

export interface LinkData extends Record<string, unknown> {
  link: Link;
  offset: number;
  shift: number;
  walked: boolean;
  onOpen?: ((link: Link) => void) | undefined;
  /** A control on the line besides its name. */
  tool?: ReactNode;
}
export type LinkFlowEdge = Edge<LinkData, 'link'>;

/** CSS pixels from a name to the control below it. */
const below = 26;

const tones = { 1: 'agree', 2: 'refuse', 3: 'other' } as const;

/** A button's line from state to state with its name; refusals are dashed, so that colour is not the only distinction. */
export const LinkEdge = memo(function LinkEdge(props: EdgeProps<LinkFlowEdge>) {
  const { id, source, target, data, markerEnd, selected } = props;
  if (!data) return null;
  const [path, x, y] = source === target ? loop(props) : way(props, data);
  const Name = data.onOpen ? 'button' : 'span';
  const tone = `flow-${tones[data.link.attribute]}${data.walked ? ' flow-walked' : ''}${selected ? ' flow-selected' : ''}`;
  return (
    <>
      <BaseEdge id={id} path={path} markerEnd={markerEnd} className={`flow-line ${tone}`} interactionWidth={24} />
      <EdgeLabelRenderer>
        <Name
          className={`flow-label ${tone}`}
          title={data.link.text}
          data-line={id}
          style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
          {...(data.onOpen && { type: 'button', onClick: () => data.onOpen?.(data.link) })}
        >
          {data.link.text}
        </Name>
        {data.tool && (
          <span
            className="flow-tool"
            data-line={id}
            style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y + below}px)` }}
          >
            {data.tool}
          </span>
        )}
      </EdgeLabelRenderer>
    </>
  );
});

function way(props: EdgeProps<LinkFlowEdge>, { offset, shift }: LinkData): [path: string, x: number, y: number] {
  const upright = props.sourcePosition === 'bottom';
  const [path, x, y] = getSmoothStepPath({
    ...props,
    sourceX: props.sourceX + (upright ? shift : 0),
    targetX: props.targetX + (upright ? shift : 0),
    sourceY: props.sourceY + (upright ? 0 : shift),
    targetY: props.targetY + (upright ? 0 : shift),
    borderRadius: 10,
    offset,
  });
  return [path, x, y];
}

function loop({ sourceX: x, sourceY: y }: EdgeProps<LinkFlowEdge>): [path: string, x: number, y: number] {
  return [`M ${x} ${y - 10} C ${x + 60} ${y - 46}, ${x + 60} ${y + 46}, ${x} ${y + 10}`, x + 52, y];
}
