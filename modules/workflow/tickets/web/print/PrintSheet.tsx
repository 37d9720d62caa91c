import { live, useCall } from '#kernel/web/calls.ts';
import { tickets } from '../../contract.ts';
import { creatorText } from '../../contract/begun.ts';
import type { Detail } from '../../contract/shapes.ts';
import { FieldValue } from '#modules/workflow/workflows/widgets.tsx';
import { latestActionsOf, opinionsOf } from '../log/opinions.ts';
import { OpinionTable } from './OpinionTable.tsx';
import { PrintedPage } from './PrintedPage.tsx';
import type { ReactNode } from 'react';
import './print.css';

/** A ticket as a formal A4 sheet: its form as a table, then the opinions with names and times. Visible in print only. */
export function PrintSheet({ ticket }: { ticket: Detail }) {
  const { data } = useCall(tickets.flowsteps, { params: { id: ticket.id } }, { meta: live });
  const opinions = <OpinionTable opinions={opinionsOf(latestActionsOf(data?.value ?? []))} />;
  if (ticket.print_template)
    return (
      <section className="ticket-sheet" aria-hidden="true">
        <PrintedPage template={ticket.print_template} show={(key) => shownIn(ticket, key, opinions)} />
      </section>
    );
  return (
    <section className="ticket-sheet" aria-hidden="true">
      <h1>{ticket.workflow_info.workflow_name.replace(/单$/, '')}单</h1>
      <p className="ticket-sheet-line">
        <span>流水号：{ticket.sn}</span>
        <span>状态：{ticket.act_state_name}</span>
      </p>
      <table>
        <tbody>
          <tr>
            <th scope="row">标题</th>
            <td colSpan={3}>{ticket.title}</td>
          </tr>
          <tr>
            <th scope="row">发起人</th>
            <td>
              {creatorText(ticket)} {ticket.creator_info.dept_name}
            </td>
            <th scope="row">发起时间</th>
            <td>{ticket.gmt_created.slice(0, 16)}</td>
          </tr>
          {ticket.field_list.map((item) => (
            <tr key={item.field_key}>
              <th scope="row">{item.field_name}</th>
              <td colSpan={3}>
                <FieldValue whole item={item} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {opinions}
    </section>
  );
}

/** The value of a template's key in a ticket; nothing if the reader does not see the field. */
function shownIn(ticket: Detail, key: string, opinions: ReactNode): ReactNode {
  const besides: Readonly<Record<string, ReactNode>> = {
    workflow: ticket.workflow_info.workflow_name,
    sn: ticket.sn,
    title: ticket.title,
    state: ticket.act_state_name,
    creator: creatorText(ticket),
    dept: ticket.creator_info.dept_name,
    gmt_created: ticket.gmt_created.slice(0, 16),
    opinions,
  };
  const item = ticket.field_list.find((one) => one.field_key === key);
  if (item) return <FieldValue whole item={item} />;
  return Object.hasOwn(besides, key) ? besides[key] : null;
}
