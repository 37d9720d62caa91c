import { sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { deptTable, userTable } from '#modules/platform/people/tables.ts';
import { alertKind, custodyKind, custodyState } from '../contract/seal-codes.ts';
import { alertTable, custodyTable, stampDeptTable, stampTable } from '../tables/seals.ts';

// Name, number, type, department, keeper, backup, supervisor, place, status, size, departments that may use it.
const rows = `
示范大学 SFDX-01 1 DZB sun.jiahui he.jing qian.weimin 行政楼601保险柜 1 42
中共示范大学委员会 SFDX-02 2 DZB sun.jiahui he.jing qian.weimin 行政楼601保险柜 1 42
示范大学合同专用章 SFDX-03 3 HQC shen.lijuan ren.shuzhen ding.aiguo 后勤楼203保险柜 1 42
示范大学财务专用章 SFDX-04 4 CWC yuan.xiaoting dong.haoran xie.chunmei 行政楼305保险柜 1 38
法定代表人名章 SFDX-05 5 CWC yuan.xiaoting dong.haoran xie.chunmei 行政楼305保险柜 1 20
示范大学钢印 SFDX-06 8 DZB sun.jiahui he.jing qian.weimin 行政楼601保险柜 1 42
后勤保障处 SFDX-07 6 HQC shen.lijuan ren.shuzhen - 后勤楼203 1 40 HQC
计算机学院 SFDX-08 6 JSJ kong.lingwei bai.xue - 信息楼312 1 40 JSJ
经济管理学院 SFDX-09 6 JG kong.lingwei - - 信息楼312 1 40 JG
招生办公室（旧） SFDX-10 6 JWC sun.jiahui - - 行政楼601保险柜 3 40
教育技术中心 SFDX-11 6 XXZX kong.lingwei - - 档案室 5 40
`;
const at = (days: number) => sql`date_trunc('day', now()) - make_interval(days => ${days}) + interval '10 hours'`;

interface Chain {
  kind: number;
  days: number;
  from?: string;
  to?: string;
  /** The length of a period, in days. */
  lasts?: number;
  reason: string;
  by: string;
  witnesses?: readonly string[];
}
const { begin, handOver, caretaker, caretakerEnds, inventory, suspend, collect, destroy } = custodyKind;
const inventories = (keeper: string, last: number): Chain[] =>
  [7, 6, 5, 4, 3, 2, 1, 0].map((quarter) => ({
    kind: inventory,
    days: quarter * 90 + last,
    reason: '季度盘点，印章完好',
    by: keeper,
  }));

function chainOf(no: string, keeper: string): Chain[] {
  const first = no === 'SFDX-01' ? 'qian.weimin' : keeper;
  const start: Chain = { kind: begin, days: 730, to: first, reason: '登记启用', by: 'zhao.yan' };
  if (no === 'SFDX-10') return [start, { kind: suspend, days: 120, reason: '机构更名，停用待收缴', by: 'zhao.yan' }];
  if (no === 'SFDX-11') {
    const witnesses = ['pan.zhiwei', 'liang.zhiqiang'];
    return [
      start,
      { kind: collect, days: 210, reason: '机构撤并，印章收缴', by: 'zhao.yan', witnesses },
      { kind: destroy, days: 180, reason: '按规定销毁', by: 'zhao.yan', witnesses },
    ];
  }
  const events = inventories(keeper, no === 'SFDX-09' ? 110 : 20);
  if (no === 'SFDX-01')
    events.push({ kind: handOver, days: 400, from: 'qian.weimin', to: keeper, reason: '岗位调整', by: 'qian.weimin' });
  if (no === 'SFDX-03')
    events.push(
      { kind: caretaker, days: 150, from: keeper, to: 'ren.shuzhen', lasts: 10, reason: '外出培训', by: keeper },
      { kind: caretakerEnds, days: 140, from: keeper, reason: '培训结束', by: keeper },
    );
  return [start, ...events.toSorted((a, b) => b.days - a.days)];
}

/** Eleven seals of four keepers, each with a custody chain of two years. */
export async function addDemoSeals(tx: Db): Promise<void> {
  const depts = new Map((await tx.select().from(deptTable)).map((row) => [row.code, row.id]));
  const people = new Map(
    (await tx.select({ id: userTable.id, name: userTable.username }).from(userTable)).map((row) => [row.name, row.id]),
  );
  const person = (name: string | undefined) => people.get(name ?? '') ?? null;
  const alerts: number[] = [];
  for (const row of rows.trim().split('\n')) {
    const [
      name = '',
      stamp_no = '',
      type,
      dept = '',
      keeper = '',
      backup,
      watcher,
      place = '',
      status,
      size_mm = '',
      kept,
    ] = row.split(' ');
    const [made] = await tx
      .insert(stampTable)
      .values({
        name,
        stamp_no,
        type: Number(type),
        dept_id: depts.get(dept)!,
        keeper_id: person(keeper)!,
        backup_id: person(backup),
        supervisor_id: person(watcher),
        place,
        status: Number(status),
        size_mm,
        shape: type === '5' ? '方形' : '圆形',
        enabled_date: sql`current_date - 730`,
        office_hours: { 1: ['08:30', '11:30'], 2: ['14:00', '17:00'] },
        search: searchVector({ codes: [stamp_no], texts: [name, place] }),
        gmt_created: at(730),
      })
      .returning({ id: stampTable.id });
    const stamp_id = made!.id;
    alerts.push(stamp_id);
    if (kept) await tx.insert(stampDeptTable).values({ stamp_id, dept_id: depts.get(kept)! });
    await tx.insert(custodyTable).values(
      chainOf(stamp_no, keeper).map(({ kind, days, from, to, lasts, reason, by, witnesses = [] }) => ({
        stamp_id,
        kind,
        state: custodyState.inEffect,
        from_id: person(from),
        to_id: person(to),
        from_time: at(days),
        ...(lasts ? { until: at(days - lasts), ended_at: at(days - lasts) } : {}),
        reason,
        witness_ids: witnesses.map((one) => person(one)!),
        creator_id: person(by)!,
        decided_at: at(days),
        gmt_created: at(days),
      })),
    );
  }
  await addAlerts(tx, alerts, person('pan.zhiwei')!);
}

/** Three alerts, one of them handled. */
async function addAlerts(tx: Db, [office, , contract]: readonly number[], auditor: number) {
  await tx.insert(alertTable).values([
    {
      kind: alertKind.partner,
      about: 'demo 1',
      title: '与“海源建设工程有限公司”30 天内用印 6 次',
      stamp_id: contract!,
      gmt_created: at(3),
    },
    {
      kind: alertKind.hours,
      about: 'demo 2',
      title: '《学籍证明》在用印时段之外用印',
      stamp_id: office!,
      gmt_created: at(1),
    },
    {
      kind: alertKind.copies,
      about: 'demo 3',
      title: '《毕业证书》用印 800 份，同类通常 2 份',
      stamp_id: office!,
      gmt_created: at(12),
      handled: true,
      result: 1,
      note: '毕业季批量证书，已核对起止编号',
      handled_by: auditor,
      handled_at: at(11),
    },
  ]);
}
