import { Button, Drawer, Skeleton } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import { moneyText } from '#kernel/contract/money/money.ts';
import { optionsOf } from '#kernel/contract/titles.ts';
import { useCall } from '#kernel/web/calls.ts';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { useActs, type Act, type Acts } from '#kernel/web/kit/press/acts.tsx';
import { listColumns, rowOf } from '#kernel/web/kit/list/columns/listColumns.ts';
import { direction, stageName } from '../../contract/codes.ts';
import { contractParties, type Party, type PartyRow, partyStanding } from '../../contract/parties.ts';
import { PartyPicker } from './PartyPicker.tsx';
import { Standing } from './PartyInput.tsx';

const standings = optionsOf(partyStanding.names);
const marked = (values: Record<string, unknown>) => Number(values['standing']) > partyStanding.normal;
const fields: FormField[] = [
  { name: 'name', help: '已签合同里的名称不随之改变' },
  { name: 'credit_code' },
  { name: 'standing', kind: 'select', options: standings },
  { name: 'standing_reason', when: marked },
  { name: 'standing_until', kind: 'date', help: '不填则一直有效', when: marked },
  { name: 'contact_name' },
  { name: 'contact_phone' },
  { name: 'remark' },
];
const saves = {
  call: contractParties.saveParty,
  offered: (party: Party) => party.actions.includes('update'),
  code: null,
  also: ({ version }: Party) => ({ version }),
} satisfies Partial<Act<Party>>;
const acts: Acts<Party> = {
  edit: {
    ...saves,
    label: '编辑',
    title: (party) => `编辑 ${party.name}`,
    initial: (party) => party,
    fields,
    submit: '保存相对方',
  },
  merge: {
    ...saves,
    label: '并入另一家',
    title: (party) => `并入另一家：${party.name}`,
    fields: ({ id }) => [
      {
        name: 'merge_into',
        help: '合同都记到它名下，合同上写的名称不变；并入后不能撤销',
        render: (control) => <PartyPicker control={control} but={id} />,
      },
    ],
    submit: '并入',
  },
};
/** The number of disputes, and of the open ones. */
const disputesOf = ({ disputes, open_disputes }: Pick<PartyRow, 'disputes' | 'open_disputes'>) =>
  open_disputes > 0 ? `${disputes}（${open_disputes} 未了结）` : String(disputes);

/** 相对方: their facts and standing, and figures of the contracts I see with them. */
export default function PartyPage() {
  const [open, setOpen] = useState<number | null>(null);
  return (
    <>
      <ListPage
        card={['standing', 'contracts', 'late_theirs']}
        name="contract/party"
        title="合同相对方"
        purpose="合计只含您可见的合同"
        call={contractParties.parties}
        numbered
        onOpen={(row) => setOpen(row.id)}
        filters={[
          {
            key: 'standing',
            kind: 'select',
            often: true,
            options: standings.map(({ value, label }) => ({ value: String(value), label })),
          },
        ]}
        columns={listColumns(rowOf(contractParties.parties), {
          name: { main: true, sort: true, width: 220 },
          credit_code: { width: 180 },
          standing: {
            sort: true,
            width: 80,
            render: (row) => <Standing of={row.standing} why={row.standing_reason} />,
          },
          contracts: {},
          amount_out: {},
          amount_in: {},
          open: {},
          late_theirs: {},
          late_ours: {},
          disputes: { number: true, whole: true, render: disputesOf },
          terminated: {},
        })}
        empty={{ why: '还没有相对方；起草合同时填写的相对方会自动列入' }}
      />
      {open !== null && <PartyCard id={open} onClose={() => setOpen(null)} />}
    </>
  );
}

/** One party: its facts, its bank account on request, and its contracts by year. */
function PartyCard({ id, onClose }: { id: number; onClose: () => void }) {
  const narrow = useNarrow();
  const [bank, setBank] = useState(false);
  const { buttons, drawer } = useActs((key) => `contract-party${key === 'merge' ? '-merge' : ''}:${id}`, acts);
  const { data } = useCall(contractParties.party, { params: { id }, query: bank ? { bank: true } : {} });
  const party = data?.value;
  return (
    <Drawer open title={party?.name ?? '相对方'} size={narrow ? '100%' : 640} onClose={onClose}>
      {party ? (
        <div className="kit-stack">
          <div className="kit-row">
            <Standing of={party.standing} />
            {party.standing > 0 && (
              <span>
                {party.standing_reason}
                {party.standing_until && `，至 ${party.standing_until}`}
              </span>
            )}
            <span className="kit-grow" />
            {buttons(party, [])}
          </div>
          <Facts party={party} onBank={() => setBank(true)} />
          <ByYear of={party.of} />
          {drawer}
        </div>
      ) : (
        <Skeleton active />
      )}
    </Drawer>
  );
}

function Facts({ party, onBank }: { party: Party; onBank: () => void }) {
  const facts = [
    ['统一社会信用代码', party.credit_code],
    ['法定代表人', party.legal_person],
    ['联系人', [party.contact_name, party.contact_phone].filter(Boolean).join(' ')],
    ['地址', party.address],
    ['争议', party.disputes > 0 && disputesOf(party)],
    ['备注', party.remark],
  ] as const;
  return (
    <dl className="kit-facts">
      {facts.map(
        ([label, value]) =>
          value && (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
      {party.has_bank && (
        <div>
          <dt>银行账号</dt>
          <dd>
            {party.bank_account === undefined ? (
              <Button size="small" onClick={onBank}>
                显示
              </Button>
            ) : (
              `${party.bank_name} ${party.bank_account}`
            )}
          </dd>
        </div>
      )}
    </dl>
  );
}

function ByYear({ of }: { of: Party['of'] }) {
  if (of.length === 0) return <p className="kit-muted">没有您可见的合同</p>;
  return [...Map.groupBy(of, (one) => one.year)].map(([year, rows]) => (
    <section key={year} aria-label={`${year} 年`}>
      <h3>
        {year} 年 {rows.length} 份
      </h3>
      <ul className="kit-lines">
        {rows.map((one) => (
          <li key={one.id}>
            <Link to={`/contract/detail/${one.id}`}>{one.name}</Link>
            <span className="kit-muted">{[one.contract_no, stageName(one.stage)].filter(Boolean).join(' · ')}</span>
            <span className="kit-grow" />
            {direction.label(one.pay_direction)} {moneyText(one.amount)}
          </li>
        ))}
      </ul>
    </section>
  ));
}
