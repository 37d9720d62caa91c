import type { ReactNode } from 'react';
import './figures.css';

/** The figures of a whole page, each under its name. */
export function FiguresSummary({ figures }: { figures: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="kit-panel figures-summary">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt className="kit-muted">{name}</dt>
          <dd className="kit-figures">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
