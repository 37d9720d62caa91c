import { expect, test } from 'vitest';
import { seededRoles } from '#modules/platform/access/roles.ts';
import { inOrder } from './demo-organisation.ts';
import { merge } from './modules.ts';

test('two modules that declare something by the same name stop the start, and so does a grant on a page that no menu has', () => {
  expect(merge([{ keys: '钥匙' }, undefined, { rooms: '会议室' }])).toEqual({ keys: '钥匙', rooms: '会议室' });
  expect(() => merge([{ keys: '钥匙' }, { keys: '门禁' }])).toThrow('two modules declare keys');
  const menus = [{ key: 'key/loan', title: '钥匙借用', path: 'loan', icon: 'FormOutlined', order: 1 }];
  const grants = (staff: string) => seededRoles([{ menus, grants: { staff } }]);
  expect(
    grants('key/*:Retrieve')
      .find(({ code }) => code === 'staff')!
      .grants('key/loan', 'Retrieve'),
  ).toBe(true);
  expect(() => grants('key/loan:Retrieve keys/loan:Create')).toThrow('staff is granted keys/loan:Create');
});

test('two parts of the demonstration with one place in its order are refused', () => {
  const load = async () => async () => undefined;
  const demos = [30, 10, 20].map((order) => ({ order, load }));
  expect(inOrder(demos).map(({ order }) => order)).toEqual([10, 20, 30]);
  expect(() => inOrder([...demos, { order: 20, load }])).toThrow('have the place 20');
});
