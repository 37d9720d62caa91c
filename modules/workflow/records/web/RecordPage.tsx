import { useQueryClient } from '@tanstack/react-query';
import { Button } from 'antd';
import { Fragment, useState, type ReactNode } from 'react';
import { useParams } from 'react-router';
import type { Calls, ReplyOf } from '#kernel/contract/call.ts';
import { codes } from '#kernel/contract/refusal.ts';
import { moduleOf, useCall } from '#kernel/web/calls.ts';
import { DetailPage, type DetailPageProps } from '#kernel/web/kit/DetailPage.tsx';
import { StatusTag } from '#kernel/web/kit/show/StatusTag.tsx';
import { Links } from '#modules/platform/links/widgets.tsx';
import type { Approval } from '#modules/workflow/tickets/contract/approval.ts';
import { Handling, TicketSide, useRecordTicket } from '#modules/workflow/tickets/widgets.tsx';

/** A record as its page receives it. */
export interface Shown {
  id: number;
  ticket_id: number | null;
  actions: readonly string[];
}
export interface RecordPageProps<C extends Calls[string], Row extends Shown> {
  /** The call of one record, by its id. */
  call: C;
  /** The record in the call's answer. */
  of: (reply: ReplyOf<C>) => Row;
  /** The module's name in links and files. */
  module: string;
  /** Its list, opened after it is deleted. */
  list: string;
  /** Its ticket's head by default. */
  head?: (row: Row) => Pick<DetailPageProps, 'title' | 'sn' | 'status' | 'holder'>;
  /** The ticket that still decides it; null once that is over. */
  ticketOf?: (row: Row) => number | null;
  /** True if its ticket's actions are still offered; the default. */
  offers?: (row: Row) => boolean;
  /** Buttons in the sticky bar: before those of the ticket, unless it waits for the person. */
  actions?: (row: Row) => ReactNode;
  side?: (row: Row) => ReactNode;
  /** Its form, in place of the page; `kind` is the action that opened it. */
  form?: (row: Row, close: () => void, kind: string) => ReactNode;
  /** Buttons that open the form, by the action that allows them; without any the page opens it itself. */
  opens?: Readonly<Record<string, string>>;
  /** True if it may be linked; the default. */
  linked?: (row: Row) => boolean;
  /** Its content; `edit` opens its form. */
  children: (row: Row, edit: () => void) => ReactNode;
  /** Seldom read content, below its links. */
  below?: (row: Row) => ReactNode;
}

/** The head of a record by its ticket: state, holder and since when, and creator. */
export function headOf(
  row: Omit<Approval, 'ticket_id'> & {
    ticket_id: number | null;
    title: string;
    gmt_created: string;
    creator_info: { alias: string };
  },
) {
  // It has no ticket if it was imported from a sheet.
  if (row.ticket_id === null) return { title: row.title, sn: '', status: null, holder: '' };
  const who = row.participant_info.participant_alias;
  const since = row.since ? `（自 ${row.since.slice(0, 16)}）` : '';
  const began = `${row.creator_info.alias} 起草于 ${row.gmt_created.slice(0, 16)}`;
  return {
    title: row.title,
    sn: row.sn,
    status: <StatusTag code={row.act_state} label={row.act_state_name} />,
    holder: [row.state_name, who && `等待 ${who}${since}`, began].filter(Boolean).join(' · '),
  };
}

/** The page of an approval record: its head, content and links, its ticket's progress and what each person may do with it now. */
export function RecordPage<C extends Calls[string], Row extends Shown>(props: RecordPageProps<C, Row>) {
  const id = Number(useParams()['id']);
  return <One key={id} id={id} {...props} />;
}

function One<C extends Calls[string], Row extends Shown>({
  id,
  call,
  of,
  module,
  list,
  head = (row) => headOf(row as Row & Parameters<typeof headOf>[0]),
  ticketOf = (row) => row.ticket_id,
  offers = () => true,
  actions,
  side,
  form,
  opens = {},
  linked = () => true,
  children,
  below,
}: RecordPageProps<C, Row> & { id: number }) {
  const client = useQueryClient();
  const [editing, setEditing] = useState<string | null>(null);
  const { data, error, refetch } = useCall<Calls[string]>(call, { params: { id } }, { refetchOnWindowFocus: true });
  const row = data === undefined ? undefined : of(data as ReplyOf<C>);
  const name = moduleOf(call);
  const { ticket, until, changed, coming } = useRecordTicket((row && ticketOf(row)) ?? 0, name);
  if (row && form && editing !== null) return form(row, () => setEditing(null), editing);
  const buttons = Object.entries(opens).filter(([action]) => row?.actions.includes(action));
  // Input that somebody begins before the ticket has loaded would be lost when it arrives.
  const shown = coming ? undefined : row;
  const deciding = row && offers(row);
  const asked = ticket?.transitions.some((one) => one.task_no !== null) ?? false;
  // The filled button comes first for the keyboard too: the ticket's if it waits for the person, otherwise that of the record.
  const own = <Fragment key="own">{row && actions?.(row)}</Fragment>;
  const ofTicket = (offered: ReactNode) => (
    <Fragment key="ticket">
      {deciding && offered}
      {buttons.map(([action, label]) => (
        <Button key={action} onClick={() => setEditing(action)}>
          {label}
        </Button>
      ))}
    </Fragment>
  );
  return (
    <Handling
      key={ticket ? 'there' : 'coming'}
      ticket={ticket}
      changed={changed}
      home={list}
      record={row && { module: name, id: row.id }}
      onMoved={() => void client.invalidateQueries({ queryKey: [name] })}
    >
      {(handling) => (
        <DetailPage
          {...(row ? head(row) : { title: '' })}
          loading={!shown}
          error={row && error?.code !== codes.absent ? undefined : error}
          retry={() => void refetch()}
          side={
            row &&
            (side || ticket) && (
              <>
                {side?.(row)}
                {ticket && <TicketSide ticket={ticket} until={until} edited={handling.edited} />}
              </>
            )
          }
          actions={
            row &&
            ((deciding && handling.actions) || buttons.length > 0 || actions) && (
              <>{asked ? [ofTicket(handling.actions), own] : [own, ofTicket(handling.actions)]}</>
            )
          }
        >
          {handling.notice}
          {shown && children(shown, () => setEditing('update'))}
          {shown && linked(shown) && <Links module={module} id={shown.id} />}
          {shown && below?.(shown)}
          {/* The ticket's own fields are shown if there is something to fill in. */}
          {asked && handling.form}
        </DetailPage>
      )}
    </Handling>
  );
}
