import { FiguresPage } from '#kernel/web/kit/figures/FiguresPage.tsx';
import { CategoryPicker } from '#kernel/web/kit/tree/CategoryPicker.tsx';
import { DeptPicker } from '#modules/platform/people/widgets.tsx';
import { contractCategories } from '../contract/categories.ts';
import { contractStatistics } from '../contract/statistics.ts';

const contract = (row: { key: string }) => `/contract/detail/${row.key}`;

/** Statistics of contracts: amounts, parties, durations and forecast. */
export default function StatisticsPage() {
  return (
    <FiguresPage
      figures={contractStatistics}
      help="按审批通过的日期统计您可见的合同；收付、逾期和到期按当前情况计算"
      filters={{
        category_id: ({ value, onChange }) => (
          <CategoryPicker
            call={contractCategories.list}
            placeholder="全部类别"
            value={value === null ? undefined : Number(value)}
            onChange={(next) => onChange(next as number | undefined)}
          />
        ),
        dept_id: ({ value, onChange }) => (
          <DeptPicker value={value === null ? undefined : Number(value)} onChange={(next) => onChange(next)} />
        ),
      }}
      summary={(sum) => [
        ['合同', sum.count, '份'],
        ['付款合同金额', sum.amount_out, '元'],
        ['收款合同金额', sum.amount_in, '元'],
        ['已付', sum.paid, '元'],
        ['已收', sum.received, '元'],
        ['退款', sum.refunded, '元'],
        ['未付', sum.unpaid, '元'],
        ['逾期节点', sum.overdue_nodes, '个'],
        ['30 / 60 / 90 天内到期', `${sum.d30} / ${sum.d60} / ${sum.d90}`],
        ['待签订', sum.to_sign, '份'],
        ['待归档', sum.to_archive, '份'],
        ['平均审批', sum.avg_approval_days, '天'],
        ['示范文本率', sum.standard_text_rate, '%'],
      ]}
      to={{ expiring: contract, backdated: contract }}
    />
  );
}
