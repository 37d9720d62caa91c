import type { Context } from '#kernel/server/http/implement.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { CommandContext } from '#modules/workflow/tickets/service.ts';

/** The fields of a document that go into a paper. */
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

/** The interface that documents need from the module of papers: outdated citations, and papers made from documents. */
export interface PaperKeeper {
  /** Papers cited in a text that are no longer in force, if the person may see them. */
  outdatedIn(tx: Db, user: Viewer, text: string): Promise<{ title: string; fwh: string; status: number }[]>;
  /** The paper made from the document that is a draft or in force: its title, null if the user may not see it. Null if there is none. */
  paperOf(tx: Db, user: Viewer, documentId: number): Promise<{ title: string | null } | null>;
  /** Makes a draft paper; returns its id. The caller checks the rights. */
  paperFrom(context: CommandContext & Pick<Context, 'audit'>, from: Adopted): Promise<number>;
}

declare module '#kernel/server/product.ts' {
  interface Product {
    papers: PaperKeeper;
  }
  interface ModuleDefinition {
    /** The service of papers; one module provides it. */
    papers?: PaperKeeper;
  }
}
