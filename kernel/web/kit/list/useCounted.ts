import { useState } from 'react';

interface Counted {
  total: number;
  total_capped?: boolean | undefined;
}

/**
 * The total of a list as it is shown. Rows are counted as far as the pager leads from the page that is asked for, so a page further back
 * would say less than is known already: what was counted once stands until all are counted anew. `of`: whatever else the rows are chosen
 * by; `fresh`: whether the answer is to what is asked now.
 */
export function useCounted(of: string, counted: Counted | undefined, fresh: boolean): Counted | undefined {
  const [known, setKnown] = useState<{ of: string; counted: Counted } | null>(null);
  const before = known?.of === of ? known.counted : null;
  if (!counted || !fresh) return before ?? counted;
  if (before && counted.total_capped && counted.total < before.total) return before;
  if (before?.total !== counted.total || before.total_capped !== counted.total_capped) setKnown({ of, counted });
  return counted;
}
