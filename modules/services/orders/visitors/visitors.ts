import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import { acceptImage } from '#kernel/server/files/image.ts';
import { implement, staged, type Context } from '#kernel/server/http/implement.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { createLine } from '#kernel/server/jobs/turns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Services } from '#kernel/server/services.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { createPhoneCodes } from '#modules/platform/accounts/service.ts';
import { filesById, giveMade, keepMade } from '#modules/platform/files/service.ts';
import type { Writing } from '#modules/workflow/records/service.ts';
import { holdTickets } from '#modules/workflow/tickets/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { orderSource, orderStage, placeOf, standsAs } from '../contract/codes.ts';
import { notNow, photosFull, visitorLimit, visitorsOff } from '../contract/refusals.ts';
import { visitorPhotos, visitors as calls, type VisitorRow } from '../contract/visitors.ts';
import { turnClock, type Clocked } from '../record/clock.ts';
import { officePhone } from '../record/handlers.ts';
import { rate, settle } from '../record/ends.ts';
import { desk, orderNews } from '../record/news.ts';
import { module, note, orders, paceOf, type Order } from '../record/record.ts';
import { ratable } from '../record/rights.ts';
import { columnsOf, newNumber, sealedPhone } from '../record/write.ts';
import { labelled } from '../settings.ts';
import { orderCategoryTable as c, orderTable as t } from '../tables.ts';
import { phoneOf, ticketFor, ticketSeconds } from './ticket.ts';

const perDay = 5;
const mostBytes = 10 * 2 ** 20;
const photoSize = 2048;
/** Photographs of strangers are redrawn one at a time, with a limit per order. */
const drawing = createLine({ atOnce: 1, waiting: 20, waitingEach: 3 });
type Asking = Pick<Context, 'tx' | 'wire' | 'origin' | 'now' | 'services' | 'audit'>;
const stranger = { id: 0, alias: '来访人', username: '' } as Viewer;
const asVisitor = (context: Asking): Writing => ({ ...context, user: stranger });

async function proven(context: Pick<Asking, 'wire' | 'origin' | 'now' | 'services'>): Promise<string> {
  if (!(await context.services.settings.get('site')).visitor_orders) throw visitorsOff();
  return phoneOf(context);
}
/** Orders reported with a number, by its holder or through the desk; those of people of the house need their session. */
const ofPhone = ({ services }: Pick<Asking, 'services'>, phone: string) =>
  and(
    eq(t.phone_mark, services.secretBox.keyedHash(phone)),
    isNull(t.reporter_id),
    eq(t.is_deleted, false),
    sql`${t.act_state} <> ${inSql(actState.draft)}`,
  );

async function held(context: Asking, id: number): Promise<Order> {
  const { tx } = context;
  const where = and(eq(t.id, id), ofPhone(context, await proven(context)));
  const [seen] = await tx.select({ ticket: t.ticket_id }).from(t).where(where);
  if (!seen) throw absent('订单');
  if (seen.ticket !== null) await holdTickets(tx, [seen.ticket]);
  const [row] = await tx.select(orders.columns).from(t).where(where).for('no key update');
  return row as Order;
}
function shown(row: Order, now: Date): VisitorRow {
  const { id, sn, title, description, stage, appoint_time, hang_until, score, gmt_created } = row as Order & {
    gmt_created: string;
  };
  const open = stage === orderStage.reported || stage === orderStage.assigned;
  const may: [VisitorRow['may'][number], boolean][] = [
    ['confirm', stage === orderStage.finished],
    ['rework', stage === orderStage.finished],
    ['withdraw', open && row.accept_at === null],
    ['comment', orderStage.is(stage, orderStage.finished, orderStage.confirmed, orderStage.rated) && ratable(row, now)],
    ['photo', open && row.photos.length < visitorPhotos],
  ];
  const own = { id, sn, title, place: placeOf(row), description, stage, appoint_time, hang_until, score, gmt_created };
  return {
    ...own,
    result: stage >= orderStage.finished ? row.result : '',
    photos: row.photos.length,
    may: may.flatMap(([key, is]) => (is ? [key] : [])),
  };
}

/** Takes the report of a visitor: an order without a ticket, until the desk accepts it. */
export async function placeFor(
  { tx, now, services, audit }: Pick<Asking, 'tx' | 'now' | 'services' | 'audit'>,
  phone: string,
  { label, ...sent }: BodyOf<typeof calls.place>,
) {
  const sealed = sealedPhone(services, phone);
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`order visitor ${sealed.phone_mark}`}, 0))`);
  const today = await tx.$count(
    t,
    and(
      eq(t.phone_mark, sealed.phone_mark),
      eq(t.source, orderSource.visitor),
      sql`${t.gmt_created} > now() - interval '1 day'`,
    ),
  );
  if (today >= perDay) throw visitorLimit(perDay);
  const asset_id = label ? (await labelled(tx, label.toLowerCase())).asset_id : null;
  const columns = await columnsOf(tx, { ...sent, asset_id }, null);
  const [category] = await tx
    .select()
    .from(c)
    .where(and(eq(c.id, sent.category_id), eq(c.for_visitors, true)));
  if (!category) throw absent('故障类别');
  const fresh = { stage: orderStage.reported, reopen_count: 0, accept_at: null } as Clocked;
  const clock = turnClock(fresh, 10, now, await paceOf(tx, category.id, 0), 'sent');
  let made: Order | undefined;
  const sn = newNumber(tx, now, () => made!);
  const [row] = await tx
    .insert(t)
    .values({
      ...columns,
      ...sealed,
      ...clock,
      sn,
      act_state: actState.ongoing,
      stage: orderStage.reported,
      source: orderSource.visitor,
      contact: sent.contact || '来访人',
    } as typeof t.$inferInsert)
    .returning();
  made = row as Order;
  await note({ tx, now }, made.id, 'report', 'visitor');
  await announce(tx, orderNews.ORDER_NEW, made, { content: `${placeOf(made)} 有访客报修，请受理`, by: null }, [desk]);
  audit({ type: '订单', id: made.id, title: sn, after: { 标题: made.title, 尾号: made.phone_tail } });
  return { id: made.id, sn };
}

async function change(context: Asking, id: number, s: 1 | 3 | 4, remark: string) {
  const row = await held(context, id);
  const action = ({ 1: 'rework', 3: 'withdraw', 4: 'confirm' } as const)[s];
  if ((s === 4 && row.stage >= orderStage.confirmed) || (s === 3 && row.stage === orderStage.closed)) return { id };
  if (!shown(row, context.now).may.includes(action))
    throw notNow(row.sn, standsAs(row), ({ 1: '返工', 3: '撤回', 4: '确认' } as const)[s]);
  if (s === 3) await settle(asVisitor(context), row, 'close', remark || '不需要了', 'visitor');
  else await settle(asVisitor(context), row, action, remark, 'visitor');
  context.audit({ type: '订单', id, title: row.sn, after: { 来访人: action } });
  return { id };
}

export function visitorModule({
  secret,
  attempts,
  fileStore,
  settings,
}: Pick<Services, 'secret' | 'attempts' | 'fileStore' | 'settings'>) {
  const phoneCodes = createPhoneCodes(secret, attempts);
  const roomFor = async (tx: Db, row: Order, bytes: number) => {
    const files = [...(await filesById(tx, row.photos)).values()];
    const used = files.reduce((sum, file) => sum + file.size, 0);
    if (row.photos.length >= visitorPhotos || used + bytes > mostBytes) throw photosFull(visitorPhotos);
  };
  return implement(module, calls, {
    visitor: staged(calls.visitor, {
      async before({ body }) {
        if (!(await settings.get('site')).visitor_orders) throw visitorsOff();
        await phoneCodes.guess(body.phone, 'order');
      },
      async run({ body: { phone, code } }, { tx, origin, now, services }) {
        await phoneCodes.use(tx, phone, 'order', code);
        return { ticket: ticketFor(services.secretBox, phone, origin.ip, now), expire: ticketSeconds };
      },
    }),
    async mine(_input, context) {
      const phone = await proven(context);
      const rows = await context.tx
        .select(orders.columns)
        .from(t)
        .where(ofPhone(context, phone))
        .orderBy(desc(t.gmt_created))
        .limit(50);
      const open = and(eq(c.for_visitors, true), eq(c.is_active, true), eq(c.is_deleted, false));
      const categories = await context.tx.select({ id: c.id, name: c.name }).from(c).where(open).orderBy(c.id);
      return {
        value: (rows as Order[]).map((row) => shown(row, context.now)),
        categories,
        office_phone: await officePhone(context.tx, null),
      };
    },
    place: async ({ body }, context) => placeFor(context, await proven(context), body),
    one: async ({ params }, context) => {
      const where = and(eq(t.id, params.id), ofPhone(context, await proven(context)));
      const [row] = await context.tx.select(orders.columns).from(t).where(where);
      if (!row) throw absent('订单');
      return { value: shown(row as Order, context.now) };
    },
    state: ({ params, body }, context) => change(context, params.id, body.s, body.remark),
    async comment({ params, body }, context) {
      await rate(asVisitor(context), await held(context, params.id), body, 'visitor');
      return { id: params.id };
    },
    photo: staged(calls.photo, {
      async before({ file, params }, context) {
        await proven(context);
        const { bytes, ext, mime } = await drawing(params.id, () => acceptImage(file.bytes, { size: photoSize }));
        return keepMade(fileStore, bytes, { ext, mime });
      },
      async run({ params, prepared }, context) {
        const row = await held(context, params.id);
        if (!shown(row, context.now).may.includes('photo')) throw photosFull(visitorPhotos);
        await roomFor(context.tx, row, prepared.size);
        const file = await giveMade(context.tx, prepared, {
          name: `照片${row.photos.length + 1}`,
          module,
          recordId: row.id,
          by: 0,
        });
        await orders.set(context.tx, row, { photos: [...row.photos, file] });
        context.audit({ type: '订单', id: row.id, title: row.sn, after: { 照片: row.photos.length + 1 } });
        return { id: params.id };
      },
    }),
  });
}
