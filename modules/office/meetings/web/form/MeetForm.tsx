import { App, Select } from 'antd';
import { useNavigate } from 'react-router';
import { momentText } from '#kernel/contract/moment.ts';
import { codes } from '#kernel/contract/refusal.ts';
import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl, FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { useBecome } from '#kernel/web/kit/page.tsx';
import { FilesInput } from '#modules/platform/files/widgets.tsx';
import type { PersonCard } from '#modules/platform/people/contract/cards.ts';
import { AudienceInput, DeptPicker, PersonPicker } from '#modules/platform/people/widgets.tsx';
import { RecordForm } from '#modules/workflow/records/widgets.tsx';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { materialsFor, meetMode, meetType, scopes, signMode } from '../../contract/codes.ts';
import { meetCalls as calls } from '../../contract/meetings.ts';
import type { MeetDetail } from '../../contract/shapes.ts';
import { numbered } from '../columns.tsx';
import { askIfBusy, BusyMarks } from './BusyMarks.tsx';
import { copyOf } from './copy.ts';
import { GuestsInput, materialKinds, TopicsInput } from './LinesInput.tsx';
import { RepeatInput } from './RepeatInput.tsx';
import { RoomInput } from './RoomInput.tsx';
import { useRoomThen } from './useRoomThen.ts';

interface Props {
  /** `revise`: one in review or approved; `copy`: a new one after another. */
  kind: 'new' | 'copy' | 'edit' | 'revise';
  id: number;
  begin?: Record<string, unknown>;
  /** The people it begins with. */
  people?: readonly PersonCard[];
  onClose: () => void;
}
const blank = {
  type_id: meetType.department,
  mode: meetMode.inPlace,
  sign_mode: signMode.none,
  remind: [1440, 30],
  notify: true,
  materials_acl: materialsFor.attendees,
};
const inPlace = ({ mode }: Record<string, unknown>) => mode !== meetMode.online;
const online = ({ mode }: Record<string, unknown>) => mode !== meetMode.inPlace;
const signs = ({ sign_mode: mode }: Record<string, unknown>) => Boolean(mode);
/** A value in comparable form; a form sends nothing for an empty field. */
const told = (value: unknown) => JSON.stringify(value ?? null);
const withMinute = (at: string | null) => at?.slice(0, 16);

/** The form of a new meeting, of one to be sent again, or of a change after approval. */
export function MeetForm({ kind, id, begin = {}, people = [], onClose }: Props) {
  const { data, error, refetch } = useCall(calls.get, { params: { id } }, { enabled: id > 0 });
  const { message, modal } = App.useApp();
  const navigate = useNavigate();
  const become = useBecome();
  const row = data?.value;
  const again = kind === 'copy' && row ? copyOf(row, momentText(new Date())) : null;
  const { free, coming: looking } = useRoomThen(again);
  const fresh = kind === 'new' || kind === 'copy';
  const except = fresh ? undefined : row?.id;
  const written = row && {
    ...row,
    start_time: withMinute(row.start_time),
    end_time: withMinute(row.end_time),
    guests: row.guests.map((one) => ({ ...one, mobile: '' })),
  };
  const copied = again && { ...blank, ...again, room_id: free ? again.room_id : null };
  const common = {
    coming: (id > 0 && !row) || looking,
    error,
    retry: () => void refetch(),
    onCancel: onClose,
    fields: fieldsOf(row, kind, except, people),
    initial: copied ?? written ?? { ...blank, ...begin },
  };
  const done = (meeting: number) => {
    if (fresh) return become(`/meet/detail/${meeting}`);
    onClose();
    void navigate(`/meet/detail/${meeting}`);
  };
  /** True if a change affects people or the time, which needs a warning. */
  const moves = (body: Record<string, unknown>) =>
    (['start_time', 'end_time', 'host_id', 'recorder_id', 'observers', 'audience'] as const).some(
      (key) => told(body[key]) !== told((common.initial as Readonly<Record<string, unknown>>)[key]),
    );
  if (kind === 'revise')
    return (
      <RecordForm
        {...common}
        title="修改会议"
        note={
          row?.act_state === actState.ongoing
            ? '审批期间可以改议程、材料等；名称、时间、会议室和人员要改请先撤回'
            : '改时间或会议室时，须审批的会议室由会务审批，批准前仍按原安排；名称、类型、形式和主办部门已经审批，要换的请取消会议后“再次召开”'
        }
        name={`meet:${id}:revise`}
        call={calls.edit}
        params={{ id }}
        also={{ version: row?.version }}
        ask={(body) => (moves(body) ? askIfBusy(body, except) : Promise.resolve(null))}
        submit="保存修改"
        onDone={({ id: meeting, left }) => {
          if (left.length > 0)
            modal.warning({
              title: `有 ${left.length} 次保持原来的时间`,
              content: left.map((one) => `${one.start_time.slice(0, 16)}：${one.reason}`).join('；'),
            });
          done(meeting);
        }}
      />
    );
  const also = { submit: true, ...(row && !fresh && { version: row.version }) };
  const props = {
    ...common,
    also,
    ask: (body: Record<string, unknown>) => askIfBusy(body, except),
    submit: '提交申请',
    other: { label: '保存草稿', also: { submit: false } },
    onDone: ({ id: meeting, act_state }: { id: number; act_state: number }) => {
      if (act_state === actState.draft) void message.success('草稿已保存');
      done(meeting);
    },
  };
  // For more people than seats, asks once and then sends with `confirm`.
  const onRefused = (failure: { code: number; message: string; data: unknown }) => {
    const force = failure.code === codes.conflict && (failure.data as { can_force?: boolean } | null)?.can_force;
    if (force) modal.info({ title: '会议室座位不足', content: `${failure.message}。仍要使用请打开“超员仍使用”再提交` });
  };
  if (kind === 'copy')
    return (
      <RecordForm
        {...props}
        title="再次召开"
        note={
          row?.room_name && !free
            ? `${row.room_name}那时不能使用，请另选会议室或时间`
            : '人员、议程和会议室已按原会议填写，请核对时间后提交；附件请重新上传'
        }
        name={`meet:copy:${id}`}
        call={calls.create}
        onRefused={onRefused}
      />
    );
  return kind === 'new' ? (
    <RecordForm {...props} title="申请会议" name="meet:new" call={calls.create} onRefused={onRefused} />
  ) : (
    <RecordForm
      {...props}
      title="修改会议申请"
      name={`meet:${id}`}
      call={calls.again}
      params={{ id }}
      onRefused={onRefused}
    />
  );
}

function fieldsOf(
  row: MeetDetail | undefined,
  kind: Props['kind'],
  except: number | undefined,
  begun: readonly PersonCard[],
): FormField[] {
  const known = [
    ...begun,
    row?.host_info,
    row?.contact_info,
    row?.recorder_info,
    ...(row?.observers_info ?? []),
  ].flatMap((one) => one ?? []);
  const person = (control: FieldControl) => <PersonPicker by="id" known={known} {...(control as object)} />;
  const people = (control: FieldControl) => <PersonPicker by="id" multiple known={known} {...(control as object)} />;
  const files = (control: FieldControl) => (
    <FilesInput
      label="会议材料"
      module="meetings"
      max={20}
      accept={materialKinds}
      known={row?.materials_info ?? []}
      {...(control as object)}
      value={(control.value as number[] | undefined) ?? []}
      onChange={(next) => control.onChange?.(next)}
    />
  );
  const fixed = kind !== 'revise';
  const slot = fixed || Boolean(row?.actions.includes('move'));
  const all: (FormField | false)[] = [
    fixed && { name: 'title', group: '时间地点' },
    fixed && { name: 'type_id', kind: 'select', options: numbered(meetType.names) },
    fixed && { name: 'mode', kind: 'select', options: numbered(meetMode.names) },
    slot && { name: 'start_time', kind: 'datetime-local', needed: true },
    slot && { name: 'end_time', kind: 'datetime-local', notBefore: 'start_time', needed: true },
    fixed && {
      name: 'repeat',
      help:
        except && row?.series_id
          ? '已设置重复；不改则保持原来的规则'
          : '最多 100 次、一年之内（每年重复的可到 10 年）；不能安排的日期会列出原因',
      render: (control) => <RepeatInput control={control} />,
    },
    !fixed &&
      row?.series_id !== null && {
        name: 'scope',
        kind: 'select',
        options: Object.entries(scopes).map(([value, label]) => ({ value, label })),
        help: '多次一起修改时，改动的内容用于各次，没有改动的各次保持原样；已过去的和单独调整过时间的不变',
      },
    slot && {
      name: 'room_id',
      help: '按容纳人数和当天空闲排序；色条为 7 至 22 点，深色已占用',
      when: inPlace,
      render: (control) => <RoomInput control={control} except={except} />,
    },
    slot && { name: 'location', help: '不用会议室时填写', when: inPlace },
    slot && {
      name: 'confirm',
      kind: 'switch',
      when: inPlace,
      help: '参会人数超过会议室容纳人数时打开',
    },
    { name: 'online_url', when: online, needed: true },
    slot && { name: 'host_id', group: '人员', render: person, needed: true },
    slot && {
      name: 'audience',
      help: '选部门的，通知时按部门当时的人员展开；整体邀请其他部门、角色或全体人员的，须部门负责人和党政办同意',
      render: (control) => <AudienceInput everybody={false} known={row?.audience.users_info} {...control} />,
    },
    slot && { name: 'recorder_id', help: '整理纪要，可代为签到', render: person },
    slot && {
      name: 'observers',
      render: (control, values) => (
        <div className="kit-stack">
          {people(control)}
          <BusyMarks values={values} except={except} />
        </div>
      ),
    },
    { name: 'guests', render: (control) => <GuestsInput control={control} /> },
    fixed && {
      name: 'dept_id',
      help: '不选为本人部门；只能选所在或管辖的部门',
      render: (control) => <DeptPicker {...(control as object)} />,
    },
    { name: 'contact_id', render: person },
    { name: 'contact_phone' },
    { name: 'agenda', kind: 'textarea', group: '议题与材料' },
    {
      name: 'topics',
      render: (control) => <TopicsInput control={control} known={row?.topics.flatMap((one) => one.files_info)} />,
    },
    { name: 'materials', render: files },
    { name: 'materials_acl', kind: 'select', options: numbered(materialsFor.names) },
    { name: 'requirements', kind: 'textarea', placeholder: '例如：茶水、桌签、视频连线' },
    { name: 'sign_mode', kind: 'select', options: numbered(signMode.names), group: '签到与提醒' },
    { name: 'sign_before_min', kind: 'number', when: signs },
    { name: 'late_after_min', kind: 'number', when: signs },
    { name: 'remind', label: '会前提醒', render: (control) => <RemindInput control={control} /> },
    fixed && { name: 'notify', kind: 'switch', help: '关闭后由您在会议页面发送通知' },
    { name: 'sms', kind: 'switch' },
    { name: 'is_public', kind: 'switch', help: '打开后全校可见会议名称和时间，门牌也显示名称' },
    !fixed && { name: 'reason', group: '说明', help: '改时间、会议室时告诉参会人员和会务' },
    !fixed && { name: 'tell', kind: 'switch' },
  ];
  return all.filter((field) => field !== false);
}

const reminders = [
  { value: 10_080, label: '一周前' },
  { value: 2880, label: '两天前' },
  { value: 1440, label: '一天前' },
  { value: 120, label: '2 小时前' },
  { value: 60, label: '1 小时前' },
  { value: 30, label: '30 分钟前' },
  { value: 10, label: '10 分钟前' },
];
const RemindInput = ({ control: { id, value, onChange, disabled } }: { control: FieldControl }) => (
  <Select
    id={id}
    mode="multiple"
    disabled={disabled ?? false}
    placeholder="不提醒"
    maxCount={5}
    options={reminders}
    value={(value as number[] | undefined) ?? []}
    onChange={(next) => onChange?.(next)}
  />
);
