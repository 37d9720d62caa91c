import { Skeleton } from 'antd';
import { useMemo } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { releaseCalls } from '../../contract/release.ts';
import type { Draft } from '../designer/state/draft.ts';
import { positionsOf } from '../designer/state/draft.ts';
import { graphOfDefinition } from '../graph/of-draft.ts';
import WorkflowGraph from '../graph/WorkflowGraph.tsx';
import type { Names } from '../names.ts';
import { DifferenceList } from './DifferenceList.tsx';
import { differences, type Difference } from './differences.ts';

interface Props {
  workflowId: number;
  before: number;
  after: number;
  names: Names;
  /** Height of each drawing in CSS pixels. */
  height: number;
}

/** Two versions side by side: removals are marked in the old one, additions and changes in the new one, all of it listed. */
export function CompareVersions({ workflowId, before, after, names, height }: Props) {
  const older = useCall(releaseCalls.versions, { params: { id: workflowId }, query: { no: before } });
  const newer = useCall(releaseCalls.versions, { params: { id: workflowId }, query: { no: after } });
  const was = older.data?.value[0]?.definition;
  const is = newer.data?.value[0]?.definition;
  const found = useMemo(() => (was && is ? differences(was, is, names) : null), [was, is, names]);
  const error = older.error ?? newer.error;
  if (error) return <FailedState error={error} retry={() => void Promise.all([older.refetch(), newer.refetch()])} />;
  if (!was || !is || !found) return <Skeleton active paragraph={{ rows: 6 }} />;
  return (
    <>
      <div className="versions-pair">
        <Drawing title={`第 ${before} 版`} definition={was} side="before" {...{ found, names, height }} />
        <Drawing title={`第 ${after} 版`} definition={is} side="after" {...{ found, names, height }} />
      </div>
      <DifferenceList changes={found} />
    </>
  );
}

interface DrawingProps {
  title: string;
  definition: Draft;
  side: 'before' | 'after';
  found: readonly Difference[];
  names: Names;
  height: number;
}

function Drawing({ title, definition, side, found, names, height }: DrawingProps) {
  const graph = useMemo(() => graphOfDefinition(definition, names), [definition, names]);
  const at = useMemo(() => positionsOf(definition) ?? undefined, [definition]);
  const changes = useMemo(
    () =>
      new Map(
        found
          .filter((one) => one.kind === 'state' && one.change !== (side === 'before' ? 'added' : 'removed'))
          .map((one) => [one.id, one.change]),
      ),
    [found, side],
  );
  return (
    <div>
      <h3 className="designer-h">{title}</h3>
      <WorkflowGraph {...graph} {...(at && { positions: at })} changes={changes} height={height} />
    </div>
  );
}
