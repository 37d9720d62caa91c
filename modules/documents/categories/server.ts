import { implement } from '#kernel/server/http/implement.ts';
import { documentSettings } from '../contract/settings.ts';
import { bookPage, voidNumber } from '../numbers/book.ts';
import { addCategory, categories, changeCategory, removeCategory } from './categories.ts';
import { addRule, agencies, changeRule, removeRule, rulePage } from '../numbers/number-rules.ts';

/** Categories, number rules and the book of numbers. */
export const documentSettingsModule = implement('document', documentSettings, {
  categories: async ({ query }, { tx, user }) => ({ value: await categories(tx, user, query.doc_kind) }),

  async addCategory({ body }, { tx, audit }) {
    const id = await addCategory(tx, body);
    audit({ type: '公文类别', id, title: body.name, after: { 名称: body.name, 编码: body.code } });
    return { id };
  },

  async changeCategory({ params: { id }, body: { version, ...body } }, { tx, audit }) {
    const before = await changeCategory(tx, id, body, version);
    const words = (row: { name: string; code: string; status: number }) => ({
      名称: row.name,
      编码: row.code,
      状态: row.status === 1 ? '启用' : '停用',
    });
    audit({ type: '公文类别', id, title: body.name, before: words(before), after: words(body) });
    return { id };
  },

  async removeCategory({ params: { id } }, { tx, audit }) {
    const row = await removeCategory(tx, id);
    audit({ type: '公文类别', id, title: row.name, before: { 名称: row.name, 编码: row.code } });
    return { id };
  },

  rules: ({ query }, { tx, user, now }) => rulePage(tx, user, query, now),

  agencies: async (_asked, { tx }) => ({ value: await agencies(tx) }),

  async addRule({ body }, { tx, audit }) {
    const id = await addRule(tx, body);
    audit({
      type: '发文字号',
      id,
      title: body.agency_code,
      after: { 机关代字: body.agency_code, 起始号: body.start_no },
    });
    return { id };
  },

  async changeRule({ params: { id }, body: { version, ...body } }, { tx, audit }) {
    const before = await changeRule(tx, id, body, version);
    audit({
      type: '发文字号',
      id,
      title: body.agency_code,
      before: { 机关代字: before.agency_code, 起始号: before.start_no, 状态: before.status === 1 ? '启用' : '停用' },
      after: { 机关代字: body.agency_code, 起始号: body.start_no, 状态: body.status === 1 ? '启用' : '停用' },
    });
    return { id };
  },

  async removeRule({ params: { id } }, { tx, audit }) {
    const row = await removeRule(tx, id);
    audit({ type: '发文字号', id, title: row.agency_code, before: { 机关代字: row.agency_code } });
    return { id };
  },

  book: ({ query }, { tx, user }) => bookPage(tx, user, query),

  async voidNumber({ body }, { tx, user, audit }) {
    const { id, number } = await voidNumber(tx, user, body);
    audit({ type: '发文字号', id, title: number, after: { 操作: '作废', 理由: body.reason } });
    return { id };
  },
});
