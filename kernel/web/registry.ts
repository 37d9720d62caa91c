import { createContext } from 'react';
import type { ComponentType, ReactNode } from 'react';
import type { PermissionCode } from '#kernel/contract/call.ts';
import type { CodesAt } from './kit/permission.tsx';

export type LoadPage = () => Promise<{ default: ComponentType }>;
/** Page components by name: menu rows from the server bind a name to a path. */
export type Pages = Record<string, LoadPage>;

/** A page that exists whatever the menu says: whoever takes part in a record may open it, and the server decides by the record. */
export interface FixedPage {
  path: string;
  /** Name of its component among the pages. */
  page: string;
  title: string;
}

/** Names of the pages this office has, for whoever binds names to paths. */
export const PageNamesContext = createContext<readonly string[]>([]);

/** A part of the home page. */
export interface HomeWidget {
  key: string;
  title: string;
  /** Small numbers come first. */
  order: number;
  /** Beside what waits, or above it. */
  place: 'beside' | 'above';
  load: LoadPage;
  /** Whether it has anything for this person; always shown without it. */
  shows?: (codesAt: CodesAt) => boolean;
}

export interface Found {
  key: string;
  title: string;
  hint?: string;
  to: string;
  /** What handles a record; shown only where the record itself is not found. */
  behind?: boolean;
  /** Something to be done, which stands before what is there. */
  act?: true;
}
/** Who looks for something in the command palette, when and where. */
export interface Seeking {
  codesAt: CodesAt;
  now: Date;
  /** Path of the page that is open. */
  at: string;
  /** What modules let people start. */
  starts: readonly LoadStarts[];
  /** What modules let one do with a person. */
  personActs: readonly LoadPersonActs[];
}
/** Finds things by what is typed into the command palette, among what whoever types may open and do. */
export type Finder = (text: string, signal: AbortSignal, seeking: Seeking) => Promise<Found[]>;
/** What may be done with a person who was found, by whoever may: `actions` as the page of the person has them. */
export type PersonActs = (
  person: { id: number; alias: string; actions: readonly string[] },
  codesAt: CodesAt,
) => Found[];
export type LoadPersonActs = () => Promise<{ default: PersonActs }>;
/** Fetched by whoever opens the palette. */
export type LoadFinder = () => Promise<{ default: Finder }>;

/** What waits for somebody, to whoever may do something about it at once. */
export interface WaitingRow {
  /** Its number, among those of its kind. */
  id: number;
  title: string;
  web_path: string;
}
/** What may be done with such a row at once; nothing where it has to be read first. */
export type LoadAct = () => Promise<{
  default: ComponentType<{
    row: WaitingRow;
    /** Numbers of those of its kind that are shown with it, so that what is to be known of them is asked once. */
    among: readonly number[];
    /** Everything that may be done at a touch, not the likely one alone. */
    whole?: boolean;
  }>;
}>;
/** What may be done with several such rows at once. */
export type LoadBatch = () => Promise<{
  default: ComponentType<{ rows: readonly WaitingRow[]; clear: () => void }>;
}>;

/** What somebody started, to whoever may urge or withdraw it. */
export interface StartedRow {
  /** Its number, among those of its kind. */
  of: number;
  title: string;
  /** The ticket that decides it, as it was read; null where none does. */
  ticket: { id: number; version: number } | null;
}
/** Asks what its starter may do with it in its row, once that is wanted, and offers that; `none` where it is nothing. */
export type LoadStartedActs = () => Promise<{ default: ComponentType<{ row: StartedRow; none: ReactNode }> }>;

/** What a record is about, said for whichever module makes something of its own of it. */
export interface Matter {
  /** The record, and which part of it. */
  source: { module: string; id: number; key?: string };
  title: string;
  content: string;
  owner?: number | null;
  /** `YYYY-MM-DD HH:mm` */
  due?: string | null;
}
/** A button that makes something of a matter; it shows itself to whoever may. */
export type LoadMatterButton = () => Promise<{ default: ComponentType<Matter> }>;

/** What all modules make of the matters of others, for the pages of records. */
export const MatterButtonsContext = createContext<readonly ComponentType<Matter>[]>([]);

/** Something that a module lets people start from its own form. */
export interface Start {
  key: string;
  name: string;
  /** One line: what it is for. */
  about: string;
  category: string;
  /** Address of the form. */
  to: string;
  /** The page it stands on: named to whoever has it, and started by whoever holds `code` there, `Create` where nothing else is said. */
  page: string;
  code?: PermissionCode;
}
/** Fetched by the page from which everything is started. */
export type LoadStarts = () => Promise<{ default: readonly Start[] }>;
export const StartsContext = createContext<readonly LoadStarts[]>([]);

interface When {
  start_time: string;
  end_time: string;
}
/** A record that stands in the calendar of another module and was dragged there. */
export interface Dragged {
  id: number;
  title: string;
  /** As it was read. */
  version: number;
  was: When;
  to: When & { room_id?: number };
  /** Told whether it stands where it was let go. */
  onSettled: (stands: boolean) => void;
}
/** Asks whoever dragged a record of a module, and moves it. */
export type LoadMover = () => Promise<{ default: ComponentType<Dragged> }>;

/** Those of all modules, by the module, for calendars that hold what is another's. */
export const MoversContext = createContext<Readonly<Record<string, ComponentType<Dragged>>>>({});

/** What `modules/<storey>/<name>/web/pages.ts` may export. */
export interface WebModule {
  pages?: Pages;
  fixed?: readonly FixedPage[];
  home?: readonly HomeWidget[];
  /** By the page something waits on. */
  acts?: Record<string, LoadAct>;
  /** Likewise with several. */
  batches?: Record<string, LoadBatch>;
  /** By the kind of what somebody started. */
  startedActs?: Record<string, LoadStartedActs>;
  /** What it makes of the matters of others. */
  matterButtons?: readonly LoadMatterButton[];
  /** By the module whose records they move. */
  movers?: Record<string, LoadMover>;
  finders?: readonly LoadFinder[];
  starts?: readonly LoadStarts[];
  personActs?: readonly LoadPersonActs[];
  /** Numbers beside menu entries that say another thing than how much waits there, by the component of the entry. */
  badges?: Record<string, LoadPage>;
}
