import { Checkbox } from 'antd';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { FilesField } from '#modules/platform/files/widgets.tsx';
import type { ApplicationDetail, Line } from '../../contract/application.ts';
import { applicationCalls as calls } from '../../contract/applications.ts';

interface Props {
  row: ApplicationDetail;
  onClose: () => void;
}

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

/** Confirms a sealing as the second person, for the chosen seals. */
export function ConfirmDrawer({ row, onClose }: Props) {
  const lines = row.lines.filter((line) => line.actions.includes('confirm'));
  return (
    <FormDrawer
      open
      onClose={onClose}
      onDone={onClose}
      title={`监印确认：${row.title}`}
      name={`stamp:confirm:${row.id}`}
      secret
      call={calls.confirm}
      params={{ id: row.id }}
      initial={{ stamp_ids: lines.map((line) => line.stamp_id) }}
      submit="确认用印属实"
      fields={[
        {
          name: 'stamp_ids',
          render: ({ value, onChange }) => (
            <SealChoice lines={lines} value={(value as number[]) ?? []} onChange={(ids) => onChange?.(ids)} />
          ),
        },
        {
          name: 'password',
          kind: 'password',
          autoComplete: 'current-password',
          help: '或在下面输入用印凭条上的核验码',
        },
        { name: 'code' },
      ]}
    />
  );
}

/** Asks the second person anew, if nobody confirmed in time. */
export const AskSecond = ({ row, size }: { row: ApplicationDetail; size?: 'large' }) => (
  <CallButton
    call={calls.askSecond}
    asked={{ params: { id: row.id }, body: {} }}
    allowed={row.lines.some((line) => line.actions.includes('ask_second'))}
    code={null}
    type="primary"
    {...(size ? { size } : {})}
  >
    再请监印
  </CallButton>
);

/** Sealed copies came back to whoever keeps the seal. */
export const TakeBackDrawer = ({ row, onClose }: Props) => (
  <FormDrawer
    open
    onClose={onClose}
    onDone={onClose}
    title={`登记收回：${row.title}`}
    name={`stamp:take-back:${row.id}`}
    call={calls.takeBack}
    params={{ id: row.id }}
    initial={{ copies: row.outside }}
    submit="登记收回"
    fields={[
      { name: 'copies', kind: 'number', help: `已用印的文本还有 ${row.outside} 份在外；收到原件后再登记` },
      { name: 'remark', kind: 'textarea' },
    ]}
  />
);

/** Hands in the scan of the sealed file. */
export const CopyDrawer = ({ row, onClose }: Props) => (
  <FormDrawer
    open
    onClose={onClose}
    onDone={onClose}
    title={`交存扫描件：${row.title}`}
    name={`stamp:copy:${row.id}`}
    call={calls.copy}
    params={{ id: row.id }}
    submit="交存"
    fields={[
      {
        name: 'files',
        help: '盖章后的扫描件或照片；外单位可据此核对真伪',
        render: (control) => (
          <FilesField control={control} label="扫描件" module="stamps" max={20} accept=".pdf,.png,.jpg,.jpeg" />
        ),
      },
    ]}
  />
);
