import { matchRoutes } from 'react-router';
import { expect, test } from 'vitest';
import { openPaths } from '../entry.ts';
import { fixedTitle, routesOf } from './routes.tsx';
import { menuOf } from './menu.ts';

test('a person who signs in from a page for strangers returns to a page of the office', () => {
  const routes = routesOf(menuOf([], []));
  const signedIn = openPaths.filter((path) => !/^\/(login|forgotten|auth)/i.test(path));
  expect(signedIn).toContain('/myOrder');
  for (const path of signedIn) expect(matchRoutes(routes, path)?.[0]?.route.path, path).not.toBe('*');
  expect(fixedTitle('/myOrder')).toBe('我的工单');
});
