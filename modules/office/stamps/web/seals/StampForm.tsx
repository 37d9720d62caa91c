import { Checkbox } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { DateInput } from '#kernel/web/kit/form/date/DateInput.tsx';
import type { FieldControl, FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { FilesField } from '#modules/platform/files/widgets.tsx';
import type { FileCard } from '#modules/platform/files/contract.ts';
import { DeptPicker, PersonPicker } from '#modules/platform/people/widgets.tsx';
import { RecordForm } from '#modules/workflow/records/widgets.tsx';
import { workflows } from '#modules/workflow/workflows/contract.ts';
import { stampType } from '../../contract/seal-codes.ts';
import { sealCalls, type OfficeHours, type StampDetail } from '../../contract/seals.ts';
import { parts } from '../../contract/codes.ts';

/** The owner module of seals' pictures in uploads. */
export const pictures = 'stamp_pictures';
export const optionsOf = (labels: Readonly<Record<number, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value: Number(value), label }));
const usual: OfficeHours = { 1: ['08:30', '11:30'], 2: ['14:00', '17:00'] };

/** Pictures of seals: chosen from files, or taken with this device's camera. */
export function Pictures({
  control,
  max = 20,
  known = [],
}: {
  control: FieldControl;
  max?: number;
  known?: readonly FileCard[];
}) {
  return (
    <FilesField
      control={control}
      label="照片"
      module={pictures}
      accept="image/*"
      camera="offered"
      max={max}
      known={known}
    />
  );
}

export const personField = (name: string, more: Partial<FormField> = {}): FormField => ({
  name,
  render: ({ id, value, onChange }) => (
    <PersonPicker id={id} value={value as string | null} onChange={(next) => onChange?.(next ?? null)} />
  ),
  ...more,
});

function HoursInput({
  value = usual,
  onChange,
}: {
  value?: OfficeHours | undefined;
  onChange?: FieldControl['onChange'];
}) {
  return (
    <div className="kit-stack">
      {([1, 2] as const).map((part) => {
        const hours = value[part];
        const set = (next: OfficeHours[1]) => onChange?.({ ...value, [part]: next });
        return (
          <div key={part} className="kit-row">
            <Checkbox checked={hours !== null} onChange={(event) => set(event.target.checked ? usual[part] : null)}>
              {parts[part]}
            </Checkbox>
            {hours &&
              ([0, 1] as const).map((end) => (
                <DateInput
                  key={end}
                  kind="time"
                  style={{ width: 116 }}
                  aria-label={`${parts[part]}${end === 0 ? '开始' : '结束'}`}
                  value={hours[end]}
                  onChange={(time) => set(hours.with(end, time) as [string, string])}
                />
              ))}
          </div>
        );
      })}
    </div>
  );
}

/** Registers a seal, or changes its written fields; its keeper is changed by custody. */
export function StampForm({ stamp, onClose }: { stamp?: StampDetail; onClose: () => void }) {
  const flows = useCall(workflows.list, { query: { module: 'stamps', per_page: 100 } });
  const fields: FormField[] = [
    { name: 'name', group: '印章', placeholder: '如：行政公章' },
    { name: 'stamp_no', help: '印在标签二维码里，不能重复' },
    { name: 'type', kind: 'select', options: optionsOf(stampType.names) },
    {
      name: 'dept_id',
      help: '归口部门的负责人参与审批，可停用、挂失',
      render: ({ id, value, onChange }) => <DeptPicker id={id} value={value as number | null} onChange={onChange} />,
    },
    {
      name: 'use_depts',
      help: '包括下级部门；不选则全部可以申请',
      render: ({ id, value, onChange }) => (
        <DeptPicker id={id} multiple value={(value as number[] | undefined) ?? []} onChange={onChange} />
      ),
    },
    ...(stamp
      ? []
      : [
          personField('keeper', { group: '保管' }),
          personField('backup', { help: '保管人全天外出时由其办理' }),
          personField('supervisor', { help: '双人用印时确认；不能是保管人' }),
        ]),
    { name: 'place', placeholder: '如：行政楼 201 保险柜', ...(stamp ? { group: '保管' } : {}) },
    {
      name: 'office_hours',
      group: '用印',
      render: ({ value, onChange }) => <HoursInput value={value as OfficeHours | undefined} onChange={onChange} />,
    },
    { name: 'slot_capacity', help: '一个上午或下午最多接受的预约件数' },
    {
      name: 'workflow_id',
      kind: 'select',
      help: '不选则用默认的用印审批流程',
      options: (flows.data?.value ?? []).map((one) => ({ value: one.id, label: one.name })),
    },
    {
      name: 'picture',
      group: '登记',
      help: '仅保管人和印章管理人员可见，打开时带水印',
      render: ({ value, onChange, ...control }) => (
        <Pictures
          control={{
            ...control,
            value: value ? [value] : [],
            onChange: (ids) => onChange?.((ids as number[])[0] ?? null),
          }}
          max={1}
          known={stamp?.picture_info ? [stamp.picture_info] : []}
        />
      ),
    },
    { name: 'shape', placeholder: '如：圆形' },
    { name: 'size_mm', placeholder: '如：42' },
    { name: 'record_no' },
    { name: 'enabled_date', kind: 'date' },
  ];
  const title = stamp ? `编辑“${stamp.name}”` : '登记印章';
  const form = { title, fields, submit: stamp ? '保存印章' : '登记印章', onCancel: onClose, onDone: onClose };
  return (
    <>
      {stamp ? (
        <RecordForm
          {...form}
          name={`stamp:${stamp.id}`}
          call={sealCalls.changeStamp}
          params={{ id: stamp.id }}
          initial={{ ...stamp, picture: stamp.picture_info?.id ?? null }}
          also={{ version: stamp.version }}
        />
      ) : (
        <RecordForm
          {...form}
          name="stamp:new"
          call={sealCalls.addStamp}
          initial={{ slot_capacity: 10, office_hours: usual }}
        />
      )}
    </>
  );
}
