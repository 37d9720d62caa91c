import { useQueryClient } from '@tanstack/react-query';
import { App } from 'antd';
import { useSearchParams } from 'react-router';
import { moduleOf, useCall } from '#kernel/web/calls.ts';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { useBecome } from '#kernel/web/kit/page.tsx';
import { RecordForm } from '#modules/workflow/records/widgets.tsx';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { direction, nature, renewal } from '../../contract/codes.ts';
import { contracts } from '../../contract/contracts.ts';
import type { ContractDetail } from '../../contract/shapes.ts';
import { textMode } from '../../contract/texts.ts';
import { owedBy } from '../../engine/owed.ts';
import { contractFields } from './fields.tsx';
import { Assessment } from './hints.tsx';

const blank = {
  nature: nature.usual,
  pay_direction: direction.out,
  renewal: renewal.none,
  text_mode: textMode.template,
  parties: [],
  plans: [],
  attachments: [],
};

/** The form of a new contract: blank, a copy, or a supplement (`copy` and `of` in the address). */
export function ContractForm({ onClose }: { onClose: () => void }) {
  const [asked] = useSearchParams();
  const narrow = useNarrow();
  const become = useBecome();
  const { message } = App.useApp();
  const [copied, main] = [Number(asked.get('copy')), Number(asked.get('of'))];
  const from = copied || main;
  const { data, error, refetch } = useCall(contracts.get, { params: { id: from } }, { enabled: from > 0 });
  const known = data?.value;
  return (
    <RecordForm
      title={main ? '起草补充协议' : '起草合同'}
      note={noteOf(narrow, main ? known : undefined)}
      coming={from > 0 && !known}
      error={error}
      retry={() => void refetch()}
      name={main ? `contract:of:${main}` : copied ? `contract:copy:${copied}` : 'contract:new'}
      call={contracts.create}
      initial={known ? (main ? supplementTo(known) : copyOf(known)) : blank}
      submit="提交审批"
      also={{ submit: true }}
      other={{ label: '保存草稿', also: { submit: false } }}
      invalidates={['contract', 'tickets']}
      fields={contractFields(undefined, narrow)}
      beside={(values) => <Assessment values={values} own={0} />}
      onCancel={onClose}
      onDone={({ id, act_state }) => {
        void message.success(act_state === actState.draft ? '草稿已保存' : '合同已提交审批');
        become(`/contract/detail/${id}`);
      }}
    />
  );
}
const noteOf = (narrow: boolean, main: ContractDetail | undefined) => {
  if (main) return `补充协议签订并登记变更后，${main.contract_no} 的金额、期限才随之改变`;
  return narrow ? '合同文本请在电脑上起草；框架下的合同可以直接选用示范文本' : undefined;
};

/** The fields of a copy, without files, department and undertaker. */
function copyOf(known: ContractDetail) {
  const { file: _file, attachments: _files, dept_id: _dept, undertaker: _who, ...rest } = known;
  return { ...rest, name: `${known.name}（副本）`.slice(0, 120), attachments: [] };
}
const supplementTo = (known: ContractDetail) => ({
  ...blank,
  name: `${known.name}补充协议`.slice(0, 120),
  nature: nature.supplement,
  parent_id: known.id,
  category_id: known.category_id,
  dept_id: known.dept_id,
  pay_direction: known.pay_direction,
  our_party: known.our_party,
  parties: known.parties,
  amount: known.nature === nature.framework ? known.amount_cap : owedBy(known),
  end_date: known.end_date,
  text_mode: textMode.own,
});

/** Edits a contract that is with its author; it is sent again from its page, or at once. */
export function EditContract({ row, onClose }: { row: ContractDetail; onClose: () => void }) {
  const narrow = useNarrow();
  const client = useQueryClient();
  const { message } = App.useApp();
  return (
    <RecordForm
      title="编辑合同"
      name={`contract:${row.id}`}
      call={contracts.update}
      params={{ id: row.id }}
      initial={{ ...row }}
      also={{ version: row.version }}
      submit="保存合同"
      invalidates={['contract']}
      fields={contractFields(row, narrow)}
      beside={(values) => <Assessment values={values} own={row.id} />}
      onCancel={onClose}
      onDone={async () => {
        await client.invalidateQueries({ queryKey: [moduleOf(tickets.get)] });
        void message.success('合同已保存');
        onClose();
      }}
    />
  );
}
