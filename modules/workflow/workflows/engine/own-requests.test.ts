import { expect, test } from 'vitest';
import { approvalOf } from '#modules/workflow/tickets/testing/approvals.ts';
import { ownRequestWarnings } from './check/own-requests.ts';
import { distributeType, onEmpty, onSelf, participantType } from './codes.ts';
import { Definition } from './definition.ts';

const asks = { participants: [{ type: participantType.role as 4, roles: ['clerk'] }] };
const told = (state: object, settings: object = {}) => {
  const input = approvalOf('流程', { ...asks, ...state });
  return ownRequestWarnings(Definition.parse({ ...input, settings: { ...input.settings, ...settings } })).map(
    ({ key, msg }) => [key, msg.replace(/[，；].*/, '')],
  );
};

test('publishing warns where people may approve their own requests, and only there', () => {
  expect(told({ on_self: onSelf.asUsual })).toEqual([['approve', '环节“审批”的办理人就是发起人时照常由本人处理']]);
  for (const on_self of [onSelf.skip, onSelf.superior]) expect(told({ on_self })).toEqual([]);
});

test('publishing warns that somebody else steps in if the only substitute is the applicant', () => {
  const stands = { on_empty: onEmpty.users, on_empty_users: [7] };
  expect(told(stands)).toEqual([['approve', '环节“审批”找不到办理人时只由一人处理']]);
  expect(told({ ...stands, on_empty_users: [7, 8] })).toEqual([]);
  const narrow = { limit: { users: [9], depts: [], roles: [], rate: null, concurrent_open: null } };
  expect(told(stands, narrow), 'who never starts it').toEqual([]);
});

test('publishing tells where one person may decide a joint signature alone', () => {
  const one = { several_seats: true, distribution: { type: distributeType.sequential } };
  expect(told(one)).toEqual([['approve', '环节“审批”允许同一个人占几席']]);
  expect(told({ several_seats: true }), 'where whoever acts first decides there are no seats').toEqual([]);
});

test('publishing warns where a state’s handler is the applicant, unless that is expressly allowed', () => {
  const applicant = { participants: [{ type: participantType.variable as 5, variable: 'creator' }] };
  for (const kind of ['approve', 'handle'])
    expect(told({ ...applicant, kind, on_self: onSelf.superior })).toEqual([['approve', '环节“审批”的办理人是发起人']]);
  expect(told({ ...applicant, kind: 'handle', on_self: onSelf.asUsual })).toEqual([]);
});
