import { useCall } from '#kernel/web/calls.ts';
import { daysOf } from '#kernel/web/kit/figures/days.ts';
import { choiceFilter, FiguresPage, type FigureFilter } from '#kernel/web/kit/figures/FiguresPage.tsx';
import { deptFilter } from '#modules/platform/people/widgets.tsx';
import { workflows } from '#modules/workflow/workflows/contract.ts';
import { ticketStatistics } from '../../contract/statistics.ts';

const filters = {
  workflow_id: (control: FigureFilter) => <WorkflowFilter {...control} />,
  dept: deptFilter,
};

/** Waiting and working times of tickets, returns by people, and late tickets. */
export default function StatisticsPage() {
  return (
    <FiguresPage
      figures={ticketStatistics}
      help="所看范围内所有人的都计入，首页只计本人的；时长按工作时间计算，节假日和下班时间不计"
      filters={filters}
      summary={(figures) => [
        ['发起', figures.started, '张'],
        ['办结', figures.finished, '张'],
        ['处理', figures.decided, '次'],
        ['平均等待', figures.wait_hours, '小时'],
        ['平均办理', figures.work_hours, '小时'],
        ['退回率', figures.return_rate, '%'],
        ['逾期处理', figures.overdue, '次'],
        ['所有人待办', figures.open, '项'],
        ['所有人逾期', figures.open_overdue, '项'],
      ]}
      to={{
        month: (row, { workflow_id, ...asked }) =>
          `/ticket/all?${daysOf(row.key, asked, ['create_start', 'create_end'])}${workflow_id ? `&workflow_ids=${workflow_id}` : ''}`,
        state: (row) => {
          const [workflow = '', state = ''] = row.key.split('-');
          return `/ticket/all?workflow_ids=${workflow}&state_ids=${state}`;
        },
      }}
    />
  );
}

function WorkflowFilter(control: FigureFilter) {
  const { data } = useCall(workflows.list, { query: { per_page: 100 } }, { staleTime: 300_000 });
  return choiceFilter('类型', data?.value.map(({ id, name }) => ({ value: id, label: name })) ?? [])(control);
}
