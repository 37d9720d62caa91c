import { and, desc, eq, sql } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import { plainly } from '#kernel/contract/words/plainly.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { textOf } from '#kernel/server/text/rich-text.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import { matches } from '#kernel/server/list/search.ts';
import type { LinkedEvent } from '#modules/platform/links/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import {
  flowByCategory,
  record,
  workflowOfCategory,
  type ApprovalRecord,
  type RowOf,
} from '#modules/workflow/records/service.ts';
import { announcePaper, withdrawTodosOf } from '../reading/notify.ts';
import {
  deadlinePast,
  expired,
  nobodyMeant,
  nothingToRead,
  notYet,
  otherStatus,
  replacedBefore,
  replaceUnknown,
  revisionPending,
} from '../contract/refusals.ts';
import { paperStatus, statusName } from '../contract/list.ts';
import { categoryTable, paperTable } from '../tables.ts';
import { inCategories, meantFor, treeOf, type PaperViewer } from './audience.ts';

export type Stored = RowOf<typeof paperTable>;
export const module = 'folders';
export const page = 'folder/papers';
const { draft, inForce, revised } = paperStatus;

/** The workflow that the category requires; a revision needs at least the one that its old version needs. */
const flow = flowByCategory<Stored>(categoryTable, (paper) => paper.category_id, {
  async of(tx, { replace_id }) {
    if (replace_id === null) return null;
    const [old] = await tx.select().from(paperTable).where(eq(paperTable.id, replace_id));
    return old ? workflowOfCategory(tx, categoryTable, old.category_id) : null;
  },
  uses: () => Promise.resolve([]),
});

/** The paper to revise, which must be in force and not revised by another; locked, so that only one revision begins at a time. */
export async function paperToRevise(tx: Db, viewer: PaperViewer, id: number, own = 0): Promise<Stored> {
  const reached = and(eq(paperTable.id, id), papers.reaches(viewer, 'Update'));
  const [held] = await papers.rows(tx, reached).for('no key update');
  const old = refuseReplaced(held);
  const [found] = await papers.rows(tx, eq(paperTable.replace_id, id));
  const begun = found;
  if (!begun || begun.id === own) return old;
  const who = (await peopleById(tx, [begun.creator_id])).get(begun.creator_id)?.alias ?? '';
  throw revisionPending(old.title, who, begun.gmt_created.slice(0, 10));
}
function refuseReplaced(old: Stored | undefined): Stored {
  if (old?.status === revised) throw replacedBefore(old.title);
  if (old?.status !== inForce) throw replaceUnknown();
  return old;
}

/** True if a text has neither visible words nor a picture. */
const saysNothing = (html: string) => !/<img\b/i.test(html) && plainly(textOf(html)) === '';

/** Papers: written by people whose scope reaches them, approved if their category requires it, then shown to their audience. */
export const papers: ApprovalRecord<typeof paperTable, PaperViewer> = record<typeof paperTable, PaperViewer>({
  module,
  noun: '制度文件',
  page: (id) => `/folder/detail/${id}`,
  table: paperTable,
  scope: page,
  viewer: treeOf,
  besides: ({ looksAfter }) => inCategories(looksAfter),
  related: meantFor,
  drafts: 'scope',
  apart: true,
  flow,
  fills: { title: (paper) => paper.title },
  search: ({ fwh, title, keywords, content }) => ({ codes: [fwh], texts: [title, keywords, content] }),
  async faults(tx, paper, { now }) {
    if (saysNothing(paper.content) && paper.file === null) throw nothingToRead();
    if (paper.publish_date > dayOf(now)) throw notYet(paper.publish_date);
    if (paper.expire_date !== null && paper.expire_date < dayOf(now)) throw expired(paper.expire_date);
    const { must_read, read_deadline: deadline } = paper;
    if (must_read && deadline && deadline < dayOf(now)) throw deadlinePast(deadline);
    if (paper.replace_id !== null) refuseReplaced(await papers.one(tx, paper.replace_id));
  },
  on: {
    /** The old version becomes revised now; the second of two revisions is refused. */
    async approved(tx, { replace_id }, event) {
      if (replace_id !== null) {
        const [held] = await papers.rows(tx, eq(paperTable.id, replace_id)).for('update');
        const old = refuseReplaced(held);
        event.audit(papers.standing(old, await papers.set(tx, old, { status: revised })));
      }
      return { status: inForce, published_at: sql`now()` };
    },
  },
  after: {
    async approved(tx, paper) {
      if (paper.replace_id !== null) await withdrawTodosOf(tx, paper.replace_id);
      if ((await announcePaper(tx, paper, [])) === 0 && paper.must_read) throw nobodyMeant();
    },
  },
  guard: ({ status }) =>
    status === draft ? null : otherStatus(statusName(status), '发布审批不能再改动；不再执行的请在文件页面废止'),
  log: (paper) => ({
    // A draft is visible only to those who may write it.
    title: paper.status === draft ? '一份文件草稿' : paper.title,
    state: statusName(paper.status),
    facts: factsOf(paper),
  }),
  card: ({ title, fwh, status }) => ({ title, sn: fwh, state: statusName(status) }),
  links: {
    async keeps(tx, { from, to, type }) {
      if (type !== 'result' || from.module !== 'documents') return false;
      const made = and(eq(paperTable.id, to.id), eq(paperTable.source_document_id, from.id));
      return (await tx.$count(paperTable, made)) > 0;
    },
    async find(tx, user, words) {
      const shown = and(papers.visible(tx, await viewerOf(tx, user)), matches(paperTable.search, words));
      const found = papers.rows(tx, shown).orderBy(desc(paperTable.publish_date), desc(paperTable.id)).limit(10);
      return (await found).map((row) => papers.cardOf(row));
    },
    happened,
  },
});
/** The viewer, with the categories that decide which papers they see. */
export const viewerOf = (tx: Db, user: Viewer): Promise<PaperViewer> => papers.viewerOf(tx, user);

/** Events of papers, the latest first; at the same moment a publication stands above the writing. */
async function happened(tx: Db, ids: readonly number[], max: number): Promise<LinkedEvent[]> {
  const rows = await papers.rows(tx, isAmong(paperTable.id, ids));
  const people = await peopleById(
    tx,
    rows.map((row) => row.creator_id),
  );
  const all = rows.flatMap((row): LinkedEvent[] => {
    const about = { id: row.id, who: '' };
    return [
      ...(row.repealed_at ? [{ ...about, at: row.repealed_at, what: `废止：${row.repeal_reason}` }] : []),
      ...(row.published_at ? [{ ...about, at: row.published_at, what: '发布' }] : []),
      { ...about, at: row.gmt_created, who: people.get(row.creator_id)?.alias ?? '', what: '起草' },
    ];
  });
  return all.toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).slice(0, max);
}

function factsOf(paper: Stored): Record<string, unknown> {
  return {
    ...(paper.status === draft ? {} : { 标题: paper.title, 发文字号: paper.fwh }),
    发布日期: paper.publish_date,
    生效日期: paper.effective_date,
    失效日期: paper.expire_date,
    状态: statusName(paper.status),
    阅读范围: paper.audience.includes('a0') ? '全体人员' : `${paper.audience.length} 项`,
    必读: paper.must_read,
    阅读期限: paper.read_deadline,
    小测题数: paper.quiz.length,
    置顶: paper.top,
    废止原因: paper.repeal_reason,
  };
}
