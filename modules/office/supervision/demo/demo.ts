import { sql } from 'drizzle-orm';
import { daysLater, dayMs, dayOf } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { linkModules } from '#modules/platform/links/service.ts';
import { demoDesk } from '#modules/workflow/tickets/demo/desk.ts';
import { opinionType } from '../contract/codes.ts';
import { items } from '../contract/supervise.ts';
import { progress, requests } from '../contract/hung.ts';
import { finish, reopen, terminate } from '../record/ends.ts';
import type { By } from '../record/news.ts';
import { askerOf } from '../record/visibility.ts';
import { create, issue } from '../record/write.ts';
import { draftBulletin } from '../statistics/server.ts';
import { speak } from '../subs/opinions.ts';
import { check, opened, report } from '../subs/progress.ts';
import { ask, decide } from '../subs/requests.ts';
import { writeSheets } from '../subs/sheets.ts';

/** Title, source, days since it was issued, days until it is due, percent of each part, events, source module. */
type Story = [
  title: string,
  source: number,
  since: number,
  due: number,
  percents: number[],
  what?: string,
  from?: string,
];
const stories: Story[] = [
  ['智慧教室改造', 4, 40, 60, [50, 60, 40]],
  ['实验室安全整改', 6, 30, 40, [60, 40, 50], 'missed'],
  ['图书馆空间调整', 2, 50, 20, [10, 5, 10], 'behind'],
  ['毕业典礼筹备', 2, 20, 2, [90, 95, 90]],
  ['食堂明厨亮灶工程', 5, 60, -3, [80, 70, 100]],
  ['校园网络提速', 4, 45, -6, [90, 60, 80]],
  ['学生宿舍电路改造', 3, 70, -12, [40, 30, 50], 'sheets'],
  ['档案数字化', 4, 1, 90, [0, 0, 0], 'object'],
  ['研究生学位点评估材料', 1, 35, 30, [60, 50, 60], 'extend', 'documents'],
  ['国际学生管理办法修订', 1, 25, 15, [70, 60, 65], 'refuse', 'documents'],
  ['教学督导反馈整改', 6, 20, 30, [50, 40, 60], 'return'],
  ['校庆筹备', 2, 50, 25, [100, 100, 100], 'propose'],
  ['体育馆维修', 4, 90, 10, [100, 100, 100], 'reopen'],
  ['老旧办公设备更新', 4, 30, 40, [20, 30, 10], 'terminate'],
  ['采购合同逾期履约', 9, 20, 25, [40, 50, 45], undefined, 'contracts'],
  ['科研经费管理检查', 3, 60, 5, [100, 100, 100], 'finish'],
  ['师德师风专项', 4, 30, 60, [40, 45, 50]],
  ['平安校园建设', 5, 10, 80, [20, 10, 15, 5], 'public'],
];

/** Items of all kinds in all states, made through the product's own commands by the demonstration's people. */
export async function addDemoSupervision(tx: Db, now: Date): Promise<void> {
  const { person, as, ticketOf, dateTicket } = demoDesk(tx);
  const by = (id: number, days = 0): Promise<By> => as(id, daysLater(now, -days));
  const idsOf = async (role: string) =>
    (
      await tx.execute<{ id: number }>(
        sql`select h.user_id id from held_role h join role r on r.id = h.role_id join app_user u on u.id = h.user_id and u.is_active where r.code = ${role} order by h.user_id`,
      )
    ).rows.map((row) => row.id);
  const [office] = [...(await idsOf('supervise_admin')), ...(await idsOf('deskadmin'))];
  const [leader] = await idsOf('xld');
  const { rows: heads } = await tx.execute<{ dept: number; owner: number }>(sql`
    select distinct on (d.id) d.id dept, coalesce(w.id, p.user_id) owner from dept d join dept_person p on p.dept_id = d.id and p.part = 'leader'
    left join app_user w on w.dept_id = d.id and w.is_active and w.id not in (p.user_id, ${office!}, ${leader!}) order by d.id, w.id limit 12`);
  const day = (days: number, hour = '17:00') => `${dayOf(new Date(now.getTime() + days * dayMs))} ${hour}`;
  const asker = async (id: number) => askerOf(tx, await person(id));

  for (const [at, [title, source, since, due, percents, what, module]] of stories.entries()) {
    const start = await by(office!, since);
    const own = heads[at % heads.length]!;
    const linked = module ? linkModules(tx).find(([name]) => name === module)?.[1] : undefined;
    const [origin] = (await linked?.find(tx, start.user, '', now)) ?? [];
    const parts = percents.map((_percent, no) => {
      const { dept, owner } = heads[(at + no) % heads.length]!;
      const name = ['制定方案', '组织实施', '检查验收', '总结宣传'][no]!;
      const stages =
        no === 1 && since > 25
          ? [
              { title: '过半', day: day(due - 10).slice(0, 10), weight: 50, evidence: false },
              { title: '完成', day: day(due).slice(0, 10), weight: 50, evidence: false },
            ]
          : [];
      return { title: `${title}：${name}`, owner, dept, due_at: day(due), stages };
    });
    const level = what === 'propose' ? 3 : 1 + (at % 2);
    const input = items.create.body!.parse({
      title,
      source,
      level,
      leader,
      lead_dept: own.dept,
      owner: own.owner,
      subs: parts,
      due_at: day(due, '18:00'),
      content: `${title}，请各承办部门按分工办理。`,
      requirement: '按期完成，定期反馈。',
      is_public: what === 'public',
      feedback_cycle: what === 'missed' ? 1 : 0,
      ...(origin ? { from: { module, id: origin.id } } : {}),
    });
    const { id } = await create(start, input as Parameters<typeof create>[1]);
    await issue(start, await asker(office!), id);
    const { rows: made } = await tx.execute<{ id: number; owner: number }>(
      sql`select id, owner from supervise_sub where supervise_id = ${id} order by id`,
    );
    for (const [no, one] of made.entries()) {
      const percent = percents[no]!;
      if (what === 'object' && no === 0) continue;
      await opened(tx, await asker(one.owner), id);
      if (percent === 0) continue;
      const reporter = await by(one.owner, what === 'missed' ? since - 1 : Math.min(since - 1, Math.max(1, -due + 1)));
      const said = progress.report.body!.parse({
        sub_id: one.id,
        percent,
        content: `已完成约 ${percent}%`,
        next_plan: percent < 100 ? '继续推进' : '',
        problem: percent < 30 ? '经费尚未落实' : '',
        is_finish: percent === 100,
      });
      const filed = await report(reporter, await asker(one.owner), said as Parameters<typeof report>[2]);
      const waits = what === 'return' && no === 2;
      await check(await by(office!), await asker(office!), filed.id, {
        result: what === 'return' && no === 1 ? 2 : 1,
        opinion: no === 1 ? '材料请补充完整' : '',
      }).catch((refused: Error) => {
        if (!waits && !/不能自己审核/.test(refused.message)) throw refused;
      });
    }
    await happen(what, id, made);
  }

  async function happen(
    what: string | undefined,
    id: number,
    made: readonly { id: number; owner: number }[],
  ): Promise<void> {
    const desk = await by(office!);
    const clerk = await asker(office!);
    const [first] = made as [{ id: number; owner: number }];
    const request = async (kind: number, more: object) => {
      const body = requests.create.body!.parse({
        sub_id: first.id,
        kind,
        reason: '外部条件未落实',
        done_so_far: '已完成大部分',
        ...more,
      });
      return ask(await by(first.owner), await asker(first.owner), body as Parameters<typeof ask>[2]);
    };
    if (what === 'sheets')
      for (const no of [1, 2])
        await writeSheets(desk, clerk, id, {
          colour: 3,
          sub_ids: [first.id],
          content: `第 ${no} 次督办：逾期未完成，请书面说明`,
          answer_by: day(3),
        });
    if (what === 'object') await request(2, {});
    if (what === 'extend')
      await decide(desk, clerk, (await request(1, { apply_due: day(50) })).id, {
        result: 1,
        opinion: '同意',
        with_item: true,
      });
    if (what === 'refuse')
      await decide(desk, clerk, (await request(1, { apply_due: day(15, '17:30') })).id, {
        result: 2,
        opinion: '请按原时限办理',
        with_item: false,
      });
    if (what === 'propose' || what === 'finish' || what === 'reopen')
      await finish(desk, clerk, id, { result: 1, finish_note: '各项任务均已完成', score: 92, reason: '', subs: [] });
    if (what === 'reopen') await reopen(desk, clerk, id, { reason: '复查发现渗漏', due_at: day(20), subs: [first.id] });
    if (what === 'terminate') await terminate(desk, clerk, id, { reason: '与上级专项合并', files: [] });
    if (what === 'propose' || what === 'sheets')
      await speak(await by(leader!), await asker(leader!), {
        supervise_id: id,
        type: opinionType.leader,
        content: '请抓紧落实，务求实效。',
        at_users: [],
      });
  }
  const last = new Date(now);
  last.setUTCDate(0);
  const bulletin = await draftBulletin(
    { ...(await by(office!)), origin: { ip: '127.0.0.1', userAgent: 'demo', traceId: 'demo' } },
    { month: dayOf(last).slice(0, 7) },
  );
  await dateTicket(await ticketOf('documents', bulletin.id), now);
  // Marks messages as read, so that nobody begins with news about the distant past.
  await tx.execute(sql`update msg_user set read_time = now() where read_time is null`);
}
