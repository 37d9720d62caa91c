import type { Db } from '#kernel/server/db/db.ts';
import type { Opens } from '#modules/platform/files/service.ts';
import { deptNamesById, peopleById } from '#modules/platform/people/service.ts';
import { opinionsOnPaper } from '#modules/workflow/tickets/service.ts';
import type { SheetInput } from '#modules/platform/typesetting/service.ts';
import { typeText } from '../contract/codes.ts';
import { besideOf } from './assess.ts';
import type { Stored } from './record.ts';

/** 活动审批表: the plan and all opinions. Of guests, it prints only their identity. */
export async function sheetOf(tx: Db, fileStore: Opens, row: Stored): Promise<SheetInput> {
  const { guests, leaders } = await besideOf(tx, row.id);
  const people = await peopleById(tx, [row.creator_id, row.undertaker ?? 0, row.safety_officer ?? 0, ...leaders]);
  const alias = (id: number | null) => people.get(id ?? 0)?.alias ?? '';
  const dept = row.dept_id === null ? '' : ((await deptNamesById(tx, [row.dept_id])).get(row.dept_id) ?? '');
  const wide = (label: string, value: string) => (value ? [{ label, value, wide: true }] : []);
  return {
    name: '活动审批表',
    org: '',
    facts: [
      ...wide('活动名称', row.title),
      { label: '类型', value: typeText(row.type_id) },
      { label: '主办部门', value: dept },
      { label: '承办人', value: `${alias(row.undertaker)} ${row.phone}` },
      { label: '规模', value: `校内 ${row.in_count ?? 0} 人，校外 ${row.out_count ?? 0} 人` },
      ...wide('时间', `${row.start_time?.slice(0, 16) ?? ''} 至 ${row.end_time?.slice(0, 16) ?? ''}`),
      ...wide('地点', [row.location, row.is_online && `线上 ${row.online_platform}`].filter(Boolean).join('，')),
      ...wide('急办原因', row.urgent ? row.urgent_reason : ''),
      ...wide('出席校领导', leaders.map(alias).join('、')),
      ...wide(
        '嘉宾',
        guests.map((one) => [one.name, one.org, one.title, one.topic].filter(Boolean).join('，')).join('\n'),
      ),
      ...wide('安全负责人', row.safety_officer === null ? '' : `${alias(row.safety_officer)} ${row.safety_phone}`),
      ...wide('内容', row.content),
    ],
    opinions: row.ticket_id === null ? [] : await opinionsOnPaper(tx, fileStore, row.ticket_id),
  };
}
