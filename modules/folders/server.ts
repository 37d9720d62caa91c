import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { implement, type ServerModule } from '#kernel/server/http/implement.ts';
import type { Attempts } from '#kernel/server/access/attempts.ts';
import type { Signer } from '#modules/files/service.ts';
import { paperViewerOf } from './categories/visibility.ts';
import { categoryTree } from './categories/categories.ts';
import { folders } from './contract.ts';
import { createCategory, removeCategory, updateCategory } from './categories/category.ts';
import { collect, uncollect } from './reading/collect.ts';
import { home, numbers, publishers } from './reading/home.ts';
import { listPapers, paperDetail } from './papers/papers.ts';
import { answer, read } from './reading/reading.ts';
import { statistics } from './server/statistics.ts';
import { createPaper, removePaper, updatePaper } from './papers/write.ts';

/** The same call, asked by somebody of whom it is known which papers they see. */
const looking = async <C extends { tx: Db; user: Viewer }>(context: C) => ({
  ...context,
  user: await paperViewerOf(context.tx, context.user),
});

export function foldersModule({ signer, attempts }: { signer: Signer; attempts: Attempts }): ServerModule {
  return implement('folders', folders, {
    papers: async ({ query }, context) => listPapers(query, await looking(context)),
    createPaper: async ({ body }, context) => createPaper(body, { ...(await looking(context)), signer }),
    paper: async ({ params }, { tx, user }) => paperDetail(tx, await paperViewerOf(tx, user), params.id, signer),
    updatePaper: async ({ params, body }, context) =>
      updatePaper(params.id, body, { ...(await looking(context)), signer }),
    removePaper: async ({ params }, context) => removePaper(params.id, { ...(await looking(context)), signer }),
    categories: async (_input, { tx, user }) => categoryTree(tx, await paperViewerOf(tx, user)),
    createCategory: ({ body }, context) => createCategory(body, context),
    updateCategory: ({ params, body }, context) => updateCategory(params.id, body, context),
    removeCategory: ({ params }, context) => removeCategory(params.id, context),
    collect: ({ body }, { tx, user }) => collect(tx, user, body.paper_id),
    uncollect: ({ params }, { tx, user }) => uncollect(tx, user, params.id),
    index: async (_input, { tx, user }) => home(tx, await paperViewerOf(tx, user)),
    read: async ({ query }, { tx, user }) => read(tx, await paperViewerOf(tx, user), query),
    answer: async ({ body }, { tx, user, audit }) => {
      const told = await answer(tx, await paperViewerOf(tx, user), body, attempts);
      audit({ type: '制度文件', id: body.paper_id, after: body.urge ? { 催读人数: told.count } : { 已读: '确认' } });
      return told;
    },
    statistics: async ({ query }, { tx, user }) => statistics(tx, await paperViewerOf(tx, user), query),
    simpleDepts: async (_input, { tx, user }) => publishers(tx, await paperViewerOf(tx, user)),
    numbers: async ({ query }, { tx, user }) => numbers(tx, await paperViewerOf(tx, user), query),
  });
}
