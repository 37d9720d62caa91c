import { Skeleton, Tag } from 'antd';
import { Link } from 'react-router';
import { live, useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { contracts } from '../contract/contracts.ts';
import type { ContractRow } from '../contract/shapes.ts';

const soon = 7;
const shown = 6;
const daysUntil = (day: string) =>
  Math.round((Date.parse(day) - Date.parse(new Date().toLocaleDateString('sv'))) / 864e5);

/** What one of my contracts waits for, and how urgent that is; nothing where it waits for nothing soon. */
function asked(row: ContractRow): { order: number; tag: string; colour: string } | null {
  if (row.nodes_late > 0) return { order: -1000, tag: `逾期 ${row.nodes_late} 项`, colour: 'error' };
  if (row.stage === 20) return { order: 0, tag: '待签订', colour: 'processing' };
  const days = row.next_date === null ? soon + 1 : daysUntil(row.next_date);
  return days <= soon ? { order: days, tag: `${days} 天后 ${row.next_node ?? ''}`, colour: 'warning' } : null;
}

/** My contracts that are to be signed, due within a week, or late. */
export default function MyContracts() {
  const query = { category: 'owner', per_page: 50 } as const;
  const toSign = useCall(contracts.list, { query: { ...query, stage: 20 } }, { meta: live });
  const running = useCall(contracts.list, { query: { ...query, stage: 30 } }, { meta: live });
  const error = toSign.error ?? running.error;
  if (error && !running.data) return <FailedState error={error} retry={() => void running.refetch()} />;
  if (!toSign.data || !running.data) return <Skeleton active title={false} paragraph={{ rows: 3 }} />;
  const rows = [...toSign.data.value, ...running.data.value]
    .flatMap((row) => {
      const what = asked(row);
      return what ? [{ row, what }] : [];
    })
    .toSorted((a, b) => a.what.order - b.what.order);
  if (rows.length === 0) return <p className="kit-muted">没有待签订、即将到期或逾期的合同</p>;
  return (
    <ul className="kit-lines">
      {rows.slice(0, shown).map(({ row, what }) => (
        <li key={row.id}>
          <Link to={`/contract/detail/${row.id}`}>{row.name}</Link>
          <span className="kit-grow" />
          <Tag color={what.colour}>{what.tag}</Tag>
        </li>
      ))}
    </ul>
  );
}
