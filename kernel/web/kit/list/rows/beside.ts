import { createContext, type ReactNode } from 'react';

/** True for content shown beside a list, whose keys belong to that list. */
export const BesideContext = createContext(false);

export interface BesideProps {
  to: string;
  /** Shown if the address does not belong to a record. */
  otherwise: ReactNode;
}
/** Shows a record's own page beside a list, of whatever module; the shell around the pages knows all of them. */
export const RecordBesideContext = createContext<(asked: BesideProps) => ReactNode>(({ otherwise }) => otherwise);
