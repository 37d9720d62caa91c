import { createContext } from 'react';
import type { ComponentType, ReactNode } from 'react';
import type { PermissionCode } from '#kernel/contract/call.ts';
import type { CodesAt } from './kit/permission.tsx';

export type LoadPage = () => Promise<{ default: ComponentType }>;
/** Page components by name: menu rows from the server bind a name to a path. */
export type Pages = Record<string, LoadPage>;

/** A page that exists regardless of the menu: people involved in a record may open it, and the server decides by the record. */
export interface FixedPage {
  path: string;
  /** Name of its component among the pages. */
  page: string;
  title: string;
}

/** Names of the pages that exist, for code that binds names to paths. */
export const PageNamesContext = createContext<readonly string[]>([]);

/** A part of the home page. */
export interface HomeWidget {
  key: string;
  title: string;
  /** Smaller numbers come first. */
  order: number;
  /** Shown beside the waiting items, or above them. */
  place: 'beside' | 'above';
  load: LoadPage;
  /** True if it has content for this person; without it always shown. */
  shows?: (codesAt: CodesAt) => boolean;
}

export interface Found {
  key: string;
  title: string;
  hint?: string;
  to: string;
  /** Handles a record; shown only if the record itself is not found. */
  behind?: boolean;
  /** An action, listed before existing things. */
  act?: true;
  /** Somebody, or something to do with them: listed before records, which are found by the names of their people, too. */
  person?: true;
}
/** The context of a search in the command palette: the person's codes, the time and the place. */
export interface Seeking {
  codesAt: CodesAt;
  now: Date;
  /** Path of the page that is open. */
  at: string;
  /** The forms that modules let people start. */
  starts: readonly LoadStarts[];
  /** The actions that modules offer on a person. */
  personActs: readonly LoadPersonActs[];
}
/** Finds things by the text typed into the command palette, among those that the person may open and do. */
export type Finder = (text: string, signal: AbortSignal, seeking: Seeking) => Promise<Found[]>;
/** The actions that the present person may take on a person found; `actions` are those on the person's page. */
export type PersonActs = (
  person: { id: number; alias: string; actions: readonly string[] },
  codesAt: CodesAt,
) => Found[];
export type LoadPersonActs = () => Promise<{ default: PersonActs }>;
/** Loaded when the palette is opened. */
export type LoadFinder = () => Promise<{ default: Finder }>;

/** A waiting item, with the actions that the person can take at once. */
export interface WaitingRow {
  /** Its id, among those of its kind. */
  id: number;
  title: string;
  web_path: string;
}
/** Renders the actions that can be taken on such a row at once; nothing if it must be read first. */
export type LoadAct = () => Promise<{
  default: ComponentType<{
    row: WaitingRow;
    /** Ids of the rows of its kind that are shown with it, so that data about them is queried once. */
    among: readonly number[];
    /** Shows every action that needs a single click, not just the most likely one. */
    whole?: boolean;
  }>;
}>;
/** Renders the actions on several such rows at once. */
export type LoadBatch = () => Promise<{
  default: ComponentType<{ rows: readonly WaitingRow[]; clear: () => void }>;
}>;

/** An item that the person started, with the means to urge or withdraw it. */
export interface StartedRow {
  /** Its id, among those of its kind. */
  of: number;
  title: string;
  /** The ticket that decides it, as it was read; null if none does. */
  ticket: { id: number; version: number } | null;
}
/** Asks, when needed, which actions the starter may take on the row, and offers them; `none` if there are none. */
export type LoadStartedActs = () => Promise<{ default: ComponentType<{ row: StartedRow; none: ReactNode }> }>;

/** The subject of a record, described for modules that create something of their own from it. */
export interface Matter {
  /** The record, and a part of it. */
  source: { module: string; id: number; key?: string };
  title: string;
  content: string;
  owner?: number | null;
  /** `YYYY-MM-DD HH:mm` */
  due?: string | null;
}
/** A button that creates something from a matter; it shows itself only to people who may use it. */
export type LoadMatterButton = () => Promise<{ default: ComponentType<Matter> }>;

/** The buttons that all modules offer for the matters of others, for the pages of records. */
export const MatterButtonsContext = createContext<readonly ComponentType<Matter>[]>([]);

/** A form of a module that people can start from. */
export interface Start {
  key: string;
  name: string;
  /** Its purpose in one line. */
  about: string;
  category: string;
  /** Address of the form. */
  to: string;
  /** The page it belongs to: shown to people who have the page, and started by holders of `code` there, `Create` unless given. */
  page: string;
  code?: PermissionCode;
}
/** Loaded by the page 发起. */
export type LoadStarts = () => Promise<{ default: readonly Start[] }>;
export const StartsContext = createContext<readonly LoadStarts[]>([]);

interface When {
  start_time: string;
  end_time: string;
}
/** A record that was dragged in the calendar of another module. */
export interface Dragged {
  id: number;
  title: string;
  /** The version that was read. */
  version: number;
  was: When;
  to: When & { room_id?: number };
  /** Called with whether the record stays where it was dropped. */
  onSettled: (stands: boolean) => void;
}
/** Confirms with the person who dragged a record of a module, and moves it. */
export type LoadMover = () => Promise<{ default: ComponentType<Dragged> }>;

/** The movers of all modules, by module, for calendars that show other modules' records. */
export const MoversContext = createContext<Readonly<Record<string, ComponentType<Dragged>>>>({});

/** The possible exports of `modules/<storey>/<name>/web/pages.ts`. */
export interface WebModule {
  pages?: Pages;
  fixed?: readonly FixedPage[];
  home?: readonly HomeWidget[];
  /** By the page of a waiting row. */
  acts?: Record<string, LoadAct>;
  /** By the page of the waiting rows. */
  batches?: Record<string, LoadBatch>;
  /** By the kind of the item that was started. */
  startedActs?: Record<string, LoadStartedActs>;
  /** Its buttons for the matters of other modules. */
  matterButtons?: readonly LoadMatterButton[];
  /** By the module whose records they move. */
  movers?: Record<string, LoadMover>;
  finders?: readonly LoadFinder[];
  starts?: readonly LoadStarts[];
  personActs?: readonly LoadPersonActs[];
  /** Numbers beside menu entries that are not the count of waiting items, by the component of the entry. */
  badges?: Record<string, LoadPage>;
}
