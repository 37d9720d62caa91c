// Run on a separate machine: an S3-compatible server with TLS, `node bucket.ts <folder> <key> <certificate>`. Ends with its input.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [directory, key, cert] = process.argv.slice(2) as [string, string, string];
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => { run(): Promise<unknown> };
await new S3rver({
  directory,
  address: '0.0.0.0',
  port: 9000,
  silent: true,
  key: readFileSync(key),
  cert: readFileSync(cert),
  configureBuckets: [{ name: 'gongdan' }, { name: 'gongdan-pg' }],
}).run();
console.log('ready');
process.stdin.resume().on('end', () => process.exit(0));
