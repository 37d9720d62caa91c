import { Button, Tag } from 'antd';
import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/CallButton.tsx';
import { fieldsOf } from '#kernel/web/kit/form/fields.ts';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { leaders } from '../contract.ts';
import type { Place } from '../contract/board.ts';

/** Places that were used: own ones, and those the office shares. */
export function Places() {
  const { data } = useCall(leaders.places, { query: { search_value: '' } });
  const [editing, setEditing] = useState<Place | null>(null);
  const places = data?.value ?? [];
  if (data && places.length === 0) return <EmptyState why="日程里填过的地点会记在这里" />;
  const others = places.filter((one) => one.id !== editing?.id && one.actions.length > 0);
  return (
    <>
      <ul className="kit-lines leader-places">
        {places.map((place) => (
          <li key={place.id}>
            <strong>{place.name}</strong>
            {place.campus && <Tag>{place.campus}</Tag>}
            {place.shared && <Tag color="blue">共享</Tag>}
            <span className="kit-muted">用过 {place.use_count} 次</span>
            {place.actions.length > 0 && (
              <span className="kit-row">
                <Button size="small" onClick={() => setEditing(place)}>
                  修改
                </Button>
                <CallButton
                  call={leaders.dropPlace}
                  asked={{ params: { id: place.id } }}
                  code={null}
                  danger
                  size="small"
                  confirm={{ title: `删除地址“${place.name}”`, content: '已有日程的地点不变' }}
                >
                  删除
                </CallButton>
              </span>
            )}
          </li>
        ))}
      </ul>
      {editing && (
        <FormDrawer
          open
          onClose={() => setEditing(null)}
          onDone={() => setEditing(null)}
          title={`修改地址“${editing.name}”`}
          name={`leader:place:${editing.id}`}
          call={leaders.savePlace}
          params={{ id: editing.id }}
          initial={{ name: editing.name, campus: editing.campus, shared: editing.shared }}
          submit="保存地址"
          fields={fieldsOf(leaders.savePlace.body!.shape, {
            into: { kind: 'select', options: others.map(({ id, name }) => ({ value: id, label: name })) },
          })}
        />
      )}
    </>
  );
}
