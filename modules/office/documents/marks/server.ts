import { absent } from '#kernel/contract/refusal.ts';
import { implement, staged, type ServerModule } from '#kernel/server/http/implement.ts';
import { bytesOf, fileById, keepMade } from '#modules/platform/files/service.ts';
import { documentMarks, mayNotMark, paperChanged } from '../contract/files/marks.ts';
import { changeOf } from '../rules/facts.ts';
import { shown, watermarkOf } from '../typeset/server.ts';
import { versionOf } from '../typeset/shown.ts';
import { seenInside } from '../visibility/visibility.ts';
import { draw, erase, keepPaper, keptPaper, markedPapers, mayMark, strokesOn } from './layers.ts';
import { countPages, pagesNow, withMarks } from './pages.ts';

const what = '手写批注';

/** Handwritten marks on the pages of a document: a layer for each person, on the pages at that time. */
export const documentMarksModule: ServerModule = implement('documents', documentMarks, {
  async list({ params }, { tx, user }) {
    const { doc, viewer } = await seenInside(tx, user, params.id, what);
    const digest = await versionOf(tx, doc);
    const value = await markedPapers(tx, doc, digest);
    return { value, total: value.length, digest, may_mark: await mayMark(tx, doc, viewer) };
  },

  async strokes({ params, query }, { tx, user }) {
    const { doc } = await seenInside(tx, user, params.id, what);
    const paper = await keptPaper(tx, doc, query.digest);
    const value = paper ? await strokesOn(tx, paper, user) : [];
    return { value, total: value.length };
  },

  pages: staged(documentMarks.pages, {
    async before({ params, query }, { read, user, now, services }) {
      const { fileStore } = services;
      const { doc } = await seenInside(read, user, params.id, what);
      const paper = await keptPaper(read, doc, query.digest);
      if (!paper && (await versionOf(read, doc)) !== query.digest) throw paperChanged();
      const bytes = paper
        ? await bytesOf(fileStore, (await fileById(read, paper.file_id))!)
        : await pagesNow({ ...services, by: user.id }, read, doc);
      // The document changed while it was set, so its digest differs.
      if (!paper && (await versionOf(read, doc)) !== query.digest) throw paperChanged();
      const strokes = paper && query.marked ? await strokesOn(read, paper, user) : [];
      const of = (await markedPapers(read, doc, query.digest)).find((one) => one.current);
      const pages = await withMarks(fileStore, bytes, { doc, strokes, layers: of?.layers ?? [], by: user.id });
      return shown(services, pages, doc, await watermarkOf(read, user, doc, now));
    },
    run: ({ prepared }) => prepared,
  }),

  draw: staged(documentMarks.draw, {
    async before({ params, body }, { read, user, services }) {
      const { doc, viewer } = await seenInside(read, user, params.id, what);
      if (!(await mayMark(read, doc, viewer))) throw mayNotMark();
      if ((await versionOf(read, doc)) !== body.digest) throw paperChanged();
      if (await keptPaper(read, doc, body.digest)) return null;
      const bytes = await pagesNow({ ...services, by: user.id }, read, doc);
      const pages = await countPages(bytes, { by: user.id, title: doc.title });
      return { made: await keepMade(services.fileStore, bytes, { ext: 'pdf', mime: 'application/pdf' }), pages };
    },
    async run({ params, body, prepared }, { tx, user, audit }) {
      const { doc, viewer } = await seenInside(tx, user, params.id, what, true);
      if (!(await mayMark(tx, doc, viewer))) throw mayNotMark();
      const { digest, strokes } = body;
      if ((await versionOf(tx, doc)) !== digest) throw paperChanged();
      let paper = await keptPaper(tx, doc, digest);
      if (!paper) {
        // Only pages set before this transaction are used, if they are still current.
        if (!prepared) throw paperChanged();
        paper = await keepPaper(tx, doc, { ...prepared, digest, by: user.id });
      }
      const value = await draw(tx, paper, { user, strokes });
      audit(changeOf(doc, { 操作: what, 笔数: strokes.length }));
      return { value };
    },
  }),

  async erase({ params }, { tx, user, audit }) {
    const { doc, viewer } = await seenInside(tx, user, params.id, what, true);
    if (!(await mayMark(tx, doc, viewer))) throw mayNotMark();
    const paper = await keptPaper(tx, doc, await versionOf(tx, doc));
    if (!paper || !(await erase(tx, paper, { user, stroke: params.stroke }))) throw absent('批注');
    audit(changeOf(doc, { 操作: '擦去批注' }));
    return { id: params.stroke };
  },
});
