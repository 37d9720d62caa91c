import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Limit } from '#kernel/server/access/attempts.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { implement, staged } from '#kernel/server/http/implement.ts';
import type { Services } from '#kernel/server/services.ts';
import { mostChecked, verification } from './contract.ts';
import { recordPage, unknownPage, waitPage, type Comparison } from './page.ts';
import { codeRead, recordOfCode, type Verified } from './service.ts';

/** Limits requests by address: a code cannot be guessed, but requests cost. */
const asking: Limit = { kind: 'verify', limit: 60, seconds: 60 };
const checking: Limit = { kind: 'verify file', limit: 12, seconds: 60 };

const siteOf = async ({ settings }: Services) => (await settings.get('site')).name;

async function found(tx: Db, typed: string): Promise<{ code: string; record: Verified } | null> {
  const code = codeRead(typed);
  if (code === null) return null;
  const of = await recordOfCode(tx, code);
  const { verified } = tx.services.product;
  const look = of && Object.hasOwn(verified, of.module) ? verified[of.module] : undefined;
  const record = of && look ? await look(tx, of.id) : null;
  return record && { code, record };
}

/** Tells strangers whether a printed record is genuine. */
export const verificationModule = implement('verification', verification, {
  page: staged(verification.page, {
    before: (_input, { origin, services: { attempts } }) => attempts.hit(asking, origin.ip),
    run: async ({ params, prepared: tries }, { tx, services }) => {
      if (tries.exceeded) return waitPage(await siteOf(services), tries.retryAfter);
      const one = await found(tx, params.code);
      return one ? recordPage(await siteOf(services), one.code, one.record, null) : unknownPage(await siteOf(services));
    },
  }),
  check: staged(verification.check, {
    before: async ({ params, incoming }, { origin, read, services: { attempts } }) => {
      const tries = await attempts.hit(checking, origin.ip);
      // Nothing is read for a limited address or an unknown code.
      if (tries.exceeded || !(await found(read, params.code))) return { tries, hash: null };
      return { tries, hash: await hashOf(incoming.stream) };
    },
    run: async ({ params, prepared: { tries, hash } }, { tx, services }) => {
      if (tries.exceeded) return waitPage(await siteOf(services), tries.retryAfter);
      const one = await found(tx, params.code);
      if (!one || !hash) return unknownPage(await siteOf(services));
      return recordPage(await siteOf(services), one.code, one.record, compared(one.record, hash));
    },
  }),
});

interface Hashed {
  sha256: string;
  tooBig: boolean;
}

/** Reads a stream to its end, or to the maximum, and stores nothing. */
async function hashOf(stream: Readable): Promise<Hashed> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostChecked) return { sha256: '', tooBig: true };
    hash.update(chunk);
  }
  return { sha256: hash.digest('hex'), tooBig: false };
}

function compared({ files }: Verified, { sha256, tooBig }: Hashed): Comparison {
  if (tooBig) return { kind: 'too big', most: mostChecked };
  const same = files.find((file) => file.sha256 === sha256);
  return same ? { kind: 'same', what: same.what, sha256 } : { kind: 'other', sha256 };
}
