import { useLayoutEffect, useRef } from 'react';
import { RowCount, type Counted } from './RowCount.tsx';

export interface ListCategory {
  value: string;
  label: string;
  /** Where the page knows it, null until it does; asked of the list itself where it does not. */
  count?: number | null | undefined;
  /** The list behind it, where it is one of its own. */
  of?: Counted;
  /** Why nothing may be in it, where the list's own word for that does not do. */
  empty?: string | undefined;
  /** Opened by hand alone: a list whose other tabs have no rows does not go on to it. */
  apart?: boolean;
}

interface Props {
  categories: readonly ListCategory[];
  value: string | undefined;
  onChange: (value: string) => void;
  /** The list whose categories these are. Absent where they are not of one list. */
  counted?: Counted | undefined;
}

/** Categories of a list with their counts; the first is chosen until another is. */
export function CategoryTabs({ categories, value: given, onChange, counted }: Props) {
  const chosen = given ?? categories[0]?.value;
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const tabs = bar.current;
    const pressed = tabs?.querySelector<HTMLElement>('[aria-pressed=true]');
    if (!tabs || !pressed) return undefined;
    // Where they do not fit, the one that is shown stands amid those in sight, whatever the bar stands in.
    const center = () => {
      const [around, tab] = [tabs.getBoundingClientRect(), pressed.getBoundingClientRect()];
      tabs.scrollLeft += tab.left - around.left - (around.width - tab.width) / 2;
    };
    center();
    // Numbers that come later widen it and those before it.
    const watch = new ResizeObserver(center);
    for (const one of tabs.children) watch.observe(one);
    return () => watch.disconnect();
  }, [chosen, categories.length]);
  return (
    <div className="kit-categories" role="group" aria-label="分类" ref={bar}>
      {categories.map(({ value, label, count, of }) => (
        <button key={value} type="button" aria-pressed={value === chosen} onClick={() => onChange(value)}>
          {label}
          {count !== undefined ? (
            <span className="kit-figures">{count !== null && ` ${count}`}</span>
          ) : of ? (
            <RowCount {...of} />
          ) : (
            counted && <RowCount {...counted} query={{ ...counted.query, category: value }} />
          )}
        </button>
      ))}
    </div>
  );
}
