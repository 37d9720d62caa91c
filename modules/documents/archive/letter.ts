import { levels, secretLevels } from '../contract/shapes.ts';
import type { PdfInput } from '../layout/input.ts';
import type { Gathered } from './gathering.ts';

/** The letter of a document as it is set for the archive. */
export function letterOf({ doc, files, issuer }: Gathered): PdfInput {
  return {
    head: doc.docKind === 1 ? { orgLine: '', colour: '#d7000f', line: 1 } : null,
    title: doc.title,
    docNumber: doc.docNumber,
    copyNo: doc.copyNo,
    secrecy: doc.secretLevel > 0 ? secretLevels[doc.secretLevel as 1] : '',
    secretPeriod: doc.secretPeriod,
    urgency: doc.level > 0 ? levels[doc.level as 1] : '',
    issueOrg: doc.issueOrg,
    jointOrgs: doc.jointOrgs,
    issuers: issuer ? [issuer] : [],
    mainSend: doc.mainSend.map((one) => one.name),
    copySend: doc.copySend.map((one) => one.name),
    bodyHtml: doc.bodyText,
    attachments: doc.attachmentIds.map((id) => (files.get(id)?.name ?? '').replace(/\.[^.]+$/, '')),
    writtenDate: doc.writtenDate,
    annotation: doc.annotation,
    contactName: doc.contactName,
    contactPhone: doc.contactPhone,
    printOrg: doc.printOrg,
    printDate: doc.printDate,
  };
}
