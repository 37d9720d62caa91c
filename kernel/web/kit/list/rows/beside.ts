import { createContext, type ReactNode } from 'react';

/** Whether this is shown beside a list: keys belong to that list. */
export const BesideContext = createContext(false);

export interface BesideProps {
  to: string;
  /** What is shown where the address is no record's. */
  otherwise: ReactNode;
}
/** Shows a record's own page beside a list, whatever module it is of; the office around the pages knows them all. */
export const RecordBesideContext = createContext<(asked: BesideProps) => ReactNode>(({ otherwise }) => otherwise);
