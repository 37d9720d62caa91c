import { Tag } from 'antd';
import type { ListColumn } from '#kernel/web/kit/list/columns/columns.ts';
import { listColumns } from '#kernel/web/kit/list/columns/listColumns.ts';
import { approvalListColumns, RecordList } from '#modules/workflow/records/widgets.tsx';
import { loanCalls, LoanRow, loanStatus } from '../contract.ts';
import { LoanForm } from './LoanForm.tsx';

/** The way of an approved loan; before the approval the state of its ticket says enough. */
export function LoanStatus({ row }: { row: LoanRow }) {
  if (row.status === null) return '—';
  return row.overdue ? (
    <Tag color="error">{row.status === loanStatus.out ? '逾期未还' : '逾期归还'}</Tag>
  ) : (
    <Tag color={loanStatus.tones[row.status]}>{loanStatus.label(row.status)}</Tag>
  );
}

const columns: ListColumn<LoanRow>[] = [
  ...listColumns(LoanRow, {
    title: { main: true, width: 180 },
    creator_info: { width: 90 },
    dept_name: { width: 110 },
    start_date: { width: 110, sort: true },
    due_date: { width: 110, sort: true },
    reason: { width: 180 },
    keeper_info: { width: 90, hidden: true },
  }),
  ...approvalListColumns<LoanRow>(),
  ...listColumns(LoanRow, { status: { width: 90, render: (row) => <LoanStatus row={row} /> } }),
];
const tabs = { duty: '待办', desk: '我保管', owner: '我借用', all: '全部' };

/** Loans that wait for me, whose keys I hand out and take back, that I asked for, and all that I may see; opens on the first tab that has rows. */
export default function LoansPage() {
  return (
    <RecordList<LoanRow>
      name="key/loan"
      title="钥匙借用"
      purpose="申请借用房间钥匙，查看审批、领出和归还"
      call={loanCalls.list}
      page="/key/loan"
      columns={columns}
      card={['act_state', 'status', 'due_date']}
      categories={Object.entries(tabs).map(([value, label]) => ({ value, label }))}
      filters={[
        { key: 'status', kind: 'select', often: true },
        { key: 'overdue', kind: 'select', often: true, options: [{ value: 'true', label: '逾期' }] },
      ]}
      write="申请借用"
      form={({ id }, close) => <LoanForm id={id} onClose={close} />}
      opens={{ edit: '修改' }}
      remove={{ call: loanCalls.remove, what: '钥匙借用' }}
      empty={{ why: '还没有钥匙借用，点“申请借用”开始' }}
    />
  );
}
