import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { implement, type ServerModule } from '#kernel/server/http/implement.ts';
import { treeHandlers } from '#kernel/server/tree/handlers.ts';
import { categories } from './categories.ts';
import { folderCategories, folders } from './contract.ts';
import { paperStatus } from './contract/list.ts';
import { paperDetail } from './papers/detail.ts';
import { listPapers } from './papers/list.ts';
import { viewerOf } from './papers/record.ts';
import { createPaper, removePaper, updatePaper } from './papers/writing.ts';
import { collect, uncollect } from './reading/collect.ts';
import { home, numbers, publishers } from './reading/home.ts';
import { answer, read } from './reading/reading.ts';
import { statistics } from './statistics.ts';

const of = ({ tx, user }: { tx: Db; user: Viewer }) => viewerOf(tx, user);

export const foldersModules: readonly ServerModule[] = [
  implement('folders', folderCategories, treeHandlers(folderCategories, categories)),
  implement('folders', folders, {
    papers: async ({ query }, context) => listPapers(query, context, await of(context)),
    createPaper: async ({ body: { status, ...body } }, context) =>
      createPaper(context, await of(context), body, status === paperStatus.inForce),
    paper: async ({ params }, context) => paperDetail(context.tx, await of(context), params.id),
    updatePaper: async ({ params, body }, context) => updatePaper(context, await of(context), params.id, body),
    removePaper: async ({ params }, context) => removePaper(context, await of(context), params.id),
    collect: ({ body }, { tx, user }) => collect(tx, user, body.paper_id),
    uncollect: ({ params }, { tx, user }) => uncollect(tx, user, params.id),
    index: async (_input, context) => home(context.tx, await of(context)),
    read: async ({ query }, context) => read(context.tx, await of(context), query),
    async answer({ body }, context) {
      const answered = await answer(context.tx, await of(context), body);
      const after = body.urge ? { 催读人数: answered.count } : { 已读: '确认' };
      context.audit({ type: '制度文件', id: body.paper_id, after });
      return answered;
    },
    statistics,
    simpleDepts: async (_input, context) => publishers(context.tx, await of(context)),
    numbers: async ({ query }, context) => numbers(context.tx, await of(context), query),
  }),
];
