import { implement } from '#kernel/server/http/implement.ts';
import { documentSettings, numberRules } from '../contract/settings.ts';
import { bookPage, voidNumber } from './book.ts';
import { agencies, ruleHandlers } from './number-rules.ts';

export const numberRulesModule = implement('documents', numberRules, ruleHandlers);

/** The book of numbers. */
export const documentSettingsModule = implement('documents', documentSettings, {
  agencies: async (_asked, { tx }) => ({ value: await agencies(tx) }),

  book: ({ query }, { tx, user }) => bookPage(tx, user, query),

  async voidNumber({ body }, { tx, user, audit }) {
    const { id, number } = await voidNumber(tx, user, body);
    audit({ type: '发文字号', id, title: number, after: { 操作: '作废', 理由: body.reason } });
    return { id };
  },
});
