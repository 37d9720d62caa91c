import { Alert, Button, Select, Skeleton } from 'antd';
import { useSearchParams } from 'react-router';
import { dayOf } from '#kernel/contract/moment.ts';
import { useCall } from '#kernel/web/calls.ts';
import { DateInput } from '#kernel/web/kit/form/date/DateInput.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { fileKind } from '../../contract/codes.ts';
import { ledgerCalls, type Use } from '../../contract/ledger.ts';
import { sealCalls } from '../../contract/seals.ts';
import { copiesText } from './LedgerPage.tsx';
import '../stamps.css';

const columns: readonly (readonly [string, (row: Use) => string])[] = [
  ['时间', (row) => row.sealed_at.slice(0, 16)],
  ['印章', (row) => row.stamp_name],
  ['文件', (row) => row.file_name],
  ['类型', (row) => fileKind.label(row.file_kind)],
  ['份数/页数', copiesText],
  ['送达单位', (row) => row.receiver],
  ['申请部门', (row) => row.dept_name],
  ['经办人', (row) => row.operator],
  ['保管人', (row) => row.keeper],
  ['监印人', (row) => row.confirmed_by],
  [
    '备注',
    (row) =>
      [row.after_hours && '班外', row.correction && `更正：${row.correction.remark}`, row.remark]
        .filter(Boolean)
        .join('；'),
  ],
];

/** The book of a month, printed on A4 landscape with a line for signatures. */
export default function RegisterPage() {
  const [search, setSearch] = useSearchParams();
  const month = search.get('month') ?? dayOf(new Date()).slice(0, 7);
  const stamp = search.get('stamp');
  const { data: stamps } = useCall(sealCalls.deptStamps, {});
  const { data, error, refetch } = useCall(ledgerCalls.register, {
    query: { month, ...(stamp ? { stamp: Number(stamp) } : {}) },
  });
  const set = (key: string, value: string | undefined) => {
    const next = new URLSearchParams(search);
    if (value) next.set(key, value);
    else next.delete(key);
    setSearch(next);
  };
  const total = data?.value.reduce((sum, row) => sum + (row.correction ?? row).real_copies, 0) ?? 0;
  return (
    <section className="kit-list" aria-label="用印登记簿">
      <header className="kit-row kit-list-head stamp-tools">
        <h1>用印登记簿</h1>
        <DateInput
          kind="month"
          only
          className="kit-filter"
          aria-label="月份"
          value={month}
          onChange={(next) => set('month', next)}
        />
        <Select
          allowClear
          className="kit-filter"
          placeholder="全部印章"
          aria-label="印章"
          value={stamp}
          onChange={(value?: string | null) => set('stamp', value ?? undefined)}
          options={(stamps?.value ?? []).map((one) => ({ value: String(one.id), label: one.name }))}
        />
        <Button type="primary" disabled={!data} onClick={() => window.print()}>
          打印
        </Button>
      </header>
      {error ? (
        <FailedState error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Skeleton active className="kit-panel" />
      ) : (
        <div className="kit-panel stamp-sheet">
          {data.total > data.value.length && (
            <Alert
              type="warning"
              showIcon
              title={`本月共用印 ${data.total} 次，一册最多 ${data.value.length} 次，后面的没有列出；请选择印章分册打印`}
            />
          )}
          <h2>
            {data.site}用印登记簿（{data.month}）
          </h2>
          <table className="stamp-book">
            <thead>
              <tr>
                <th>序号</th>
                {columns.map(([title]) => (
                  <th key={title}>{title}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.value.map((row, index) => (
                <tr key={row.id}>
                  <td>{index + 1}</td>
                  {columns.map(([title, said]) => (
                    <td key={title}>{said(row)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          <p>
            共 {data.value.length} 次，{total} 份。
          </p>
          <p className="stamp-book-signs">
            <span>保管人签名：</span>
            <span>监印人签名：</span>
            <span>部门负责人签名：</span>
          </p>
        </div>
      )}
    </section>
  );
}
