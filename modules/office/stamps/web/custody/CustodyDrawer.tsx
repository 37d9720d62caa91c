import { Input } from 'antd';
import { useState } from 'react';
import { CameraButton, Scanner } from '#kernel/web/kit/camera.tsx';
import type { FieldControl, FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { PersonPicker } from '#modules/platform/people/widgets.tsx';
import { custodyCalls } from '../../contract/custody.ts';
import type { StampDetail } from '../../contract/seals.ts';
import { custodyKind } from '../../contract/seal-codes.ts';
import { personField, Pictures } from '../seals/StampForm.tsx';

const { handOver, caretaker, inventory, suspend, lost, collect, destroy, reappoint, found } = custodyKind;
const consequence: Readonly<Record<number, string>> = {
  [handOver]: '接收人签收后生效；待用印的申请随之由接收人办理',
  [caretaker]: '代管人签收后生效，到结束时间自动收回，最长 15 天',
  [suspend]: '停用后不能再申请；已通过的申请默认保留，启封后继续办理',
  [lost]: '立即停止使用，取消全部待用印的申请，并通知发起人、归口部门、审计和印章管理人员',
  [found]: '找回后为停用状态，核对无误后再启封',
  [collect]: '两位见证人签名后生效，不能撤回',
  [destroy]: '两位见证人签名后生效，不能撤回',
};

const picturesField: FormField = {
  name: 'files',
  help: '盖在白纸上拍照；手机可直接拍摄',
  render: (control) => <Pictures control={control} />,
};
function fieldsOf(kind: number, stamp: StampDetail): FormField[] {
  const reason: FormField = { name: 'reason', kind: 'textarea' };
  const to = (more: Partial<FormField> = {}) =>
    personField('to', {
      ...more,
      help: '须有“印章保管员”角色才能办理用印',
    });
  switch (kind) {
    case handOver:
      return [to(), picturesField, reason];
    case caretaker:
      return [
        to({ label: '代管人' }),
        { name: 'from_time', kind: 'datetime-local', help: '不填则签收后开始' },
        { name: 'until', kind: 'datetime-local', notBefore: 'from_time' },
        reason,
      ];
    case inventory:
      return [
        {
          name: 'code',
          help: '扫描标签，或输入印章编号',
          render: (control) => <LabelInput control={control} />,
        },
        picturesField,
        reason,
      ];
    case suspend:
      return [reason, { name: 'cancel_lines', kind: 'switch' }];
    case collect:
    case destroy:
      return [
        {
          name: 'witnesses',
          help: '两位，不能是保管人和本人',
          render: ({ id, value, onChange }) => (
            <PersonPicker id={id} multiple value={(value as string[] | undefined) ?? []} onChange={onChange} />
          ),
        },
        picturesField,
        reason,
      ];
    case reappoint:
      return [
        personField('backup', knownAs(stamp.backup_info)),
        personField('supervisor', knownAs(stamp.supervisor_info)),
        reason,
      ];
    default:
      return [reason];
  }
}
/** The label of a seal: scanned, typed or read by the camera. */
function LabelInput({ control: { id, value, onChange } }: { control: FieldControl }) {
  const [camera, setCamera] = useState(false);
  const read = (code: string) => {
    onChange?.(code);
    setCamera(false);
  };
  return (
    <div className="kit-stack">
      <Input id={id} value={(value as string | undefined) ?? ''} onChange={(event) => onChange?.(event.target.value)} />
      <CameraButton open={camera} onClick={() => setCamera(!camera)}>
        扫码
      </CameraButton>
      {camera && <Scanner onCode={read} />}
    </div>
  );
}
const knownAs = (card: StampDetail['backup_info']): Partial<FormField> => ({
  render: ({ id, value, onChange }) => (
    <PersonPicker
      id={id}
      known={card ? [card] : []}
      value={value as string | null}
      onChange={(next) => onChange?.(next ?? null)}
    />
  ),
});

/** Registers a custody event of a seal, with its consequences. */
export function CustodyDrawer({ kind, stamp, onClose }: { kind: number; stamp: StampDetail; onClose: () => void }) {
  const what = custodyKind.label(kind);
  const people = { backup: stamp.backup_info?.username ?? null, supervisor: stamp.supervisor_info?.username ?? null };
  const note = consequence[kind];
  return (
    <FormDrawer
      open
      onClose={onClose}
      onDone={() => undefined}
      title={`${what}：${stamp.name}`}
      name={`stamp:${stamp.id}:${kind}`}
      call={custodyCalls.propose}
      params={{ id: stamp.id }}
      also={{ kind }}
      initial={kind === reappoint ? people : {}}
      fields={fieldsOf(kind, stamp)}
      submit={`办理${what}`}
      {...(note ? { ask: () => Promise.resolve({ title: `确认办理${what}`, content: note }) } : {})}
    />
  );
}
