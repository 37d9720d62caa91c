import { Alert, Tag } from 'antd';
import { dayOf } from '#kernel/contract/moment.ts';
import { useCall } from '#kernel/web/calls.ts';
import { calendars, isProvisional, provisionalText } from '../contract.ts';

const long = 3_600_000;
interface Props {
  /** A day or a moment of it; nothing is said of none. */
  day: string | null | undefined;
  /** Beside the date: a word that tells the rest when it is pointed at. */
  inline?: boolean;
}

/** Says of a date that its year has no published holidays, where that is so: what was reckoned into it may change. */
export function Provisional({ day, inline = false }: Props) {
  const year = day?.slice(0, 4) ?? '';
  // Nothing is reckoned any more into a year that is over; the one that runs may be past what the library knows.
  return year >= dayOf(new Date()).slice(0, 4) && year < '2100' ? <OfYear year={year} inline={inline} /> : null;
}

function OfYear({ year, inline }: { year: string; inline: boolean }) {
  const { data } = useCall(calendars.year, { query: { year: Number(year) } }, { staleTime: long, quiet: true });
  if (!data || !isProvisional(data.state)) return null;
  const text = provisionalText(year, data.state);
  return inline ? (
    <Tag color="warning" title={text} aria-label={text}>
      暂定
    </Tag>
  ) : (
    <Alert type="warning" showIcon title={text} />
  );
}
