import { Select, Tag } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl, FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { fieldsOf } from '#kernel/web/kit/form/fields.ts';
import type { FileCard } from '#modules/platform/files/contract.ts';
import { FilesInput } from '#modules/platform/files/widgets.tsx';
import type { PersonCard } from '#modules/platform/people/contract/cards.ts';
import { DeptPicker, PersonPicker } from '#modules/platform/people/widgets.tsx';
import { roomTimes } from '#modules/platform/rooms/contract/looks.ts';
import { rooms } from '#modules/platform/rooms/contract/rooms.ts';
import { activityCalls } from '../../contract/activities.ts';
import { activityAudience, activityType, needs } from '../../contract/codes.ts';
import type { ActivityRule } from '../../contract/rules.ts';
import { ActivityInput, type ActivityDetail } from '../../contract/shapes.ts';
import { GuestsInput } from './GuestsInput.tsx';

type Values = Record<string, unknown>;
export const optionsOf = (names: Readonly<Record<number | string, string>>, numbered = true) =>
  Object.entries(names).map(([value, label]) => ({ value: numbered ? Number(value) : value, label }));
const select = (names: Readonly<Record<number, string>>) => ({ kind: 'select' as const, options: optionsOf(names) });
const periodOf = ({ start_time, end_time }: Values) =>
  typeof start_time === 'string' && typeof end_time === 'string' && start_time && end_time
    ? { start_time, end_time }
    : {};

/** A room picker that shows the bookings of that day. */
function RoomInput({ control, values }: { control: FieldControl; values: Values }) {
  const { data } = useCall(rooms.simple, { query: {} });
  const date = typeof values['start_time'] === 'string' ? values['start_time'].slice(0, 10) : '';
  const { data: day } = useCall(
    roomTimes.day,
    { query: { date } },
    { enabled: date.length === 10 && Boolean(control.value) },
  );
  const blocks = day?.rooms.find((room) => room.id === control.value)?.blocks;
  return (
    <div className="kit-stack">
      <Select
        id={control.id}
        allowClear
        placeholder="不用会议室可不选，直接填写地点"
        showSearch={{ optionFilterProp: 'label' }}
        value={control.value as number | undefined}
        onChange={(next) => control.onChange?.(next)}
        options={(data?.value ?? []).map((room) => ({
          value: room.value,
          label: `${room.label}（${room.office_name}，${room.capacity} 人）`,
        }))}
      />
      {blocks && (
        <span className="kit-row" aria-label="当天占用">
          {blocks.length === 0 ? <Tag color="success">当天没有占用</Tag> : <span className="kit-muted">当天已有</span>}
          {blocks.map((block) => (
            <Tag key={`${block.module}:${block.record_id}`}>
              {block.start_time.slice(11, 16)}–{block.end_time.slice(11, 16)} {block.title}
            </Tag>
          ))}
        </span>
      )}
    </div>
  );
}

function LeadersInput({ control, values, own }: { control: FieldControl; values: Values; own: number | undefined }) {
  const { data } = useCall(activityCalls.leaders, { query: { ...periodOf(values), ...(own ? { id: own } : {}) } });
  return (
    <Select
      id={control.id}
      mode="multiple"
      placeholder="不邀请可不选"
      showSearch={{ optionFilterProp: 'label' }}
      value={(control.value as number[] | undefined) ?? []}
      onChange={(next) => control.onChange?.(next)}
      options={(data?.value ?? []).map((one) => ({
        value: one.id,
        label: `${one.alias}${one.busy.length > 0 ? `（${one.busy.join('，')}）` : ''}`,
      }))}
    />
  );
}

const files = (label: string, known: readonly FileCard[], max: number, help?: string): Partial<FormField> => ({
  ...(help ? { help } : {}),
  render: ({ id, value, onChange, disabled }) => (
    <FilesInput
      id={id}
      label={label}
      module="activities"
      max={max}
      accept=".pdf,.docx,.doc,.xlsx,.png,.jpg,.jpeg,.txt"
      known={known}
      disabled={disabled}
      value={[value ?? []].flat() as number[]}
      onChange={(ids) => onChange?.(max === 1 ? (ids[0] ?? null) : ids)}
    />
  ),
});

/** The form of an activity; fields that the rules require appear when they do. */
export function activityFields(rule: ActivityRule, row?: ActivityDetail, own?: PersonCard): FormField[] {
  const cards = row?.files ?? [];
  const person = (known: PersonCard | null | undefined): Partial<FormField> => ({
    render: (control) => <PersonPicker by="id" known={known ? [known] : []} {...(control as object)} />,
  });
  const number = (values: Values, key: string) => Number(values[key] ?? 0);
  const large = (values: Values) =>
    number(values, 'in_count') > rule.in_max || number(values, 'out_count') > rule.out_max;
  const online = (values: Values) => values['is_online'] === true;
  const when = (asked: (values: Values) => boolean) => ({ when: asked });
  const needed = true;
  const fields = fieldsOf(ActivityInput.shape, {
    title: { group: '基本' },
    type_id: { ...select(activityType.names), needed },
    audience: select(activityAudience.names),
    dept_id: { needed, render: (control) => <DeptPicker {...(control as object)} /> },
    undertaker: { ...person(row?.undertaker_info ?? own), needed },
    phone: { needed },
    content: { kind: 'textarea', needed },
    start_time: { kind: 'datetime-local', group: '时间地点', needed },
    end_time: { kind: 'datetime-local', notBefore: 'start_time', needed },
    urgent_reason: { help: '来不及按规定提前申报时填写，审批人都会看到' },
    room_id: { render: (control, values) => <RoomInput control={control} values={values} /> },
    location: { help: '选了会议室可不填' },
    online_platform: { ...when(online), needed },
    online_link: { ...when(online), needed },
    online_admits: { ...when(online), needed },
    in_count: { group: '人员', needed },
    out_count: { needed },
    has_overseas: { help: '含港澳台和外国人员' },
    leaders: { render: (control, values) => <LeadersInput control={control} values={values} own={row?.id} /> },
    guests: {
      render: ({ value, onChange }) => (
        <GuestsInput value={value as Parameters<typeof GuestsInput>[0]['value']} onChange={onChange} />
      ),
    },
    budget: { group: '经费与需求' },
    fund_source: { ...when((values) => number(values, 'budget') > 0), needed },
    need: { kind: 'select', multiple: true, options: optionsOf(needs, false) },
    safety_plan: {
      group: '安全',
      ...files('安全预案', cards, 1, '人数超过规定，须保卫部门审核'),
      ...when(large),
      needed,
    },
    safety_officer: { group: '安全', ...person(row?.safety_officer_info) },
    media_report: { group: '宣传与附件' },
    poster: files('海报', cards, 9),
    attachments: files('附件', cards, 20),
  });
  const must: Record<string, (values: Values) => boolean> = {
    location: ({ room_id: room }) => !room,
    safety_officer: large,
    safety_phone: large,
  };
  // A field that is required only in some cases is listed twice: once as required, once as optional.
  return fields.flatMap((field): FormField[] => {
    const asked = must[field.name];
    return asked
      ? [
          { ...field, needed, when: asked },
          { ...field, when: (values) => !asked(values) },
        ]
      : [field];
  });
}
