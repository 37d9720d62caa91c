import { implement, staged, type ServerModule } from '#kernel/server/http/implement.ts';
import { documentEdits } from '../contract/files/edits.ts';
import { seenInside } from '../visibility/visibility.ts';
import { changesOf } from './reading.ts';
import { traced } from './tracing.ts';

/** The changes of a document, and its body with all changes in one text. */
export const documentEditsModule: ServerModule = implement('documents', documentEdits, {
  list: staged(documentEdits.list, {
    async before({ params }, { read, user }) {
      const { doc } = await seenInside(read, user, params.id, '修改痕迹');
      const { edits, versions, unread } = await changesOf(read, doc, user);
      const body = versions.length > 1 ? await traced(versions) : [];
      return { value: edits.toReversed(), total: edits.length, body, unread };
    },
    run: ({ prepared }) => prepared,
  }),
});
