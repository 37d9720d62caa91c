import { keepPreviousData } from '@tanstack/react-query';
import { Alert, Tag } from 'antd';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { dayOf } from '#kernel/contract/moment.ts';
import { live, useCall } from '#kernel/web/calls.ts';
import { usePageTitle } from '#kernel/web/kit/page.tsx';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { CategoryTabs } from '#kernel/web/kit/list/bar/CategoryTabs.tsx';
import { SearchBox } from '#kernel/web/kit/list/bar/SearchBox.tsx';
import { Pager } from '#kernel/web/kit/list/Pager.tsx';
import { applicationCalls as calls } from '../../contract/applications.ts';
import { lineState } from '../../contract/codes.ts';
import { ScanBox } from '../scan/ScanBox.tsx';
import { Seals, slotsOf } from '../use/columns.tsx';
import { DeskCalendar } from './DeskCalendar.tsx';
import { DeskCase } from './DeskCase.tsx';
import '../stamps.css';

type Tab = 'out' | 'today' | 'ready' | 'pending' | 'copy' | 'calendar';
const asked = (tab: Tab): object =>
  ({
    out: { category: 'desk', out: true },
    today: { category: 'desk', appoint: dayOf(new Date()), seal_status: lineState.ready },
    ready: { category: 'desk', seal_status: lineState.ready },
    pending: { pending: true },
    copy: { category: 'desk', no_copy: true, order_by: 'copy_due' },
    calendar: {},
  })[tab];

const noSlip = '没有找到这个凭条，请核对后再扫';

/** The keeper's desk: scan, check the approved file, seal, photograph. */
export default function DeskPage() {
  usePageTitle('用印办理');
  const [address, setAddress] = useSearchParams();
  const tab = (address.get('tab') ?? 'ready') as Tab;
  const id = Number(address.get('id'));
  const { data: counts } = useCall(calls.counts, { query: { brief: true } }, { meta: live });
  const open = (next: number | null, at: Tab = tab) =>
    setAddress({ ...(at === 'ready' ? {} : { tab: at }), ...(next ? { id: String(next) } : {}) });
  if (id > 0) return <DeskCase id={id} onClose={() => open(null)} />;
  const tabs: [Tab, string, number | undefined][] = [
    ['out', '在外', counts?.borrowed],
    ['today', '今天', undefined],
    ['ready', '待用印', counts?.to_seal],
    ['pending', '待监印', counts?.to_confirm],
    ['copy', '待补留存', counts?.no_copy],
    ['calendar', '日历', undefined],
  ];
  return (
    <section className="kit-list" aria-label="用印办理">
      <header className="kit-list-head">
        <h1>用印办理</h1>
        <p className="kit-muted">扫用印凭条打开申请，对照批准的文件盖章、拍照</p>
      </header>
      <ScanBox
        label="用印凭条"
        placeholder="扫凭条或输核验码"
        button="打开"
        onFound={(found) => {
          if (found.kind === 'application') return open(found.id);
          return found.kind === 'stamp' ? `${found.name}：现由${found.keeper_now}保管` : noSlip;
        }}
      />
      {(counts?.overdue ?? 0) > 0 && <Alert type="error" showIcon title={`${counts!.overdue} 枚印章逾期未还`} />}
      <CategoryTabs
        value={tab}
        categories={tabs.map(([value, label, count]) => ({
          value,
          label,
          count,
          ...(value === 'today' && { of: { call: calls.list, query: asked(value) as Record<string, unknown> } }),
        }))}
        onChange={(next) => open(null, next as Tab)}
      />
      {tab === 'calendar' ? <DeskCalendar onOpen={open} /> : <Cases key={tab} tab={tab} onOpen={open} />}
    </section>
  );
}

const perPage = 20;
/** The cases of a tab, the most urgent at the top. */
function Cases({ tab, onOpen }: { tab: Tab; onOpen: (id: number) => void }) {
  const [page, setPage] = useState(1);
  const [search_value, search] = useState('');
  const { data, error, refetch } = useCall(
    calls.list,
    { query: { page, per_page: perPage, order_by: 'need_at', search_value, ...asked(tab) } },
    { meta: live, placeholderData: keepPreviousData },
  );
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  const rows = data?.value ?? [];
  const many = search_value !== '' || (data?.total ?? 0) > perPage;
  const find = (text: string) => {
    search(text);
    setPage(1);
  };
  return (
    <>
      {many && <SearchBox value={search_value} onSearch={find} />}
      {data && rows.length === 0 && (
        <EmptyState why={search_value ? '没有找到，请换个关键字' : '没有这样的申请；批准的用印会出现在“待用印”'} />
      )}
      <ul className="stamp-cases">
        {rows.map((row) => (
          <li key={row.id} className="kit-panel" data-late={row.late ? '' : undefined}>
            <button type="button" className="kit-link" onClick={() => onOpen(row.id)}>
              {row.title}
            </button>
            {row.late && <Tag color="error">逾期</Tag>}
            <Seals lines={row.lines} />
            <span className="kit-muted">
              {[
                `${row.copies} 份`,
                slotsOf(row.lines),
                row.back_at && `应还 ${row.back_at.slice(0, 16)}`,
                `${row.dept_name} ${row.operator_info.alias}`,
                row.sn,
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      {data && data.total > perPage && (
        <Pager
          align="end"
          size="small"
          current={data.page}
          pageSize={perPage}
          total={data.total}
          showTotal={(total) => `共 ${total}${data.total_capped ? '+' : ''} 件`}
          onChange={setPage}
        />
      )}
    </>
  );
}
