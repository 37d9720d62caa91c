import { z } from 'zod';
import { codeSet } from '#kernel/contract/codes.ts';
import { day, line, name, telephone, text } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';

export const roomState = codeSet({ off: [0, '停用'], usable: [1, '可用'], mended: [2, '维护中'] });
/** The rule for approving bookings of a room: 0 as its office says. */
export const approvalRule = codeSet({
  asOffice: [0, '按会务单位的规定'],
  needed: [1, '需要审批'],
  notNeeded: [2, '不需要审批'],
});
export const equipment = ['投影', '视频会议', '白板', '话筒', '直播', '茶水'] as const;
export const steps = [5, 10, 15, 30, 60] as const;

const clock = z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, '请填写时间，如 08:00');
/** Days of the week (1 Monday) and hours in which rooms are open; `24:00` is the end of a day. */
export const OpenHours = z
  .object({
    days: z.array(z.int().min(1).max(7)).min(1, '请至少选择一天').max(7).meta({ title: '开放日' }),
    from: clock.meta({ title: '开放时间自' }),
    to: clock.meta({ title: '开放时间至' }),
    /** Open on holidays like on any day of the week; otherwise closed. */
    holidays: z.boolean().default(false).meta({ title: '节假日开放' }),
  })
  .refine(({ from, to }) => from < to, { path: ['to'], message: '应晚于开始时间' });
export type OpenHours = z.output<typeof OpenHours>;
export const usualHours: OpenHours = { days: [1, 2, 3, 4, 5, 6, 7], from: '07:00', to: '22:00', holidays: false };

const minutes = (least: number, most: number) => z.int().min(least).max(most);
const people = z.array(z.int().positive()).max(50);
const order = z.int().min(0).max(1_000_000);
/** 1 in use, 0 not. */
const status = z.union([z.literal(0), z.literal(1)]);

/** Missing fields get the table's defaults, or stay as they are. */
export const OfficeInput = z.object({
  name: name(30).meta({ title: '名称' }),
  dept_id: z.int().positive().nullable().optional().meta({ title: '所属部门' }),
  managers: people.optional().meta({ title: '会务人员' }),
  phone: telephone(30).optional().meta({ title: '联系电话' }),
  address: line(100).optional().meta({ title: '地点' }),
  open_hours: OpenHours.optional().meta({ title: '开放时间' }),
  need_approve: z
    .boolean()
    .optional()
    .meta(field('使用须审批', { short: '审批' })),
  min_ahead_min: minutes(0, 43_200).optional().meta({ title: '至少提前（分钟）' }),
  max_ahead_days: minutes(1, 366).optional().meta({ title: '最多提前（天）' }),
  step_min: z
    .int()
    .refine((step) => (steps as readonly number[]).includes(step), `请选择 ${steps.join('、')} 之一`)
    .optional()
    .meta({ title: '时间间隔' }),
  max_per_user_week: minutes(1, 100).nullable().optional().meta({ title: '每人每周次数' }),
  rules_text: text(2000).optional().meta({ title: '使用须知' }),
  order_id: order.optional().meta({ title: '排序' }),
  status: status.optional().meta({ title: '状态' }),
});

const room = z.object({
  name: name(30).meta({ title: '名称' }),
  office_id: z.int().positive().meta({ title: '会务单位' }),
  building: line(30).optional().meta({ title: '楼宇' }),
  floor: line(10).optional().meta({ title: '楼层' }),
  room_no: line(20).optional().meta({ title: '房间号' }),
  capacity: minutes(1, 5000).meta({ title: '容纳人数' }),
  equipment: z.array(z.enum(equipment)).max(equipment.length).optional().meta({ title: '设备' }),
  photos: z.array(z.int().positive()).max(9, '最多 9 张').optional().meta({ title: '照片' }),
  managers: people.optional().meta({ title: '会议室管理员' }),
  need_approve: z.int().min(0).max(2).optional().meta({ title: '使用审批' }),
  min_minutes: minutes(5, 1440).optional().meta({ title: '最短使用（分钟）' }),
  max_minutes: minutes(5, 44_640).optional().meta({ title: '最长使用（分钟）' }),
  buffer_minutes: minutes(0, 60).optional().meta({ title: '整理时间（分钟）' }),
  checkin_required: z.boolean().optional().meta({ title: '须到场确认' }),
  auto_release_minutes: minutes(5, 240).nullable().optional().meta({ title: '未到场自动释放（分钟）' }),
  allow_depts: z.array(z.int().positive()).max(100).optional().meta({ title: '限定部门' }),
  status: z.int().min(0).max(2).optional().meta({ title: '状态' }),
  order_id: order.optional().meta({ title: '排序' }),
});
export const RoomInput = room;
export type RoomInput = z.output<typeof RoomInput>;
export type OfficeInput = z.output<typeof OfficeInput>;

export const date = day;
