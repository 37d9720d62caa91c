import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';

export { calendarText } from './calendar.ts';

/** An entry of a calendar. It leaves the organisation, so its texts must be fit for outside. */
export interface FeedEntry {
  /** Constant for the same thing, and unique within its source. */
  id: number | string;
  title: string;
  /** Its own title, if that is restricted: replaces the title if both organisation and person chose so. */
  ownTitle?: string;
  /** `YYYY-MM-DD HH:mm:ss`; only days (`YYYY-MM-DD`), both included, for whole days. */
  start: string;
  end: string;
  /** Increases with every change. */
  version: number;
  modified: string;
  description?: string;
  place?: string;
  /** The page that shows it. */
  path?: string;
  /** The entry of another source that it repeats: left out of a calendar that contains that one, too. */
  repeats?: { key: string; id: number | string };
  /** It takes none of the person's time, because they do not attend. */
  free?: boolean;
  /** It was cancelled: calendars show it as such for as long as it is included. */
  cancelled?: boolean;
}

/** A module's source of entries for people's calendars. */
export interface FeedSource {
  /** Its name for people to choose. */
  name: string;
  /** Entries the person may see between two days (`YYYY-MM-DD`), both included, earliest first. */
  entries(tx: Db, viewer: Viewer, from: string, to: string): Promise<FeedEntry[]>;
}
/** By a permanent key, which people's feeds store. */
export type Feeds = Readonly<Record<string, FeedSource>>;

/** The most entries of one source, and of all together, in a calendar; a source returns one more if there are more, so that this can be noted. */
export const mostEntries = 500;
export const mostTogether = 1000;

declare module '#kernel/server/product.ts' {
  interface Product {
    feeds: Feeds;
  }
  interface ModuleDefinition {
    /** Its sources for people's calendars. */
    feeds?: Feeds;
  }
}
