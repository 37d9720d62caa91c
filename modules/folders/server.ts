import { implement, type ServerModule } from '#kernel/server/implement.ts';
import type { Signer } from '#modules/files/service.ts';
import { categoryTree } from './categories.ts';
import { folders } from './contract.ts';
import { createCategory, removeCategory, updateCategory } from './server/category.ts';
import { collect, uncollect } from './server/collect.ts';
import { home, numbers, publishers } from './server/home.ts';
import { listPapers, paperDetail } from './server/papers.ts';
import { answer, read } from './server/reading.ts';
import { createPaper, removePaper, updatePaper } from './server/write-paper.ts';

export function foldersModule({ signer }: { signer: Signer }): ServerModule {
  return implement('folders', folders, {
    papers: ({ query }, { tx, user }) => listPapers(tx, user, query),
    createPaper: ({ body }, context) => createPaper(body, context),
    paper: ({ params }, { tx, user }) => paperDetail(tx, user, params.id, signer),
    updatePaper: ({ params, body }, context) => updatePaper(params.id, body, context),
    removePaper: ({ params }, context) => removePaper(params.id, context),
    categories: (_input, { tx, user }) => categoryTree(tx, user),
    createCategory: ({ body }, context) => createCategory(body, context),
    updateCategory: ({ params, body }, context) => updateCategory(params.id, body, context),
    removeCategory: ({ params }, context) => removeCategory(params.id, context),
    collect: ({ body }, { tx, user }) => collect(tx, user, body.paper_id),
    uncollect: ({ params }, { tx, user }) => uncollect(tx, user, params.id),
    index: (_input, { tx, user }) => home(tx, user),
    read: ({ query }, { tx, user }) => read(tx, user, query),
    answer: async ({ body }, { tx, user, audit }) => {
      const told = await answer(tx, user, body);
      audit({ type: '制度文件', id: body.paper_id, after: body.urge ? { 催读人数: told.count } : { 已读: '确认' } });
      return told;
    },
    simpleDepts: (_input, { tx, user }) => publishers(tx, user),
    numbers: ({ query }, { tx, user }) => numbers(tx, user, query),
  });
}
