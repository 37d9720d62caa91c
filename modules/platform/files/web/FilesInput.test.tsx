import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { Activity, useEffect, useState } from 'react';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { done } from '#kernel/contract/shapes.ts';
import { CallForm } from '#kernel/web/kit/form/CallForm.tsx';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { filesComing, HoldContext } from '#kernel/web/kit/form/parts/waiting.ts';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok, refuse } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { FilesField } from './FilesField.tsx';
import { FilesInput } from './FilesInput.tsx';

const server = servedPage();

const told: { ids: readonly number[]; waits: boolean[] } = { ids: [], waits: [] };
const hold = () => {
  told.waits.push(true);
  return () => void told.waits.push(false);
};
function Form({ max, camera }: { max?: number; camera?: 'offered' | 'only' }) {
  const [ids, setIds] = useState<number[]>([4]);
  useEffect(() => void (told.ids = ids), [ids]);
  return (
    <HoldContext value={hold}>
      <FilesInput
        label="图片"
        module="tickets"
        accept=".png"
        max={max}
        camera={camera}
        value={ids}
        known={[{ id: 4, name: '旧图.webp', mime: 'image/webp', url: '/api/file/4/preview/?s=x' }]}
        onChange={setIds}
      />
    </HoldContext>
  );
}
const named = (name: string, size = 1) => new File([new Uint8Array(size)], name, { type: 'image/png' });
const choose = (...files: File[]) =>
  fireEvent.change(document.querySelector('input[type=file]')!, { target: { files } });
const card = (id: number, name = 'a.webp') =>
  ok({ id, name, ext: 'webp', mime: 'image/webp', size: 1, sha256: '0', url: `/${id}`, thumb_url: null });
const area = () => document.querySelector('.files-input')!;

test('files chosen, dropped and pasted are all uploaded beside those already there', async () => {
  let next = 10;
  told.waits = [];
  server.answers(() => card(next++));
  show(<Form />);
  choose(named('a.png'), named('b.png'));
  await waitFor(() => expect(told.ids).toEqual([4, 10, 11]));
  fireEvent.drop(area(), { dataTransfer: { files: [named('c.png')] } });
  await waitFor(() => expect(told.ids).toEqual([4, 10, 11, 12]));
  fireEvent.paste(area(), { clipboardData: { files: [named('d.png')] } });
  await waitFor(() => expect(told.ids).toEqual([4, 10, 11, 12, 13]));
  expect(server.asked.filter((asking) => asking.method === 'POST')).toHaveLength(4);
  expect(server.asked.at(-1)?.text).toContain('tickets');
  await waitFor(() => expect([told.waits[0], told.waits.at(-1)]).toEqual([true, false]));
  expect(screen.getByText('旧图.webp').closest('a')!.getAttribute('href')).toBe('/api/file/4/preview/?s=x');
});

test('a file that arrives before the form returns the one before it is kept beside it, and what the form sets itself counts', async () => {
  const lists: (readonly number[])[] = [];
  let redraw = () => undefined as void;
  let set = (_ids: readonly number[]) => undefined as void;
  function Slow() {
    const [ids, setIds] = useState<readonly number[]>([4]);
    const [, setDrawn] = useState(0);
    useEffect(() => {
      redraw = () => setDrawn((before) => before + 1);
      set = setIds;
    }, []);
    const onChange = (next: number[]) => void lists.push(next);
    return <FilesInput label="图片" module="tickets" accept=".png" value={[...ids]} onChange={onChange} />;
  }
  let next = 10;
  server.answers(() => card(next++));
  show(<Slow />);
  choose(named('a.png'));
  await waitFor(() => expect(lists).toEqual([[4, 10]]));
  act(() => redraw());
  choose(named('b.png'));
  await waitFor(() => expect(lists.at(-1)).toEqual([4, 10, 11]));
  act(() => set([4, 10]));
  choose(named('c.png'));
  await waitFor(() => expect(lists.at(-1)).toEqual([4, 10, 11, 12]));
  act(() => set([7]));
  choose(named('d.png'));
  await waitFor(() => expect(lists.at(-1)).toEqual([7, 13]));
});

test('a restored draft shows the names of its files, which the browser remembered by their numbers', async () => {
  server.answers(() => card(31, '发票.pdf'));
  const { unmount } = show(<Form />);
  choose(named('发票.pdf'));
  await waitFor(() => expect(told.ids).toEqual([4, 31]));
  unmount();
  show(<FilesInput label="图片" module="tickets" accept=".png" value={[31, 32]} onChange={() => {}} />);
  expect(screen.getByText('发票.pdf')).toBeTruthy();
  expect(screen.getByRole('button', { name: '移除发票.pdf' })).toBeTruthy();
  expect(screen.getByText('已上传的文件')).toBeTruthy();
});

test('a refused file shows its reason by name and can be retried, and existing files can be removed', async () => {
  server.answers(() => refuse(-1, '图片已损坏，无法读取，请换一张图片'));
  show(<Form />);
  choose(named('bad.png'));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe('“bad.png”上传失败：图片已损坏，无法读取，请换一张图片');
  expect(told.ids).toEqual([4]);
  server.answers(() => card(20));
  fireEvent.click(screen.getByRole('button', { name: '重新上传bad.png' }));
  await waitFor(() => expect(told.ids).toEqual([4, 20]));
  fireEvent.click(screen.getByRole('button', { name: '移除旧图.webp' }));
  await waitFor(() => expect(told.ids).toEqual([20]));
});

test.each(['offered', 'only'] as const)(
  'a photo taken while another is still being uploaded is kept beside it, with its progress and an error (camera %s)',
  async (camera) => {
    const arrive: (() => void)[] = [];
    let next = 10;
    server.answers((_asking, response) => {
      const reply = JSON.stringify(card(next++));
      arrive.push(() => void response.setHeader('Content-Type', 'application/json').end(reply));
      return undefined;
    });
    told.waits = [];
    show(<Form camera={camera} />);
    if (camera === 'offered') fireEvent.click(screen.getByRole('button', { name: '拍照' }));
    const shoot = async (name: string) =>
      fireEvent.change(await screen.findByLabelText('选择照片'), { target: { files: [named(name)] } });
    await shoot('正面.png');
    await shoot('背面.png');
    await waitFor(() => expect(arrive).toHaveLength(2));
    expect(screen.getByLabelText('正面.png的上传进度')).toBeTruthy();
    expect(told.waits).toEqual([true]);
    act(() => arrive[1]!());
    await waitFor(() => expect(told.ids).toEqual([4, 11]));
    act(() => arrive[0]!());
    await waitFor(() => expect(told.ids).toEqual([4, 11, 10]));
    await waitFor(() => expect(told.waits).toEqual([true, false]));
    server.answers(() => refuse(-1, '图片已损坏'));
    await shoot('坏.png');
    expect((await screen.findByRole('alert')).textContent).toBe('“坏.png”上传失败：图片已损坏');
    expect(screen.getByRole('button', { name: '重新上传坏.png' })).toBeTruthy();
  },
);

test('no more files than the limit can be chosen', () => {
  show(<Form max={1} />);
  expect(screen.getByRole('button', { name: '上传图片' })).toHaveProperty('disabled', true);
});

test('a large upload continues from the server’s position after the network broke', async () => {
  const size = 2.5 * 2 ** 20;
  let come = 0;
  let broken = 0;
  const offsets: number[] = [];
  const progress = () =>
    ok({ upload_id: 7, offset: come, size, file: come === size ? (card(30) as { data: unknown }).data : null });
  server.answers(({ method, query, text }, response) => {
    if (method !== 'PATCH') return progress();
    offsets.push(Number(query.get('offset')));
    if (come === 2 ** 20 && broken++ === 0) {
      come += 1000;
      response.destroy();
      return undefined;
    }
    come += text.length;
    return progress();
  });
  show(<Form />);
  choose(named('big.png', size));
  await waitFor(() => expect(told.ids).toEqual([4, 30]), { timeout: 8000 });
  expect(offsets).toEqual([0, 2 ** 20, 2 ** 20 + 1000, 2 * 2 ** 20 + 1000]);
});

test.each([
  ['a large file', 2.5 * 2 ** 20],
  ['a small one', 900_000],
])('%s arrives by a line so slow that every portion is cut before its end', async (_title, size) => {
  // Ends the pause after each cut at once.
  const impatient = setInterval(() => dispatchEvent(new Event('online')), 10);
  onTestFinished(() => clearInterval(impatient));
  let come = 0;
  let cuts = 0;
  server.answers(({ method, text }, response) => {
    const cut = method === 'PATCH' ? cuts++ < 12 : method === 'POST' && !text.includes('name="size"');
    if (method === 'PATCH') come += Math.ceil(text.length / (cut ? 20 : 1));
    const file = come === size ? (card(30) as { data: unknown }).data : null;
    if (!cut) return ok({ upload_id: 7, offset: come, size, file });
    response.destroy();
    return undefined;
  });
  show(<Form />);
  choose(named('slow.png', size));
  await waitFor(() => expect(told.ids).toEqual([4, 30]));
  expect(cuts).toBeGreaterThan(12);
});

test('a waiting upload says why and that it retries by itself, and names the network only if that is the reason', async () => {
  const goOn = () => act(() => void dispatchEvent(new Event('online')));
  const scanner = '“a.png”暂时无法做病毒检查，请稍后重试';
  server.answers(() => refuse(4010, scanner));
  show(<Form />);
  choose(named('a.png'));
  await screen.findByText(`${scanner}（将自动重试）`);
  expect(screen.queryByText(/网络/)).toBeNull();
  server.answers((_asking, response) => {
    response.statusCode = 503;
    response.end();
    return undefined;
  });
  goOn();
  await screen.findByText('系统接口503异常（将自动重试）');
  server.answers((_asking, response) => void response.destroy());
  goOn();
  await screen.findByText('网络中断，恢复后自动续传');
  server.answers(({ method }) => (method === 'GET' || method === 'PATCH' ? refuse(4004, '这次上传不存在') : begun()));
  goOn();
  await screen.findByText('正在继续上传');
  server.answers(({ method }) => (method === 'PATCH' ? begun(card(20)) : begun()));
  goOn();
  await waitFor(() => expect(told.ids).toEqual([4, 20]));
  expect(screen.queryByText(/重试|续传|继续/)).toBeNull();
});
const begun = (file?: ReturnType<typeof card>) =>
  ok({ upload_id: 7, offset: file ? 1 : 0, size: 1, file: file ? (file as { data: unknown }).data : null });

const freed = () => server.asked.filter((asking) => asking.method === 'DELETE').map((asking) => asking.path);

test('a cancelled upload is discarded on the server too', async () => {
  server.answers(({ method }) => {
    if (method === 'PATCH') return undefined;
    return ok(method === 'DELETE' ? {} : { upload_id: 7, offset: 0, size: 9 * 2 ** 20, file: null });
  });
  show(<Form />);
  choose(named('slow.png', 9 * 2 ** 20));
  await waitFor(() => expect(server.asked.some((asking) => asking.method === 'PATCH')).toBe(true));
  fireEvent.click(await screen.findByRole('button', { name: '取消上传slow.png' }));
  await waitFor(() => expect(screen.queryByText('slow.png')).toBeNull());
  await waitFor(() => expect(freed()).toEqual(['/api/file/upload/7/']));
  expect(told.ids).toEqual([4]);
});

test('an upload continues behind another tab and ends with its page', async () => {
  let finish = () => undefined as void;
  server.answers(({ method }, response) => {
    const progress = { upload_id: 7, offset: 0, size: 2 * 2 ** 20, file: null };
    if (method !== 'PATCH') return ok(method === 'DELETE' ? {} : progress);
    finish = () => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(ok({ ...progress, file: (card(30) as { data: unknown }).data })));
    };
    return undefined;
  });
  const sent = () => server.asked.filter((asking) => asking.method === 'PATCH').length;
  let tab = (_hidden: boolean) => undefined as void;
  function Tab() {
    const [hidden, setHidden] = useState(false);
    useEffect(() => void (tab = setHidden), []);
    return (
      <Activity mode={hidden ? 'hidden' : 'visible'}>
        <Form />
      </Activity>
    );
  }
  const page = show(<Tab />);
  choose(named('a.png', 2 * 2 ** 20));
  await waitFor(() => expect(sent()).toBe(1));
  act(() => tab(true));
  finish();
  act(() => tab(false));
  await waitFor(() => expect(told.ids).toEqual([4, 30]));
  choose(named('b.png', 2 * 2 ** 20));
  await waitFor(() => expect(sent()).toBe(2));
  expect(freed()).toEqual([]);
  page.unmount();
  await waitFor(() => expect(freed()).toEqual(['/api/file/upload/7/']));
});

test('a removed file that no record has is discarded at once, and one that a record has when saving', async () => {
  server.answers(({ method }) => (method === 'DELETE' ? ok({}) : card(10)));
  show(<Form />);
  choose(named('a.png'));
  await waitFor(() => expect(told.ids).toEqual([4, 10]));
  fireEvent.click(screen.getByRole('button', { name: '移除旧图.webp' }));
  fireEvent.click(screen.getByRole('button', { name: '移除a.webp' }));
  await waitFor(() => expect(told.ids).toEqual([]));
  await waitFor(() => expect(freed()).toEqual(['/api/file/10/']));
});

test('an upload that the server has ended meanwhile starts again', async () => {
  let begun = 6;
  server.answers(({ method, path, text }) => {
    if (path === '/api/file/upload/') begun += 1;
    if (begun === 7 && method === 'PATCH') return refuse(4004, '这次上传不存在，或您无权查看');
    const file = method === 'PATCH' && text.length > 0 ? (card(30) as { data: unknown }).data : null;
    return ok({ upload_id: begun, offset: 0, size: 5 * 2 ** 20, file });
  });
  show(<Form />);
  choose(named('big.png', 5 * 2 ** 20));
  await waitFor(() => expect(told.ids).toEqual([4, 30]));
  expect(begun).toBe(8);
});

const finish = call({
  method: 'POST',
  path: '/api/order/finish/',
  access: signedIn,
  summary: '完工',
  body: z.object({ photos: z.array(z.number()).default([]), note: z.string().optional() }),
  reply: done,
});
const formOf = {
  name: 'finish',
  call: finish,
  submit: '完工',
  other: { label: '保存草稿', also: {} },
  onDone: () => {},
  fields: [
    {
      name: 'photos',
      label: '照片',
      render: (control: object) => <FilesField control={control} label="照片" module="orders" accept=".png" />,
    },
  ],
};
for (const [kind, form] of [
  ['a form', () => <CallForm {...formOf} />],
  ['what is done with a row, in a drawer,', () => <FormDrawer {...formOf} title="完工" open onClose={() => {}} />],
] as const)
  test(`${kind} waits for a file still being uploaded and is sent with it, but not for a failed one`, async () => {
    let arrive: (() => void) | undefined;
    server.answers(({ path, text }, response) => {
      if (path === finish.path) return ok({ id: 1 });
      if (text.includes('bad.png')) return refuse(-1, '图片已损坏');
      arrive = () => void response.setHeader('Content-Type', 'application/json').end(JSON.stringify(card(21)));
      return undefined;
    });
    show(form());
    const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
    const sent = () => server.asked.filter(({ path }) => path === finish.path);
    choose(named('a.png'));
    await waitFor(() => expect(screen.getByText(filesComing)).toBeTruthy());
    expect([button('完工').disabled, button('保存草稿').disabled]).toEqual([true, true]);
    // Enter in a field submits a form too.
    fireEvent.submit(document.querySelector('form')!);
    await waitFor(() => expect(arrive).toBeDefined());
    act(() => arrive!());
    await waitFor(() => expect(button('完工').disabled).toBe(false));
    expect([screen.queryByText(filesComing), sent()]).toEqual([null, []]);
    choose(named('bad.png'));
    await screen.findByText(/图片已损坏/);
    await waitFor(() => expect(button('完工').disabled).toBe(false));
    fireEvent.click(button('完工'));
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()[0]!.body).toMatchObject({ photos: [21] });
  });
