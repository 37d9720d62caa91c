import { Button } from 'antd';
import { useState, type ReactNode } from 'react';
import type { Calls } from '#kernel/contract/call.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { fieldsOf, type Instead } from '#kernel/web/kit/form/fields.ts';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { shapeOf } from '#kernel/web/kit/form/rules.ts';
import { UndoButton } from '#kernel/web/kit/press/undo.tsx';
import type { CallFormProps } from '#kernel/web/kit/form/CallForm.tsx';

type AnyCall = Calls[string];
type Form = CallFormProps<AnyCall>;
type Failure = Parameters<NonNullable<Form['onRefused']>>[0];

/** An action on a row: the call that does it. Its form follows from the call's body, in one drawer for all acts. */
export interface Act<Row> {
  label: string;
  call: AnyCall;
  /** `{ id }` of the row by default. */
  params?: (row: Row) => Record<string, unknown>;
  /** Names of the fields that are shown; by default all that have a title. With none, it is a button that asks once. */
  only?: readonly string[];
  /** Its fields, if they are not those of the body. */
  form?: (row: Row) => readonly FormField[];
  /** Fields that differ from the body. */
  fields?: (row: Row) => Instead;
  /** The initial values of the form, and values that are sent without a field. */
  initial?: (row: Row) => object;
  also?: (row: Row) => object;
  danger?: true;
  /** Name of the list that the row leaves: nothing is asked, and it can be undone for some seconds. For acts without a form. */
  leaves?: string;
  /** The question asked before an act without a form. */
  confirm?: (row: Row) => string;
  /** A preview before sending, as in any form. */
  ask?: Form['ask'];
  onRefused?: (failure: Failure, body: object, row: Row, close: () => void) => void;
  onDone?: (row: Row) => void;
}
export type Acts<Row> = Readonly<Record<string, Act<Row>>>;
interface Target {
  id: number;
  title: string;
}
interface Shown {
  /** Names of acts, in this order; all of them by default. */
  among?: readonly string[];
  /** The one filled button. */
  first?: string;
  size?: 'small' | 'middle';
}

/**
 * Buttons for the acts on a row, and the one drawer that they open. `name` keeps the drafts apart, `instead` overrides how fields are filled in, in
 * every form.
 */
export function useActs<Row extends Target>(
  name: string,
  acts: Acts<Row>,
  instead: Instead = {},
): {
  /** Buttons of the acts that are in `can`. */
  buttons: (row: Row, can: readonly string[], shown?: Shown) => ReactNode;
  open: (act: string, row: Row) => void;
  drawer: ReactNode;
} {
  const [opened, setOpened] = useState<{ act: string; row: Row } | null>(null);
  const close = () => setOpened(null);
  const fieldsIn = (act: Act<Row>, row: Row): readonly FormField[] => {
    if (act.form) return act.form(row);
    const own = act.fields?.(row) ?? {};
    const shape = shapeOf(act.call.body);
    const both = Object.fromEntries(
      Object.keys(shape).map((key) => [key, own[key] === null ? null : { ...instead[key], ...own[key] }]),
    );
    return fieldsOf(shape, both).filter((field) =>
      act.only ? act.only.includes(field.name) : field.label !== field.name,
    );
  };
  const asked = (act: Act<Row>, row: Row) => act.params?.(row) ?? { id: row.id };
  return {
    open: (act, row) => setOpened({ act, row }),
    buttons: (row, can, { among = Object.keys(acts), first, size = 'middle' } = {}) =>
      among.map((key) => {
        const act = acts[key];
        if (!act || !can.includes(key)) return null;
        const look = {
          size,
          danger: act.danger ?? false,
          type: key === first ? ('primary' as const) : ('default' as const),
        };
        if (fieldsIn(act, row).length > 0)
          return (
            <Button key={key} {...look} onClick={() => setOpened({ act: key, row })}>
              {act.label}
            </Button>
          );
        const sent = { params: asked(act, row), ...(act.call.body ? { body: act.also?.(row) ?? {} } : {}) } as never;
        if (act.leaves !== undefined)
          return (
            <UndoButton
              key={key}
              size={size}
              danger={look.danger}
              call={act.call}
              asked={sent}
              code={null}
              says={`${act.label}“${row.title}”`}
              leaving={{ list: act.leaves, ids: [row.id] }}
              onPress={() => act.onDone?.(row)}
            >
              {act.label}
            </UndoButton>
          );
        return (
          <CallButton
            key={key}
            {...look}
            call={act.call}
            asked={sent}
            code={null}
            confirm={{ title: `${act.label}“${row.title}”`, content: act.confirm?.(row) }}
            onDone={() => act.onDone?.(row)}
          >
            {act.label}
          </CallButton>
        );
      }),
    drawer: opened && drawerOf(acts[opened.act]!, opened.act, opened.row),
  };

  function drawerOf(act: Act<Row>, key: string, row: Row) {
    return (
      <FormDrawer
        key={`${key}${row.id}`}
        open
        onClose={close}
        onDone={() => {
          act.onDone?.(row);
          close();
        }}
        title={`${act.label}：${row.title}`}
        name={`${name}:${key}:${row.id}`}
        call={act.call}
        params={asked(act, row)}
        fields={fieldsIn(act, row)}
        initial={(act.initial?.(row) ?? {}) as Record<string, unknown>}
        also={(act.also?.(row) ?? {}) as Record<string, unknown>}
        submit={act.label}
        {...(act.ask ? { ask: act.ask } : {})}
        onRefused={(failure, body) => act.onRefused?.(failure, body, row, close)}
      />
    );
  }
}
