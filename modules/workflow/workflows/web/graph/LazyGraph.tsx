import { Skeleton } from 'antd';
import { Suspense } from 'react';
import { later } from '#kernel/web/later.tsx';
import type { WorkflowGraphProps } from './WorkflowGraph.tsx';

const Graph = later(() => import('./WorkflowGraph.tsx'));

/**
 * A read-only graph of a workflow, with the path a ticket took; the drawing library is loaded on first use. Keep `states` and `transitions` the same
 * objects between renders, else it is laid out anew.
 */
export function WorkflowGraph(props: WorkflowGraphProps) {
  return (
    <Suspense fallback={<Skeleton active title={false} paragraph={{ rows: 6 }} />}>
      <Graph {...props} />
    </Suspense>
  );
}
