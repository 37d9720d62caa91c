import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { addressIn } from '../db/primary/hosts.ts';
import type { S3Place } from '../files/storage-s3.ts';

/** A reason not to start that the operator can resolve: `message` is one Chinese sentence, to be printed without a stack. */
export class StartupError extends Error {}

/** One or more environment variables are wrong; one sentence each, a line each. */
export class ConfigError extends StartupError {}

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** The server's settings, read once at start. */
export interface Config {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** The number of processes that answer at the port, each of them a node. */
  readonly processes: number;
  /** For each process: the percentage of the memory in use by which memory may grow before unused memory is released. */
  readonly memoryGrowth: number;
  /** Absolute path. */
  readonly dataDir: string;
  /** Absent: the embedded PostgreSQL under `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly readDatabaseUrl: string | undefined;
  readonly embedded: boolean;
  readonly adminPassword: string | undefined;
  /** Demo accounts: only ever true where the server listens on loopback. */
  readonly demo: boolean;
  readonly logLevel: (typeof logLevels)[number];
  readonly metricsToken: string | undefined;
  /** Addresses or CIDR ranges whose X-Forwarded-* headers are believed. */
  readonly trustedProxies: readonly string[];
  /** Addresses or CIDR ranges of the internal network that outgoing calls may reach besides public ones. */
  readonly outgoingAllow: readonly string[];
  /** Monitoring checks that run at once on this node; 0 for none. */
  readonly monitorPlaces: number;
  /** Absent: generated and kept under `dataDir` (see `session-secret.ts`). */
  readonly sessionSecret: string | undefined;
  /** The origin that people use, without a trailing slash. */
  readonly publicUrl: string | undefined;
  /** Absent: files lie under `dataDir`. */
  readonly s3: S3Place | undefined;
  /** `host:port` of a clamd that scans uploads. */
  readonly clamd: string | undefined;
  /** Path of LibreOffice; one on the path is found without it. */
  readonly soffice: string | undefined;
  /** Folder with the operator's own fonts, for printing. */
  readonly fontDir: string | undefined;
}

interface Variable<T> {
  readonly means: string;
  readonly allowed: string;
  readonly schema: z.ZodType<T, string>;
  readonly secret?: true;
}
const variable = <T>(means: string, allowed: string, schema: z.ZodType<T, string>, secret?: true): Variable<T> => ({
  means,
  allowed,
  schema,
  secret,
});

const hostName = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i;
const isHost = (value: string) => isIP(value) !== 0 || (hostName.test(value) && !/^[\d.]+$/.test(value));

function isAddressRange(value: string): boolean {
  const [address = '', bits, more] = value.split('/');
  const family = isIP(address);
  if (family === 0 || more !== undefined) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

function isUrl(value: string, protocols: readonly string[]): boolean {
  return URL.canParse(value) && protocols.includes(new URL(value).protocol);
}
const isOrigin = (value: string) =>
  isUrl(value, ['http:', 'https:']) && new URL(value).href === `${new URL(value).origin}/`;

const text = z.string();
const postgresSaid = 'postgres:// 开头的连接地址，几台主机以逗号分隔';
const postgresUrl = text.refine((value) => addressIn(value) !== null);
const secret = (least: number) => text.min(least).max(256);

const someRanges = '以逗号分隔的 IP 地址或网段（如 10.0.0.0/8）';
const addressRanges = text
  .transform((value) => value.split(',').map((part) => part.trim()))
  .refine((parts) => parts.every(isAddressRange));

const variables = {
  HOST: variable('监听地址', 'IP 地址或主机名', text.refine(isHost)),
  PORT: variable(
    '监听端口',
    '0 到 65535 的整数（0 表示由系统选择）',
    text
      .regex(/^\d{1,5}$/)
      .transform(Number)
      .refine((port) => port <= 65535),
  ),
  PROCESSES: variable(
    '进程数',
    '1 到 16 的整数',
    text
      .regex(/^\d{1,2}$/)
      .transform(Number)
      .refine((processes) => processes >= 1 && processes <= 16),
  ),
  MEMORY_GROWTH: variable(
    '内存余量',
    '10 到 1000 的整数（百分比）',
    text
      .regex(/^\d{2,4}$/)
      .transform(Number)
      .refine((percent) => percent >= 10 && percent <= 1000),
  ),
  DATA_DIR: variable(
    '数据目录',
    '目录路径',
    text.refine((value) => !value.includes('\0')),
  ),
  DATABASE_URL: variable('外部数据库', postgresSaid, postgresUrl, true),
  READ_DATABASE_URL: variable('只读副本', postgresSaid, postgresUrl, true),
  ADMIN_PASSWORD: variable('管理员初始密码', '8 到 256 个字符', secret(8), true),
  DEMO: variable(
    '演示账号',
    '1（开）或 0（关）',
    z.enum(['1', '0', 'true', 'false']).transform((value) => value === '1' || value === 'true') as z.ZodType<
      boolean,
      string
    >,
  ),
  LOG_LEVEL: variable('日志级别', logLevels.join('、'), z.enum(logLevels) as z.ZodType<Config['logLevel'], string>),
  METRICS_TOKEN: variable('指标口令', '16 到 256 个字符', secret(16), true),
  TRUSTED_PROXIES: variable('可信代理', someRanges, addressRanges),
  OUTGOING_ALLOW: variable('可访问的内部地址', someRanges, addressRanges),
  MONITOR_PLACES: variable(
    '同时监测的个数',
    '0 到 2000 的整数（0 表示本节点不监测）',
    text
      .regex(/^\d{1,4}$/)
      .transform(Number)
      .refine((places) => places <= 2000),
  ),
  SESSION_SECRET: variable('会话密钥', '32 到 256 个字符', secret(32), true),
  PUBLIC_URL: variable(
    '对外地址',
    'http:// 或 https:// 开头、不带路径的地址',
    text.refine(isOrigin).transform((value) => new URL(value).origin),
  ),
  S3_ENDPOINT: variable(
    '对象存储地址',
    'http:// 或 https:// 开头的地址',
    text.refine((value) => isUrl(value, ['http:', 'https:'])),
  ),
  S3_BUCKET: variable(
    '对象存储的桶',
    '3 到 63 个小写字母、数字、点或连字符',
    text.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/),
  ),
  S3_REGION: variable('对象存储的区域', '字母、数字或连字符', text.regex(/^[\w-]{1,64}$/)),
  S3_ACCESS_KEY: variable('对象存储的账号', '1 到 256 个字符', text.max(256), true),
  S3_SECRET_KEY: variable('对象存储的密钥', '1 到 256 个字符', text.max(256), true),
  CLAMD: variable(
    '病毒检查（clamd）',
    '主机名或 IP 地址加端口，如 127.0.0.1:3310',
    text.regex(/^(?:\[[0-9a-f:.]+\]|[\w.-]+):\d{1,5}$/i),
  ),
  FONT_DIR: variable(
    '公文字体目录',
    '目录路径',
    text.refine((value) => !value.includes('\0')),
  ),
  SOFFICE: variable(
    'LibreOffice 程序',
    '程序文件的路径',
    text.refine((value) => !value.includes('\0')),
  ),
} as const;
type Name = keyof typeof variables;
type Values = { -readonly [N in Name]: z.output<(typeof variables)[N]['schema']> | undefined };

function readValues(env: NodeJS.ProcessEnv, wrong: string[]): Values {
  const values: Partial<Record<Name, unknown>> = {};
  for (const [name, { schema, allowed, secret: hidden }] of Object.entries(variables) as [Name, Variable<unknown>][]) {
    const raw = env[name]?.trim();
    if (!raw) continue;
    const parsed = schema.safeParse(raw);
    if (parsed.success) values[name] = parsed.data;
    else
      wrong.push(
        `环境变量 ${name} 的值${hidden ? `（${raw.length} 个字符，不予显示）` : `“${raw}”`}不正确，应为：${allowed}。`,
      );
  }
  return values as Values;
}

/** True if only this machine can reach a server that listens on `host`. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** True if other machines reach the server, by its address or by the origin that people use. */
export function isPublic({ host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>): boolean {
  const hostedFor = publicUrl === undefined ? host : new URL(publicUrl).hostname.replace(/^\[|\]$/g, '');
  return !isLoopback(host) || !isLoopback(hostedFor);
}

/**
 * Reads and checks the environment. An empty variable counts as unset; a relative DATA_DIR is taken from the working directory.
 * Throws `ConfigError` with one Chinese sentence for each wrong value.
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const wrong: string[] = [];
  const values = readValues(env, wrong);
  const host = values.HOST ?? '127.0.0.1';
  const embedded = values.DATABASE_URL === undefined;
  const local = !isPublic({ host, publicUrl: values.PUBLIC_URL });

  if (values.READ_DATABASE_URL !== undefined && embedded && !env.DATABASE_URL?.trim())
    wrong.push('设置了环境变量 READ_DATABASE_URL 却没有设置 DATABASE_URL，只读副本须与外部数据库一起使用。');
  if (values.DEMO === true && !local)
    wrong.push(
      `环境变量 DEMO 的值“${env.DEMO?.trim()}”不正确：演示账号只能用于本机，对外地址（${isLoopback(host) ? `PUBLIC_URL=${values.PUBLIC_URL}` : `HOST=${host}`}）须设为 0。`,
    );
  const s3 = s3Of(values);
  if (s3 === null)
    wrong.push('对象存储的环境变量不全：S3_ENDPOINT、S3_BUCKET、S3_ACCESS_KEY、S3_SECRET_KEY 须一起设置，或都不设置。');
  if (wrong.length > 0) throw new ConfigError(wrong.join('\n'));

  return Object.freeze({
    host,
    port: values.PORT ?? 8080,
    processes: values.PROCESSES ?? 1,
    memoryGrowth: values.MEMORY_GROWTH ?? 50,
    dataDir: resolve(values.DATA_DIR ?? 'data'),
    databaseUrl: values.DATABASE_URL,
    readDatabaseUrl: values.READ_DATABASE_URL,
    embedded,
    adminPassword: values.ADMIN_PASSWORD,
    demo: values.DEMO ?? (embedded && local),
    logLevel: values.LOG_LEVEL ?? 'info',
    metricsToken: values.METRICS_TOKEN,
    trustedProxies: Object.freeze(values.TRUSTED_PROXIES ?? []),
    outgoingAllow: Object.freeze(values.OUTGOING_ALLOW ?? []),
    monitorPlaces: values.MONITOR_PLACES ?? 200,
    sessionSecret: values.SESSION_SECRET,
    publicUrl: values.PUBLIC_URL,
    s3: s3 ?? undefined,
    clamd: values.CLAMD,
    soffice: values.SOFFICE,
    fontDir: values.FONT_DIR,
  });
}

/** Null if only some of the settings are given. */
function s3Of(values: Values): S3Place | null | undefined {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey } = values;
  if (!endpoint && !bucket && !accessKey && !secretKey) return undefined;
  if (!endpoint || !bucket || !accessKey || !secretKey) return null;
  return { endpoint, bucket, accessKey, secretKey, region: values.S3_REGION ?? 'us-east-1' };
}

const shown: Record<Name, (config: Config) => string | undefined> = {
  HOST: (config) => config.host,
  PORT: (config) => String(config.port),
  PROCESSES: (config) => String(config.processes),
  MEMORY_GROWTH: (config) => `${config.memoryGrowth}%`,
  DATA_DIR: (config) => config.dataDir,
  DATABASE_URL: (config) => maskUrl(config.databaseUrl) ?? '内置 PostgreSQL',
  READ_DATABASE_URL: (config) => maskUrl(config.readDatabaseUrl),
  ADMIN_PASSWORD: (config) => mask(config.adminPassword),
  DEMO: (config) => (config.demo ? '开' : '关'),
  LOG_LEVEL: (config) => config.logLevel,
  METRICS_TOKEN: (config) => mask(config.metricsToken),
  TRUSTED_PROXIES: (config) => config.trustedProxies.join('，') || undefined,
  OUTGOING_ALLOW: (config) => config.outgoingAllow.join('，') || undefined,
  MONITOR_PLACES: (config) => String(config.monitorPlaces),
  SESSION_SECRET: (config) => mask(config.sessionSecret) ?? '自动生成，存于数据目录',
  PUBLIC_URL: (config) => config.publicUrl,
  S3_ENDPOINT: (config) => config.s3?.endpoint ?? '文件存于数据目录',
  S3_BUCKET: (config) => config.s3?.bucket,
  S3_REGION: (config) => config.s3?.region,
  S3_ACCESS_KEY: (config) => mask(config.s3?.accessKey),
  S3_SECRET_KEY: (config) => mask(config.s3?.secretKey),
  CLAMD: (config) => config.clamd,
  FONT_DIR: (config) => config.fontDir,
  SOFFICE: (config) => config.soffice,
};
const mask = (value: string | undefined) => (value === undefined ? undefined : '••••••');

/** Keeps hosts, ports and database; drops the query, which may carry a password too. */
function maskUrl(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const [, protocol, username, hosts] = /^(\w+:\/\/)(?:([^:@/?#]*)(?::[^@/?#]*)?@)?([^?#]*)/.exec(value) ?? [];
  return `${protocol}${username ? `${username}:••••••@` : ''}${hosts}`;
}

/** The settings as rows for people: variable, meaning and value, with secrets masked (`未设置` if absent). */
export function configTable(config: Config): { name: string; means: string; value: string }[] {
  return (Object.keys(variables) as Name[]).map((name) => ({
    name,
    means: variables[name].means,
    value: shown[name](config) ?? '未设置',
  }));
}
