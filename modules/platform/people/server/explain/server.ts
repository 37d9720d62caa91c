import { and, eq } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { pagesWithButtons } from '#modules/platform/access/service.ts';
import { explainCalls } from '../../contract/explain.ts';
import { userTable } from '../../tables.ts';
import { usersWithin } from '../depts/reach.ts';
import { aboutButton, aboutPage, aboutRecord, explained } from './explain.ts';

export const explainModule = implement('people', explainCalls, {
  async things(_input, { tx }) {
    const kinds = Object.entries(tx.services.product.linked).map(([key, { name }]) => ({ key, name }));
    return { pages: await pagesWithButtons(tx), kinds };
  },

  async records({ query: { kind, words } }, { tx, user, now }) {
    const { linked } = tx.services.product;
    return Object.hasOwn(linked, kind) ? linked[kind]!.find(tx, user, words, now) : [];
  },

  async explain({ params: { id }, query }, { tx, user }) {
    const [found] = await tx
      .select({ id: userTable.id })
      .from(userTable)
      .where(and(eq(userTable.id, id), usersWithin(user, 'Retrieve', 'system/user')));
    if (!found) throw absent('用户');
    if (query.kind !== undefined && query.record !== undefined) {
      const question = await aboutRecord(tx, user, query.kind, query.record);
      if (!question) throw absent('记录');
      return explained(tx, id, question);
    }
    const page = (await pagesWithButtons(tx)).find((one) => one.id === query.menu);
    if (!page) throw absent('页面');
    if (query.code === undefined) return explained(tx, id, aboutPage(tx, page));
    const button = page.buttons.find(({ code }) => code === query.code);
    if (!button) throw absent('按钮');
    return explained(tx, id, aboutButton(page, button));
  },
});
