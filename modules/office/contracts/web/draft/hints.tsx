import { Alert } from 'antd';
import { Link } from 'react-router';
import { dayAfter, dayOf } from '#kernel/contract/moment.ts';
import { capitals } from '#kernel/contract/money/capitals.ts';
import { moneyText } from '#kernel/contract/money/money.ts';
import { useCall } from '#kernel/web/calls.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { contractCategories, type ContractCategory } from '../../contract/categories.ts';
import { contractRuleCalls } from '../../contract/rules.ts';
import { contracts } from '../../contract/contracts.ts';
import { textMode } from '../../contract/texts.ts';
import { legalReview, stepOf } from '../../engine/legal.ts';

type Values = Record<string, unknown>;
const flat = (nodes: readonly ContractCategory[]): ContractCategory[] =>
  nodes.flatMap((node) => [node, ...flat(node.children)]);

/** The amount in Chinese capitals. */
export function Capitals({ amount }: { amount: unknown }) {
  return typeof amount === 'number' && amount > 0 ? <p className="kit-muted">{capitals(amount)}</p> : null;
}

/** The last day for a notice of non-renewal. */
export function NoticeDay({ values }: { values: Values }) {
  const [end, days] = [values['end_date'], values['notice_days']];
  if (typeof end !== 'string' || end.length !== 10 || typeof days !== 'number') return null;
  return <p className="kit-muted">不再续约的，须在 {dayAfter(end, -days)} 前通知对方</p>;
}

/** The reviews to expect, as far as the form tells; and possible pieces of a split contract. */
export function Assessment({ values, own }: { values: Values; own: number }) {
  const { data: categories = [] } = useCall(contractCategories.list, { query: {} });
  const { data: rules } = useCall(contractRuleCalls.rule, {});
  const category = flat(categories).find((one) => one.id === values['category_id']);
  const name = typeof values['name'] === 'string' ? values['name'] : '';
  const party = (values['parties'] as { party_id?: number | null }[] | undefined)?.[0]?.party_id ?? undefined;
  const since = dayAfter(dayOf(new Date()), -30);
  const named = useCall(
    contracts.list,
    { query: { search_value: name.slice(0, 20), create_start: since, per_page: 4 } },
    { enabled: name.length > 3 },
  ).data?.value.filter((one) => one.id !== own);
  const months = rules?.value.split_months ?? 12;
  const near = useCall(
    contracts.list,
    {
      query: {
        party_id: party,
        category_id: category?.id,
        create_start: dayAfter(dayOf(new Date()), -30 * months),
        per_page: 20,
      },
    },
    { enabled: party !== undefined && category !== undefined },
  ).data?.value.filter((one) => one.id !== own && one.act_state !== actState.draft);
  if (!category || !rules) return null;
  const pays = values['pay_direction'] ?? 1;
  const steps = pays === 2 ? category.in_steps : category.out_steps;
  const amount = Number(values['amount'] ?? 0);
  const step = pays === 3 ? 0 : stepOf(amount, steps);
  const fromTemplate = values['text_mode'] === textMode.template;
  const legal = legalReview({
    standard: false,
    lockedKept: true,
    fromTemplate,
    needed: category.need_legal,
    step,
    fromStep: rules.value.legal_from_step,
  });
  const total = (near ?? []).reduce((sum, one) => sum + Math.round(one.amount * 100), Math.round(amount * 100)) / 100;
  const split = near !== undefined && near.length > 0 && stepOf(total, steps) > step;
  return (
    <div className="kit-stack">
      <Alert
        type="info"
        showIcon
        title={`${legal.needed ? '须经法务审核' : '不经法务审核'}：${legal.why}${fromTemplate && legal.needed ? '；示范文本未改动的不经法务' : ''}`}
        description={[
          step >= 2 ? '金额达到校领导审批的档次' : '由分管领导审批',
          category.manage_dept_name && `归口部门：${category.manage_dept_name}`,
        ]
          .filter(Boolean)
          .join('；')}
      />
      {split && (
        <Alert
          type="warning"
          showIcon
          title={`${months} 个月内与同一相对方的同类合同合计 ${moneyText(total)} 元，跨过金额档次，审批人会看到`}
          description={<Named rows={near} />}
        />
      )}
      {named && named.length > 0 && (
        <Alert type="info" title="近 30 天有名称相近的合同" description={<Named rows={named} />} />
      )}
    </div>
  );
}

function Named({ rows }: { rows: readonly { id: number; name: string; amount: number }[] }) {
  return (
    <ul className="kit-lines">
      {rows.slice(0, 5).map((row) => (
        <li key={row.id}>
          <Link to={`/contract/detail/${row.id}`} target="_blank">
            {row.name}
          </Link>
          <span className="kit-grow" />
          {moneyText(row.amount)} 元
        </li>
      ))}
    </ul>
  );
}
