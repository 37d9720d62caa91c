import { Alert, Tag } from 'antd';
import { dayOf } from '#kernel/contract/moment.ts';
import { useCall } from '#kernel/web/calls.ts';
import { calendars, isProvisional, provisionalText } from '../contract.ts';

const long = 3_600_000;
interface Props {
  /** A day or a time; nothing is shown if missing. */
  day: string | null | undefined;
  /** Next to the date: a word with the details in a tooltip. */
  inline?: boolean;
}

/** A note on a date whose year has no published holidays, if so: the computed date may change. */
export function Provisional({ day, inline = false }: Props) {
  const year = day?.slice(0, 4) ?? '';
  // Past years need no note; the present year may be beyond the library's data.
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
