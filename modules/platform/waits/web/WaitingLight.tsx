import { Tag } from 'antd';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import type { WaitingRow } from '../contract.ts';

/** A deadline and its light. */
export function WaitingLight({ row: { due_at, light } }: { row: Pick<WaitingRow, 'due_at' | 'light'> }) {
  return (
    <>
      {due_at && <Moment at={due_at} />} {light && <Tag color={light.tone}>{light.word}</Tag>}
    </>
  );
}
