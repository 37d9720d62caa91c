import { App, Button } from 'antd';
import { useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router';
import type { Calls, PermissionCode, ReplyOf } from '#kernel/contract/call.ts';
import type { CallFailed } from '../../failure.ts';
import type { CallFormProps } from '../form/CallForm.tsx';
import { fieldsOf, type Instead } from '../form/fields.ts';
import type { FormField } from '../form/FieldInput.tsx';
import { FormDrawer } from '../form/FormDrawer.tsx';
import { shapeOf } from '../form/rules.ts';
import { usePermission } from '../permission.tsx';
import { CallButton, grantedCode, type Look } from './CallButton.tsx';
import { UndoButton } from './undo.tsx';

type AnyCall = Calls[string];
/** A value, or how it follows from the row. */
type Of<Row, T> = T | ((row: Row) => T);
const of = <Row, T>(said: Of<Row, T>, row: Row): T =>
  typeof said === 'function' ? (said as (row: Row) => T)(row) : said;

interface Offered<Row> {
  label: Of<Row, string>;
  /** Title of its drawer, or of the question; the label and the title of the row by default. */
  title?: Of<Row, string>;
  /** Offers it on such rows, to those who hold its code, instead of where `can` names it. */
  offered?: (row: Row) => boolean;
  /** The code that `offered` requires: that of the call's own grant unless given, `null` for none. */
  code?: PermissionCode | null;
  danger?: true;
  look?: Of<Row, Omit<Look, 'size' | 'danger'>>;
}

/** A function of the reply. As that of a method its parameter may be narrower, so that an act of one call stands among acts of any. */
type Hears<Row, C extends AnyCall, T> = { of(reply: ReplyOf<C>, row: Row): T }['of'];

/** An action on a row that sends a call. Its form follows from the call's body, in one drawer for all acts; with no field, it is a button. */
interface Sends<Row, C extends AnyCall = AnyCall> extends Offered<Row> {
  call: C;
  /** `{ id }` of the row by default. */
  params?: (row: Row) => Record<string, unknown>;
  /** Names of the fields that are shown; by default all that have a title. With none, it is a button that asks once. */
  only?: readonly string[];
  /** Its fields, if they are not those of the body. */
  fields?: Of<Row, readonly FormField[]>;
  /** Changes to the fields of the body. */
  instead?: Of<Row, Instead>;
  /** The initial values of the form, and values that are sent without a field. */
  initial?: Of<Row, object>;
  also?: Of<Row, object>;
  /** The label of the button that sends the form; that of the act by default. */
  submit?: Of<Row, string>;
  /** Name of the list that the row leaves: nothing is asked, and it can be undone for some seconds. For acts without a form. */
  leaves?: string;
  /** Called as soon as the row has left its list. */
  onLeft?: (row: Row) => void;
  /** The question asked before an act without a form. */
  confirm?: Of<Row, string>;
  /** It has no form and is sent without a question. */
  atOnce?: true;
  /** A preview before sending, as in any form. */
  ask?: (body: Record<string, unknown>, row: Row) => ReturnType<NonNullable<CallFormProps<C>['ask']>>;
  /** Keeps nothing of the form in the browser. */
  secret?: true;
  invalidates?: readonly string[];
  /** The message when it is done. */
  done?: string | Hears<Row, C, string>;
  onDone?: Hears<Row, C, void>;
  /** The page that is opened when it is done. */
  next?: Hears<Row, C, string>;
  onRefused?: (failure: CallFailed, body: object, row: Row, close: () => void) => void;
}

/** An act that opens content which is no form of a call. */
interface Opens<Row> extends Offered<Row> {
  opens: (row: Row, close: () => void) => ReactNode;
}

/** An act that is done on another page. */
interface Leads<Row> extends Offered<Row> {
  to: (row: Row) => string;
}

/** An act that the browser does by itself. */
interface Does<Row> extends Offered<Row> {
  does: (row: Row) => void;
}

export type Act<Row> = Sends<Row> | Opens<Row> | Leads<Row> | Does<Row>;
export type Acts<Row> = Readonly<Record<string, Act<Row>>>;

/** An act whose `done`, `onDone` or `next` reads the reply of its call. */
export const act = <Row, C extends AnyCall>(given: Sends<Row, C>): Sends<Row> => given;

interface Target {
  id: number | string;
  title?: string;
}
/** The rows that are chosen in a list, as the one target of an act that is done for many. */
export interface Chosen<Row extends { id: number } = { id: number }> {
  id: string;
  rows: readonly Row[];
  ids: number[];
  /** Ends the choice. */
  clear: () => void;
}
/** For `batch` of a list. */
export const chosen = <Row extends { id: number }>(rows: readonly Row[], clear: () => void): Chosen<Row> => ({
  id: 'chosen',
  rows,
  ids: rows.map(({ id }) => id),
  clear,
});
interface Shown {
  /** Names of acts, in this order; all of them by default. */
  among?: readonly string[];
  /** The one filled button. */
  first?: string;
  size?: Look['size'];
}

/**
 * Buttons for the acts on a row, and the one drawer that they open. `name` keeps the drafts apart, `instead` overrides how fields are filled in, in
 * every form.
 */
export function useActs<Row extends Target>(
  name: string | ((key: string, row: Row) => string),
  acts: Acts<Row>,
  instead: Instead = {},
): {
  /** Buttons of the acts that are in `can`, and of those that say themselves where they are offered, the filled one first; null without any. */
  buttons: (row: Row, can: readonly string[], shown?: Shown) => ReactNode;
  open: (key: string, row: Row) => void;
  drawer: ReactNode;
} {
  const [opened, setOpened] = useState<{ key: string; row: Row } | null>(null);
  const may = usePermission();
  const navigate = useNavigate();
  // The rows as they are shown now: a drawer that stays open while its page is read again sends the version that the page shows.
  const rows = new Map<string, Row>();
  const isOffered = (key: string, row: Row, can: readonly string[]): boolean => {
    const one = acts[key];
    if (!one?.offered) return one !== undefined && can.includes(key);
    const code = one.code === undefined && 'call' in one ? grantedCode(one.call) : one.code;
    return one.offered(row) && (!code || may(code));
  };
  const finish = (one: Sends<Row>, reply: unknown, row: Row) => {
    one.onDone?.(reply, row);
    if (one.next) void navigate(one.next(reply, row));
  };
  const press = (key: string, row: Row) => {
    const one = acts[key]!;
    if ('does' in one) one.does(row);
    else if ('to' in one) void navigate(one.to(row));
    else setOpened({ key, row });
  };
  const lookOf = (key: string, row: Row, first: string | undefined) => {
    const look = acts[key]?.look;
    const { type = 'default', ...looks } = look ? of(look, row) : {};
    return { ...looks, type: key === first ? ('primary' as const) : type };
  };
  const button = (key: string, row: Row, { first, size }: Shown): ReactNode => {
    const one = acts[key]!;
    const label = of(one.label, row);
    const look = { ...lookOf(key, row, first), size, danger: one.danger ?? false };
    if (!('call' in one) || fieldsIn(one, row, instead).length > 0)
      return (
        <Button key={key} {...look} onClick={() => press(key, row)}>
          {label}
        </Button>
      );
    const asked = { params: paramsOf(one, row), ...(one.call.body ? { body: alsoOf(one, row) } : {}) };
    const title = one.title ? of(one.title, row) : row.title === undefined ? label : `${label}“${row.title}”`;
    const { leaves, atOnce, invalidates, done } = one;
    if (leaves !== undefined)
      return (
        <UndoButton
          key={key}
          size={size}
          danger={look.danger}
          call={one.call}
          asked={asked}
          code={null}
          says={title}
          leaving={{ list: leaves, ids: [row.id] }}
          onPress={() => one.onLeft?.(row)}
        >
          {label}
        </UndoButton>
      );
    return (
      <CallButton
        key={key}
        {...look}
        call={one.call}
        asked={asked}
        code={null}
        confirm={atOnce ? undefined : { title, content: one.confirm && of(one.confirm, row) }}
        invalidates={invalidates}
        done={typeof done === 'function' ? (reply) => done(reply, row) : done}
        onDone={(reply) => finish(one, reply, row)}
      >
        {label}
      </CallButton>
    );
  };
  return {
    open: (key, row) => setOpened({ key, row }),
    buttons(row, can, shown = {}) {
      const isPlain = (key: string) => Number(lookOf(key, row, shown.first).type !== 'primary');
      const keys = (shown.among ?? Object.keys(acts))
        .filter((key) => isOffered(key, row, can))
        .toSorted((a, b) => isPlain(a) - isPlain(b));
      for (const key of keys) rows.set(placeOf(key, row), row);
      return keys.length > 0 ? keys.map((key) => button(key, row, shown)) : null;
    },
    drawer: opened && (
      <ActDrawer
        key={placeOf(opened.key, opened.row)}
        act={acts[opened.key]!}
        rowNow={() => rows.get(placeOf(opened.key, opened.row)) ?? opened.row}
        name={(row) => (typeof name === 'string' ? `${name}:${placeOf(opened.key, row)}` : name(opened.key, row))}
        instead={instead}
        onDone={finish}
        onClose={() => setOpened(null)}
      />
    ),
  };
}

interface ActDrawerProps<Row> {
  act: Act<Row>;
  rowNow: () => Row;
  name: (row: Row) => string;
  instead: Instead;
  onDone: (act: Sends<Row>, reply: unknown, row: Row) => void;
  onClose: () => void;
}

/** Shows the form of an act’s call, or its own content. It is rendered after the buttons, and so knows their rows. */
function ActDrawer<Row extends Target>({ act: one, rowNow, name, instead, onDone, onClose }: ActDrawerProps<Row>) {
  const { message } = App.useApp();
  const row = rowNow();
  if ('opens' in one) return one.opens(row, onClose);
  if (!('call' in one)) return null;
  const { ask, invalidates, done } = one;
  const label = of(one.label, row);
  return (
    <FormDrawer
      open
      onClose={onClose}
      onDone={(reply) => {
        if (done !== undefined) void message.success(typeof done === 'string' ? done : done(reply, row));
        onDone(one, reply, row);
      }}
      title={one.title ? of(one.title, row) : row.title === undefined ? label : `${label}：${row.title}`}
      name={name(row)}
      call={one.call}
      params={paramsOf(one, row)}
      fields={fieldsIn(one, row, instead)}
      initial={(one.initial ? of(one.initial, row) : {}) as Record<string, unknown>}
      also={alsoOf(one, row) as Record<string, unknown>}
      submit={one.submit ? of(one.submit, row) : label}
      ask={ask && ((body) => ask(body, row))}
      secret={one.secret}
      invalidates={invalidates}
      onRefused={(failure, body) => one.onRefused?.(failure, body, row, onClose)}
    />
  );
}

const placeOf = (key: string, row: Target) => `${key}:${row.id}`;
const paramsOf = <Row extends Target>(one: Sends<Row>, row: Row) => one.params?.(row) ?? { id: row.id };
const alsoOf = <Row,>(one: Sends<Row>, row: Row): object => (one.also ? of(one.also, row) : {});

function fieldsIn<Row>(one: Sends<Row>, row: Row, instead: Instead): readonly FormField[] {
  if (one.atOnce) return [];
  if (one.fields) return of(one.fields, row);
  const own = one.instead ? of(one.instead, row) : {};
  const shape = shapeOf(one.call.body, alsoOf(one, row) as Record<string, unknown>);
  const both = Object.fromEntries(
    Object.keys(shape).map((key) => [key, own[key] === null ? null : { ...instead[key], ...own[key] }]),
  );
  return fieldsOf(shape, both).filter((field) =>
    one.only ? one.only.includes(field.name) : field.label !== field.name,
  );
}
