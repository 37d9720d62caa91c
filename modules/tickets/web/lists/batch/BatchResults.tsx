import { Alert } from 'antd';
import { Link } from 'react-router';
import type { Row } from '../../../contract/shapes.ts';
import { openedAt } from '../../opened.ts';

interface Result {
  id: number;
  ok: boolean;
  msg: string;
}

/** What became of each ticket of a batch, those that failed first. */
export function BatchResults({ rows, results, name }: { rows: readonly Row[]; results: Result[]; name: string }) {
  const failed = results.filter((result) => !result.ok).length;
  const rowOf = (id: number) => rows.find((row) => row.id === id);
  return (
    <>
      <Alert
        type={failed > 0 ? 'warning' : 'success'}
        title={`已${name} ${results.length - failed} 张${failed > 0 ? `，${failed} 张未成功` : ''}`}
      />
      <ul className="ticket-log" aria-label="逐张结果">
        {results
          .toSorted((a, b) => Number(a.ok) - Number(b.ok))
          .map((result) => (
            <li key={result.id}>
              <Link to={openedAt(rowOf(result.id) ?? { id: result.id, record_path: null })}>
                {rowOf(result.id)?.title ?? `工单 ${result.id}`}
              </Link>{' '}
              <span className="kit-muted">{rowOf(result.id)?.sn}</span>
              <p className={result.ok ? 'kit-muted' : 'ticket-failed'}>{result.ok ? `已${name}` : result.msg}</p>
            </li>
          ))}
      </ul>
    </>
  );
}
