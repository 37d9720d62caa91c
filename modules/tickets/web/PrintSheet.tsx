import { useCall } from '#kernel/web/calls.ts';
import { tickets } from '../contract.ts';
import type { Detail } from '../contract/shapes.ts';
import { FieldValue } from './fields/FieldValue.tsx';
import { Signature } from './log/Signature.tsx';
import { opinionsOf } from './log/opinions.ts';
import './print.css';

/** A ticket as a formal sheet of A4: its form as a table, then the opinions with names and times. Seen on paper only. */
export function PrintSheet({ ticket }: { ticket: Detail }) {
  const { data } = useCall(tickets.flowsteps, { params: { id: ticket.id } });
  const opinions = opinionsOf(data?.value ?? []);
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
              {ticket.creator_info.alias} {ticket.creator_info.dept_name}
            </td>
            <th scope="row">发起时间</th>
            <td>{ticket.gmt_created.slice(0, 16)}</td>
          </tr>
          {ticket.field_list.map((item) => (
            <tr key={item.field_key}>
              <th scope="row">{item.field_name}</th>
              <td colSpan={3}>
                <FieldValue item={item} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <table>
        <thead>
          <tr>
            <th scope="col">环节</th>
            <th scope="col">办理人</th>
            <th scope="col">结果</th>
            <th scope="col">意见</th>
            <th scope="col">时间</th>
          </tr>
        </thead>
        <tbody>
          {opinions.map((one) => (
            <tr key={one.id}>
              <td>{one.state}</td>
              <td>
                {one.who}
                <Signature log={one.log} />
              </td>
              <td>{one.did}</td>
              <td className="ticket-sheet-words">{one.words}</td>
              <td>{one.at}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
