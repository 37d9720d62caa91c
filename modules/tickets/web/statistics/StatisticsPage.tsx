import { Input, Select } from 'antd';
import { useSearchParams } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { FiguresSummary } from '#kernel/web/kit/figures/FiguresSummary.tsx';
import { DeptPicker } from '#modules/people/widgets.tsx';
import { workflows } from '#modules/workflows/contract.ts';
import { ticketStatistics, type Figures } from '../../contract/statistics.ts';
import { TicketFigures } from './TicketFigures.tsx';

const filters = ['workflow_id', 'start', 'end', 'dept'] as const;

/** How long tickets wait and are worked on, who returns them, and what comes late. */
export default function StatisticsPage() {
  const [search, setSearch] = useSearchParams();
  const asked = Object.fromEntries(filters.flatMap((key) => (search.get(key) ? [[key, search.get(key)]] : [])));
  const set = (key: (typeof filters)[number], value: string | number | null | undefined) =>
    setSearch((before) => {
      const next = new URLSearchParams(before);
      if (value) next.set(key, String(value));
      else next.delete(key);
      return next;
    });
  const { data: flows } = useCall(workflows.list, { query: { per_page: 100 } }, { staleTime: 300_000 });
  const { data, error, refetch } = useCall(ticketStatistics.statistics, { query: { ...asked, per_page: 100 } });
  return (
    <div className="kit-list">
      <h1>工单统计</h1>
      <div className="kit-row kit-panel">
        <Select
          aria-label="类型"
          className="kit-filter"
          allowClear
          placeholder="全部类型"
          value={Number(search.get('workflow_id')) || undefined}
          options={flows?.value.map((flow) => ({ value: flow.id, label: flow.name })) ?? []}
          onChange={(value) => set('workflow_id', value)}
        />
        <label>
          从{' '}
          <Input
            type="date"
            className="kit-filter"
            value={search.get('start') ?? data?.start ?? ''}
            onChange={(event) => set('start', event.target.value)}
          />
        </label>
        <label>
          到{' '}
          <Input
            type="date"
            className="kit-filter"
            min={search.get('start') ?? data?.start}
            value={search.get('end') ?? data?.end ?? ''}
            onChange={(event) => set('end', event.target.value)}
          />
        </label>
        <span className="figures-dept">
          <DeptPicker
            placeholder="全部部门"
            value={Number(search.get('dept')) || null}
            onChange={(value) => set('dept', value)}
          />
        </span>
        <span className="kit-muted">
          所看范围内所有人的都计入，首页只计本人的；时长按工作时间计算，节假日和下班时间不计
        </span>
      </div>
      {error && !data && <FailedState error={error} retry={() => void refetch()} />}
      {data && <Summary figures={data.summary} />}
      <TicketFigures by="month" title="每月发起、办结与处理" asked={asked} />
      <TicketFigures by="state" title="各环节的等待与办理时长" asked={asked} />
      <TicketFigures by="person" title="各处理人的等待与办理时长" asked={asked} />
    </div>
  );
}

function Summary({ figures }: { figures: Figures }) {
  const shown: [string, string | number][] = [
    ['发起', figures.started],
    ['办结', figures.finished],
    ['处理', figures.decided],
    ['平均等待', `${figures.wait_hours} 小时`],
    ['平均办理', `${figures.work_hours} 小时`],
    ['退回率', `${figures.return_rate}%`],
    ['逾期处理', figures.overdue],
    ['所有人待办', figures.open],
    ['所有人逾期', figures.open_overdue],
  ];
  return <FiguresSummary figures={shown} />;
}
