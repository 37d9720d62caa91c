import { leastCost } from '#kernel/server/testing/cost.ts';
import { expect, test } from 'vitest';
import { hostsIn, strangeHost } from './links.ts';

const rules = { links: ['zs.edu.cn'] };
const hostOf = (text: string) => strangeHost(text, rules);

test('links to allowed hosts and their subdomains pass', () => {
  for (const fine of [
    'https://zs.edu.cn/a',
    'oa.zs.edu.cn',
    '请看zs.edu.cn/a/index.jsp?from=sms.list，谢谢',
    '见 https://oa.zs.edu.cn。请准时',
    '登录 https://zs.edu.cn，再点“报名”',
    'https://zs.edu.cn:8443/a.b.c/d.ef',
  ])
    expect(hostOf(fine), fine).toBeUndefined();
  expect(hostsIn('https://a.cn:81/x 与 b.com')).toEqual(['a.cn', 'b.com']);
});

test('a link is recognised in every spelling', () => {
  const bad = {
    'http://zs.edu.cn.evil.com': 'zs.edu.cn.evil.com',
    'https://zs.edu.cn@evil.top/': 'evil.top',
    'ｅｖｉｌ．ｃｏｍ': 'evil.com',
    'evilzs.edu.cn': 'evilzs.edu.cn',
    'weixin://dl/business': 'dl',
    'HTTPS://1.2.3.4:8080/x': '1.2.3.4',
    'https://[2001:db8::1]/x': '[2001:db8::1]',
  };
  for (const [text, host] of Object.entries(bad)) expect(hostOf(text), text).toBe(host);
});

test('a host is recognised under any top-level domain, including short links and foreign ones', () => {
  const bad = {
    '请点击bit.ly/abc领取': 'bit.ly',
    'www.evil.work/a': 'www.evil.work',
    't.ly/x': 't.ly',
    'is.gd/x': 'is.gd',
    'evil.icu': 'evil.icu',
    'oa-example.online': 'oa-example.online',
    'data.zip/x': 'data.zip',
    'xn--fiq228c.xn--fiqs8s': 'xn--fiq228c.xn--fiqs8s',
    '请访问 邪恶.中国': '邪恶.中国',
    '中文.com/x': '中文.com',
    'пример.рф': 'пример.рф',
    '登录evil.com.5月1日起停用': 'evil.com',
    'evil.com.pdf': 'evil.com',
    'b\u200bit.l\u00ady/abc': 'bit.ly',
  };
  for (const [text, host] of Object.entries(bad)) expect(hostOf(text), text).toBe(host);
});

test('an address is parsed as a browser does, and numbers are an address if a path or port follows', () => {
  const bad = {
    'https://bit.ly\\@zs.edu.cn/x': 'bit.ly',
    'https://zs.edu.cn\\@evil.com/': 'evil.com',
    'https://zs.edu.cn)x@evil.com/': 'evil.com',
    'https://zs.edu.cn。ly/x': 'zs.edu.cn.ly',
    'zs.edu.cn？evil.com': 'evil.com',
    '1/evil.com': 'evil.com',
    '点击@evil.com': 'evil.com',
    '请访问 evil.com@领取': 'evil.com',
    'bit.ly@ 打开': 'bit.ly',
    'zs.edu.cn:80.evil.com/x': '80.evil.com',
    '1.2.3.4/abc': '1.2.3.4',
    '1.2.3.4:8080': '1.2.3.4',
  };
  for (const [text, host] of Object.entries(bad)) expect(hostOf(text), text).toBe(host);
});

test('files, times, numbers, lists, separated names and mail addresses are not taken for links', () => {
  for (const fine of [
    '时间 12.30，共 3.5 元',
    '见附件 1.docx、report.pdf、data.zip、notes.final.docx',
    '报告.pdf的修改稿',
    '1.OA 2.VPN 3.WiFi；a.Word',
    '版本 1.2.3.4',
    '请联系 li.ming.a@other.example 或 Mr. Wang',
    '周一开会.谢谢配合',
    '3.5kg、10.30am',
  ])
    expect(hostOf(fine), fine).toBeUndefined();
});

test('finding links in a long adversarial text is not slow', async () => {
  for (const part of ['a.', 'a/', '.-', '字.', 'x://', 'a@', 'a.a@', 'aa.aa/', '1.', '字', 'a', ':/', 'рф.']) {
    expect(await leastCost(() => hostsIn(part.repeat(100_000)), 1), part).toBeLessThan(2000);
  }
});
