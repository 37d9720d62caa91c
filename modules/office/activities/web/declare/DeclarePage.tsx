import { App, Button } from 'antd';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import type { Calls } from '#kernel/contract/call.ts';
import { useCall } from '#kernel/web/calls.ts';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { useBecome } from '#kernel/web/kit/page.tsx';
import { accounts, type Profile } from '#modules/platform/accounts/contract.ts';
import type { PersonCard } from '#modules/platform/people/contract/cards.ts';
import { RecordForm } from '#modules/workflow/records/widgets.tsx';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { activities as calls } from '../../contract/activities.ts';
import { activityRuleCalls, activityRules } from '../../contract/rules.ts';
import type { ActivityDetail } from '../../contract/shapes.ts';
import { activityFields } from './fields.tsx';
import { Preview } from './Preview.tsx';
import '../activities.css';

const blank = { guests: [], leaders: [], poster: [], attachments: [], need: [] };
const again = ({ id: _id, ...guest }: ActivityDetail['guests'][number]) => ({
  ...guest,
  ...(guest.note_of ? { background: '' } : {}),
});
/** The fields that a copy takes over: all but the time and the files. */
const copyOf = ({
  start_time: _start,
  end_time: _end,
  poster: _p,
  attachments: _a,
  safety_plan: _s,
  urgent_reason: _u,
  ...row
}: ActivityDetail) => ({
  ...row,
  ...blank,
  guests: row.guests.map(again),
  leaders: row.leaders,
});

interface Props {
  title: string;
  note?: ReactNode;
  name: string;
  call: Calls[string];
  row?: ActivityDetail | undefined;
  /** The writer, preset as undertaker of a new activity. */
  own?: PersonCard | undefined;
  initial: Record<string, unknown>;
  more?: FormField[];
  also?: Record<string, unknown>;
  coming?: boolean;
  submit: string;
  onDone: (made: { id: number; act_state: number }) => void;
  onCancel?: () => void;
}
/** The form, with the verdict of the rules beside it. */
function Form({ row, own, more = [], also, ...form }: Props) {
  const { data: rule } = useCall(activityRuleCalls.rule, {});
  return (
    <RecordForm
      {...(form as object as Parameters<typeof RecordForm<typeof calls.again>>[0])}
      coming={form.coming || !rule}
      {...(row ? { params: { id: row.id } } : {})}
      also={{ confirm: true, submit: true, ...also }}
      other={{ label: '保存草稿', also: { submit: false } }}
      invalidates={['activity', 'tickets', 'meet']}
      fields={[...activityFields(rule?.value ?? activityRules.defaults, row, own), ...more]}
      beside={(values) => <Preview values={values} id={row?.id} />}
    />
  );
}

/** The initial values: the writer as undertaker, and their department. */
const startOf = (me: Profile | undefined) =>
  me && { undertaker: me.id, dept_id: me.user_dept, phone: me.office_phone || me.phone };
const cardOf = ({ id, username, alias, user_dept: dept_id, department: dept_name }: Profile): PersonCard => ({
  id,
  username,
  alias,
  dept_id,
  dept_name,
});

/** 活动申报: a new one, or a copy of another (`copy` in the address). */
export default function DeclarePage() {
  const [address, setAddress] = useSearchParams();
  const { message } = App.useApp();
  const become = useBecome();
  const copied = Number(address.get('copy'));
  const { data } = useCall(calls.get, { params: { id: copied } }, { enabled: copied > 0 });
  const { data: me } = useCall(accounts.me, {});
  const { data: own } = useCall(calls.list, { query: { category: 'owner', per_page: 1 } });
  const last = own?.value[0];
  const note = last && !copied && (
    <span className="activity-note">
      <Button onClick={() => setAddress({ copy: String(last.id) })}>复制上次《{last.title}》</Button>
    </span>
  );
  return (
    <Form
      key={copied}
      title="活动申报"
      note={note}
      name={copied ? `activity:copy:${copied}` : 'activity:new'}
      call={calls.create}
      coming={!me || (copied > 0 && !data)}
      own={me && cardOf(me)}
      initial={data && copied ? { ...copyOf(data.value), ...startOf(me) } : { ...blank, ...startOf(me) }}
      onCancel={() => become('/activity/list?category=owner')}
      submit="提交申报"
      onDone={({ id, act_state }) => {
        void message.success(act_state === actState.draft ? '草稿已保存' : '已提交审批');
        become(`/activity/detail/${id}`);
      }}
    />
  );
}

/** The form for a returned activity, or for a change of an approved one. */
export function EditActivity({ row, onClose }: { row: ActivityDetail; onClose: () => void }) {
  const changing = row.act_state === actState.finished;
  const initial = { ...row, guests: row.guests.map(again) };
  return (
    <Form
      title={changing ? `申请变更：${row.title}` : `修改：${row.title}`}
      note={changing && '变更通过之前，原来的安排和场地都保留'}
      name={`activity:${row.id}:${row.version}`}
      call={calls.again}
      row={row}
      initial={initial}
      more={changing ? [{ name: 'reason', group: '变更' }] : []}
      also={{ version: row.version }}
      submit={changing ? '提交变更' : '提交申报'}
      onDone={onClose}
      onCancel={onClose}
    />
  );
}
