import { eq, sql } from 'drizzle-orm';
import { codes, Refusal } from '#kernel/contract/refusal.ts';
import type { Limit } from '#kernel/server/access/attempts.ts';
import { savepoint, type Db } from '#kernel/server/db/db.ts';
import { implement, staged, type Context, type FileReply } from '#kernel/server/http/implement.ts';
import { remember } from '#modules/platform/audit/service.ts';
import { act } from '../commands/commands.ts';
import { cardCalls } from '../contract/cards.ts';
import { detailOf } from '../read/detail.ts';
import { noted } from '../read/noted.ts';
import { ticketCardTable } from '../tables/card.ts';
import { cardBehind, type Card } from './card.ts';
import { deciding, saying } from './page.ts';
import { standingOf, type Standing } from './standing.ts';

type Services = Context['services'];

/** Limits requests with addresses that we did not sign, from one place. */
const guessing: Limit = { kind: 'ticket-card', limit: 30, seconds: 60 };
const before = (_input: unknown, { origin, services }: Pick<Context, 'origin' | 'services'>) =>
  services.attempts.look(guessing, origin.ip);

const notOnCard = '这个操作不能从卡片办理，请登录系统办理。';

const siteOf = async ({ settings }: Services) => (await settings.get('site')).name;

/** The card of an address, or the error page if there is none. */
async function found(
  tx: Db,
  params: { id: number; sign: string },
  tries: { count: number; retryAfter: number },
  { origin, services }: Pick<Context, 'origin' | 'services'>,
): Promise<Card | FileReply> {
  const site = await siteOf(services);
  if (tries.count >= guessing.limit)
    return saying(site, { title: '请稍后再试', said: `请 ${tries.retryAfter} 秒后再试。`, status: 429 });
  const card = await cardBehind(tx, services, params);
  if (card) return card;
  await services.attempts.hit(guessing, origin.ip);
  return saying(site, { title: '链接无效', said: '链接不完整或已失效，请登录系统办理。', status: 404 });
}

const isPage = (found: Card | FileReply): found is FileReply => 'bytes' in found;

interface Asked {
  tapped?: number | undefined;
  warning?: string;
  suggestion?: string;
}

async function shown(
  tx: Db,
  card: Card,
  standing: Standing,
  { services, tapped, warning, suggestion = '' }: Asked & { services: Services },
): Promise<FileReply> {
  const site = await siteOf(services);
  if (!standing.open) return saying(site, { ...standing, ticket: card.ticket_id });
  const { viewer, seen, choices, changed } = standing;
  const detail = await detailOf(tx, seen, seen.reader, viewer);
  const said = warning ?? changed;
  return deciding(site, { detail, alias: viewer.alias, choices, tapped, warning: said, suggestion });
}

export const cardsModule = implement('tickets', cardCalls, {
  cardPage: staged(cardCalls.cardPage, {
    before,
    async run({ params, query, prepared }, context) {
      const { tx, services } = context;
      const card = await found(tx, params, prepared, context);
      if (isPage(card)) return card;
      return shown(tx, card, await standingOf(tx, card, context, false), { services, tapped: Number(query.choose) });
    },
  }),

  decideByCard: staged(cardCalls.decideByCard, {
    before,
    async run({ params, body, prepared }, context) {
      const { tx, services, now, origin } = context;
      const card = await found(tx, params, prepared, context);
      if (isPage(card)) return card;
      const standing = await standingOf(tx, card, context, true);
      const { transition_id: tapped, suggestion, seen_hash } = body;
      if (!standing.open) return shown(tx, card, standing, { services });
      const { viewer, seen, choices } = standing;
      const choice = choices.find(({ transition }) => transition.id === tapped);
      if (!choice) return shown(tx, card, standing, { services, warning: notOnCard, suggestion });
      const action = {
        type: 'handle',
        transition_id: tapped,
        task_no: card.task_no,
        suggestion,
        fields: {},
        choose: {},
      } as const;
      const done = await savepoint(tx, () =>
        act({ tx, user: viewer, now, origin }, card.ticket_id, action, { seen_hash }, seen),
      ).catch((stop: unknown) => {
        if (stop instanceof Refusal) return stop;
        throw stop;
      });
      if (done instanceof Refusal)
        return shown(tx, card, standing, { services, tapped, warning: done.message, suggestion });
      await tx
        .update(ticketCardTable)
        .set({ used_at: sql`now()` })
        .where(eq(ticketCardTable.id, card.id));
      const change = await noted(tx, done, { 流转: tapped, 卡片: card.id }, { 意见: suggestion });
      const { method, path, summary } = cardCalls.decideByCard;
      const entry = { module: 'tickets', action: summary, method, path, user: viewer, origin, result: codes.ok };
      await remember(tx, { ...entry, milliseconds: 0, changes: [change] });
      const where = done.state_name && `，工单现在在“${done.state_name}”`;
      const said = `${viewer.alias} 已“${choice.transition.name}”：${done.title}${where}。`;
      return saying(await siteOf(services), { title: '办理成功', said, ticket: card.ticket_id });
    },
  }),
});
