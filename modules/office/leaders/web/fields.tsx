import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { App, AutoComplete, Button, Select } from 'antd';
import type { Calls } from '#kernel/contract/call.ts';
import { moduleOf, useCall } from '#kernel/web/calls.ts';
import { send } from '#kernel/web/client.ts';
import { optionsOf } from '#kernel/contract/titles.ts';
import { fieldsOf } from '#kernel/web/kit/form/fields.ts';
import { useFill } from '#kernel/web/kit/form/parts/fill.ts';
import { useSearching } from '#kernel/web/kit/form/SearchSelect.tsx';
import type { FieldControl, FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { shortDate } from '#kernel/web/kit/show/Moment.tsx';
import { FilesInput } from '#modules/platform/files/widgets.tsx';
import { lookups } from '#modules/platform/people/contract/lookups.ts';
import { PersonPicker } from '#modules/platform/people/widgets.tsx';
import { leaders } from '../contract.ts';
import { replyState, scheduleType, timeText, trip } from '../contract/codes.ts';
import { ScheduleInput, type ScheduleDetail } from '../contract/schedules.ts';
import type { Clash } from '../contract/refusals.ts';

type Values = Record<string, unknown>;

/** Leaders of the house, by user name. */
export function LeaderPicker({
  control,
  multiple = true,
  only,
}: {
  control: FieldControl;
  multiple?: boolean;
  only?: readonly string[];
}) {
  const { data = [] } = useCall(lookups.leaders, {});
  const shown = only ? data.filter((one) => only.includes(one.username)) : data;
  return (
    <Select
      {...(control as object)}
      {...(multiple ? { mode: 'multiple' as const } : {})}
      allowClear
      placeholder="请选择领导"
      showSearch={{ optionFilterProp: 'label' }}
      options={shown.map(({ username, alias }) => ({ value: username, label: alias }))}
    />
  );
}

/** A place, chosen from those used before. */
function PlaceInput({ control }: { control: FieldControl }) {
  const { setText, search } = useSearching();
  const { data } = useCall(leaders.places, { query: { search_value: search } }, { placeholderData: keepPreviousData });
  return (
    <AutoComplete
      {...(control as object)}
      placeholder="输入地点、拼音或首字母"

      options={(data?.value ?? []).map(({ name, campus }) => ({
        value: name,
        label: campus ? `${name}（${campus}）` : name,
      }))}
      showSearch={{ filterOption: false, onSearch: setText }}
    />
  );
}

/** The leaders' entries of that day, warnings about short ways, and the first common free times. */
export function DayOf({ values, except }: { values: Values; except?: number }) {
  const fill = useFill();
  const {
    leaders: chosen,
    start_time: start,
    end_time: end,
    address,
  } = values as Record<string, string> & { leaders?: string[] };
  const asked = {
    leaders: (chosen ?? []).join(),
    start: start ?? '',
    end: end ?? '',
    address: address ?? '',
    suggest: true,
    ...(except ? { except } : {}),
  };
  const ready = asked.leaders !== '' && asked.start !== '' && asked.end !== '';
  const { data } = useCall(leaders.busy, { query: asked }, { enabled: ready, quiet: true });
  const { data: known = [] } = useCall(lookups.leaders, {});
  if (!ready || !data) return <span className="kit-muted">选好领导和时间后，这里列出领导当天的安排</span>;
  if (data.value.length === 0 && data.travel.length === 0)
    return <span className="kit-muted">领导当天没有其他安排</span>;
  const overlaps = (one: { start: string; end: string }) =>
    one.start < `${asked.end.replace('T', ' ')}:00` && `${asked.start.replace('T', ' ')}:00` < one.end;
  return (
    <div className="kit-stack">
      <ul className="kit-lines leader-busy">
        {data.travel.map((words) => (
          <li key={words} data-warn>
            {words}
          </li>
        ))}
        {data.value.map((one) => (
          <li key={`${one.leader} ${one.start} ${one.label}`} data-warn={overlaps(one) || undefined}>
            {known.find((leader) => leader.username === one.leader)?.alias}
            <span className="kit-figures">
              {timeText({ start_time: one.start, end_time: one.end, all_day: false }, shortDate)}
            </span>
            {one.label}
            {overlaps(one) && '（冲突）'}
          </li>
        ))}
      </ul>
      {data.value.some(overlaps) && data.free.length > 0 && (
        <div className="kit-row" style={{ flexWrap: 'wrap' }}>
          所选领导都空闲的时间
          {data.free.map((one) => (
            <Button key={one.start_time} size="small" onClick={() => fill(editable(one))}>
              {timeText({ ...one, all_day: false }, shortDate)}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}

/** Fields of a schedule or a trip for creating and for changing: from its contract, with their controls. */
export function scheduleFields(before?: ScheduleDetail): FormField[] {
  const when = (values: Values) => values['type_id'] === trip || before?.type_id === trip;
  const plain = { when: (values: Values) => !when(values) };
  const known = [...(before?.escort_info ?? []), before?.contact_info, before?.acting_info].filter(
    (one) => one !== null && one !== undefined,
  );
  const person = (control: FieldControl) => <PersonPicker {...(control as object)} known={known} />;
  const leader = (control: FieldControl) => <LeaderPicker control={control} />;
  const except = before ? { except: before.id } : {};
  const made = fieldsOf(ScheduleInput.shape, {
    leaders: { render: leader },
    end_time: { notBefore: 'start_time' },
    address: { render: (control) => <PlaceInput control={control} /> },
    attend_type: plain,
    contact: { render: person },
    participants: plain,
    escort: { ...plain, render: (control) => <PersonPicker {...(control as object)} multiple known={known} /> },
    need: plain,
    remind: { when: (values) => !when(values) && !values['all_day'] },
    materials: {
      render: ({ id, value, onChange, disabled }) => (
        <FilesInput
          id={id}
          label="材料"
          module="leaders"
          max={20}
          accept=".pdf,.docx,.doc,.xlsx,.xls,.pptx,.ppt,.png,.jpg,.jpeg"
          value={(value as number[]) ?? []}
          known={before?.materials_info ?? []}
          disabled={disabled}
          onChange={(ids) => onChange?.(ids)}
        />
      ),
    },
    acting: { when, render: person },
    approvers: { when, render: leader },
    force: null,
  });
  const day: FormField = {
    name: 'day',
    label: '当天安排',
    render: (_control, values) => <DayOf values={values} {...except} />,
  };
  return made.flatMap((field) => (field.name === 'address' ? [field, day] : [field]));
}
export const typeField: FormField = {
  name: 'type_id',
  kind: 'select',
  options: optionsOf(scheduleType.names),
};

/** Times in the format of inputs. */
export const editable = (row: { start_time: string; end_time: string }) => ({
  start_time: row.start_time.slice(0, 16).replace(' ', 'T'),
  end_time: row.end_time.slice(0, 16).replace(' ', 'T'),
});
/** The values of a schedule in the format of its form. */
export const valuesOf = (row: ScheduleDetail) => ({
  ...row,
  leaders: row.leaders_info.filter((one) => one.state < replyState.declines).map((one) => one.username),
  contact: row.contact_info?.username ?? null,
  acting: row.acting_info?.username ?? null,
  approvers: row.approvers_info.map((one) => one.username),
  escort: row.escort_info.map((one) => one.username),
  materials: row.materials_info.map((file) => file.id),
  ...editable(row),
});

/** Offers to let both stand after a refusal for a clash, if the writer may decide that; `onDone` hears the reply. */
export function useForce(
  call: typeof leaders.create | typeof leaders.edit | typeof leaders.again | typeof leaders.reply,
) {
  const { modal } = App.useApp();
  const client = useQueryClient();
  return (failure: { data: unknown }, body: object, params: object | undefined, onDone: (reply: unknown) => void) => {
    const { clashes = [], can_force } = (failure.data ?? {}) as { clashes?: readonly Clash[]; can_force?: boolean };
    if (!can_force) return;
    modal.confirm({
      title: '时间冲突',
      content: clashes.map((one) => `${one.leader} ${one.time} ${one.title}`).join('；'),
      okText: '保留两项',
      cancelText: '再看看',
      focusable: { autoFocusButton: 'cancel' },
      async onOk() {
        const reply = await send<Calls[string]>(call, { params, body: { ...body, force: true } });
        await client.invalidateQueries({ queryKey: [moduleOf(call)] });
        onDone(reply);
      },
    });
  };
}
