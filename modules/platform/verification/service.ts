import { randomBytes } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { qrAddress } from '#kernel/server/text/qr-code.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { verifyCodeTable } from './tables.ts';

export interface CodedRecord {
  module: string;
  id: number;
}
/** A file that belongs to a record: what it is there, and its SHA-256 in hexadecimal. */
export interface GenuineFile {
  what: string;
  sha256: string;
}
/** What strangers may know of a record. */
export interface Verified {
  /** What it is called where its title is not told: 公文 unless said. */
  noun?: string;
  /** Null where the record is not public. */
  title: string | null;
  /** Label and value; empty values are left out. */
  facts: readonly (readonly [string, string])[];
  /** It stands: neither void nor still on its way. */
  valid: boolean;
  /** What it was once and is no more, in a word with its day: what was made of it does not hold either. */
  ended?: string | null;
  /** What whoever holds the paper has to know though it stands. */
  caution?: string | null;
  /** Empty while it is on its way. */
  files: readonly GenuineFile[];
}
/** What a module whose records bear codes says of them, once, where the product is put together. Null: nobody may know of it. */
export type VerifiedRecord = (tx: Db, id: number) => Promise<Verified | null>;
/** By module name. */
export type VerifiedRecords = Readonly<Record<string, VerifiedRecord>>;

// Crockford's letters: none is taken for another when it is read out.
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Eighty random bits, 16 letters. */
export function newCode(): string {
  const bits = BigInt(`0x${randomBytes(10).toString('hex')}`);
  return Array.from({ length: 16 }, (_one, at) => letters[Number((bits >> BigInt(5 * (15 - at))) & 31n)]).join('');
}

/** A code as it may have been typed: small letters, blanks and hyphens do not matter, nor O for 0, I and L for 1. Null for what is none. */
export function codeRead(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
  return code.length === 16 && [...code].every((letter) => letters.includes(letter)) ? code : null;
}

const of = ({ module, id }: CodedRecord) => and(eq(verifyCodeTable.module, module), eq(verifyCodeTable.record_id, id));

/** Gives a record its code, in the transaction of whoever writes it; one that has a code keeps it. */
export async function giveCode(tx: Db, { module, id }: CodedRecord): Promise<void> {
  await tx.insert(verifyCodeTable).values({ code: newCode(), module, record_id: id }).onConflictDoNothing();
}

/** The code of a record; null while it has none. */
export async function codeOf(tx: Db, record: CodedRecord): Promise<string | null> {
  const [row] = await tx.select({ code: verifyCodeTable.code }).from(verifyCodeTable).where(of(record));
  return row?.code ?? null;
}

/** The record a code stands on; null for a code that was given to none. */
export async function recordOfCode(tx: Db, code: string): Promise<CodedRecord | null> {
  const [row] = await tx.select().from(verifyCodeTable).where(eq(verifyCodeTable.code, code));
  return row ? { module: row.module, id: row.record_id } : null;
}

/** The address a code leads to, and it as a picture: a PNG as a `data:` address. */
export async function codePicture(origin: string, code: string): Promise<{ url: string; image: string }> {
  const url = `${origin}/api/verify/${code}/`;
  return { url, image: await qrAddress(url, { errorCorrectionLevel: 'M', margin: 2, width: 320 }) };
}

declare module '#kernel/server/product.ts' {
  interface Product {
    verified: VerifiedRecords;
  }
  interface ModuleDefinition {
    /** Records anybody may check by the code printed on them. */
    verified?: VerifiedRecords;
  }
}
