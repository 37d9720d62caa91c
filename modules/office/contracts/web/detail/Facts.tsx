import { Alert, Button, Descriptions, Steps } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import { moneyText } from '#kernel/contract/money/money.ts';
import { useCall } from '#kernel/web/calls.ts';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { usePermission } from '#kernel/web/kit/permission.tsx';
import { factsOf } from '#kernel/web/kit/show/facts.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { direction, disputeKind, isVoid, nature, purchaseMode, renewal, risk, stage } from '../../contract/codes.ts';
import { contractParties } from '../../contract/parties.ts';
import { ContractDetail } from '../../contract/shapes.ts';
import { DirectionTag, StageTag } from '../list/columns.tsx';

interface Props {
  row: ContractDetail;
}

/** 阶段条: the stages from draft to archive, with their dates. */
export function StagePanel({ row }: Props) {
  const narrow = useNarrow();
  const voided = isVoid(row);
  const at = voided ? stage.void : row.stage;
  const approved = row.approved_at !== null || row.imported;
  const sealed = row.stamp_application_id !== null;
  const steps = [
    { title: '起草', done: row.act_state !== actState.draft || approved, on: row.gmt_created },
    { title: '审批', done: approved, on: row.approved_at },
    // A contract signed without our seal has no such step.
    ...(sealed || row.sign_date === null ? [{ title: '用印', done: sealed, on: row.sealed_at }] : []),
    { title: '签订', done: row.sign_date !== null, on: row.sign_date },
    { title: '履行', done: row.sign_date !== null && row.ended_on !== null, on: row.ended_on },
    { title: '归档', done: row.archived_at !== null, on: row.archived_at },
  ];
  const stopped = voided || at === stage.terminated;
  // A stopped contract goes no further, except that archiving follows a termination, as after any end.
  const broken = voided
    ? steps.findIndex((step) => !step.done)
    : at === stage.terminated
      ? steps.findIndex(({ title }) => title === '履行')
      : -1;
  const current = steps.findIndex((step, index) => !step.done && index > broken);
  const statusOf = (done: boolean, index: number) =>
    index === broken ? 'error' : done ? 'finish' : at !== stage.void && index === current ? 'process' : 'wait';
  return (
    <section className="kit-panel kit-stack" aria-label="阶段">
      {(stopped || at === stage.suspended) && (
        <Alert
          type={at === stage.suspended ? 'warning' : 'error'}
          title={`合同${stage.label(at)}${row.ended_on ? `（${row.ended_on}）` : row.suspended_on ? `（自 ${row.suspended_on}）` : ''}`}
        />
      )}
      <Steps
        size="small"
        orientation={narrow ? 'vertical' : 'horizontal'}
        items={steps.map(({ title, done, on }, index) => ({
          title: index === broken ? (voided ? '作废' : '解除') : title,
          content: on?.slice(0, 10) ?? '',
          status: statusOf(done, index),
        }))}
      />
    </section>
  );
}

/** The facts of the contract: 要素. */
export function FactsPanel({ row }: Props) {
  const named = (names: object, code: number | null) => (code === null ? '' : (names as Record<number, string>)[code]);
  const money = (amount: number | null) => (amount === null ? '' : `${moneyText(amount)} 元`);
  const end = row.term_end ?? '长期';
  return (
    <section className="kit-panel" aria-label="合同要素">
      <h2>合同要素</h2>
      <Descriptions
        size="small"
        column={{ xs: 1, sm: 1, md: 2 }}
        items={factsOf(ContractDetail, {
          category_name: `${row.category_name} · ${nature.label(row.nature)}`,
          amount:
            row.pay_direction === direction.none ? (
              '无金额'
            ) : (
              <span>
                <DirectionTag code={row.pay_direction} />
                {money(row.amount)}（{row.amount_upper}）
              </span>
            ),
          paid: {
            heading: row.pay_direction === direction.in ? '已收 / 未收' : '已付 / 未付',
            shown:
              row.sign_date && row.pay_direction !== direction.none
                ? `${moneyText(row.paid)} / ${moneyText(row.unpaid)} 元`
                : '',
          },
          refunded: row.refunded > 0 ? `${moneyText(row.refunded)} 元` : '',
          reduced: row.reduced > 0 ? `${moneyText(row.reduced)} 元` : '',
          amount_cap: row.amount_cap === null ? '' : `${money(row.amount_cap)}，框架下合同已占 ${money(row.cap_used)}`,
          tax_rate: row.tax_rate === null ? '' : `${row.tax_rate}%`,
          deposit: money(row.deposit),
          term_end: {
            heading: '起止',
            shown: `${row.start_date ?? '签订之日'} 至 ${end}${row.term_no && row.term_no > 1 ? `（第 ${row.term_no} 期）` : ''}`,
          },
          renewal:
            row.renewal === renewal.tacit
              ? `自动顺延，每次 ${row.renewal_months} 个月`
              : named(renewal.names, row.renewal),
          notice_date: row.notice_date,
          warranty_end: row.warranty_end,
          undertaker_alias: { heading: '承办', shown: `${row.dept_name} ${row.undertaker_alias}` },
          manage_dept_name: row.manage_dept_name,
          purchase_mode: named(purchaseMode.names, row.purchase_mode),
          bid_no: row.bid_no,
          fund_source: row.fund_source,
          dispute: named(disputeKind.names, row.dispute),
          need_legal: row.stage === stage.drafting ? row.legal_reason : row.need_legal ? '经法务审核' : '',
          risk_level: named(risk.names, row.risk_level),
          legal_opinion: row.legal_opinion,
          sign_date: row.sign_date,
          effective_date: row.effective_date,
          copies_total: {
            heading: '份数',
            shown:
              row.copies_total === null
                ? ''
                : `共 ${row.copies_total} 份${row.copies_kept === null ? '' : `，我方留存 ${row.copies_kept} 份`}`,
          },
          keeper_alias: row.keeper_alias,
          archive_no: row.archive_no && `${row.archive_no} · ${row.archive_location} · ${row.retention}`,
          parent: row.parent && (
            <Link to={`/contract/detail/${row.parent.id}`}>
              {row.parent.contract_no} {row.parent.name}
            </Link>
          ),
        })}
      />
      {row.children.length > 0 && (
        <>
          <h3>{row.nature === nature.framework ? '框架下的合同与补充协议' : '补充协议'}</h3>
          <ul className="kit-lines">
            {row.children.map((child) => (
              <li key={child.id}>
                <Link to={`/contract/detail/${child.id}`}>{child.name}</Link>
                <span className="kit-muted">{child.contract_no}</span>
                <span className="kit-grow" />
                <StageTag code={child.stage} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** 相对方: with the facts of the contract; viewing bank accounts needs a click and is logged. */
export function PartiesPanel({ row }: Props) {
  return (
    <section className="kit-panel" aria-label="相对方">
      <h2>相对方</h2>
      <p>我方：{row.our_party || '—'}</p>
      {row.parties.map((side, at) => (
        <div key={at} className="contract-node">
          <strong>{side.name}</strong> {side.role && <span className="kit-muted">{side.role}</span>}
          <p className="kit-muted">
            {[
              side.credit_code,
              side.legal_person && `法定代表人 ${side.legal_person}`,
              side.contact_name,
              side.contact_phone,
              side.address,
            ]
              .filter(Boolean)
              .join(' · ') || '没有填写其他信息'}
          </p>
          {row.has_bank && side.party_id && <Bank id={side.party_id} />}
        </div>
      ))}
    </section>
  );
}

function Bank({ id }: { id: number }) {
  const may = usePermission();
  const [open, setOpen] = useState(false);
  const { data } = useCall(
    contractParties.party,
    { params: { id }, query: { bank: true } },
    { enabled: open, quiet: true },
  );
  if (!may('Update') && !may('chuli')) return null;
  if (data)
    return (
      <p>
        {data.value.bank_name} {data.value.bank_account || '没有登记账号'}
      </p>
    );
  return (
    <Button size="small" type="link" onClick={() => setOpen(true)}>
      显示银行账号（查看留痕）
    </Button>
  );
}

/** 相近合同: possible pieces of a split contract. */
export function AlikePanel({ row: { alike } }: Props) {
  if (!alike) return null;
  return (
    <section className="kit-panel" aria-label="相近合同">
      <Alert
        type="warning"
        showIcon
        title={`${alike.months} 个月内同一相对方、类别和部门的合同合计 ${moneyText(alike.total)} 元，跨过第 ${alike.step} 档，请核对是否拆分`}
      />
      <ul className="kit-lines">
        {alike.rows.map((one, at) => (
          <li key={at}>
            {one.id === null ? (
              <span className="kit-muted">无权查看的合同</span>
            ) : (
              <Link to={`/contract/detail/${one.id}`}>{one.name}</Link>
            )}
            <span className="kit-grow" />
            {moneyText(one.amount)} 元
          </li>
        ))}
      </ul>
    </section>
  );
}
