import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { codes } from '#kernel/contract/refusal.ts';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok, refuse, type Asking } from '#kernel/web/testing/server.ts';
import MyOrder from './MyOrder.tsx';
import type { Site } from './useSite.ts';

const server = servedPage();
beforeEach(() => sessionStorage.setItem('order-visitor', 'proven'));

const site = { name: '实验中学', login: { visitor_orders: true } } as Site;
const mine = ok({ value: [], categories: [{ id: 2, name: '水电' }], office_phone: '' });
const isPlaced = ({ method, path }: Asking) => method === 'POST' && path === '/api/order/mine/';
const isPhoto = ({ path }: Asking) => path === '/api/order/mine/7/photo/';
const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const report = async () => {
  await screen.findByLabelText('地点');
  fill('地点', '实验楼 305');
  fill('故障情况', '水管漏水');
  const photo = new File(['picture'], 'leak.jpg', { type: 'image/jpeg' });
  fireEvent.change(screen.getByLabelText('照片'), { target: { files: [photo] } });
  fireEvent.click(screen.getByRole('button', { name: '提交报修' }));
};

test('a report whose photo does not get through stands, says so, and its photo alone is tried again', async () => {
  let refuses = true;
  server.answers((asking) => {
    if (isPlaced(asking)) return ok({ id: 7, sn: 'BX20261129001' });
    if (isPhoto(asking)) return refuses ? refuse(codes.notNow, '照片暂时无法保存') : ok({ id: 7 });
    return mine;
  });
  render(<MyOrder site={site} />);
  await report();
  expect((await screen.findByRole('status')).textContent).toContain('BX20261129001 已提交，照片还没有传上去');
  expect(screen.getByRole('alert').textContent).toBe('照片暂时无法保存');
  expect((screen.getByLabelText('故障情况') as HTMLTextAreaElement).value).toBe('');
  refuses = false;
  await waitFor(() => expect((screen.getByRole('button', { name: '重试' }) as HTMLButtonElement).disabled).toBe(false));
  fireEvent.click(screen.getByRole('button', { name: '重试' }));
  await waitFor(() => expect(screen.queryByRole('status')).toBeNull());
  expect(server.asked.filter(isPhoto)).toHaveLength(2);
  expect(server.asked.filter(isPlaced)).toHaveLength(1);
});

test('a report that is refused keeps what was written, and sends no photo', async () => {
  server.answers((asking) => (isPlaced(asking) ? refuse(codes.refused, '今天报修次数已满') : mine));
  render(<MyOrder site={site} />);
  await report();
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('今天报修次数已满'));
  expect((screen.getByLabelText('故障情况') as HTMLTextAreaElement).value).toBe('水管漏水');
  expect(server.asked.filter(isPhoto)).toHaveLength(0);
});

test('when the number is no longer proven the page asks for it again, and what was typed and chosen is sent after that', async () => {
  let expired = true;
  let photo = '';
  server.answers((asking) => {
    if (asking.path === '/api/order/visitor/') {
      expired = false;
      return ok({ ticket: 'proven anew', expire: 1800 });
    }
    if (expired && (isPlaced(asking) || isPhoto(asking))) return refuse(codes.signedOut, '手机验证已过期，请重新验证');
    if (isPlaced(asking)) return ok({ id: 7, sn: 'BX20261129001' });
    if (isPhoto(asking)) {
      photo = asking.text;
      return ok({ id: 7 });
    }
    return mine;
  });
  render(<MyOrder site={site} />);
  await report();
  await screen.findByText('手机验证已过期，请重新验证，已填写的内容还在');
  expect(screen.getByLabelText('故障情况').closest('[hidden]')).toBeTruthy();
  fill('手机号', '13800000001');
  fill('验证码', '123456');
  fireEvent.click(screen.getByRole('button', { name: '进入' }));
  await waitFor(() => expect(screen.queryByLabelText('手机号')).toBeNull());
  expect((screen.getByLabelText('故障情况') as HTMLTextAreaElement).value).toBe('水管漏水');
  expect((screen.getByLabelText('照片') as HTMLInputElement).files?.[0]?.name).toBe('leak.jpg');
  fireEvent.click(screen.getByRole('button', { name: '提交报修' }));
  await waitFor(() => expect(photo).toContain('leak.jpg'));
  expect(server.asked.filter(isPlaced).at(-1)?.headers['x-visitor']).toBe('proven anew');
});

test('a photo that was refused because the number is no longer proven is tried again once it is', async () => {
  let expired = false;
  server.answers((asking) => {
    if (asking.path === '/api/order/visitor/') {
      expired = false;
      return ok({ ticket: 'proven anew', expire: 1800 });
    }
    if (isPlaced(asking)) {
      expired = true;
      return ok({ id: 7, sn: 'BX20261129001' });
    }
    if (expired) return refuse(codes.signedOut, '手机验证已过期，请重新验证');
    return isPhoto(asking) ? ok({ id: 7 }) : mine;
  });
  render(<MyOrder site={site} />);
  await report();
  await screen.findByText('手机验证已过期，请重新验证，已填写的内容还在');
  fill('手机号', '13800000001');
  fill('验证码', '123456');
  fireEvent.click(screen.getByRole('button', { name: '进入' }));
  fireEvent.click(await screen.findByRole('button', { name: '重试' }));
  await waitFor(() => expect(screen.queryByRole('status')).toBeNull());
  expect(server.asked.filter(isPhoto).at(-1)?.headers['x-visitor']).toBe('proven anew');
});
