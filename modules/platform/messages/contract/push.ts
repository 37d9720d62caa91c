import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { codes, invalid, refusal } from '#kernel/contract/refusal.ts';
import { done } from '#kernel/contract/shapes.ts';

/** The most devices of one person that receive pushes; the oldest is dropped. */
export const devicesPushed = 10;

export const notPushService = refusal(
  codes.refused,
  (host: string) => `浏览器给出的推送地址“${host}”不是加密地址，不能开启推送，请更换浏览器后再试`,
);

export const wrongDeviceKey = () =>
  invalid([{ field: 'p256dh', label: '设备公钥', msg: '浏览器给出的推送密钥不正确，请更新浏览器后重新开启推送' }]);

/** A key of the browser's, in base64url. */
const Key = (bytes: number) =>
  z
    .string()
    .regex(/^[\w-]+={0,2}$/, '不是推送密钥')
    .refine((text) => bytesIn(text) === bytes, '不是推送密钥');
/** The number of bytes that a base64url text encodes. */
const bytesIn = (text: string) => Math.floor((text.replace(/=+$/, '').length * 3) / 4);

const Endpoint = z.url({ protocol: /^https?$/ }).max(500);

export const pushCalls = {
  push: call({
    method: 'GET',
    path: '/api/msg/push/',
    access: signedIn,
    summary: '本站的推送公钥',
    reply: z.object({ key: z.string() }),
    fresh: true,
  }),
  subscribe: call({
    method: 'POST',
    path: '/api/msg/push/',
    access: signedIn,
    summary: '在本设备开启推送',
    body: z.object({
      endpoint: Endpoint.meta({ title: '推送地址' }),
      p256dh: Key(65).meta({ title: '设备公钥' }),
      auth: Key(16).meta({ title: '设备口令' }),
    }),
    reply: done,
    message: '本设备已开启推送',
    quiet: true,
  }),
  unsubscribe: call({
    method: 'POST',
    path: '/api/msg/push/stop/',
    access: signedIn,
    summary: '在本设备关闭推送',
    body: z.object({ endpoint: Endpoint.meta({ title: '推送地址' }) }),
    reply: done,
    message: '本设备已关闭推送',
    quiet: true,
  }),
};
