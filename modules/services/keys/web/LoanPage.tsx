import { Descriptions } from 'antd';
import { useActs, type Acts } from '#kernel/web/kit/press/acts.tsx';
import { factsOf } from '#kernel/web/kit/show/facts.ts';
import { RecordPage } from '#modules/workflow/records/widgets.tsx';
import { loanCalls, LoanRow } from '../contract.ts';
import { loanActs } from '../engine/acts.ts';
import { LoanForm } from './LoanForm.tsx';
import { LoanStatus } from './LoansPage.tsx';

/** One loan: its facts, its ticket, and handing the key out and taking it back. */
export default function LoanPage() {
  const { buttons, drawer } = useActs('key/loan', acts);
  return (
    <>
      <RecordPage
        call={loanCalls.get}
        of={(reply) => reply.value}
        module="keys"
        list="/key/loan"
        actions={(row) => buttons(row, row.actions, { first: 'take' })}
        opens={{ edit: '修改' }}
        form={(row, close) => <LoanForm id={row.id} onClose={close} />}
      >
        {(row) => (
          <section className="kit-panel" aria-label="借用">
            <Descriptions size="small" column={{ xs: 1, md: 2 }} items={factsFor(row)} />
          </section>
        )}
      </RecordPage>
      {drawer}
    </>
  );
}

const acts: Acts<LoanRow> = {
  take: { label: loanActs.take, call: loanCalls.take, confirm: '请核对借用人后交付钥匙' },
  give_back: { label: loanActs.give_back, call: loanCalls.giveBack, confirm: '请收回钥匙后登记' },
};

const factsFor = (row: LoanRow) =>
  factsOf(LoanRow, {
    title: row.title,
    status: <LoanStatus row={row} />,
    creator_info: row.creator_info.alias,
    dept_name: row.dept_name,
    keeper_info: row.keeper_info.alias,
    start_date: row.start_date,
    due_date: row.due_date,
    taken_at: row.taken_at?.slice(0, 16),
    returned_at: row.returned_at?.slice(0, 16),
    reason: row.reason,
  });
