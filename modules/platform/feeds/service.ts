import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';

export { calendarText } from './calendar.ts';

/** Something in a calendar. It leaves the house: its texts are what may be known outside. */
export interface FeedEntry {
  /** Stays the same as long as it is the same thing; unlike any other of its key. */
  id: number | string;
  title: string;
  /** What its owner calls it, where that is more than may be known outside: it stands in place of the title where house and person chose so. */
  ownTitle?: string;
  /** `YYYY-MM-DD HH:mm:ss`; days alone (`YYYY-MM-DD`), both of them included, where it takes whole days. */
  start: string;
  end: string;
  /** Rises whenever it is changed. */
  version: number;
  modified: string;
  description?: string;
  place?: string;
  /** The page that shows it. */
  path?: string;
  /** The entry of another source that it repeats: in a calendar that holds that one, too, it is left out. */
  repeats?: { key: string; id: number | string };
  /** It takes no time of whose calendar it is: they do not come. */
  free?: boolean;
  /** It does not take place after all: calendars show it so for as long as it is told of. */
  cancelled?: boolean;
}

/** What a module puts into people's calendars. */
export interface FeedSource {
  /** What people call it, where they choose. */
  name: string;
  /** What the person may know of from one day (`YYYY-MM-DD`) to another, both of them included, earliest first. */
  entries(tx: Db, viewer: Viewer, from: string, to: string): Promise<FeedEntry[]>;
}
/** By a key that stays: people's feeds name it. */
export type Feeds = Readonly<Record<string, FeedSource>>;

/** Most entries of one source, and of all of them together, in a calendar; a source answers one more where there are more, so that it can be said. */
export const mostEntries = 500;
export const mostTogether = 1000;

declare module '#kernel/server/product.ts' {
  interface Product {
    feeds: Feeds;
  }
  interface ModuleDefinition {
    /** What it puts into people's calendars. */
    feeds?: Feeds;
  }
}
