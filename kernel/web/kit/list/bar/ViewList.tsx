import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button, Select } from 'antd';
import { useContext, useState } from 'react';
import { keyOf } from '../../../calls.ts';
import { send } from '../../../client.ts';
import { SharedViewsContext } from '../../preferences.tsx';
import type { ListCall, ListReply } from '../list-call.ts';

interface Counted {
  call: ListCall<never>;
  /** Part of the query that is always sent. */
  fixed?: Record<string, unknown> | undefined;
}

/** How many rows a view has now. */
function ViewCount({ call, fixed, search }: Counted & { search: string }) {
  const query = { ...fixed, ...Object.fromEntries(new URLSearchParams(search)), page: 1, per_page: 1 };
  const { data } = useQuery({
    queryKey: keyOf(call, { query }),
    queryFn: ({ signal }) => send(call, { query } as never, { signal, quiet: true }) as Promise<ListReply<never>>,
  });
  return <span className="kit-muted kit-figures">{data && `${data.total}${data.total_capped ? '+' : ''}`}</span>;
}

interface LineProps extends Counted {
  name: string;
  search: string;
  hint?: string;
  chosen: boolean;
  onApply: () => void;
  /** Absent where the person may not. */
  onRemove?: (() => void) | undefined;
}

/** One view: its name, whose it is, how many rows it has. */
export function ViewLine({ name, search, hint, chosen, onApply, onRemove, ...counted }: LineProps) {
  return (
    <li>
      <Button type="text" aria-pressed={chosen} title={hint} onClick={onApply}>
        {name}
      </Button>
      <ViewCount {...counted} search={search} />
      <span className="kit-grow" />
      {onRemove && (
        <Button type="text" size="small" aria-label={`删除视图 ${name}`} onClick={onRemove}>
          ×
        </Button>
      )}
    </li>
  );
}

interface SharedProps extends Counted {
  list: string;
  /** The search as it stands now. */
  search: string;
  /** What the person called it just now; empty where nothing is to be shared. */
  name: string;
  onApply: (search: string) => void;
  onShared: () => void;
}

/** Views shared with my roles, and the way to share one. */
export function SharedViewList({ list, search, name, onApply, onShared, ...counted }: SharedProps) {
  const views = useContext(SharedViewsContext);
  const client = useQueryClient();
  const [role, setRole] = useState<number>();
  const key = ['shared-views', list];
  const { data = [] } = useQuery({ queryKey: key, queryFn: () => views?.of(list) ?? [], enabled: views !== null });
  if (!views) return null;
  const anew = () => void client.invalidateQueries({ queryKey: key });
  const share = async () => {
    await views.share({ list, name, search, role_id: role ?? 0 });
    anew();
    onShared();
  };
  return (
    <>
      {data.length > 0 && <p className="kit-muted">共享的视图</p>}
      <ul aria-label="共享的视图">
        {data.map((view) => (
          <ViewLine
            key={view.id}
            {...counted}
            name={view.name}
            search={view.search}
            hint={`${view.creator} 共享给 ${view.role_name}`}
            chosen={view.search === search}
            onApply={() => onApply(view.search)}
            onRemove={view.mine ? () => void views.remove(view.id).then(anew, () => undefined) : undefined}
          />
        ))}
      </ul>
      {views.roles.length > 0 && (
        <div className="kit-row kit-share">
          <Select
            aria-label="共享给角色"
            placeholder="共享给角色"
            value={role}
            options={views.roles.map((one) => ({ value: one.id, label: one.name }))}
            onChange={setRole}
          />
          <Button disabled={!name || role === undefined} onClick={() => void share().catch(() => undefined)}>
            共享当前
          </Button>
        </div>
      )}
    </>
  );
}
