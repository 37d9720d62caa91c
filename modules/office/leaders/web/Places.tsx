import { Tag } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { useActs } from '#kernel/web/kit/press/acts.tsx';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { useLeft } from '#kernel/web/kit/press/undo.tsx';
import { leaders } from '../contract.ts';
import type { Place } from '../contract/board.ts';

/** The name of the list of places, among lists from which things are dropped. */
const dropped = 'leader/places';

/** Places used before: own ones, and those the office shares. */
export function Places() {
  const { data } = useCall(leaders.places, { query: { search_value: '' } });
  const left = useLeft(dropped);
  const places = data?.value.filter(({ id }) => !left.has(id)) ?? [];
  const { buttons, drawer } = useActs<Place>((_key, { id }) => `leader:place:${id}`, {
    change: {
      label: '修改',
      title: (place) => `修改地址“${place.name}”`,
      call: leaders.savePlace,
      initial: ({ name, campus, shared }) => ({ name, campus, shared }),
      instead: (place) => ({
        into: {
          kind: 'select',
          options: places
            .filter(({ id, actions }) => id !== place.id && actions.length > 0)
            .map(({ id, name }) => ({ value: id, label: name })),
        },
      }),
      submit: '保存地址',
    },
    drop: {
      label: '删除',
      title: (place) => `删除地址“${place.name}”`,
      call: leaders.dropPlace,
      danger: true,
      leaves: dropped,
    },
  });
  if (data && places.length === 0) return <EmptyState why="日程中填写过的地点会自动列入" />;
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
              <span className="kit-row">{buttons(place, ['change', 'drop'], { size: 'small' })}</span>
            )}
          </li>
        ))}
      </ul>
      {drawer}
    </>
  );
}
