/** How many wait behind an entry; nothing where none do. `label`: how it is read out, unless its entry says it. */
export function Count({ count, label }: { count: number; label?: string }) {
  if (count <= 0) return null;
  return (
    <span className="count" {...(label ? { 'aria-label': label } : { 'aria-hidden': true })}>
      {count > 99 ? '99+' : count}
    </span>
  );
}
