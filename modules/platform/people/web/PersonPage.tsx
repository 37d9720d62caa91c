import { Button, Descriptions, Tag } from 'antd';
import type { ReactNode } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { DetailPage } from '#kernel/web/kit/DetailPage.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { CopyText } from '#kernel/web/kit/show/CopyText.tsx';
import { lookups, personPath, whereaboutsText, type Person } from '../contract/lookups.ts';
import { writingTo } from './addressee.ts';
import { PhoneText } from './PhoneText.tsx';

/** Somebody in the address book: where they stand in the house, how they are reached, and the ways to write to them. */
export default function PersonPage() {
  const id = Number(useParams()['id']);
  const narrow = useNarrow();
  const { data: person, error, refetch } = useCall(lookups.person, { params: { id } });
  const column = narrow ? 1 : 2;
  return (
    <DetailPage
      title={person?.alias ?? '人员'}
      loading={!person}
      error={error}
      retry={() => void refetch()}
      status={
        person && (
          <Tag color={person.whereabouts.state === 'here' ? 'success' : 'warning'}>
            {whereaboutsText(person.whereabouts)}
          </Tag>
        )
      }
      actions={person?.actions.some((one) => one !== 'phone') && <Ways person={person} />}
    >
      {person && (
        <>
          <section className="kit-panel" aria-label="任职">
            <h2>任职</h2>
            <Descriptions size="small" column={column} styles={inLine} items={itemsOf(placeOf(person))} />
          </section>
          <section className="kit-panel" aria-label="联系方式">
            <h2>联系方式</h2>
            <Descriptions size="small" column={column} styles={inLine} items={itemsOf(contactOf(person))} />
          </section>
        </>
      )}
    </DetailPage>
  );
}

/** What is pressed is higher than its line. */
const inLine = { label: { alignSelf: 'center' } } as const;
const itemsOf = (said: Record<string, ReactNode>) =>
  Object.entries(said).map(([label, children]) => ({ key: label, label, children: children || '—' }));

const placeOf = ({ places, post, superiors, duties }: Person) => ({
  部门: places.find((place) => place.main)?.name,
  职务: post,
  上级: superiors.length > 0 && (
    <span className="kit-row">
      {superiors.map((one) => (
        <Link key={one.id} to={personPath(one.id)}>
          {one.alias}
        </Link>
      ))}
    </span>
  ),
  ...(places.some((place) => !place.main)
    ? {
        兼职部门: places
          .filter((place) => !place.main)
          .map(({ name }) => name)
          .join('、'),
      }
    : {}),
  ...Object.fromEntries(duties.map(({ duty, of }) => [duty, of.join('、') || '是'])),
});

const contactOf = (person: Person) => ({
  手机: <PhoneText person={person} />,
  办公电话: person.office_phone && <CopyText text={person.office_phone} />,
  办公室: person.office_room,
  邮箱: person.email && <CopyText text={person.email} />,
});

function Ways({ person: { id, actions } }: { person: Person }) {
  const navigate = useNavigate();
  return (
    <>
      {actions.includes('notify') && (
        <Button type="primary" onClick={() => void navigate(writingTo('/notice', id))}>
          写消息
        </Button>
      )}
      {actions.includes('text') && <Button onClick={() => void navigate(writingTo('/sms/send', id))}>发短信</Button>}
    </>
  );
}
