import { expect, test } from 'vitest';
import { peopleNamedIn } from '../../definition/leavers.ts';
import { Definition } from '../definition.ts';
import { leavesOfSchema, onlyBegins, pathOf, places, standingAt } from './places.ts';
import { naming } from './schema.ts';

const leaves = leavesOfSchema(Definition as never);
const lastKey = (steps: (typeof leaves)[number]['steps']) =>
  steps.flatMap((step) => (step.take === 'key' ? step.key : [])).at(-1)!;

/** The schemas of the workflow's own words and numbers: its parts, its form, its times. */
const ofItself =
  `name id key order field level state pass_ratio not_done_by hours before every times join_count each values back enough label source
  destination value target_state_id alert_text timer only_at description placeholder template parent yes no max_length min max decimals
  not_before from to from_half to_half module of_states table column max_rows title_template content_template print_template prefix
  digits period fields days count concurrent_open message display_form key_fields`.split(/\s+/);

test('every string and number of a definition is classified as naming a person, a way to find people, or neither', () => {
  const unknown = leaves
    .filter(({ schema }) => !naming.has(schema) && ['string', 'number', 'bigint'].includes(schema._zod.def.type))
    // Of its default a form says nobody: publishing refuses one of people and departments.
    .filter(({ steps }) => !ofItself.includes(lastKey(steps)) && lastKey(steps) !== 'default_value');
  expect(unknown.map(({ steps }) => pathOf({ names: 'user', steps }))).toEqual([]);
});

test('every id in a definition’s schema is classified by what it names', () => {
  const ids = leaves.filter(({ schema }) => {
    const { minimum, maximum } = (schema._zod.bag ?? {}) as { minimum?: number; maximum?: number };
    return schema._zod.def.type === 'number' && maximum === 2_147_483_647 && minimum !== undefined;
  });
  expect(ids.filter(({ schema }) => !naming.has(schema))).toEqual([]);
});

test('everybody whom a definition names is found, even deep inside a condition', () => {
  const when = {
    op: 'and',
    of: [
      { op: 'not', of: { op: 'superior_of', level: 1, value: ['chief'] } },
      { op: 'role_of', value: ['clerk'] },
    ],
  };
  const definition = Definition.parse({
    name: '点名',
    fields: [{ id: 1, key: 'a', name: '甲', type: 5, shown_when: { op: 'group_of', value: [7] } }],
    states: [
      {
        id: 1,
        key: 's',
        name: '起',
        kind: 'start',
        order: 1,
        participants: [
          { type: 1, user: 11 },
          { type: 2, users: [12, 13] },
          { type: 3, depts: [21] },
          { type: 12, depts: [22] },
          { type: 14, until: { role: 'dean' } },
          { type: 14, until: { post: '校长' } },
        ],
        on_empty_users: [14],
        timeout: { hours: 1, action: 5, users: [15] },
      },
      { id: 2, key: 'e', name: '止', kind: 'end', order: 2 },
    ],
    transitions: [
      {
        id: 1,
        key: 't',
        name: '提交',
        source: 1,
        destination: 2,
        attribute: 1,
        conditions: [{ expression: when, target_state_id: 2 }],
      },
    ],
    settings: {
      limit: { users: [16], roles: ['student'], except: { users: [17] } },
      start_for: [{ users: [18], groups: [8] }],
    },
  });
  const found = places.flatMap((place) =>
    standingAt(place, definition).map((word) => `${place.names} ${String(word)}${onlyBegins(place) ? ' 可发起' : ''}`),
  );
  expect(found.toSorted()).toEqual(
    [
      'dept 21',
      'group 7',
      'group 8 可发起',
      'heads 22',
      'post 校长',
      'role chief',
      'role clerk',
      'role dean',
      'role student 可发起',
      'user 11',
      'user 12',
      'user 13',
      'user 14',
      'user 15',
      'user 16 可发起',
      'user 17 可发起',
      'user 18 可发起',
    ].toSorted(),
  );
  expect(peopleNamedIn(definition).map(({ person, as }) => [person, as])).toEqual([
    [11, '的办理人'],
    [12, '的办理人'],
    [13, '的办理人'],
    [14, '找不到办理人时代为处理的'],
    [15, '超过时限转给的'],
    [16, '发起范围里的'],
    [17, '不可发起的'],
    [18, '可代他人发起的'],
  ]);
});
