import type { FlowLog } from '../contract/shapes.ts';
import { Signature } from './log/Signature.tsx';
import { opinionsOf } from './log/opinions.ts';
import './print.css';

/** On a printed sheet (`.ticket-sheet`): what everybody said who handled it, in order, with names, signatures and times. */
export function OpinionTable({ logs }: { logs: readonly FlowLog[] }) {
  return (
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
        {opinionsOf(logs).map((one) => (
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
  );
}
