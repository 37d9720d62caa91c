import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { show } from '#kernel/web/testing/show.tsx';
import { Sheet } from './Sheet.tsx';

test('each public page shows the name of the site and the version 4.0 Beta', () => {
  show(
    <Sheet site={{ name: '实验中学' }} title="登录">
      <p>请登录</p>
    </Sheet>,
  );
  expect(screen.getByText('实验中学')).toBeTruthy();
  expect(screen.getByRole('contentinfo').textContent).toContain('4.0 Beta');
});
