import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import type { Detail } from '../../contract/shapes.ts';

/** A ticket's copies: to whom, by whom, and whether they have been opened. */
export function Copies({ copies }: { copies: Detail['copies'] }) {
  if (copies.length === 0) return null;
  return (
    <section className="kit-panel" aria-label="抄送">
      <h2 className="ticket-side">抄送 {copies.length} 人</h2>
      <ul className="ticket-log">
        {copies.map((copy) => (
          <li key={copy.user.username}>
            <strong>{copy.user.alias}</strong>{' '}
            <span className="kit-muted">
              {copy.read_at ? (
                <>
                  <Moment at={copy.read_at} /> 已读
                </>
              ) : (
                '未读'
              )}{' '}
              · {copy.from ? `${copy.from.alias} 抄送` : '流程抄送'} <Moment at={copy.gmt_created} />
            </span>
            {copy.note && <p className="ticket-text">{copy.note}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}
