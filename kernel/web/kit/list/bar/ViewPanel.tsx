import { Button, Input } from 'antd';
import { useState } from 'react';
import type { ListCall } from '../list-call.ts';
import { SharedViewList, ViewLine } from './ViewList.tsx';

export interface View {
  name: string;
  search: string;
}

interface Props {
  list: string;
  call: ListCall<never>;
  /** Part of the query that is always sent. */
  fixed?: Record<string, unknown> | undefined;
  /** As it is now, without the page. */
  search: string;
  views: readonly View[];
  onSave: (views: View[]) => void;
  onApply: (search: string) => void;
}

/** Searches and filters kept under a name, one's own and those shared with a role; each with how many rows it has. */
export default function ViewPanel({ list, call, fixed, search, views, onSave, onApply }: Props) {
  const [name, setName] = useState('');
  const title = name.trim();
  const keep = () => {
    if (!title) return;
    onSave([...views.filter((view) => view.name !== title), { name: title, search }]);
    setName('');
  };
  return (
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
            chosen={view.search === search}
            onApply={() => onApply(view.search)}
            onRemove={() => onSave(views.filter((one) => one !== view))}
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
        search={search}
        name={title}
        onApply={onApply}
        onShared={() => setName('')}
      />
    </div>
  );
}
