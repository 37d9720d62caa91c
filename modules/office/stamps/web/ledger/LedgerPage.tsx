import { Button, Tag, Tooltip } from 'antd';
import { useNavigate, useSearchParams } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { useActs, type Acts } from '#kernel/web/kit/press/acts.tsx';
import { WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import type { ListFilter } from '#kernel/web/kit/list/bar/FilterBar.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import type { ListColumn } from '#kernel/web/kit/list/columns/columns.ts';
import { listColumns } from '#kernel/web/kit/list/columns/listColumns.ts';
import { fileKind, usageType } from '../../contract/codes.ts';
import { ledgerCalls, Loan, Use } from '../../contract/ledger.ts';
import { sealCalls, type Stamp } from '../../contract/seals.ts';
import { choices, custodyColumns, stampFilters, stampTo } from '../seals/columns.tsx';
import '../stamps.css';

const tabs = [
  { value: 'uses', label: '用印', of: { call: ledgerCalls.ledger, query: { of: 'uses' } } },
  { value: 'loans', label: '外带', of: { call: ledgerCalls.ledger, query: { of: 'loans' } } },
  { value: 'custody', label: '保管', of: { call: sealCalls.stamps, query: {} } },
];

export const copiesText = ({
  real_copies,
  real_pages,
  correction,
}: Pick<Use, 'real_copies' | 'real_pages' | 'correction'>) => {
  const said = (copies: number, pages: number | null) => `${copies} 份${pages === null ? '' : ` ${pages} 页`}`;
  const was = said(real_copies, real_pages);
  return correction ? `${said(correction.real_copies, correction.real_pages)}（原记 ${was}）` : was;
};

/** Tags of a sealing. */
function Marks({ row }: { row: Use }) {
  return (
    <>
      {row.after_hours && <Tag color="warning">班外</Tag>}
      {row.correction && (
        <Tooltip title={`${row.correction.by} ${row.correction.at.slice(0, 16)}：${row.correction.remark}`}>
          <Tag color="processing">更正</Tag>
        </Tooltip>
      )}
      {row.alert && <Tag color="error">异常</Tag>}
      {!row.kept && <Tag>待补留存</Tag>}
    </>
  );
}

const sealingColumns: ListColumn<Use>[] = [
  ...listColumns(Use, {
    sealed_at: { sort: true, width: 134 },
    stamp_name: { whole: true, width: 112 },
    file_name: { main: true, width: 150 },
    file_kind: { hidden: true },
    real_copies: { heading: '份数/页数', sort: true, whole: true, width: 96, render: copiesText },
    dept_name: {
      heading: '申请',
      whole: true,
      width: 96,
      render: (row) => (
        <span className="stamp-who">
          <span>{row.dept_name}</span> <span>{row.operator}</span>
        </span>
      ),
    },
    keeper: { width: 72 },
    confirmed_by: { width: 72 },
    pictures: {
      width: 76,
      render: (row) => (
        <span className="stamp-thumbs">
          {row.pictures.slice(0, 2).map((one) => (
            <a key={one.id} href={one.url} target="_blank" rel="noreferrer">
              <img src={one.thumb_url ?? one.url} alt={one.name} loading="lazy" />
            </a>
          ))}
        </span>
      ),
    },
  }),
  { key: 'marks', title: '标记', whole: true, width: 96, render: (row) => <Marks row={row} /> },
  ...listColumns(Use, {
    use_type: { hidden: true },
    receiver: { hidden: true },
    serial: { hidden: true },
    remark: { hidden: true },
  }),
];
const loanColumns = listColumns(Loan, {
  out_at: { width: 134 },
  stamp_name: { width: 140 },
  title: { main: true, width: 200 },
  place: { width: 140 },
  escort: { width: 90 },
  dept_name: { width: 110 },
  due_at: { width: 134 },
  returned_at: {
    whole: true,
    width: 150,
    render: (row) => (
      <>
        {row.returned_at ? <Moment at={row.returned_at} /> : <Tag color="processing">外借中</Tag>}
        {row.late && <Tag color="error">逾期</Tag>}
      </>
    ),
  },
});

const acts: Acts<Use> = {
  correct: {
    label: '更正',
    title: (row) => `更正：${row.file_name}`,
    call: ledgerCalls.correct,
    initial: (row) => ({ real_copies: row.real_copies, real_pages: row.real_pages ?? undefined }),
    fields: (row) => [
      { name: 'real_copies', help: `批准 ${row.copies} 份` },
      { name: 'real_pages' },
      { name: 'remark', kind: 'textarea', help: '原记录保留，更正与它并列；只能更正一次' },
    ],
    submit: '登记更正',
  },
};

/** Three books of the same seals: sealings, loans, and keepers. */
export default function LedgerPage() {
  const [search, setSearch] = useSearchParams();
  const navigate = useNavigate();
  const { buttons, drawer } = useActs('stamp', acts);
  const tab = search.get('tab') ?? 'uses';
  const { data: stamps } = useCall(sealCalls.deptStamps, {});
  const named = (stamps?.value ?? []).map((one) => ({ value: String(one.id), label: one.name }));
  const filters: ListFilter[] = [
    { key: 'stamp', kind: 'select', often: true, options: named },
    { key: 'start', kind: 'date', often: true },
    { key: 'end', kind: 'date', often: true },
  ];
  const flag = (key: string, label: string): ListFilter => ({
    key,
    label,
    kind: 'select',
    options: [{ value: 'true', label }],
  });
  const switching = { categories: tabs, value: tab, onChange: (next: string) => setSearch({ tab: next }) };
  const frame = { title: '用印台账', tabs: switching };
  if (tab === 'custody')
    return (
      <ListPage<Stamp>
        card={['stamp_no', 'keeper_now', 'status']}
        key="custody"
        {...frame}
        name="stamp/ledger/custody"
        purpose="各印章的现保管人和最近盘点时间；打开印章可查看完整保管记录"
        call={sealCalls.stamps}
        columns={custodyColumns}
        filters={stampFilters}
        to={stampTo}
        empty={{ why: '还没有登记印章' }}
      />
    );
  if (tab === 'loans')
    return (
      <ListPage<Loan>
        card={['returned_at', 'due_at', 'stamp_name']}
        key="loans"
        {...frame}
        name="stamp/ledger/loans"
        purpose="印章外带的登记；归还之前一直显示为外借中"
        call={ledgerCalls.ledger as never}
        query={{ of: 'loans' }}
        columns={loanColumns}
        filters={filters}
        to={(row) => `/stamp/detail/${row.application_id}`}
        empty={{ why: '还没有印章外带过' }}
      />
    );
  return (
    <>
      <ListPage<Use>
        card={['stamp_name', 'sealed_at', 'keeper']}
        key="uses"
        {...frame}
        name="stamp/ledger"
        purpose="每一次用印的登记，只增不改；写错的由保管人在一个工作日内更正，两者并列"
        call={ledgerCalls.ledger as never}
        query={{ of: 'uses' }}
        columns={sealingColumns}
        filters={[
          ...filters,
          { key: 'file_kind', kind: 'select', options: choices(fileKind.names) },
          { key: 'use_type', kind: 'select', options: choices(usageType.names) },
          flag('after_hours', '班外'),
          flag('corrected', '有更正'),
          flag('alert', '有异常'),
        ]}
        primary={
          <WithCode code="daochu">
            <Button onClick={() => void navigate('/stamp/register')}>打印登记簿</Button>
          </WithCode>
        }
        to={(row) => `/stamp/detail/${row.application_id}`}
        rowActions={(row) => buttons(row, row.actions, { size: 'small' })}
        empty={{ why: '还没有用印记录；用印办理后自动登记' }}
      />
      {drawer}
    </>
  );
}
