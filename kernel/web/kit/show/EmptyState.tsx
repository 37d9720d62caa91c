import type { ReactNode } from 'react';
import '../kit.css';

/** Explains why nothing is here and offers the next step. */
export function EmptyState({ why, next }: { why: string; next?: ReactNode }) {
  return (
    <div className="kit-state">
      <svg width="64" height="48" viewBox="0 0 64 48" aria-hidden="true">
        <path d="M8 26 16 8h32l8 18v14H8z M8 26h14l4 6h12l4-6h14" fill="none" stroke="var(--c-line)" strokeWidth="2" />
      </svg>
      <p>{why}</p>
      {next}
    </div>
  );
}
