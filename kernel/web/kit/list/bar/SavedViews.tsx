import { Button, Input, Popover } from 'antd';
import { useState } from 'react';
import { usePreference } from '../../preferences.tsx';
import type { ListCall } from '../list-call.ts';
import { SharedViewList, ViewLine } from './ViewList.tsx';

interface View {
  name: string;
  search: string;
}
const none: View[] = [];

interface Props {
  list: string;
  call: ListCall<never>;
  /** Part of the query that is always sent. */
  fixed?: Record<string, unknown> | undefined;
  search: string;
  onApply: (search: string) => void;
}

/** Searches and filters kept under a name on the server: for the person, and shared with a role; each with how many rows it has. */
export function SavedViews({ list, call, fixed, search, onApply }: Props) {
  const [views, save] = usePreference<View[]>(`views:${list}`, none);
  const [name, setName] = useState('');
  const [open, setOpen] = useState(false);
  const now = withoutPage(search);
  const title = name.trim();
  const keep = () => {
    if (!title) return;
    save([...views.filter((view) => view.name !== title), { name: title, search: now }]);
    setName('');
  };
  const apply = (wanted: string) => {
    onApply(wanted);
    setOpen(false);
  };
  const panel = (
    <div className="kit-views" role="dialog" aria-label="我的视图">
      {views.length === 0 && <p className="kit-muted">设好搜索和筛选后，起个名字保存，下次一点即用</p>}
      <ul>
        {views.map((view) => (
          <ViewLine
            key={view.name}
            call={call}
            fixed={fixed}
            name={view.name}
            search={view.search}
            chosen={view.search === now}
            onApply={() => apply(view.search)}
            onRemove={() => save(views.filter((one) => one !== view))}
          />
        ))}
      </ul>
      <div className="kit-row">
        <Input
          value={name}
          maxLength={20}
          placeholder="视图名称"
          aria-label="视图名称"
          onChange={(event) => setName(event.target.value)}
          onPressEnter={keep}
        />
        <Button onClick={keep} disabled={!title}>
          保存当前
        </Button>
      </div>
      <SharedViewList
        list={list}
        call={call}
        fixed={fixed}
        search={now}
        name={title}
        onApply={apply}
        onShared={() => setName('')}
      />
    </div>
  );
  return (
    <Popover trigger="click" placement="bottomRight" content={panel} open={open} onOpenChange={setOpen} destroyOnHidden>
      <Button aria-haspopup="dialog">{views.find((view) => view.search === now)?.name ?? '视图'}</Button>
    </Popover>
  );
}

function withoutPage(search: string): string {
  const kept = new URLSearchParams(search);
  kept.delete('page');
  kept.sort();
  return kept.toString();
}
