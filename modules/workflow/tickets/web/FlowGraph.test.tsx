import { cleanup, render, screen } from '@testing-library/react';
import { ReactFlowProvider, type NodeProps } from '@xyflow/react';
import { afterEach, expect, test } from 'vitest';
import { flowEdges, flowNodes, noMarks } from '#modules/workflow/workflows/web/graph/flow.ts';
import { linksOf } from '#modules/workflow/workflows/web/graph/route/links.ts';
import { StateNode, type StateFlowNode } from '#modules/workflow/workflows/web/graph/StateNode.tsx';
import { marksOf } from './FlowGraph.tsx';

afterEach(cleanup);

const state = (id: number, name: string, kind: 'start' | 'approve' | 'condition' | 'end') => ({ id, name, kind });
const line = (id: number, source: number, destination: number) => ({
  id,
  name: `t${id}`,
  source,
  destination,
  attribute: 1 as const,
  branches: [],
});
const graph = {
  states: [
    state(1, '填写', 'start'),
    state(2, '判断', 'condition'),
    state(3, '科长审批', 'approve'),
    state(4, '局长审批', 'approve'),
    state(5, '结束', 'end'),
  ],
  transitions: [
    line(1, 1, 2),
    { ...line(2, 2, 3), branches: [{ target: 4, text: '大额' }] },
    line(3, 3, 5),
    line(4, 4, 5),
  ],
};
const step = (state_id: number, place: 'passed' | 'current' | 'ahead', pressed: number[] = []) =>
  ({
    state_id,
    is_current: place === 'current',
    is_passed: place === 'passed',
    state_flow_log_list: pressed.map((transition_id) => ({ transition: { transition_id } })),
  }) as never;
const steps = [step(1, 'passed', [1]), step(2, 'passed'), step(3, 'current'), step(4, 'ahead'), step(5, 'ahead')];
const places = new Map(graph.states.map(({ id }, index) => [id, { x: 0, y: index * 130 }]));
const marks = () => {
  const { current, visited, taken } = marksOf(steps, graph);
  return {
    ...noMarks,
    current: new Set(current),
    visited: new Set(visited),
    taken: new Set(taken.map(String)),
  };
};

test('passed, current and future states of a ticket are told apart by sign and name, not only by colour', () => {
  const nodes = flowNodes(graph.states, places, marks(), false);
  expect(nodes.map((node) => node.ariaLabel)).toEqual([
    '环节“填写”，已完成／已跳过',
    '环节“判断”，已完成／已跳过',
    '环节“科长审批”，当前',
    '环节“局长审批”',
    '环节“结束”',
  ]);
  const shown = nodes.map((node) => {
    render(
      <ReactFlowProvider>
        <StateNode {...(node as unknown as NodeProps<StateFlowNode>)} />
      </ReactFlowProvider>,
    );
    const box = screen.getByTitle(node.data.state.name).closest('.flow-node')!;
    const mark = box.querySelector('.flow-mark');
    return mark && (mark.textContent || (mark.querySelector('svg') ? 'sign' : ''));
  });
  expect(shown).toEqual(['sign', 'sign', '当前', null, null]);
});

test('the path of a ticket is drawn through automatic states up to where it stands', () => {
  const walked = flowEdges(linksOf(graph.transitions), places, marks()).filter((edge) => edge.data!.walked);
  expect(walked.map((edge) => [edge.source, edge.target])).toEqual([
    ['1', '2'],
    ['2', '3'],
  ]);
});
