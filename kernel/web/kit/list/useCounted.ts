import { useState } from 'react';

interface Counted {
  total: number;
  total_capped?: boolean | undefined;
}

/**
 * Keeps the total of a list. Rows are counted only as far as the pager leads from the requested page, so an earlier page would report less than is
 * already known: the larger total stays until everything is counted again. `of` identifies the other parts of the query; `fresh` says whether the
 * answer belongs to the present query.
 */
export function useCounted(of: string, counted: Counted | undefined, fresh: boolean): Counted | undefined {
  const [known, setKnown] = useState<{ of: string; counted: Counted } | null>(null);
  const before = known?.of === of ? known.counted : null;
  if (!counted || !fresh) return before ?? counted;
  if (before && counted.total_capped && counted.total < before.total) return before;
  if (before?.total !== counted.total || before.total_capped !== counted.total_capped) setKnown({ of, counted });
  return counted;
}
