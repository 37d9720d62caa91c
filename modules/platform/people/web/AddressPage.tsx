import { Button, Segmented, Tag } from 'antd';
import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { usePreference } from '#kernel/web/kit/preferences.tsx';
import { listColumns, rowOf } from '#kernel/web/kit/list/columns/listColumns.ts';
import { lookups, personPath, whereaboutsText, type Staff } from '../contract/lookups.ts';
import { BesideDepts } from './depts/BesideDepts.tsx';
import { LetterIndex, useLetter } from './LetterIndex.tsx';
import { PhoneText } from './PhoneText.tsx';

const none: number[] = [];
const max = 200;
const emptyText = (mine: boolean, letter: string | null) => {
  if (letter) return `没有姓名首字母为 ${letter} 的人员，再点一次该字母可看全部`;
  return mine ? '还没有常用联系人，可点人员右侧的“☆ 常用”添加' : '该部门还没有人员';
};

/** The address book: everybody by department, and my favourites. */
export default function AddressPage() {
  const [favourites, save] = usePreference<number[]>('favourite_people', none);
  const { data: depts = [] } = useCall(lookups.simpleDepts, {});
  const [mine, setMine] = useState(false);
  const [letter, choose] = useLetter();
  const marked = (id: number) => favourites.includes(id);
  const toggle = (id: number) =>
    save(marked(id) ? favourites.filter((one) => one !== id) : [...favourites, id].slice(-max));
  return (
    <BesideDepts>
      <div>
        <LetterIndex value={letter} onChoose={choose} />
        <ListPage<Staff>
          card={['dept_name', 'post', 'phone']}
          name="address"
          title="通讯录"
          call={lookups.allStaff}
          to={(person) => personPath(person.id)}
          query={{
            ...(mine ? { ids: favourites.length > 0 ? favourites.join(',') : '0' } : {}),
            ...(letter ? { letter } : {}),
          }}
          filters={[
            {
              key: 'dept',
              kind: 'select',
              options: depts.map((dept) => ({ value: String(dept.id), label: dept.name })),
            },
          ]}
          primary={
            <Segmented
              aria-label="范围"
              value={mine ? 'mine' : 'all'}
              onChange={(value) => setMine(value === 'mine')}
              options={[
                { value: 'all', label: '全部' },
                { value: 'mine', label: `我的常用 ${favourites.length}` },
              ]}
            />
          }
          columns={listColumns(rowOf(lookups.allStaff), {
            alias: { main: true, sort: true, width: 90 },
            dept_name: { width: 100 },
            post: { width: 80 },
            phone: { width: 165, render: (person) => (person.phone ? <PhoneText person={person} /> : '—') },
            office_phone: { width: 130 },
            office_room: { width: 110 },
            email: { whole: true, width: 185 },
            whereabouts: {
              whole: true,
              width: 160,
              render: ({ whereabouts }) => (
                <Tag color={whereabouts.state === 'here' ? 'success' : 'warning'}>{whereaboutsText(whereabouts)}</Tag>
              ),
            },
          })}
          actionsWidth={88}
          rowActions={(person) => (
            <Button
              type="text"
              size="small"
              aria-pressed={marked(person.id)}
              aria-label={`${marked(person.id) ? '取消常用' : '设为常用'} ${person.alias}`}
              onClick={() => toggle(person.id)}
            >
              {marked(person.id) ? '★ 常用' : '☆ 常用'}
            </Button>
          )}
          empty={{ why: emptyText(mine, letter) }}
        />
      </div>
    </BesideDepts>
  );
}
