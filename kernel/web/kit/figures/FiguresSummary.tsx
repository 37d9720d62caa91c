import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useReadable } from '../permission.tsx';
import './figures.css';

/** A figure under its name, with its unit and the address of the rows behind it. A value that is not a number is shown as it is and not compared. */
export type Fact = readonly [name: string, value: ReactNode, unit?: string, to?: string];

interface Props {
  figures: readonly Fact[];
  /** The same figures for the period of the same length just before: absent if the figures have no period, undefined while loading. */
  past?: { figures: readonly Fact[] | undefined; days: string };
}

/** The figures of a whole page, each under its name and with its value in the previous period. */
export function FiguresSummary({ figures, past }: Props) {
  const readable = useReadable();
  return (
    <dl className="kit-panel figures-summary">
      {figures.map(([name, value, unit, to]) => (
        <div key={name}>
          <dt className="kit-muted">{name}</dt>
          <dd className="kit-figures">
            {leading(typeof value === 'number' ? measured(value, unit) : value, readable(to))}
          </dd>
          {past && (
            <dd className="kit-muted kit-figures figures-past" title={past.days}>
              {compared(value, past.figures?.find((fact) => fact[0] === name)?.[1], unit)}
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

const leading = (said: ReactNode, to: string | undefined) => (to ? <Link to={to}>{said}</Link> : said);

function measured(value: number, unit = ''): string {
  const said = value.toLocaleString('zh-CN', { maximumFractionDigits: 2 });
  return unit === '' || unit === '%' ? `${said}${unit}` : `${said} ${unit}`;
}

/** Describes the previous value and the change in percent, for shares in points; '' for values that are not numbers. Leaves out changes above 999%. */
function compared(now: ReactNode, before: ReactNode, unit?: string): string {
  if (typeof now !== 'number' || typeof before !== 'number') return '';
  const was = `上期 ${measured(before, unit)}`;
  const points = unit === '%';
  const change = points ? now - before : before === 0 ? 0 : Math.round(((now - before) / Math.abs(before)) * 100);
  const said = Number(change.toFixed(1));
  return said === 0 || (!points && said > 999)
    ? was
    : `${was}，${said > 0 ? '+' : ''}${said}${points ? ' 个百分点' : '%'}`;
}
