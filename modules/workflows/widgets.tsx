export { graphOf } from './web/graph/describe.ts';
export { WorkflowGraph } from './web/graph/LazyGraph.tsx';
export type { WorkflowGraphProps } from './web/graph/WorkflowGraph.tsx';
