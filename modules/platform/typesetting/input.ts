import type { SetPicture } from './pictures.ts';

/** The head of a document: what its template says. */
export interface Head {
  /** 发文机关标志, e.g. `某某大学文件`; empty takes the issuing organisation. */
  orgLine: string;
  /** `#rrggbb` of the mark and its line. */
  colour: string;
  /** 1 one line, 2 a thick line over a thin one, 3 one line broken by a star. */
  line: number;
}

/** The forms of GB/T 9704—2012: the common one, 信函格式, 命令（令）格式 and 纪要格式. */
export type Form = 'document' | 'letter' | 'order' | 'minutes';
const forms: Readonly<Record<number, Form>> = { 3: 'order', 14: 'letter', 15: 'minutes' };
/** The form that a type of document has. */
export const formOf = (docType: number): Form => forms[docType] ?? 'document';

/** A body that came as a file: text that is set as ours, pages that stand between ours, or a file that lies beside them. */
export type FileBody =
  | { kind: 'text'; pictures: readonly (SetPicture | null)[] }
  | { kind: 'pages'; pdf: Uint8Array }
  | { kind: 'apart'; name: string; sha256: string };

/** An attachment that is bound with its document: which of them, and its text or its pages. */
export interface Annex {
  at: number;
  body: { kind: 'text'; html: string; pictures: readonly (SetPicture | null)[] } | { kind: 'pages'; pdf: Uint8Array };
}

/** All that a finished document is made of; the same input gives the same bytes. */
export interface PdfInput {
  form: Form;
  /** Null for what bears no head: an internal memorandum. */
  head: Head | null;
  title: string;
  docNumber: string;
  copyNo: string;
  /** `机密`; empty for what is open. */
  secrecy: string;
  secretPeriod: string;
  /** `加急` or `特急`; empty for what is not urgent. */
  urgency: string;
  issueOrg: string;
  jointOrgs: readonly string[];
  /** Signers of a document that goes upward, and of an order; empty for any other. */
  issuers: readonly string[];
  mainSend: readonly string[];
  copySend: readonly string[];
  /** As `cleanHtml` left it. */
  bodyHtml: string;
  /** Null for what was written here. */
  bodyFile: FileBody | null;
  /** Names of the attachments, without their endings. */
  attachments: readonly string[];
  /** Those that are bound with it, in their order. */
  annexes: readonly Annex[];
  /** `YYYY-MM-DD`. */
  writtenDate: string | null;
  annotation: string;
  contactName: string;
  contactPhone: string;
  printOrg: string;
  printDate: string | null;
}

/** A contract as it is printed. */
export interface ContractInput {
  title: string;
  /** `合同编号：XX-CG-2026-0001`, on every page. */
  number: string;
  /** As `cleanHtml` left it. */
  bodyHtml: string;
  /** `未生效` or `作废` across every page; empty once it holds. */
  watermark: string;
  /** The code that verifies it (PNG). */
  picture: Uint8Array | null;
  /** `YYYY-MM-DD`. */
  day: string | null;
}

export interface SheetFact {
  label: string;
  value: string;
  /** Takes the whole width. */
  wide?: boolean;
}
export interface SheetOpinion {
  state: string;
  who: string;
  dept: string;
  did: string;
  words: string;
  at: string;
  /** A picture (PNG) of what was signed by hand. */
  signature: Uint8Array | null;
}
/** 发文稿纸, 文件处理单 or 签报单 with what everybody said. */
export interface SheetInput {
  name: string;
  org: string;
  facts: readonly SheetFact[];
  opinions: readonly SheetOpinion[];
}

/** A table on a sheet that lies on its side, its text as large as lets it stand on one page. */
export interface TableInput {
  title: string;
  /** Below the title: of when it is. */
  under: string;
  head: readonly string[];
  /** Of the columns, in shares of the whole. */
  widths: readonly number[];
  rows: readonly (readonly string[])[];
  /** A line below the table, on its last page: where it is signed. */
  foot?: string;
}
