import { Progress, Tag } from 'antd';
import { moneyText } from '#kernel/contract/money/money.ts';
import { useCall } from '#kernel/web/calls.ts';
import type { ListFilter } from '#kernel/web/kit/list/bar/FilterBar.tsx';
import { listColumns } from '#kernel/web/kit/list/columns/listColumns.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { contractCategories, type ContractCategory } from '../../contract/categories.ts';
import { direction, isVoid, nature, stage } from '../../contract/codes.ts';
import { ContractRow } from '../../contract/shapes.ts';
import '../contracts.css';

const stageColours: Record<number, string> = {
  [stage.toSign]: 'processing',
  [stage.running]: 'success',
  [stage.suspended]: 'warning',
  [stage.expired]: 'orange',
  [stage.terminated]: 'error',
  [stage.void]: 'default',
};

/** The stage of a contract, always in words. */
export function StageTag({ code }: { code: number }) {
  return (
    <Tag color={stageColours[code] ?? 'default'} className={code === stage.void ? 'kit-struck' : ''}>
      {stage.label(code) || code}
    </Tag>
  );
}

export function DirectionTag({ code }: { code: number }) {
  if (code === 3) return <Tag>无金额</Tag>;
  return <Tag color={code === 2 ? 'green' : 'blue'}>{code === 2 ? '收' : '付'}</Tag>;
}

type Flagged = Pick<ContractRow, 'backdated' | 'late_signed' | 'open_disputes'>;
/** Disputed, signed before approval, or begun before the signature; the gravest first. */
const flagsOf = (row: Flagged): { word: string; colour: string }[] => [
  ...(row.open_disputes > 0 ? [{ word: '争议中', colour: 'error' }] : []),
  ...(row.backdated ? [{ word: '倒签', colour: 'error' }] : []),
  ...(row.late_signed ? [{ word: '先履行后签', colour: 'warning' }] : []),
];
export const ContractFlags = ({ row }: { row: Flagged }) =>
  flagsOf(row).map(({ word, colour }) => (
    <Tag key={word} color={colour}>
      {word}
    </Tag>
  ));
/** The gravest flag below the stage, and the number of others. */
function FirstFlag({ row }: { row: Flagged }) {
  const [first, ...more] = flagsOf(row);
  return (
    first && (
      <div title={[first, ...more].map(({ word }) => word).join('、')}>
        <Tag color={first.colour}>{first.word}</Tag>
        {more.length > 0 && `+${more.length}`}
      </div>
    )
  );
}

const parties = (names: readonly string[]) =>
  names.length > 1 ? `${names[0]} +${names.length - 1}` : (names[0] ?? '—');
const span = ({ start_date, term_end }: ContractRow) =>
  start_date || term_end ? `${start_date ?? '签订'} 至 ${term_end ?? '长期'}` : '—';

export const contractColumns = listColumns(ContractRow, {
  name: { main: true, sort: true, width: 200 },
  contract_no: { sort: true, whole: true, width: 150, render: (row) => row.contract_no || row.sn || '—' },
  category_name: { width: 76 },
  party_names: { width: 152, render: (row) => parties(row.party_names) },
  amount: {
    number: true,
    sort: true,
    width: 144,
    render: (row) => (
      <span>
        <DirectionTag code={row.pay_direction} /> {row.pay_direction === direction.none ? '' : moneyText(row.amount)}
      </span>
    ),
  },
  dept_name: { width: 100 },
  term_end: { heading: '起止', whole: true, width: 120, render: span },
  stage: {
    width: 104,
    render: (row) => (
      <>
        <StageTag code={row.stage} />
        <FirstFlag row={row} />
      </>
    ),
  },
});

/** The further columns of the ledger: performance and term. */
export const ledgerColumns = listColumns(ContractRow, {
  nodes_done: {
    heading: '履约',
    width: 110,
    hidden: true,
    render: (row) =>
      row.nodes === 0 ? (
        '—'
      ) : (
        <span>
          {row.nodes_done}/{row.nodes} {row.nodes_late > 0 && <Tag color="error">逾期 {row.nodes_late}</Tag>}
          <Progress
            percent={Math.round((row.nodes_done * 100) / row.nodes)}
            size="small"
            status={row.nodes_late > 0 ? 'exception' : 'normal'}
            aria-label="履约进度"
          />
        </span>
      ),
  },
  paid: {
    heading: '已收付 / 未收付',
    number: true,
    width: 124,
    render: (row) =>
      row.pay_direction === direction.none ||
      row.nature === nature.supplement ||
      row.stage < stage.running ||
      isVoid(row) ? (
        '—'
      ) : (
        <span>
          {moneyText(row.paid)}
          {row.refunded > 0 && <span className="kit-muted">（退 {moneyText(row.refunded)}）</span>}
          <br />
          <span className="kit-muted">未 {moneyText(row.unpaid)}</span>
        </span>
      ),
  },
  undertaker_alias: { width: 80, hidden: true },
  days_left: { number: true, width: 76, render: (row) => <Days days={row.days_left} /> },
  next_date: { width: 130, hidden: true, render: (row) => nextOf(row) },
  archive_no: { width: 110, hidden: true },
});

/** Days until a day, red if negative. */
export function Days({ days }: { days: number | null }) {
  if (days === null) return '—';
  return <span className={days < 0 ? 'contract-late' : ''}>{days}</span>;
}
export const nextOf = (row: Pick<ContractRow, 'next_node' | 'next_date'>) =>
  row.next_date ? `${row.next_date} ${row.next_node ?? ''}` : '—';

const flat = (nodes: readonly ContractCategory[], level = 0): { value: string; label: string }[] =>
  nodes.flatMap((node) => [
    { value: String(node.id), label: `${'　'.repeat(level)}${node.name}` },
    ...flat(node.children, level + 1),
  ]);
const options = (names: Readonly<Record<number, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

/** Filters of every list of contracts. */
export function useContractFilters(): ListFilter[] {
  const { data = [] } = useCall(contractCategories.list, { query: {} });
  return [
    { key: 'category_id', kind: 'select', often: true, options: flat(data) },
    { key: 'stage', kind: 'select', often: true, options: options(stage.names) },
    { key: 'pay_direction', kind: 'select', options: options(direction.names) },
    {
      key: 'act_state',
      kind: 'select',
      options: Object.entries(actState.names)
        .map(([value, label]) => ({ value, label }))
        .slice(0, 6),
    },
    { key: 'amount_min', kind: 'text' },
    { key: 'amount_max', kind: 'text' },
    { key: 'create_start', kind: 'date' },
    { key: 'create_end', kind: 'date' },
  ];
}
