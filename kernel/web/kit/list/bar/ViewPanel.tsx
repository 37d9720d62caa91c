import { Button, Input } from 'antd';
import { useState } from 'react';
import { useTakingOut } from '../../press/undo.tsx';
import { Shared } from './Shared.tsx';
import { ViewLine, type Listed } from './ViewList.tsx';

export interface View {
  name: string;
  search: string;
}

interface Props extends Listed {
  list: string;
  /** The present state of the list, without the page number. */
  search: string;
  views: readonly View[];
  onSave: (views: View[]) => void;
  onApply: (search: string) => void;
}

/** Named searches and filters, one's own and those shared with a role, each with its number of rows. */
export default function ViewPanel({ list, search, views, onSave, onApply, ...listed }: Props) {
  const [name, setName] = useState('');
  const takeOut = useTakingOut<View>(`views:${list}`);
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
            {...listed}
            name={view.name}
            search={view.search}
            chosen={view.search === search}
            onApply={() => onApply(view.search)}
            onRemove={() => takeOut(views, view, `已删除视图“${view.name}”`)}
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
      <Shared
        list={list}
        title="共享的视图"
        isOurs={(one) => one.search !== null}
        now={{ search }}
        name={title}
        onShared={() => setName('')}
        line={(one, hint, onRemove) => (
          <ViewLine
            key={one.id}
            {...listed}
            name={one.name}
            search={one.search ?? ''}
            hint={hint}
            chosen={one.search === search}
            onApply={() => onApply(one.search ?? '')}
            onRemove={onRemove}
          />
        )}
      />
    </div>
  );
}
