import {
  ApartmentOutlined,
  ApiOutlined,
  AuditOutlined,
  BranchesOutlined,
  CheckCircleFilled,
  CheckCircleOutlined,
  ClockCircleOutlined,
  ExclamationCircleFilled,
  PlayCircleOutlined,
  SendOutlined,
  ToolOutlined,
} from '@ant-design/icons';
import { Handle, Position, type Node, type NodeProps } from '@xyflow/react';
import { memo, type ComponentType } from 'react';
import type { StateKind } from '../../engine/codes.ts';
import { kindNames } from '../words.ts';
import type { GraphState } from './route/links.ts';

const icons: Partial<Record<StateKind, ComponentType>> = {
  start: PlayCircleOutlined,
  approve: AuditOutlined,
  handle: ToolOutlined,
  cc: SendOutlined,
  subticket: ApartmentOutlined,
  delay: ClockCircleOutlined,
  hook: ApiOutlined,
  condition: BranchesOutlined,
  end: CheckCircleOutlined,
};
const sides = [Position.Top, Position.Right, Position.Bottom, Position.Left] as const;

export type Mark = 'plain' | 'walked' | 'current';
export type Change = 'added' | 'removed' | 'changed';
export interface StateData extends Record<string, unknown> {
  state: GraphState;
  mark: Mark;
  /** Problems of this node that keep the workflow from being published. */
  problems: readonly string[];
  connectable: boolean;
  change: Change | undefined;
}
export type StateFlowNode = Node<StateData, 'state'>;

const changeNames = { added: '新增', removed: '删除', changed: '修改' } as const;

/** One state: its kind, name and people; a mark if it has problems. */
export const StateNode = memo(function StateNode({ data, selected }: NodeProps<StateFlowNode>) {
  const { state, mark, problems, connectable, change } = data;
  const Icon = icons[state.kind] ?? BranchesOutlined;
  return (
    <div
      className={`flow-node flow-${state.kind} flow-${mark}${selected ? ' flow-selected' : ''}${change ? ` flow-${change}` : ''}`}
    >
      <span className="flow-icon" aria-hidden="true">
        <Icon />
      </span>
      <span className="flow-text">
        <strong title={state.name}>{state.name}</strong>
        <small title={state.people}>{state.people || kindNames[state.kind]}</small>
      </span>
      {mark !== 'plain' && (
        <span className="flow-mark" aria-hidden="true">
          {mark === 'current' ? '当前' : <CheckCircleFilled />}
        </span>
      )}
      {change && <span className="flow-change">{changeNames[change]}</span>}
      {problems.length > 0 && (
        <span className="flow-problem" role="img" aria-label={`${problems.length} 个问题`} title={problems.join('\n')}>
          <ExclamationCircleFilled />
        </span>
      )}
      {sides.map((side) => (
        <Handle key={side} id={side} type="source" position={side} isConnectable={connectable} />
      ))}
    </div>
  );
});
