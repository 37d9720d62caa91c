import type { SetPicture } from './pictures.ts';

/** The letterhead of a document, from its template. */
export interface Head {
  /** 发文机关标志, e.g. `某某大学文件`; if empty, the issuing organisation. */
  orgLine: string;
  /** `#rrggbb` of the mark and its line. */
  colour: string;
  /** 1 one line, 2 a thick line over a thin one, 3 one line broken by a star. */
  line: number;
}

/** The forms of GB/T 9704—2012: the common one, 信函格式, 命令（令）格式 and 纪要格式. */
export type Form = 'document' | 'letter' | 'order' | 'minutes';
const forms: Readonly<Record<number, Form>> = { 3: 'order', 14: 'letter', 15: 'minutes' };
/** The form for a type of document. */
export const formOf = (docType: number): Form => forms[docType] ?? 'document';

/** A body from a file: text to be set like ours, pages inserted between ours, or a file that accompanies them. */
export type FileBody =
  | { kind: 'text'; pictures: readonly (SetPicture | null)[] }
  | { kind: 'pages'; pdf: Uint8Array }
  | { kind: 'apart'; name: string; sha256: string };

/** An attachment bound with its document: its index, and its text or its pages. */
export interface Annex {
  at: number;
  body: { kind: 'text'; html: string; pictures: readonly (SetPicture | null)[] } | { kind: 'pages'; pdf: Uint8Array };
}

/** All parts of a finished document; the same input gives the same bytes. */
export interface PdfInput {
  form: Form;
  /** Null for a document without a letterhead: an internal memorandum. */
  head: Head | null;
  title: string;
  docNumber: string;
  copyNo: string;
  /** `机密`; empty if not secret. */
  secrecy: string;
  secretPeriod: string;
  /** `加急` or `特急`; empty if not urgent. */
  urgency: string;
  issueOrg: string;
  jointOrgs: readonly string[];
  /** Signers of an upward document, and of an order; empty for any other. */
  issuers: readonly string[];
  mainSend: readonly string[];
  copySend: readonly string[];
  /** HTML from `cleanHtml`. */
  bodyHtml: string;
  /** Null for a body written here. */
  bodyFile: FileBody | null;
  /** Names of the attachments, without extensions. */
  attachments: readonly string[];
  /** The bound ones, in order. */
  annexes: readonly Annex[];
  /** `YYYY-MM-DD`. */
  writtenDate: string | null;
  annotation: string;
  contactName: string;
  contactPhone: string;
  printOrg: string;
  printDate: string | null;
}

/** A contract for printing. */
export interface ContractInput {
  title: string;
  /** `合同编号：XX-CG-2026-0001`, on every page. */
  number: string;
  /** HTML from `cleanHtml`. */
  bodyHtml: string;
  /** `未生效` or `作废` across every page; empty once it is in force. */
  watermark: string;
  /** The verification code (PNG). */
  picture: Uint8Array | null;
  /** `YYYY-MM-DD`. */
  day: string | null;
}

export interface SheetFact {
  label: string;
  value: string;
  /** Uses the whole width. */
  wide?: boolean;
}
export interface SheetOpinion {
  state: string;
  who: string;
  dept: string;
  did: string;
  words: string;
  at: string;
  /** A picture (PNG) of the handwritten signature. */
  signature: Uint8Array | null;
}
/** 发文稿纸, 文件处理单 or 签报单 with all opinions. */
export interface SheetInput {
  name: string;
  org: string;
  facts: readonly SheetFact[];
  opinions: readonly SheetOpinion[];
}

/** A table on a landscape sheet, with its text as large as fits on one page. */
export interface TableInput {
  title: string;
  /** Below the title: the time it refers to. */
  under: string;
  head: readonly string[];
  /** Widths of the columns, as fractions of the whole. */
  widths: readonly number[];
  rows: readonly (readonly string[])[];
  /** A line below the table, on its last page: for the signature. */
  foot?: string;
}
