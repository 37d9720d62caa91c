import { Button, Input, Popover } from 'antd';
import { useState } from 'react';
import { usePreference } from '../../preferences.tsx';

interface View {
  name: string;
  search: string;
}
const none: View[] = [];

/** Searches and filters kept under a name, for the person, on the server. */
export function SavedViews({
  list,
  search,
  onApply,
}: {
  list: string;
  search: string;
  onApply: (search: string) => void;
}) {
  const [views, save] = usePreference<View[]>(`views:${list}`, none);
  const [name, setName] = useState('');
  const [open, setOpen] = useState(false);
  const keep = () => {
    const title = name.trim();
    if (!title) return;
    save([...views.filter((view) => view.name !== title), { name: title, search: withoutPage(search) }]);
    setName('');
  };
  const panel = (
    <div className="kit-views" role="dialog" aria-label="我的视图">
      {views.length === 0 && <p className="kit-muted">设好搜索和筛选后，起个名字保存，下次一点即用</p>}
      <ul>
        {views.map((view) => (
          <li key={view.name}>
            <Button
              type="text"
              aria-pressed={view.search === withoutPage(search)}
              onClick={() => {
                onApply(view.search);
                setOpen(false);
              }}
            >
              {view.name}
            </Button>
            <Button
              type="text"
              size="small"
              aria-label={`删除视图 ${view.name}`}
              onClick={() => save(views.filter((v) => v !== view))}
            >
              ×
            </Button>
          </li>
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
        <Button onClick={keep} disabled={!name.trim()}>
          保存当前
        </Button>
      </div>
    </div>
  );
  return (
    <Popover trigger="click" placement="bottomRight" content={panel} open={open} onOpenChange={setOpen}>
      <Button aria-haspopup="dialog">
        {views.find((view) => view.search === withoutPage(search))?.name ?? '视图'}
      </Button>
    </Popover>
  );
}

function withoutPage(search: string): string {
  const kept = new URLSearchParams(search);
  kept.delete('page');
  kept.sort();
  return kept.toString();
}
