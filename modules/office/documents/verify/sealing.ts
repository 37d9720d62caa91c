import type { Stampable } from '#modules/office/stamps/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { secretLevel } from '../contract/shapes.ts';
import { sending } from '../rules/rules.ts';
import { docs } from '../record/record.ts';
import { seesPast } from '../visibility/visibility.ts';

/** The kind of file in applications for seals. */
const official = 1;

/** A numbered document is sealed with its finished pages. The office moves its ticket on by hand after that. */
export const sealedDocuments: Stampable = {
  async approved(tx, id) {
    const doc = await docs.one(tx, id);
    if (!doc) return null;
    const numbered = doc.doc_kind === sending && doc.doc_number !== '' && doc.final_file !== null;
    // Secret documents are not copied anywhere.
    if (!numbered || doc.is_void || doc.act_state === actState.closed || doc.secret_level > secretLevel.none)
      return null;
    return {
      title: `${doc.doc_number} ${doc.title}`.slice(0, 100),
      files: [doc.final_file!],
      kind: official,
      copies: doc.print_copies ?? 1,
      amount: null,
      parties: doc.main_send.map((party) => party.name),
      approved: true,
    };
  },
  async mayAsk(tx, viewer, id) {
    const seeing = await docs.viewerOf(tx, viewer);
    return (await docs.find(tx, seeing, id)) !== undefined && (await seesPast(tx, seeing, id));
  },
  // Its page shows the seal; the ticket does not move by it.
  sealed: () => Promise.resolve(),
  dropped: () => Promise.resolve(),
};
