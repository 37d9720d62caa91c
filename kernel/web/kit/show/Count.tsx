/** The number of waiting items behind an entry; hidden if zero. `label` is the accessible text, unless the entry has one. */
export function Count({ count, label }: { count: number; label?: string }) {
  if (count <= 0) return null;
  return (
    <span className="count" {...(label ? { 'aria-label': label } : { 'aria-hidden': true })}>
      {count > 99 ? '99+' : count}
    </span>
  );
}
