import { Button, Descriptions, Tag } from 'antd';
import { Link, useNavigate, useParams } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { DetailPage } from '#kernel/web/kit/DetailPage.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { CopyText } from '#kernel/web/kit/show/CopyText.tsx';
import { factsOf } from '#kernel/web/kit/show/facts.ts';
import { lookups, personPath, whereaboutsText, Person } from '../contract/lookups.ts';
import { writingTo } from './addressee.ts';
import { PhoneText } from './PhoneText.tsx';

/** A person in the address book: their place in the organisation, contact details, and buttons to write to them. */
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
            <Descriptions size="small" column={column} styles={inLine} items={placeOf(person)} />
          </section>
          <section className="kit-panel" aria-label="联系方式">
            <h2>联系方式</h2>
            <Descriptions size="small" column={column} styles={inLine} items={contactOf(person)} />
          </section>
        </>
      )}
    </DetailPage>
  );
}

/** Buttons are higher than their text line. */
const inLine = { label: { alignSelf: 'center' } } as const;

const placeOf = ({ places, post, superiors, duties }: Person) => {
  const others = places.filter((place) => !place.main).map(({ name }) => name);
  return [
    ...factsOf(Person, {
      dept_name: places.find((place) => place.main)?.name || '—',
      post: post || '—',
      superiors:
        superiors.length > 0 ? (
          <span className="kit-row">
            {superiors.map((one) => (
              <Link key={one.id} to={personPath(one.id)}>
                {one.alias}
              </Link>
            ))}
          </span>
        ) : (
          '—'
        ),
      places: others.join('、'),
    }),
    ...duties.map(({ duty, of }) => ({ key: duty, label: duty, children: of.join('、') || '是' })),
  ];
};

const contactOf = (person: Person) =>
  factsOf(Person, {
    phone: <PhoneText person={person} />,
    office_phone: person.office_phone ? <CopyText text={person.office_phone} /> : '—',
    office_room: person.office_room || '—',
    email: person.email ? <CopyText text={person.email} /> : '—',
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
