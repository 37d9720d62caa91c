import { Link } from 'react-router';
import { moneyText } from '#kernel/contract/money/money.ts';
import { FiguresPage } from '#kernel/web/kit/figures/FiguresPage.tsx';
import { CategoryPicker } from '#kernel/web/kit/tree/CategoryPicker.tsx';
import { DeptPicker } from '#modules/people/widgets.tsx';
import { contractCategories } from '../contract/categories.ts';
import { contractStatistics } from '../contract/statistics.ts';

const link = (row: { key: string; name: string }) => <Link to={`/contract/detail/${row.key}`}>{row.name}</Link>;

/** How much is contracted, with whom and how fast, and what is to come. */
export default function StatisticsPage() {
  return (
    <FiguresPage
      figures={contractStatistics}
      help="按审批通过的日期统计您看得到的合同；收付、逾期和到期是现在的情况"
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
        ['合同', sum.count],
        ['付款合同金额', moneyText(sum.amount_out)],
        ['收款合同金额', moneyText(sum.amount_in)],
        ['已付', moneyText(sum.paid)],
        ['已收', moneyText(sum.received)],
        ['未付', moneyText(sum.unpaid)],
        ['逾期节点', sum.overdue_nodes],
        ['30 / 60 / 90 天内到期', `${sum.d30} / ${sum.d60} / ${sum.d90}`],
        ['待签订', sum.to_sign],
        ['待归档', sum.to_archive],
        ['平均审批天数', sum.avg_approval_days],
        ['示范文本率', `${sum.standard_text_rate}%`],
      ]}
      nameOf={{ expiring: link, backdated: link }}
    />
  );
}
