import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { DeptPicker } from './DeptPicker.tsx';
import { DeptTree } from './DeptTree.tsx';
import '../people.css';

/** A list beside the tree of departments; the chosen one is `dept` in the address. On a phone a picker. */
export function BesideDepts({ managed, children }: { managed?: boolean; children: ReactNode }) {
  const [search, setSearch] = useSearchParams();
  const narrow = useNarrow();
  const value = Number(search.get('dept')) || null;
  const choose = (dept: number | null) => {
    const next = new URLSearchParams(search);
    next.delete('page');
    if (dept) next.set('dept', String(dept));
    else next.delete('dept');
    setSearch(next, { replace: true });
  };
  const scope = managed ? { managed } : {};
  return (
    <div className="people-beside">
      <aside className={narrow ? '' : 'kit-panel'}>
        {narrow ? (
          <DeptPicker {...scope} value={value} onChange={choose} placeholder="全部部门" />
        ) : (
          <DeptTree {...scope} value={value} onSelect={choose} />
        )}
      </aside>
      {children}
    </div>
  );
}
