import { blocksOf, type Block } from './blocks.ts';
import type { PdfInput } from './input.ts';

/** A finished document as its elements by GB/T 9704—2012, each as it stands on paper; empty where there is none. */
export interface Layout {
  copyNo: string;
  /** `机密★1年`. */
  secrecy: string;
  urgency: string;
  head: { mark: string[]; suffix: string; colour: string; line: number } | null;
  docNumber: string;
  /** Names of two characters are drawn apart. */
  issuers: string[];
  title: string;
  mainSend: string;
  body: Block[];
  attachments: string[];
  signatures: string[];
  date: string;
  annotation: string;
  copySend: string;
  printOrg: string;
  printDate: string;
}

const red = '#e60012';
/** `2026年3月1日`: no zeros in front. */
export function dateText(day: string | null): string {
  const [year, month, date] = (day ?? '').split('-').map(Number);
  return year && month && date ? `${year}年${month}月${date}日` : '';
}
const apart = (name: string) => ([...name].length === 2 ? [...name].join('　') : name);
const word = '文件';

/** Pure: what stands where is decided here, how it is broken into lines and pages in `pages.ts`. */
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
  const joint = input.jointOrgs.length > 0;
  return {
    copyNo: input.copyNo,
    secrecy: [input.secrecy, input.secrecy && input.secretPeriod].filter(Boolean).join('★'),
    urgency: input.urgency,
    head: head && {
      mark: joint ? orgs : [head.orgLine || `${input.issueOrg}${word}`],
      suffix: joint ? word : '',
      colour: head.colour || red,
      line: head.line,
    },
    docNumber: input.docNumber,
    issuers: input.issuers.map(apart),
    title: input.title,
    mainSend: input.mainSend.length > 0 ? `${input.mainSend.join('、')}：` : '',
    body: blocksOf(input.bodyHtml),
    attachments: [...input.attachments],
    signatures: orgs,
    date: dateText(input.writtenDate),
    annotation: annotation && `（${annotation}）`,
    copySend: input.copySend.length > 0 ? `${input.copySend.join('，')}。` : '',
    printOrg: input.printOrg,
    printDate: input.printDate ? `${dateText(input.printDate)}印发` : '',
  };
}
