import { Input, Select, Skeleton } from 'antd';
import { useSearchParams } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { FiguresSummary } from '#kernel/web/kit/figures/FiguresSummary.tsx';
import { DeptPicker } from '#modules/people/widgets.tsx';
import { actStateNames } from '#modules/workflows/engine/codes.ts';
import { documentStatistics, type DocumentStatistics } from '../../contract/statistics.ts';
import { docKinds } from '../../contract/shapes.ts';
import { DocumentFigures } from './DocumentFigures.tsx';

const filters = ['doc_kind', 'start', 'end', 'dept'] as const;

/** How many documents there are, how long they take, who holds them, what comes back. */
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
  const { data, error, refetch } = useCall(documentStatistics.statistics, { query: asked });
  const all = data && !Array.isArray(data.value) ? data.value : null;
  return (
    <div className="kit-list">
      <h1>公文统计</h1>
      <div className="kit-row kit-panel">
        <Select
          aria-label="类型"
          className="kit-filter"
          allowClear
          placeholder="全部类型"
          value={Number(search.get('doc_kind')) || undefined}
          options={Object.entries(docKinds).map(([value, label]) => ({ value: Number(value), label }))}
          onChange={(value) => set('doc_kind', value)}
        />
        {(['start', 'end'] as const).map((key) => (
          <label key={key}>
            {key === 'start' ? '从' : '到'}{' '}
            <Input
              type="date"
              className="kit-filter"
              min={key === 'end' ? (search.get('start') ?? data?.start) : undefined}
              value={search.get(key) ?? data?.[key] ?? ''}
              onChange={(event) => set(key, event.target.value)}
            />
          </label>
        ))}
        <span className="figures-dept">
          <DeptPicker
            placeholder="全部部门"
            value={Number(search.get('dept')) || null}
            onChange={(value) => set('dept', value)}
          />
        </span>
        <span className="kit-muted">所看范围内所有人的都计入，首页只计本人的；按起草时间统计；时长按工作时间计算</span>
      </div>
      {error && !data && <FailedState error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton active className="kit-panel" paragraph={{ rows: 10 }} />}
      {all && <Figures all={all} asked={asked} />}
    </div>
  );
}

function Figures({ all, asked }: { all: DocumentStatistics; asked: Record<string, unknown> }) {
  const { summary } = all;
  const common = { asked, none: '所选范围内还没有公文' };
  const shown: [string, string | number][] = [
    ['公文', summary.total],
    ...actStateNames.flatMap((name, state): [string, number][] =>
      state === 0 ? [] : [[name, summary.by_act_state[String(state)] ?? 0]],
    ),
    ['所有人逾期', summary.overdue],
    ['逾期办结', summary.late],
    ['平均办理', `${summary.avg_hours} 小时`],
    ['办理中位数', `${summary.median_hours} 小时`],
    ['分发阅读', all.reading.dist === 0 ? '—' : `${all.reading.read_rate}%`],
  ];
  return (
    <>
      <FiguresSummary figures={shown} />
      <DocumentFigures {...common} dim="month" title="每月公文" rows={all.by_month} />
      <DocumentFigures {...common} dim="dept" title="各部门公文" rows={all.by_dept} />
      <DocumentFigures {...common} dim="type" title="各文种公文" rows={all.by_type} />
      <DocumentFigures {...common} dim="level" title="各紧急程度公文" rows={all.by_level} />
      <DocumentFigures
        {...common}
        dim="handler"
        title="谁手上有多少、等了多久"
        rows={all.by_handler}
        none="没有等待办理的公文"
      />
      <DocumentFigures
        {...common}
        dim="return"
        title="退回最多的起草人与理由"
        rows={all.by_return}
        none="没有退回的公文"
      />
      <DocumentFigures {...common} dim="gap" title="字号缺号" rows={all.number_gaps} none="字号没有缺号" />
    </>
  );
}
