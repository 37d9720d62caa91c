import { expect, test } from 'vitest';
import { deviceName } from './device.ts';

test('a user agent is described in words, and a derived browser by its own name', () => {
  const mozilla =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36';
  const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
  const told = {
    [mozilla]: 'Windows 上的 Chrome',
    [`${mozilla} Edg/130.0`]: 'Windows 上的 Edge',
    [`${phone} Version/18.0 Mobile Safari/604.1`]: 'iPhone 上的 Safari',
    [`${phone} Mobile MicroMessenger/8.0.50`]: 'iPhone 上的 微信',
    'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0': 'Linux 上的 Firefox',
    'curl/8.5.0': 'curl',
    '': '未知设备',
  };
  expect(Object.fromEntries(Object.keys(told).map((ua) => [ua, deviceName(ua)]))).toEqual(told);
});
