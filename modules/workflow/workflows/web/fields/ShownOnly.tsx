import { Link } from 'react-router';
import { FileLinks } from '#modules/platform/files/widgets.tsx';
import type { FieldItem } from '../../contract/shapes.ts';

/** The chosen records, as far as the reader sees them. */
export function ChosenRecords({ item }: { item: FieldItem }) {
  const { field_records: seen = [], field_value } = item;
  const unseen = ((field_value as number[] | null) ?? []).length - seen.length;
  return (
    <ul className="ticket-records">
      {seen.map((one) => (
        <li key={one.id}>
          <Link to={one.page}>{one.title || one.sn}</Link>
          <span className="kit-muted"> {[one.sn, one.state].filter(Boolean).join(' · ')}</span>
        </li>
      ))}
      {unseen > 0 && <li className="kit-muted">另有 {unseen} 项您看不到</li>}
    </ul>
  );
}

/** Opinions of some states: the comment, then the person, the action and the time. */
export function Opinions({ opinions }: { opinions: NonNullable<FieldItem['field_opinions']> }) {
  return (
    <ol className="ticket-opinions">
      {opinions.map((one) => (
        <li key={one.id}>
          <p className="ticket-text">{one.words || one.did}</p>
          <p className="kit-muted">
            {one.state}　{one.who}　{one.words && `${one.did}　`}
            <time>{one.at}</time>
          </p>
          {one.signature && (
            <img className="ticket-signature" src={one.signature.url} alt={`${one.who} 的签名`} loading="lazy" />
          )}
          {one.files.length > 0 && <FileLinks files={one.files} />}
        </li>
      ))}
    </ol>
  );
}
