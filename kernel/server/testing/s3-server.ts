import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { S3Place } from '../files/storage-s3.ts';

interface S3rver {
  run(): Promise<{ port: number }>;
  close(): Promise<void>;
}
type Options = {
  directory: string;
  address: string;
  port: number;
  silent: boolean;
  configureBuckets: { name: string }[];
};

/** A real S3-compatible server with one empty bucket, on a free port. */
export async function startS3(): Promise<{ place: S3Place; stop(): Promise<void> }> {
  const S3rver = createRequire(import.meta.url)('s3rver') as new (options: Options) => S3rver;
  const directory = await mkdtemp(join(tmpdir(), 'gongdan-s3-'));
  const bucket = 'gongdan';
  const options = { directory, address: '127.0.0.1', port: 0, silent: true, configureBuckets: [{ name: bucket }] };
  const server = new S3rver(options);
  const { port } = await server.run();
  return {
    place: {
      endpoint: `http://127.0.0.1:${port}`,
      bucket,
      region: 'us-east-1',
      accessKey: 'S3RVER',
      secretKey: 'S3RVER',
    },
    async stop() {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
