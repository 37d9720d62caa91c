import type { ReactNode } from 'react';
import type { core } from 'zod';
import { shortTitleOf } from '#kernel/contract/titles.ts';
import { shapeOf } from '../form/rules.ts';

/** A fact that shows something else than its field, with a heading of its own. */
interface OwnFact {
  heading: string;
  shown: ReactNode;
}
type Shown = ReactNode | OwnFact;
const isOwn = (shown: Shown): shown is OwnFact => typeof shown === 'object' && shown !== null && 'heading' in shown;
const isEmpty = (shown: ReactNode) => shown === null || shown === undefined || shown === false || shown === '';

/**
 * The facts of a record by the names of its fields, in order: `{ dept_name: row.dept_name, host: row.host_info?.alias }`. Their titles come from the
 * record's schema (`.meta(field(…))`); empty facts are left out.
 */
export function factsOf<Row>(
  row: core.$ZodType<Row>,
  facts: { readonly [K in keyof Row & string]?: Shown },
): { key: string; label: string; children: ReactNode }[] {
  const shape = shapeOf(row);
  return Object.entries<Shown>(facts as Record<string, Shown>).flatMap(([key, fact]) => {
    const { heading, shown } = isOwn(fact) ? fact : { heading: shortTitleOf(shape[key]) ?? key, shown: fact };
    return isEmpty(shown) ? [] : [{ key, label: heading, children: shown }];
  });
}
