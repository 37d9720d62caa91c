import { randomBytes } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { qrAddress } from '#kernel/server/text/qr-code.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { verifyCodeTable } from './tables.ts';

export interface CodedRecord {
  module: string;
  id: number;
}
/** A file of a record: its name there, and its SHA-256 in hexadecimal. */
export interface GenuineFile {
  what: string;
  sha256: string;
}
/** The public facts of a record. */
export interface Verified {
  /** The noun used if its title is not public: 公文 by default. */
  noun?: string;
  /** Null if the record is not public. */
  title: string | null;
  /** Label and value; empty values are left out. */
  facts: readonly (readonly [string, string])[];
  /** In force: neither void nor pending. */
  valid: boolean;
  /** If it is no longer in force, a word with the date: anything derived from it is not valid either. */
  ended?: string | null;
  /** A warning for the holder although it is in force. */
  caution?: string | null;
  /** Empty while it is pending. */
  files: readonly GenuineFile[];
}
/** A module's public facts about its coded records, registered at startup. Null: confidential. */
export type VerifiedRecord = (tx: Db, id: number) => Promise<Verified | null>;
/** By module name. */
export type VerifiedRecords = Readonly<Record<string, VerifiedRecord>>;

// Crockford's letters: none is mistaken for another when read out.
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Eighty random bits, 16 letters. */
export function newCode(): string {
  const bits = BigInt(`0x${randomBytes(10).toString('hex')}`);
  return Array.from({ length: 16 }, (_one, at) => letters[Number((bits >> BigInt(5 * (15 - at))) & 31n)]).join('');
}

/** Normalises a typed code: lower case, blanks and hyphens do not matter, nor O for 0, I and L for 1. Null if it is invalid. */
export function codeRead(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
  return code.length === 16 && [...code].every((letter) => letters.includes(letter)) ? code : null;
}

const of = ({ module, id }: CodedRecord) => and(eq(verifyCodeTable.module, module), eq(verifyCodeTable.record_id, id));

/** Gives a record its code, in the transaction that writes it; an existing code stays. */
export async function giveCode(tx: Db, { module, id }: CodedRecord): Promise<void> {
  await tx.insert(verifyCodeTable).values({ code: newCode(), module, record_id: id }).onConflictDoNothing();
}

/** The code of a record; null if it has none. */
export async function codeOf(tx: Db, record: CodedRecord): Promise<string | null> {
  const [row] = await tx.select({ code: verifyCodeTable.code }).from(verifyCodeTable).where(of(record));
  return row?.code ?? null;
}

/** The record of a code; null if it belongs to none. */
export async function recordOfCode(tx: Db, code: string): Promise<CodedRecord | null> {
  const [row] = await tx.select().from(verifyCodeTable).where(eq(verifyCodeTable.code, code));
  return row ? { module: row.module, id: row.record_id } : null;
}

/** The address of a code, and its QR picture: a PNG as a `data:` address. */
export async function codePicture(origin: string, code: string): Promise<{ url: string; image: string }> {
  const url = `${origin}/api/verify/${code}/`;
  return { url, image: await qrAddress(url, { errorCorrectionLevel: 'M', margin: 2, width: 320 }) };
}

declare module '#kernel/server/product.ts' {
  interface Product {
    verified: VerifiedRecords;
  }
  interface ModuleDefinition {
    /** Records that anybody may check by the code printed on them. */
    verified?: VerifiedRecords;
  }
}
