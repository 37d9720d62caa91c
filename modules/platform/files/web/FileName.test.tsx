import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { refuse } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { FileName } from './FileName.tsx';

const server = servedPage();

/** Received a quarter of an hour ago: its signed addresses have expired. */
const picture = {
  id: 5,
  name: '现场.webp',
  mime: 'image/webp',
  url: '/api/file/5/preview/?s=old',
  thumb_url: '/api/file/5/preview/?s=old&thumb=1',
};

test('a picture on a page that stood open is still shown, small and large', async () => {
  const made: string[] = [];
  vi.stubGlobal(
    'URL',
    class extends URL {
      static override createObjectURL = () => `blob:own-${made.push('') && made.length}`;
      static override revokeObjectURL = () => undefined;
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  server.answers(({ query }, response) => {
    if (query.get('s') === 'old') return refuse(401, '登录状态已过期，请重新登录');
    response.setHeader('Content-Type', 'image/webp');
    return void response.end('bytes');
  });
  show(<FileName file={picture} />);
  const small = () => document.querySelector('.file-name img');
  expect(small()?.getAttribute('src')).toBe(picture.thumb_url);
  fireEvent.error(small()!);
  await waitFor(() => expect(small()?.getAttribute('src')).toBe('blob:own-1'));
  fireEvent.click(screen.getByText('现场.webp'));
  await waitFor(() => expect(screen.getByAltText('现场.webp').getAttribute('src')).toBe('blob:own-2'));
  expect(server.asked.map(({ path, query }) => `${path}?${query}`)).toEqual([
    '/api/file/5/preview/?thumb=true',
    '/api/file/5/preview/?',
  ]);
});
