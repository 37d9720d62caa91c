import type { ServerResponse } from 'node:http';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { codes } from '#kernel/contract/refusal.ts';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok, refuse, type Asking } from '#kernel/web/testing/server.ts';
import MyOrder from './MyOrder.tsx';
import type { Site } from './useSite.ts';

const server = servedPage();
beforeEach(() => {
  sessionStorage.clear();
  sessionStorage.setItem('order-visitor', 'proven');
});

const site = { name: '实验中学', login: { visitor_orders: true } } as Site;
const mine = ok({ value: [], categories: [{ id: 2, name: '水电' }], office_phone: '' });
const isPlaced = ({ method, path }: Asking) => method === 'POST' && path === '/api/order/mine/';
/** Answers when something has happened. */
const once = (happened: Promise<void>, response: ServerResponse, body: object) => {
  response.setHeader('Content-Type', 'application/json');
  void happened.then(() => response.end(JSON.stringify(body)));
};
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

test('a visitor’s report whose photo fails is stored and says so, and only its photo is retried', async () => {
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

test('a refused report keeps what was written, and sends no photo', async () => {
  server.answers((asking) => (isPlaced(asking) ? refuse(codes.refused, '今天报修次数已满') : mine));
  render(<MyOrder site={site} />);
  await report();
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('今天报修次数已满'));
  expect((screen.getByLabelText('故障情况') as HTMLTextAreaElement).value).toBe('水管漏水');
  expect(server.asked.filter(isPhoto)).toHaveLength(0);
});

test('when a visitor’s number is no longer verified the page asks again, and then sends what was typed and chosen', async () => {
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

test('a photo refused because the number was no longer verified is retried once it is', async () => {
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

test('once another number is verified nothing of the first one is left on the page', async () => {
  const of = (sn: string, title: string) => ({
    id: 7,
    sn,
    title,
    stage: 20,
    place: '三楼',
    hang_until: null,
    result: '',
    may: [],
  });
  const listed = (row: object) => ok({ value: [row], categories: [{ id: 2, name: '水电' }], office_phone: '' });
  let expired = false;
  let arrives = () => {};
  const slow = new Promise<void>((resolve) => (arrives = resolve));
  const numbers: Record<string, string> = { '13800000001': 'first', '13800000002': 'second' };
  server.answers((asking, response) => {
    if (asking.path === '/api/order/visitor/') {
      expired = false;
      return ok({ ticket: numbers[(asking.body as { phone: string }).phone]!, expire: 1800 });
    }
    if (expired) return refuse(codes.signedOut, '手机验证已过期，请重新验证');
    if (asking.headers['x-visitor'] === 'first') return listed(of('BX20261129001', '甲家水管漏水'));
    return once(slow, response, listed(of('BX20261129002', '乙家灯不亮')));
  });
  sessionStorage.removeItem('order-visitor');
  render(<MyOrder site={site} />);
  const prove = async (phone: string) => {
    fireEvent.change(await screen.findByLabelText('手机号'), { target: { value: phone } });
    fill('验证码', '123456');
    fireEvent.click(screen.getByRole('button', { name: '进入' }));
    await waitFor(() => expect(screen.queryByLabelText('手机号')).toBeNull());
  };
  await prove('13800000001');
  await screen.findByText(/BX20261129001/);
  expired = true;
  await report();
  await screen.findByText('手机验证已过期，请重新验证，已填写的内容还在');
  await prove('13800000002');
  expect(document.body.textContent).not.toContain('BX20261129001');
  expect(screen.queryByDisplayValue('实验楼 305')).toBeNull();
  arrives();
  await screen.findByText(/BX20261129002/);
  expect((screen.getByLabelText('地点') as HTMLInputElement).value).toBe('');
});

test('orders shown under an expired verification disappear until it is renewed, and typed text stays', async () => {
  const row = {
    id: 7,
    sn: 'BX20261129001',
    title: '水管漏水',
    stage: 20,
    place: '三楼',
    hang_until: null,
    result: '',
    may: [],
  };
  let answers: 'at once' | 'expired' | 'late' = 'at once';
  let arrives = () => {};
  const slow = new Promise<void>((resolve) => (arrives = resolve));
  server.answers((asking, response) => {
    if (asking.path === '/api/order/visitor/') {
      answers = 'late';
      return ok({ ticket: 'proven anew', expire: 1800 });
    }
    if (answers === 'expired') return refuse(codes.signedOut, '手机验证已过期，请重新验证');
    const listed = ok({ value: [row], categories: [{ id: 2, name: '水电' }], office_phone: '' });
    return answers === 'late' ? once(slow, response, listed) : listed;
  });
  render(<MyOrder site={site} />);
  await screen.findByText(/BX20261129001/);
  answers = 'expired';
  await report();
  await screen.findByText('手机验证已过期，请重新验证，已填写的内容还在');
  fill('手机号', '13800000001');
  fill('验证码', '123456');
  fireEvent.click(screen.getByRole('button', { name: '进入' }));
  await waitFor(() => expect(screen.queryByLabelText('手机号')).toBeNull());
  expect(document.body.textContent).not.toContain('BX20261129001');
  expect((screen.getByLabelText('故障情况') as HTMLTextAreaElement).value).toBe('水管漏水');
  arrives();
  await screen.findByText(/BX20261129001/);
});
