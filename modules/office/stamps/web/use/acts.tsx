import { Checkbox } from 'antd';
import { download } from '#kernel/web/client.ts';
import type { FieldControl, FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import type { Acts } from '#kernel/web/kit/press/acts.tsx';
import { FilesField, PdfDrawer } from '#modules/platform/files/widgets.tsx';
import type { ApplicationDetail, Line } from '../../contract/application.ts';
import { applicationCalls as calls } from '../../contract/applications.ts';
import { lineState } from '../../contract/codes.ts';
import { DayStrip } from './SealInput.tsx';

/** Chooses among several seals. */
export const SealChoice = ({
  lines,
  value,
  onChange,
}: {
  lines: readonly Line[];
  value: readonly number[];
  onChange: (stamps: number[]) => void;
}) => (
  <Checkbox.Group
    aria-label="印章"
    options={lines.map((line) => ({ value: line.stamp_id, label: `${line.stamp_name}，每份 ${line.times} 次` }))}
    value={[...value]}
    onChange={onChange}
  />
);

interface Slot {
  stamp_id: number;
  day: string | null;
  part: number | null;
}
/** Chooses or moves the slots of an application's seals. */
function Slots({ row, control: { value, onChange } }: { row: ApplicationDetail; control: FieldControl }) {
  const lines = (value ?? []) as Slot[];
  return (
    <div className="kit-stack">
      {lines.map((line) => (
        <div key={line.stamp_id}>
          <strong>{row.lines.find((one) => one.stamp_id === line.stamp_id)?.stamp_name}</strong>
          <DayStrip
            stamp={line.stamp_id}
            value={line}
            onChange={(place) => onChange?.(lines.map((one) => (one === line ? { ...line, ...place } : one)))}
          />
        </div>
      ))}
    </div>
  );
}

const allowing = (row: ApplicationDetail, ...actions: string[]) =>
  row.lines.filter((line) => line.actions.some((one) => actions.includes(one)));
const awayOf = (row: ApplicationDetail) => row.loans.filter((loan) => loan.returned_at === null);
const askedOf = (row: ApplicationDetail) => awayOf(row).find((loan) => loan.extend_until !== null);
const stampOf = (row: ApplicationDetail, loan: { line_id: number }) =>
  row.lines.find((line) => line.id === loan.line_id)!.stamp_id;
const later: FormField = { name: 'until', kind: 'datetime-local' };

/** The acts on an application besides those of its approval and of the desk. */
export const applicationActs: Acts<ApplicationDetail> = {
  confirm: {
    label: '监印确认',
    call: calls.confirm,
    offered: (row) => allowing(row, 'confirm').length > 0,
    code: null,
    look: { type: 'primary' },
    secret: true,
    initial: (row) => ({ stamp_ids: allowing(row, 'confirm').map((line) => line.stamp_id) }),
    fields: (row) => [
      {
        name: 'stamp_ids',
        render: ({ value, onChange }) => (
          <SealChoice
            lines={allowing(row, 'confirm')}
            value={(value as number[]) ?? []}
            onChange={(ids) => onChange?.(ids)}
          />
        ),
      },
      { name: 'password', kind: 'password', autoComplete: 'current-password', help: '或在下面输入用印凭条上的核验码' },
      { name: 'code' },
    ],
    submit: '确认用印属实',
  },
  /** Asks the second person anew, if nobody confirmed in time. */
  ask_second: {
    label: '再请监印',
    call: calls.askSecond,
    offered: (row) => allowing(row, 'ask_second').length > 0,
    code: null,
    look: { type: 'primary' },
    atOnce: true,
  },
  desk: {
    label: '去办理',
    offered: (row) => allowing(row, 'seal', 'hand_over', 'return').length > 0,
    code: 'Retrieve',
    look: { type: 'primary' },
    to: ({ id }) => `/stamp/desk?id=${id}`,
  },
  appoint: {
    label: (row) => (row.lines.some((line) => line.day) ? '改约' : '预约'),
    title: '预约用印时段',
    call: calls.appoint,
    also: ({ version }) => ({ version }),
    initial: (row) => ({
      lines: row.lines
        .filter((line) => line.state <= lineState.ready && !line.pending_at)
        .map(({ stamp_id, day, part }) => ({ stamp_id, day, part })),
    }),
    fields: (row) => [{ name: 'lines', render: (control) => <Slots row={row} control={control} /> }],
    submit: '保存预约',
  },
  copy: {
    label: '交存扫描件',
    call: calls.copy,
    look: (row) => ({ type: row.copy_at === null ? 'primary' : 'default' }),
    fields: [
      {
        name: 'files',
        help: '盖章后的扫描件或照片；外单位可据此核对真伪',
        render: (control) => (
          <FilesField control={control} label="扫描件" module="stamps" max={20} accept=".pdf,.png,.jpg,.jpeg" />
        ),
      },
    ],
    submit: '交存',
  },
  'take-back': {
    label: '登记收回',
    call: calls.takeBack,
    offered: (row) => row.can.includes('take_back'),
    code: null,
    initial: (row) => ({ copies: row.outside }),
    fields: (row) => [
      { name: 'copies', kind: 'number', help: `已用印的文本还有 ${row.outside} 份在外；收到原件后再登记` },
      { name: 'remark', kind: 'textarea' },
    ],
  },
  extend: {
    label: '申请延期',
    title: '申请延长外带',
    call: calls.extend,
    initial: (row) => {
      const [first] = awayOf(row);
      return first ? { stamp_id: stampOf(row, first) } : {};
    },
    fields: (row) => [
      {
        name: 'stamp_id',
        kind: 'select',
        options: awayOf(row).map((loan) => ({ value: stampOf(row, loan), label: loan.stamp_name })),
      },
      later,
      { name: 'reason', kind: 'textarea' },
    ],
    submit: '提出延期',
  },
  decide: {
    label: '决定延期',
    title: (row) => `${askedOf(row)?.stamp_name ?? ''}：决定延期`,
    call: calls.decideExtension,
    offered: (row) => row.can.includes('decide_extend'),
    code: null,
    look: { type: 'primary' },
    also: (row) => {
      const asked = askedOf(row);
      return asked ? { stamp_id: stampOf(row, asked) } : {};
    },
    initial: (row) => ({ result: 1, until: askedOf(row)?.extend_until?.slice(0, 16).replace(' ', 'T') }),
    fields: [
      {
        name: 'result',
        kind: 'select',
        options: [
          { value: 1, label: '同意延期' },
          { value: 2, label: '不同意' },
        ],
      },
      { ...later, when: (values) => values['result'] === 1 },
      { name: 'opinion', kind: 'textarea' },
    ],
    submit: '决定',
  },
  sheet: {
    label: '打印审批单',
    opens: (row, close) => (
      <PdfDrawer
        title={`审批单：${row.title}`}
        about={`${row.id}:${row.version}`}
        fetch={(signal) => download(calls.sheet, { params: { id: row.id } }, { signal, quiet: true })}
        onClose={close}
      />
    ),
  },
  apply_again: { label: '以此重新申请', to: ({ id }) => `/stamp/application?again=${id}` },
  cancel: {
    label: '不再用印',
    title: '不再用印',
    call: calls.cancel,
    fields: [{ name: 'reason', kind: 'textarea' }],
    submit: '取消用印',
  },
};
