import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import type { DocumentFile } from '../contract/files/files.ts';
import Editor from './files/Editor.tsx';

const server = servedPage();
const origin = 'https://editor.example';
const file = { id: 5, name: '正文.docx' } as unknown as DocumentFile;
const opening = {
  editor_url: `${origin}/edit?lang=zh-CN`,
  editor_note: '',
  may_write: true,
  access_token: 'pass',
  access_token_ttl: Date.now() + 3_600_000,
};

/** Opens the editor; returns the messages it received, and a function that makes it send one. */
async function opened(onClose: () => void) {
  server.answers(() => ok(opening));
  HTMLFormElement.prototype.submit = () => undefined;
  show(<Editor file={file} view={false} onClose={onClose} />);
  const frame = await screen.findByTitle<HTMLIFrameElement>('在线编辑 正文.docx');
  const told = vi.spyOn(frame.contentWindow!, 'postMessage').mockImplementation(() => undefined);
  const says = (MessageId: string, from = origin) =>
    fireEvent(
      window,
      new MessageEvent('message', {
        data: JSON.stringify({ MessageId }),
        origin: from,
        source: frame.contentWindow,
      }),
    );
  const words = () => told.mock.calls.map(([word]) => (JSON.parse(String(word)) as { MessageId: string }).MessageId);
  return { says, words };
}

test('unsaved edits are saved before the editor closes: it is asked to save and closed after its answer', async () => {
  const closed = vi.fn<() => void>();
  const { says, words } = await opened(closed);
  fireEvent.click(screen.getByRole('button', { name: '完成编辑' }));
  await waitFor(() => expect(words()).toEqual(['Action_Save']));
  says('Action_Save_Resp', 'https://elsewhere.example');
  expect(closed).not.toHaveBeenCalled();
  says('Action_Save_Resp');
  expect(closed).toHaveBeenCalledTimes(1);
});

test('an editor that does not confirm its saving is closed after a while', async () => {
  const closed = vi.fn<() => void>();
  await opened(closed);
  fireEvent.click(screen.getByRole('button', { name: '完成编辑' }));
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(closed).not.toHaveBeenCalled();
  await expect.poll(() => closed.mock.calls.length).toBe(1);
});
