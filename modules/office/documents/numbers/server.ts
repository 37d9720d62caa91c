import { implement } from '#kernel/server/http/implement.ts';
import { documentSettings, numberRules } from '../contract/settings.ts';
import { dayOf } from '#kernel/contract/moment.ts';
import { isOffice } from '../visibility/office.ts';

import { bookPage, reservedIn, reserveNumber, voidNumber } from './book.ts';
import { ruleHandlers as rulesOf } from '#kernel/server/rules/rules.ts';
import { documentRuleCalls, documentRules } from '../contract/rules.ts';
import { agencies, ruleHandlers } from './number-rules.ts';

export const documentRulesModule = implement('documents', documentRuleCalls, rulesOf(documentRules));

export const numberRulesModule = implement('documents', numberRules, ruleHandlers);

/** The book of numbers. */
export const documentSettingsModule = implement('documents', documentSettings, {
  async agencies(_asked, { tx, user, now }) {
    const reserved = isOffice(user) ? await reservedIn(tx, Number(dayOf(now).slice(0, 4))) : new Map<number, []>();
    return { value: (await agencies(tx)).map((one) => ({ ...one, reserved: reserved.get(one.id) ?? [] })) };
  },

  book: ({ query }, { tx, user }) => bookPage(tx, user, query),

  async reserve({ body }, { tx, user, now, audit }) {
    const made = await reserveNumber(tx, user, body, now);
    const after = { 操作: body.title ? '补登' : '预留', ...(body.title && { 标题: body.title }), 理由: body.reason };
    audit({ type: '发文字号', id: made.id, title: made.number, after });
    return made;
  },

  async voidNumber({ body }, { tx, user, audit }) {
    const { id, number } = await voidNumber(tx, user, body);
    audit({ type: '发文字号', id, title: number, after: { 操作: '作废', 理由: body.reason } });
    return { id };
  },
});
