import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build, preview } from 'vite';
import { contentPolicy } from '#kernel/server/http/headers.ts';

const root = join(import.meta.dirname, '..', 'apps', 'web');

export interface ShowcaseServer {
  url: string;
  port: number;
  close(): Promise<void>;
}

/** The parts of the kit, built like the product and served under its content policy. */
export async function openShowcase(): Promise<ShowcaseServer> {
  const outDir = mkdtempSync(join(tmpdir(), 'gongdan-showcase-'));
  const common = { root, configFile: false as const, publicDir: false as const, logLevel: 'error' as const };
  const input = join(root, 'showcase.html');
  await build({ ...common, plugins: [react()], build: { outDir, emptyOutDir: true, rolldownOptions: { input } } });
  const headers = { 'content-security-policy': contentPolicy(null) };
  const server = await preview({
    ...common,
    build: { outDir },
    preview: { host: '127.0.0.1', port: 0, headers, allowedHosts: true },
  });
  const address = server.httpServer.address();
  const port = address && typeof address === 'object' ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/showcase.html`,
    port,
    async close() {
      await server.close();
      rmSync(outDir, { recursive: true, force: true });
    },
  };
}
