import type { Context } from '#kernel/server/http/implement.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { CommandContext } from '#modules/workflow/tickets/service.ts';

/** What of a document goes into a paper. */
export interface Adopted {
  documentId: number;
  title: string;
  number: string;
  day: string | null;
  deptId: number | null;
  text: string;
  keywords: string;
  bodyFileId: number | null;
  attachmentIds: readonly number[];
}

/** What documents ask of whoever keeps papers, a module above: which they cite in vain, and that they go on as papers. */
export interface PaperKeeper {
  /** Papers a text cites that are out of force, as far as the person sees them. */
  outdatedIn(tx: Db, user: Viewer, text: string): Promise<{ title: string; fwh: string; status: number }[]>;
  /** The paper made of a document that is a draft or in force: its title, null for who may not know it. Null where there is none. */
  paperOf(tx: Db, user: Viewer, documentId: number): Promise<{ title: string | null } | null>;
  /** Makes a draft of one; answers its id. The caller has made sure of the rights. */
  paperFrom(context: CommandContext & Pick<Context, 'audit'>, from: Adopted): Promise<number>;
}

declare module '#kernel/server/product.ts' {
  interface Product {
    papers: PaperKeeper;
  }
  interface ModuleDefinition {
    /** What documents ask of whoever keeps papers; said by one module. */
    papers?: PaperKeeper;
  }
}
