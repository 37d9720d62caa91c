import { daysOf } from '#kernel/web/kit/figures/days.ts';
import { choiceFilter, FiguresPage, type Period } from '#kernel/web/kit/figures/FiguresPage.tsx';
import { optionsOf } from '#kernel/contract/titles.ts';
import { deptFilter } from '#modules/platform/people/widgets.tsx';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { docKind } from '../../contract/shapes.ts';
import { documentStatistics } from '../../contract/statistics.ts';

const filters = { doc_kind: choiceFilter('类型', optionsOf(docKind.names)), dept: deptFilter };

/** The query for the documents that a line counts. */
const counted = (line: Record<string, string>, { start, end, doc_kind }: Period) =>
  `/document/list?${new URLSearchParams({ category: 'all', start, end, ...(doc_kind && { doc_kind }), ...line })}`;

/** Counts of documents, durations, handlers and returns. */
export default function StatisticsPage() {
  return (
    <FiguresPage
      figures={documentStatistics}
      help="所看范围内所有人的都计入，首页只计本人的；按起草时间统计；时长按工作时间计算"
      filters={filters}
      summary={({ total, by_act_state, unanswered, overdue, late, avg_hours, median_hours, reading }) => [
        ['公文', total, '份'],
        ...Object.entries(actState.names)
          .filter(([state]) => Number(state) !== actState.draft)
          .map(([state, name]): [string, number, string] => [name, by_act_state[state] ?? 0, '份']),
        ['待答复', unanswered, '份'],
        ['所有人逾期', overdue, '份'],
        ['逾期办结', late, '份'],
        ['平均办理', avg_hours, '小时'],
        ['办理中位数', median_hours, '小时'],
        ['分发阅读', reading.dist === 0 ? '—' : reading.read_rate, '%'],
      ]}
      to={{
        month: (row, asked) => counted(Object.fromEntries(new URLSearchParams(daysOf(row.key, asked))), asked),
        type: (row, asked) => counted({ doc_type: row.key }, asked),
        level: (row, asked) => counted({ level: row.key }, asked),
      }}
    />
  );
}
