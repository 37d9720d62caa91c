import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { readConfig } from '#kernel/server/process/config.ts';

// Works without Docker: checks that everything its files name exists and is valid.
const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const here = (path: string) => existsSync(new URL(path, root));
const { load } = createRequire(import.meta.url)('js-yaml') as { load(text: string): unknown };

interface Service {
  image?: string;
  build?: { context: string; dockerfile: string };
  environment?: Record<string, string>;
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  networks?: string[] | Record<string, { ipv4_address: string }>;
  healthcheck?: unknown;
}
interface Compose {
  services: Record<string, Service>;
  networks: Record<string, { ipam: { config: { subnet: string }[] } }>;
  volumes: Record<string, unknown>;
}
const compose = load(read('deploy/compose.yaml')) as Compose;
const dockerfile = read('deploy/Dockerfile');
/** A value with no optional settings: `${NAME:-default}`, or something for `${NAME:?why}`. */
const settled = (text: string, given: Record<string, string>) =>
  text.replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_whole, name: string, kind: string, rest: string) =>
    kind === '-' ? rest : (given[name] ?? `<${name}>`),
  );

test('every path the image copies or runs is in the repository, or made while it is built', () => {
  const stages = dockerfile.split(/^FROM /m).slice(1);
  const made = new Set(['node_modules', 'dist']);
  for (const stage of stages)
    for (const [, from, paths = ''] of stage.matchAll(/^COPY (--from=\w+ )?(.+)$/gm))
      for (const path of paths.trim().split(/\s+/).slice(0, -1)) {
        const name = path.replace(/^\/app\/|^\.\//, '');
        if (!(from && made.has(name))) expect(here(name), `COPY ${path}`).toBe(true);
      }
  for (const [script] of dockerfile.matchAll(/(?<=["\s])(?:apps|scripts)\/[\w/.-]+\.ts/g))
    expect(here(script)).toBe(true);
  // A start needs every folder that contains product code.
  const code = ['apps', 'kernel', 'modules', 'migrations', 'scripts'];
  for (const folder of code) expect(dockerfile).toContain(`COPY --from=build /app/${folder} ./${folder}`);
  const ignored = read('.dockerignore').split('\n');
  for (const folder of code) expect(ignored).not.toContain(folder);
});

test('every variable of the compose file and the image is known to the server, and their values let it start', () => {
  const given = {
    POSTGRES_PASSWORD: 'p'.repeat(16),
    SESSION_SECRET: 's'.repeat(32),
    ADMIN_PASSWORD: 'Gongdan@2026',
    PUBLIC_URL: 'https://oa.example.cn',
  };
  const image = Object.fromEntries(
    [...dockerfile.matchAll(/^ENV (.+)$/gm)].flatMap(([, line = '']) =>
      line.split(' ').map((pair) => pair.split('=') as [string, string]),
    ),
  );
  for (const node of ['node1', 'node2']) {
    const asked = compose.services[node]!.environment!;
    const set = Object.fromEntries(Object.entries(asked).map(([name, value]) => [name, settled(value, given)]));
    const known = read('kernel/server/process/config.ts');
    for (const name of [...Object.keys(set), ...Object.keys(image)].filter((one) => one !== 'NODE_ENV'))
      expect(known, name).toMatch(new RegExp(`^  ${name}: variable\\(`, 'm'));
    // Everything that an operator may set reaches the container; the image determines the path of LibreOffice.
    for (const [, name] of known.matchAll(/^ {2}([A-Z_\d]+): variable\(/gm))
      if (name !== 'SOFFICE') expect({ ...image, ...asked }, name).toHaveProperty(name!);
    const config = readConfig({ ...image, ...set });
    expect(config).toMatchObject({ embedded: false, demo: false, port: 8080, dataDir: '/data' });
  }
});

test('every service names an image or a way to build one, and refers only to existing services, networks and volumes', () => {
  const { services, networks, volumes } = compose;
  for (const [name, service] of Object.entries(services)) {
    expect(service.image ?? service.build, name).toBeTruthy();
    if (service.build)
      expect(here(`deploy/${service.build.context}/${service.build.dockerfile}`.replace('deploy/../', ''))).toBe(true);
    for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
      expect(services, name).toHaveProperty(other);
      // The health check of the image tells when a node is ready.
      if (condition === 'service_healthy' && !services[other]!.build) expect(services[other]!.healthcheck).toBeTruthy();
    }
    const joined = service.networks ?? [];
    for (const network of Array.isArray(joined) ? joined : Object.keys(joined))
      expect(networks).toHaveProperty(network);
    for (const volume of service.volumes ?? []) {
      const [source = ''] = volume.split(':');
      if (source.startsWith('.')) expect(here(`deploy/${source}`), source).toBe(true);
      else expect(volumes).toHaveProperty(source);
    }
  }
  expect(services['node1']!.environment!['TRUSTED_PROXIES']).toBe(networks['inside']!.ipam.config[0]!.subnet);
  const proxy = services['proxy']!.environment!;
  const template = read('deploy/nginx/gongdan.conf.template');
  for (const [, name] of template.matchAll(/\$\{(\w+)\}/g)) expect(proxy).toHaveProperty(name!);
  expect(settled(proxy['FRONT']!, {})).toBe('255.255.255.255');
});

test('the image’s proxy serves only this product, and finds a node whose container was recreated', () => {
  const { proxy, node1, node2 } = compose.services;
  // The image contains a default.conf that answers for every domain unless ours replaces it.
  expect(proxy!.volumes).toContainEqual('./nginx/gongdan.conf.template:/etc/nginx/templates/default.conf.template:ro');
  const { subnet } = compose.networks['inside']!.ipam.config[0]!;
  const addresses = [node1, node2].map(
    (node) => (node!.networks as Record<string, { ipv4_address: string }>)['inside']!.ipv4_address,
  );
  expect(new Set(addresses).size).toBe(2);
  for (const address of addresses) expect(address.startsWith(subnet.replace(/0\/24$/, ''))).toBe(true);
});

test('the product connects as a role that owns its database and nothing more', () => {
  const { database, node1 } = compose.services;
  const user = new URL(settled(node1!.environment!['DATABASE_URL']!, { POSTGRES_PASSWORD: 'p' })).username;
  expect(database!.environment!['POSTGRES_USER'] ?? 'postgres').not.toBe(user);
  const script = read('deploy/postgres/role.sh');
  expect(script).toContain(`create role ${user} login password`);
  expect(script).toContain(`owner ${user};`);
  expect(script).not.toMatch(/superuser|createrole|createdb/i);
});
