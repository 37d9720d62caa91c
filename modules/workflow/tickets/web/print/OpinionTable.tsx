import type { Opinion } from '../log/opinions.ts';
import './print.css';

/** On a printed sheet (`.ticket-sheet`): all opinions in order, with names, signatures and times. */
export function OpinionTable({ opinions }: { opinions: readonly Opinion[] }) {
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
        {opinions.map((one) => (
          <tr key={one.id}>
            <td>{one.state}</td>
            <td>
              {one.who}
              {one.signature && <img className="ticket-signature" src={one.signature.url} alt={`${one.who} 的签名`} />}
            </td>
            <td>{one.did}</td>
            <td className="ticket-sheet-words">
              {one.words}
              {one.files && one.files.length > 0 && <div>附件：{one.files.join('、')}</div>}
            </td>
            <td>{one.at}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
