import { implement } from '#kernel/server/http/implement.ts';
import { titled } from '#kernel/contract/titles.ts';
import { documentSettings, RuleInput } from '../contract/settings.ts';
import { bookPage, voidNumber } from './book.ts';
import { addRule, agencies, changeRule, removeRule, rulePage } from './number-rules.ts';

const said = (rule: Record<string, unknown>) => ({
  ...titled(RuleInput, rule),
  状态: rule.status === 1 ? '启用' : '停用',
});

/** Number rules and the book of numbers. */
export const documentSettingsModule = implement('documents', documentSettings, {
  rules: ({ query }, { tx, user, now }) => rulePage(tx, user, query, now),

  agencies: async (_asked, { tx }) => ({ value: await agencies(tx) }),

  async addRule({ body }, { tx, audit }) {
    const id = await addRule(tx, body);
    audit({ type: '发文字号', id, title: body.agency_code, after: said(body) });
    return { id };
  },

  async changeRule({ params: { id }, body: { version, ...body } }, { tx, audit }) {
    const before = await changeRule(tx, id, body, version);
    audit({ type: '发文字号', id, title: body.agency_code, before: said(before), after: said(body) });
    return { id };
  },

  async removeRule({ params: { id } }, { tx, audit }) {
    const row = await removeRule(tx, id);
    audit({ type: '发文字号', id, title: row.agency_code, before: said(row) });
    return { id };
  },

  book: ({ query }, { tx, user }) => bookPage(tx, user, query),

  async voidNumber({ body }, { tx, user, audit }) {
    const { id, number } = await voidNumber(tx, user, body);
    audit({ type: '发文字号', id, title: number, after: { 操作: '作废', 理由: body.reason } });
    return { id };
  },
});
