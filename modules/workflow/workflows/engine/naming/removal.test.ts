import { expect, test } from 'vitest';
import { withoutPart } from '../../definition/parts.ts';
import { leave } from '../gallery/leave.ts';

const { definition } = leave;
const field = (key: string) => definition.fields.find((one) => one.key === key)!;
const without = (key: string) => {
  const { fields, states } = withoutPart(definition, 'fields', field(key));
  return { keys: fields.map((one) => one.key), states, of: (other: string) => fields.find((one) => one.key === other) };
};

test('a date removed through the calls takes along the order, the counting and the absence that other fields reckon from it', () => {
  expect(field('to')).toMatchObject({ not_before: 'from', away: 'leave' });
  const { keys, states, of } = without('from');
  expect(keys).toEqual(definition.fields.map((one) => one.key).filter((key) => key !== 'from'));
  expect([of('to')?.not_before, of('to')?.away, of('days')?.days_between]).toEqual([undefined, undefined, undefined]);
  expect(states.flatMap((state) => Object.keys(state.access))).not.toContain('from');
});

test('a half-day field removed through the calls leaves the days counted between the dates', () => {
  const { from_half: half, ...days } = field('days').days_between!;
  const { from_half, ...left } = without(half!).of('days')!.days_between!;
  expect([from_half, left]).toEqual([undefined, days]);
});
