import { useLayoutEffect, useRef } from 'react';
import { RowCount, type Counted } from './RowCount.tsx';

export interface ListCategory {
  value: string;
  label: string;
  /** The count if the page knows it, null until it does; if absent, the list itself is asked. */
  count?: number | null | undefined;
  /** The tab's list, if it has its own. */
  of?: Counted;
  /** The text for an empty tab, if that of the list does not fit. */
  empty?: string | undefined;
  /** Opened by hand only: an empty list does not move on to this tab. */
  apart?: boolean;
}

interface Props {
  categories: readonly ListCategory[];
  value: string | undefined;
  onChange: (value: string) => void;
  /** The list that the categories belong to; absent if they belong to several. */
  counted?: Counted | undefined;
}

/** Categories of a list with their counts; the first is chosen unless another is. */
export function CategoryTabs({ categories, value: given, onChange, counted }: Props) {
  const chosen = given ?? categories[0]?.value;
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const tabs = bar.current;
    const pressed = tabs?.querySelector<HTMLElement>('[aria-pressed=true]');
    if (!tabs || !pressed) return undefined;
    // If the tabs do not fit, the chosen one is scrolled to the middle, whatever contains the bar.
    const center = () => {
      const [around, tab] = [tabs.getBoundingClientRect(), pressed.getBoundingClientRect()];
      tabs.scrollLeft += tab.left - around.left - (around.width - tab.width) / 2;
    };
    center();
    // Counts that arrive later widen this tab and those before it.
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
