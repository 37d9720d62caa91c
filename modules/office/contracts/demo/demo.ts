import { eq, sql } from 'drizzle-orm';
import { dayAfter, dayMs, dayOf, momentOf, weekdayOf } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { enter, keepMade } from '#modules/platform/files/service.ts';
import type { Writing } from '#modules/workflow/records/service.ts';
import { act } from '#modules/workflow/tickets/commands/commands.ts';
import { demoDesk } from '#modules/workflow/tickets/demo/desk.ts';
import { standsIn } from '#modules/workflow/tickets/service.ts';
import { acceptResult, nature, renewal } from '../contract/codes.ts';
import { contracts as calls } from '../contract/contracts.ts';
import { registerCalls } from '../contract/performing/register.ts';
import type { ContractInput } from '../contract/shapes.ts';
import { addMonths } from '../engine/terms.ts';
import { turnTerms } from '../jobs/terms.ts';
import { contracts, module } from '../record/record.ts';
import { columnsOf, writeBeside } from '../record/writing.ts';
import { openDisputesOf } from '../register/disputes.ts';
import { register } from '../register/register.ts';
import { contractCategoryTable, contractPartyTable, contractPerformanceTable } from '../tables.ts';
import { stories, type Story } from './stories.ts';

const hourMs = 3_600_000;
const manager = 'shen.lijuan';
const payer = 'dong.haoran';
const text = (story: Story) =>
  `<p>甲方：示范大学</p><p>乙方：${story.parties.join('、')}</p><p>一、标的：${story.name}。</p><p>二、价款：按本合同金额和履约计划支付。</p><p>三、违约责任：任何一方违约的，应当赔偿对方因此受到的损失。</p>`;

/** Contracts in every stage, made through the product's own commands by the demonstration's people. */
export async function addDemoContracts(tx: Db, now: Date): Promise<void> {
  const teller = await tellerOf(tx, now);
  let above: number | null = null;
  for (const story of stories) {
    const id: number = await tell(teller, story, story.below ? above : null);
    if (story.framework || story.supplemented) above = id;
  }
  await turnTerms(tx, now);
  await tx
    .update(contractPartyTable)
    .set({ standing: 1, standing_reason: '连续两个月服务不达标，暂停新签合同' })
    .where(eq(contractPartyTable.name, '联信呼叫服务有限公司'));
  // Marks messages as read, so that nobody begins with news about the distant past.
  await tx.execute(sql`update msg_user set read_time = now() where read_time is null`);
}

interface Teller {
  tx: Db;
  desk: ReturnType<typeof demoDesk>;
  category: ReadonlyMap<string, number>;
  today: string;
  now: Date;
}

export async function tellerOf(tx: Db, now: Date): Promise<Teller> {
  const rows = await tx.select().from(contractCategoryTable);
  const category = new Map(rows.map((row) => [row.code, row.id]));
  return { tx, desk: demoDesk(tx), category, today: dayOf(now), now };
}

export async function tell(teller: Teller, story: Story, parent_id: number | null): Promise<number> {
  const { tx, category, today, now } = teller;
  // Nobody signs or pays at a weekend, so such days move to the Friday before.
  const dayAt = (days: number) => {
    const weekday = weekdayOf(dayAfter(today, days));
    return dayAfter(today, days - Math.max(0, weekday - 5));
  };
  /** A yearly term ends the day before it would restart. */
  const endAt = (from: number, to: number) => {
    const years = Math.round((to - from) / 365);
    return Math.abs(to - from - years * 365) > 10 || years === 0
      ? dayAt(to)
      : dayAfter(addMonths(dayAt(from), 12 * years), -1);
  };
  // An hour ago, so that nothing lies in the future; but never yesterday, because entries dated today would be refused.
  const passed = Math.min(hourMs, now.getTime() - momentOf(`${today} 00:00`).getTime());
  const desk = (who: string | number, days: number): Promise<Writing> =>
    teller.desk.as(who, new Date(now.getTime() + Math.min(days, 0) * dayMs - passed));
  const pays = story.pays ?? 1;
  const own =
    story.plans ??
    (pays === 3 || story.framework ? [] : [['合同款', Math.max(30, story.day + 30), story.amount] as const]);
  const plans = own.map(([name, days, plan_amount, kind = pays], at) => ({
    kind,
    name,
    period: at + 1,
    plan_date: dayAt(days),
    plan_amount,
    condition: '',
    direction: null,
  }));
  const body = calls.create.body!.parse({
    name: story.name,
    category_id: category.get(story.category),
    nature: story.framework ? nature.framework : nature.usual,
    parent_id,
    pay_direction: pays,
    our_party: '示范大学',
    parties: story.parties.map((name, at) => ({ name, role: at === 0 ? '乙方' : '丙方' })),
    amount: story.amount,
    amount_cap: story.framework?.cap ?? null,
    start_date: dayAt(story.term?.[0] ?? story.day + 10),
    end_date:
      story.term?.[1] === null ? null : endAt(story.term?.[0] ?? story.day + 10, story.term?.[1] ?? story.day + 375),
    ...(story.renewal
      ? { renewal: renewal.tacit, renewal_months: story.renewal.months, notice_days: story.renewal.notice }
      : {}),
    content: text(story),
    plans,
    ...(story.more?.['nature'] === nature.supplement ? { end_date: null, start_date: null } : {}),
    ...story.more,
  }) as ContractInput;
  const context = await desk(story.by, story.day);
  const viewer = await contracts.viewerOf(tx, context.user);
  const columns = await columnsOf(tx, body, viewer, null);
  const sent = { submit: story.until !== 'draft' && story.until !== 'closed' };
  const { id, ticket_id } = await contracts.create(context, columns, sent, (row, before) =>
    writeBeside(tx, row, body, viewer, before),
  );
  const begun = new Date(now.getTime() + story.day * dayMs - hourMs);
  await tx.execute(sql`update contract set gmt_created = ${begun.toISOString()} where id = ${id}`);
  const { now: decided } = await desk(manager, await decide(teller, story, { id, ticket_id, desk }));
  await teller.desk.dateTicket(ticket_id, begun, decided);
  if (story.sign !== undefined) await perform(teller, story, id, desk, dayAt);
  else for (const input of story.registrable ?? []) await register(await desk(manager, 0), id, inputOf(input));
  if (story.more?.['nature'] === nature.supplement)
    await register(
      await desk(manager, -10),
      parent_id!,
      inputOf({ type: 'change', supplement_id: id, reason: '增加服务范围' }),
    );
  return id;
}

const inputOf = (input: Record<string, unknown>) => registerCalls.register.body!.parse(input);
type Desk = (who: string | number, days: number) => Promise<Writing>;

/** Passes the approval of a contract up to the state of its story; returns the day of the last decision, counted as in the story. */
async function decide(
  { tx, desk: people }: Teller,
  story: Story,
  { id, ticket_id, desk }: { id: number; ticket_id: number; desk: Desk },
): Promise<number> {
  let again = story.returned;
  let day = story.day + 1;
  if (story.until === 'draft') return day;
  if (story.until === 'closed') {
    await act(await desk(story.by, day), ticket_id, { type: 'close', suggestion: '改为公开拍卖' });
    return day;
  }
  if (story.until === 'withdrawn') {
    await act(await desk(story.by, story.day), ticket_id, { type: 'retreat', suggestion: '补充技术附件后再送' });
    return story.day;
  }
  const fields = ({ key }: { key: string }): Record<string, unknown> =>
    key === 'legal' ? { risk_level: '1', legal_opinion: '条款完备，可以签订。' } : {};
  for (let decided = true; decided;) {
    const { now: at } = await desk(manager, day);
    const [state] = await standsIn(tx, ticket_id);
    if (again === undefined || state?.key !== 'legal') {
      decided = await people.decideOnce(ticket_id, { at, until: story.until, fields });
      continue;
    }
    await people.decideOnce(ticket_id, { at, refuse: again });
    again = undefined;
    const author = await desk(story.by, day + 1);
    day += 2;
    const viewer = await contracts.viewerOf(tx, author.user);
    const before = await contracts.requireToWrite(author, viewer, id, { act: '重新提交' });
    const content = `${before.content}<p>四、质保期二年，自竣工验收合格之日起算。</p>`;
    await contracts.save(author, before, { content }, { submit: true });
  }
  return day;
}

export async function fileOf(tx: Db, by: number, name: string): Promise<number> {
  const made = await keepMade(tx.services.fileStore, paper(name), { ext: 'pdf', mime: 'application/pdf' });
  return enter(tx, { ...made, name: `${name}.pdf`, thumb: null }, { module, uploader_id: by });
}
/** A valid PDF with one empty page. */
const paper = (name: string) =>
  Buffer.from(
    `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj\ntrailer<</Root 1 0 R>>\n%${name}\n%%EOF`,
  );

/** Signs a contract and registers the later events of its story. */
async function perform(
  { tx, desk: { person } }: Teller,
  story: Story,
  id: number,
  desk: Desk,
  dayAt: (days: number) => string,
) {
  const signer = await person(story.by);
  const keeper = (await person(manager)).id;
  // A contract signed before its approval is registered after it.
  const at = Math.max(story.sign!, story.day + 3);
  const scan = await fileOf(tx, signer.id, `${story.name}（签署件）`);
  const copies = { copies_total: 4, copies_kept: 2, keeper };
  const signed = { type: 'sign', sign_date: dayAt(story.sign!), signed_file: scan, authority: 1, ...copies };
  await register(await desk(story.by, at), id, inputOf(signed));
  const rows = await tx
    .select()
    .from(contractPerformanceTable)
    .where(eq(contractPerformanceTable.contract_id, id))
    .orderBy(contractPerformanceTable.id);
  for (const [index, days, amount] of story.paid ?? []) {
    const who = amount === null ? story.by : payer;
    const files = amount === null ? [] : [await fileOf(tx, (await person(who)).id, `${story.name}回单${index + 1}`)];
    const done = {
      performance_id: rows[index]!.id,
      date: dayAt(days),
      files,
      ...(amount === null ? { accept_result: acceptResult.passed } : { amount }),
    };
    await register(await desk(who, days), id, inputOf({ type: 'performance', ...done }));
  }
  for (const { day, files, settlement, ...input } of story.registrable ?? []) {
    const days = typeof day === 'number' ? day : -2;
    const file = files ? { file: await fileOf(tx, keeper, `${story.name}说明`) } : {};
    const until = (settlement as { until: number }[] | undefined)?.map((one) => ({ ...one, until: dayAt(one.until) }));
    const dated = input['type'] === 'terminate' ? { date: dayAt(days), settlement: until } : {};
    const [dispute] = input['type'] === 'dispute_end' ? await openDisputesOf(tx, (await contracts.one(tx, id))!) : [];
    const ended = dispute ? { dispute_id: dispute.id } : {};
    await register(await desk(manager, days), id, inputOf({ ...input, ...file, ...dated, ...ended }));
  }
}
