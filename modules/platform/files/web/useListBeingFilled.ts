import { useEffect, useRef } from 'react';

/**
 * The ids of a controlled list to which several uploads add, each at its own time. What one added counts for the next, even if the form around has
 * not returned it yet, or is drawn once more with the list from before.
 */
export function useListBeingFilled(
  value: readonly number[],
  onChange: (ids: number[]) => void,
): (change: (ids: readonly number[]) => number[]) => void {
  const present = useRef(value);
  const returned = useRef(value.join());
  /** Lists that the form has received and not returned yet. */
  const sent = useRef<string[]>([]);
  const tell = useRef(onChange);
  useEffect(() => {
    tell.current = onChange;
    const list = value.join();
    if (list === returned.current && list !== sent.current.at(-1)) return;
    returned.current = list;
    // A list that was not sent from here is the form's own, such as a restored draft.
    const at = sent.current.lastIndexOf(list);
    sent.current = at < 0 ? [] : sent.current.slice(at + 1);
    if (sent.current.length === 0) present.current = value;
  });
  return (change) => {
    const next = change(present.current);
    present.current = next;
    sent.current.push(next.join());
    tell.current(next);
  };
}
