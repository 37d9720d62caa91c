import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { FilesInput } from '#modules/platform/files/widgets.tsx';
import { DeptPicker, PersonPicker } from '#modules/platform/people/widgets.tsx';
import { rooms, type RoomRow } from '../contract/rooms.ts';
import { approvalRule, equipment, roomState } from '../contract/shapes.ts';

const optionsOf = (names: Readonly<Record<number, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value: Number(value), label }));
type Options = { value: number; label: string }[];

const fieldsFor = (room: RoomRow | null, offices: Options): FormField[] => [
  { name: 'name', placeholder: '例如：第一会议室' },
  { name: 'office_id', kind: 'select', options: offices },
  { name: 'building', group: '位置' },
  { name: 'floor', group: '位置' },
  { name: 'room_no', group: '位置' },
  { name: 'capacity', group: '条件' },
  {
    name: 'equipment',
    kind: 'select',
    multiple: true,
    options: equipment.map((value) => ({ value, label: value })),
    group: '条件',
  },
  {
    name: 'photos',
    group: '条件',
    render: (control) => (
      <FilesInput
        {...(control.id && { id: control.id })}
        label="照片"
        module="rooms"
        accept=".jpg,.jpeg,.png,.webp"
        max={9}
        value={(control.value as number[] | undefined) ?? []}
        onChange={(ids) => control.onChange?.(ids)}
        known={room?.photos_info ?? []}
      />
    ),
  },
  {
    name: 'need_approve',
    kind: 'select',
    options: optionsOf(approvalRule.names),
    group: '使用规则',
  },
  {
    name: 'managers',
    help: '与会务人员一同审批和管理本会议室',
    group: '使用规则',
    render: (control) => <PersonPicker by="id" multiple known={room?.managers_info ?? []} {...(control as object)} />,
  },
  {
    name: 'allow_depts',
    help: '含下级部门；不选则全体可用',
    group: '使用规则',
    render: (control) => <DeptPicker multiple {...(control as object)} />,
  },
  { name: 'min_minutes', group: '使用规则' },
  { name: 'max_minutes', group: '使用规则' },
  { name: 'buffer_minutes', help: '每次使用之后留出，不能预约', group: '使用规则' },
  { name: 'checkin_required', kind: 'switch', group: '使用规则' },
  {
    name: 'auto_release_minutes',
    help: '开始后无人到场，超过即释放；不填则不释放',
    group: '使用规则',
    when: (values) => values['checkin_required'] === true,
  },
  { name: 'status', kind: 'select', options: optionsOf(roomState.names) },
  { name: 'order_id', help: '数值越小越靠前' },
];

/** A room: a new one, or one that is changed. */
export function RoomForm({ room, offices, onClose }: { room: RoomRow | null; offices: Options; onClose: () => void }) {
  const drawer = {
    open: true,
    onClose,
    onDone: () => undefined,
    submit: '保存会议室',
    fields: fieldsFor(room, offices),
  };
  return room ? (
    <FormDrawer
      {...drawer}
      title={`编辑“${room.name}”`}
      name={`meet-room:${room.id}`}
      call={rooms.update}
      params={{ id: room.id }}
      initial={{ ...room }}
      also={{ version: room.version }}
    />
  ) : (
    <FormDrawer
      {...drawer}
      title="新增会议室"
      name="meet-room:new"
      call={rooms.create}
      initial={{
        need_approve: approvalRule.asOffice,
        min_minutes: 15,
        max_minutes: 480,
        buffer_minutes: 0,
        status: roomState.usable,
        order_id: 0,
      }}
    />
  );
}
