import { inArray } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { deptTable, userTable } from '#modules/platform/people/tables.ts';
import { approvalRule, roomState, usualHours } from './contract/shapes.ts';
import { officeTable, roomTable } from './tables.ts';

/** Rooms for meetings and activities, open on whatever day the demonstration begins. */
const always = { ...usualHours, holidays: true };
const working = { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00', holidays: true };
const offices: [name: string, more: Partial<typeof officeTable.$inferInsert>][] = [
  [
    '校办会务',
    {
      phone: '8801',
      address: '行政楼 201',
      open_hours: always,
      need_approve: true,
      min_ahead_min: 60,
      rules_text: '会前 10 分钟到行政楼 201 领取钥匙，会后请关闭设备和门窗。',
    },
  ],
  ['教学楼会务', { phone: '8812', address: '第一教学楼值班室', open_hours: always, max_per_user_week: 5 }],
  ['图书馆会务', { phone: '8830', address: '图书馆一层总台', open_hours: working, max_ahead_days: 14 }],
];
const rooms: [office: number, name: string, capacity: number, more: Partial<typeof roomTable.$inferInsert>][] = [
  [0, '第一会议室', 20, { building: '行政楼', floor: '2 层', room_no: '205', equipment: ['投影', '视频会议', '茶水'] }],
  [0, '第二会议室', 12, { building: '行政楼', floor: '2 层', room_no: '207', equipment: ['白板', '茶水'] }],
  [
    0,
    '报告厅',
    300,
    { building: '行政楼', floor: '1 层', equipment: ['投影', '话筒', '直播'], buffer_minutes: 30, max_minutes: 480 },
  ],
  [
    1,
    '多功能厅',
    120,
    { building: '第一教学楼', floor: '5 层', equipment: ['投影', '话筒'], need_approve: approvalRule.needed },
  ],
  [1, '研讨室 301', 16, { building: '第一教学楼', floor: '3 层', room_no: '301', equipment: ['白板'] }],
  [
    1,
    '研讨室 302',
    16,
    {
      building: '第一教学楼',
      floor: '3 层',
      room_no: '302',
      equipment: ['白板', '投影'],
      checkin_required: true,
      auto_release_minutes: 15,
    },
  ],
  [1, '录播教室', 40, { building: '第一教学楼', floor: '4 层', equipment: ['投影', '直播'], status: roomState.mended }],
  [2, '学术交流厅', 80, { building: '图书馆', floor: '2 层', equipment: ['投影', '话筒', '茶水'], buffer_minutes: 15 }],
  [2, '小组讨论间', 6, { building: '图书馆', floor: '3 层', equipment: ['白板'], max_minutes: 120 }],
];

/** Three offices and nine rooms of different rules. */
export async function addDemoRooms(tx: Db): Promise<void> {
  const keepers = await tx
    .select({ id: userTable.id })
    .from(userTable)
    .where(inArray(userTable.username, ['qin.haoyu', 'song.mingjie']));
  const [dept] = await tx.select({ id: deptTable.id }).from(deptTable).orderBy(deptTable.id).limit(1);
  const made = await tx
    .insert(officeTable)
    .values(
      offices.map(([name, more], at) => ({
        name,
        dept_id: dept?.id ?? null,
        managers: keepers.map(({ id }) => id),
        order_id: (at + 1) * 10,
        ...more,
      })),
    )
    .returning({ id: officeTable.id });
  await tx.insert(roomTable).values(
    rooms.map(([office, name, capacity, more], at) => ({
      name,
      capacity,
      office_id: made[office]!.id,
      order_id: (at + 1) * 10,
      ...more,
    })),
  );
}
