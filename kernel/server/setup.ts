import type { PermissionCode } from '#kernel/contract/call.ts';
import type { Db } from './db/db.ts';

/** The state of a step in an organisation. */
export interface SetupFound {
  done: boolean;
  /** In words, such as `12 个部门`; nothing if there is nothing to say. */
  text?: string;
}

/** A step of setting up the product for an organisation. It ticks itself: `find` reads what is there. */
export interface SetupStep {
  /** Unique among all modules. */
  key: string;
  /** Smaller numbers come first. */
  order: number;
  title: string;
  /** Its purpose and the way to do it, in one sentence. */
  help: string;
  /** The page on which it is done, the code that it needs there, and the address of the page; missing for what is done at the server. */
  at?: { page: string; code: PermissionCode; path: string };
  find(tx: Db, now: Date): Promise<SetupFound>;
}

declare module './product.ts' {
  interface Product {
    setup: readonly SetupStep[];
  }
  interface ModuleDefinition {
    /** Steps of setting up the product for an organisation. */
    setup?: readonly SetupStep[];
  }
}
