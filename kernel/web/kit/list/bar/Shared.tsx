import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button, Select } from 'antd';
import { useContext, useState, type ReactNode } from 'react';
import { SharedViewsContext, type SharedView, type SharedViews } from '../../preferences.tsx';

interface Props {
  list: string;
  /** The noun: views, or arrangements of columns; each list shows its own. */
  title: string;
  isOurs: (one: SharedView) => boolean;
  /** The state to be shared, and the name that the person gave it; '' if there is nothing to share. */
  now: Parameters<SharedViews['share']>[0]['shared'];
  name: string;
  onShared: () => void;
  line: (one: SharedView, hint: string, onRemove: (() => void) | undefined) => ReactNode;
}

/** The views shared with the person's roles for a list, and the way to share one. */
export function Shared({ list, title, isOurs, now, name, onShared, line }: Props) {
  const views = useContext(SharedViewsContext);
  const client = useQueryClient();
  const [role, setRole] = useState<number>();
  const key = ['shared-views', list];
  const { data = [] } = useQuery({ queryKey: key, queryFn: () => views?.of(list) ?? [], enabled: views !== null });
  if (!views) return null;
  const ours = data.filter(isOurs);
  const anew = () => void client.invalidateQueries({ queryKey: key });
  const share = async () => {
    await views.share({ list, name, shared: now, role_id: role ?? 0 });
    anew();
    onShared();
  };
  return (
    <>
      {ours.length > 0 && <p className="kit-muted">{title}</p>}
      <ul aria-label={title}>
        {ours.map((one) =>
          line(
            one,
            `${one.creator} 共享给 ${one.role_name}`,
            one.mine ? () => void views.remove(one.id).then(anew, () => undefined) : undefined,
          ),
        )}
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
