import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, configTable, readConfig } from './config.ts';
import { sessionSecret } from './session-secret.ts';

test('an empty environment gives a local server with the embedded database and demo accounts', () => {
  expect(readConfig({ PORT: '', HOST: ' ' })).toMatchObject({
    host: '127.0.0.1',
    port: 8080,
    dataDir: resolve('data'),
    embedded: true,
    demo: true,
    logLevel: 'info',
    trustedProxies: [],
  });
});

test('the settings cannot be changed after the start', () => {
  const config = readConfig({});
  expect(() => Object.assign(config, { port: 1 })).toThrow(TypeError);
});

test.each([
  [{ PORT: '80800' }, '环境变量 PORT 的值“80800”不正确，应为：0 到 65535 的整数（0 表示由系统选择）。'],
  [{ PORT: 'http' }, /PORT 的值“http”/],
  [{ PROCESSES: '0' }, '环境变量 PROCESSES 的值“0”不正确，应为：1 到 16 的整数。'],
  [{ MEMORY_GROWTH: '5' }, '环境变量 MEMORY_GROWTH 的值“5”不正确，应为：10 到 1000 的整数（百分比）。'],
  [{ HOST: '999.1.1.1' }, /HOST 的值“999\.1\.1\.1”不正确，应为：IP 地址或主机名。/],
  [{ LOG_LEVEL: 'loud' }, /LOG_LEVEL 的值“loud”不正确，应为：trace、debug、info/],
  [{ TRUSTED_PROXIES: '10.0.0.0/33' }, /TRUSTED_PROXIES 的值“10\.0\.0\.0\/33”/],
  [{ PUBLIC_URL: 'https://oa.example.cn/app' }, /PUBLIC_URL 的值/],
  [{ DATABASE_URL: 'mysql://root@db/x' }, /DATABASE_URL 的值（17 个字符，不予显示）不正确/],
  [{ DATABASE_URL: 'postgres://a:x,b/oa' }, /DATABASE_URL 的值（19 个字符，不予显示）不正确/],
  [{ READ_DATABASE_URL: 'postgres://db/x' }, /没有设置 DATABASE_URL/],
  [{ DEMO: 'yes' }, /DEMO 的值“yes”不正确，应为：1（开）或 0（关）。/],
])('the environment %o is refused with one sentence', (env, sentence) => {
  expect(() => readConfig(env)).toThrow(ConfigError);
  expect(() => readConfig(env)).toThrow(sentence);
});

test('a wrong secret is not repeated in the sentence', () => {
  expect(() => readConfig({ ADMIN_PASSWORD: 'hunter2' })).toThrow(/^(?!.*hunter2).*ADMIN_PASSWORD.*7 个字符/);
});

test('each wrong value gets its own line', () => {
  expect(() => readConfig({ PORT: 'x', LOG_LEVEL: 'y' })).toThrow(/^.*PORT.*\n.*LOG_LEVEL.*$/);
});

test('demo accounts are refused on a public address and off there by default', () => {
  expect(() => readConfig({ HOST: '0.0.0.0', DEMO: '1' })).toThrow(/演示账号只能用于本机/);
  expect(() => readConfig({ PUBLIC_URL: 'https://oa.example.cn', DEMO: '1' })).toThrow(/演示账号只能用于本机/);
  expect(readConfig({ HOST: '0.0.0.0' }).demo).toBe(false);
  expect(readConfig({ PUBLIC_URL: 'https://oa.example.cn' }).demo).toBe(false);
  expect(readConfig({ DATABASE_URL: 'postgres://db/x' }).demo).toBe(false);
  expect(readConfig({ DATABASE_URL: 'postgres://db/x', DEMO: '1' }).demo).toBe(true);
});

test('the table of settings shows no secret', () => {
  const secrets = { ADMIN_PASSWORD: 'correct horse', METRICS_TOKEN: 'm'.repeat(20), SESSION_SECRET: 's'.repeat(40) };
  const rows = configTable(
    readConfig({ ...secrets, DATABASE_URL: 'postgres://me:pass-word@db:5433/oa?password=pass-word' }),
  );
  const printed = JSON.stringify(rows);
  for (const secret of [...Object.values(secrets), 'pass-word']) expect(printed).not.toContain(secret);
  expect(printed).toContain('postgres://me:••••••@db:5433/oa');
  const several = readConfig({ DATABASE_URL: 'postgres://me:pass-word@a,b:5433/oa?target_session_attrs=read-write' });
  expect(JSON.stringify(configTable(several))).toContain('"postgres://me:••••••@a,b:5433/oa"');
});

test('a generated session secret is kept for the next start and readable by its owner only', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gongdan-'));
  try {
    const first = sessionSecret({ dataDir, sessionSecret: undefined });
    expect(first.length).toBeGreaterThanOrEqual(32);
    expect(sessionSecret({ dataDir, sessionSecret: undefined })).toBe(first);
    expect(statSync(join(dataDir, 'session-secret')).mode & 0o777).toBe(0o600);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});
