import { Button, Tag } from 'antd';
import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { fieldsOf } from '#kernel/web/kit/form/fields.ts';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { UndoButton, useLeft } from '#kernel/web/kit/press/undo.tsx';
import { leaders } from '../contract.ts';
import type { Place } from '../contract/board.ts';

/** The name of the list of places, among lists from which things are dropped. */
const dropped = 'leader/places';

/** Places used before: own ones, and those the office shares. */
export function Places() {
  const { data } = useCall(leaders.places, { query: { search_value: '' } });
  const [editing, setEditing] = useState<Place | null>(null);
  const left = useLeft(dropped);
  const places = data?.value.filter(({ id }) => !left.has(id)) ?? [];
  if (data && places.length === 0) return <EmptyState why="日程中填写过的地点会自动列入" />;
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
                <UndoButton
                  call={leaders.dropPlace}
                  asked={{ params: { id: place.id } }}
                  code={null}
                  danger
                  size="small"
                  says={`删除地址“${place.name}”`}
                  leaving={{ list: dropped, ids: [place.id] }}
                >
                  删除
                </UndoButton>
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
