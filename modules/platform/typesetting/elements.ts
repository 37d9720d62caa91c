import { blocksOf, wordsOf, type Block } from './blocks.ts';
import type { Form, PdfInput } from './input.ts';
import { withoutOwnFrame, withoutOwnTitle } from './own-frame.ts';
import { withPictures } from './pictures.ts';

/** A finished document as its elements by GB/T 9704—2012, each as it is printed; empty if missing. */
export interface Layout {
  form: Form;
  copyNo: string;
  /** `机密★1年`. */
  secrecy: string;
  urgency: string;
  head: { mark: string[]; suffix: string; colour: string; line: number } | null;
  docNumber: string;
  /** Names of two characters are spaced out. */
  issuers: string[];
  title: string;
  mainSend: string;
  body: Block[];
  /** The body consists of pages of a file. */
  bodyIsPages: boolean;
  attachments: string[];
  /** Attachments bound with it. */
  annexes: SetAnnex[];
  /** Those present, excused or listening, for minutes: `出席` and the names. */
  attendance: { label: string; names: string }[];
  signatures: string[];
  date: string;
  annotation: string;
  /** The issuer and the date of minutes, in their head. */
  issuedBy: string;
  issuedOn: string;
  /** Addressees in the 版记: 主送 if they would leave no space for the text, 抄送, for minutes 分送. */
  sends: Send[];
  printOrg: string;
  printDate: string;
}

export interface Send {
  label: string;
  names: string;
}
/** An attachment with its number: its text, or its pages (`pdf`: index of the file). */
export type SetAnnex = { label: string; name: string } & ({ body: Block[] } | { pdf: number });

const red = '#e60012';
/** `2026年3月1日`: without leading zeros. */
export function dateText(day: string | null): string {
  const [year, month, date] = (day ?? '').split('-').map(Number);
  return year && month && date ? `${year}年${month}月${date}日` : '';
}
const apart = (name: string) => ([...name].length === 2 ? [...name].join('　') : name);
const word = '文件';

/** Pure: determines the elements and their places; `pages.ts` breaks them into lines and pages. */
export function elementsOf(input: PdfInput): Layout {
  const { head } = input;
  const contact = [
    input.contactName && `联系人：${input.contactName}`,
    input.contactPhone && `电话：${input.contactPhone}`,
  ]
    .filter(Boolean)
    .join('，');
  const annotation = [input.annotation.replace(/^[（(]|[）)]$/g, ''), contact].filter(Boolean).join('；');
  const orgs = [input.issueOrg, ...input.jointOrgs].filter(Boolean);
  const body = bodyOf(input);
  const minutes = input.form === 'minutes';
  const said = minutes ? body.map(attendanceOf) : [];
  return {
    form: input.form,
    copyNo: input.copyNo,
    secrecy: [input.secrecy, input.secrecy && input.secretPeriod].filter(Boolean).join('★'),
    urgency: input.urgency,
    head: head && {
      ...markOf(input, head.orgLine, orgs),
      colour: head.colour || red,
      line: head.line,
    },
    docNumber: input.docNumber,
    issuers: input.form === 'order' ? [] : input.issuers.map(apart),
    // The mark alone names an order.
    title: input.form === 'order' ? '' : input.title,
    mainSend: minutes || input.mainSend.length === 0 ? '' : `${input.mainSend.join('、')}：`,
    body: body.filter((_block, index) => !said[index]),
    bodyIsPages: input.bodyFile?.kind === 'pages',
    attachments: [...input.attachments],
    annexes: annexesOf(input),
    attendance: said.flatMap((one) => one ?? []),
    signatures: signaturesOf(input, orgs),
    date: minutes ? '' : dateText(input.writtenDate),
    issuedBy: minutes ? input.issueOrg : '',
    issuedOn: minutes ? dateText(input.writtenDate) : '',
    annotation: annotation && `（${annotation}）`,
    sends: minutes ? sendsOf('分送', [...input.mainSend, ...input.copySend]) : sendsOf('抄送', input.copySend),
    printOrg: input.form === 'letter' ? '' : input.printOrg,
    printDate: input.printDate && input.form !== 'letter' ? `${dateText(input.printDate)}印发` : '',
  };
}

export const sendsOf = (label: string, names: readonly string[]): Send[] =>
  names.length > 0 ? [{ label: `${label}：`, names: `${names.join('，')}。` }] : [];

/** The files whose pages are inserted between ours: the body's, then those of the annexes. */
export const filesOf = ({ bodyFile, annexes }: PdfInput): Uint8Array[] => [
  ...(bodyFile?.kind === 'pages' ? [bodyFile.pdf] : []),
  ...annexes.flatMap(({ body }) => (body.kind === 'pages' ? [body.pdf] : [])),
];

function annexesOf(input: PdfInput): SetAnnex[] {
  const { annexes, attachments } = input;
  const files = filesOf(input);
  return annexes.map(({ at, body }) => {
    const name = attachments[at] ?? '';
    const label = attachments.length > 1 ? `附件${at + 1}` : '附件';
    if (body.kind === 'pages') return { label, name, pdf: files.indexOf(body.pdf) };
    const blocks = withPictures(blocksOf(body.html), body.pictures);
    return { label, name, body: withoutOwnTitle(blocks, [label, '附件', `${label}：${name}`, name]) };
  });
}

function bodyOf(input: PdfInput): Block[] {
  const { bodyFile } = input;
  const note = (text: string): Block => ({
    kind: 'paragraph',
    level: 0,
    align: 'left',
    indented: true,
    runs: [{ text, strong: false, slanted: false, underlined: false }],
  });
  if (bodyFile?.kind === 'pages') return [];
  if (bodyFile?.kind === 'apart')
    return [note(`正文为版式文件“${bodyFile.name}”，与本页一并印发。`), note(`校验值（SHA-256）：${bodyFile.sha256}`)];
  const blocks = blocksOf(input.bodyHtml);
  return bodyFile ? withoutOwnFrame(withPictures(blocks, bodyFile.pictures), input) : blocks;
}

/** 发文机关标志 of each form; a letter has only the leading organisation's. */
function markOf({ form, issueOrg }: PdfInput, orgLine: string, orgs: string[]): { mark: string[]; suffix: string } {
  const alone = (text: string) => ({ mark: [text], suffix: '' });
  const ending = (end: string) => alone(orgLine.endsWith(end) ? orgLine : `${issueOrg}${end}`);
  if (form === 'letter') return alone(orgLine.replace(new RegExp(`${word}$`), '') || issueOrg);
  if (form === 'order') return ending('令');
  if (form === 'minutes') return ending('纪要');
  return orgs.length > 1 ? { mark: orgs, suffix: word } : alone(orgLine || `${issueOrg}${word}`);
}

/** An order is signed by a person, minutes by nobody. */
function signaturesOf({ form, issuers }: PdfInput, orgs: string[]): string[] {
  if (form === 'minutes') return [];
  return form === 'order' && issuers.length > 0 ? issuers.map(apart) : orgs;
}

/** Parses a paragraph of those present; null for any other. */
function attendanceOf(block: Block): { label: string; names: string } | null {
  const found = block.kind === 'paragraph' && /^\s*(出席|请假|列席)[：:]\s*(.+)$/s.exec(wordsOf(block));
  return found ? { label: `${found[1]}：`, names: found[2]! } : null;
}
