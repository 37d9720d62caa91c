import { implement, staged, type FileReply, type ServerModule } from '#kernel/server/http/implement.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { ToPdf } from '#kernel/server/files/office-pdf.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { ruleHandlers } from '#kernel/server/rules/rules.ts';
import { treeHandlers } from '#kernel/server/tree/handlers.ts';
import { fileById, previewOf, type FileStore } from '#modules/platform/files/service.ts';
import { contractPdf, processingSheetPdf } from '#modules/platform/typesetting/service.ts';
import { codeOf, codePicture } from '#modules/platform/verification/service.ts';
import { contractCategories } from '../contract/categories.ts';
import { noContent, noContractCode, noPublicAddress } from '../contract/refusals-text.ts';
import { contractRuleCalls, contractRules } from '../contract/rules.ts';
import { contractStatistics } from '../contract/statistics.ts';
import { contractTemplates } from '../contract/templates.ts';
import { contractTexts } from '../contract/texts.ts';
import { contractNumbers } from '../contract/numbers.ts';
import { contractParties } from '../contract/parties.ts';
import { numberBook } from '../parties/numbers.ts';
import { listParties, partyDetail, partyOptions } from '../parties/reading.ts';
import { saveParty } from '../parties/writing.ts';
import { contracts } from '../record/record.ts';
import { statistics } from '../statistics/statistics.ts';
import { categories } from '../templates/categories.ts';
import { listTemplates, templateDetail, templateHtml, templateOptions } from '../templates/reading.ts';
import { addTemplate, changeTemplate, removeTemplate } from '../templates/writing.ts';
import { paperInputOf, stampedFile } from './final.ts';
import { sheetInputOf } from './sheet.ts';
import { contractHtml, textVersions, watermarkOf, wordsOf } from './shown.ts';

interface TextServices {
  fileStore: FileStore;
  toPdf: ToPdf | null;
  publicUrl(): string | null;
}

/** Categories, templates and rules of contracts, and their text on screen and as PDF. */
export function contractTextModules({ fileStore, toPdf, publicUrl }: TextServices): ServerModule[] {
  const seen = async (tx: Db, user: Viewer, id: number) =>
    contracts.requireVisible(tx, await contracts.viewerOf(tx, user), id);
  const paper = (bytes: Buffer): FileReply => ({ type: 'application/pdf', bytes, size: bytes.length });
  return [
    implement('contracts', contractCategories, treeHandlers(contractCategories, categories)),
    implement('contracts', contractRuleCalls, ruleHandlers(contractRules)),
    implement('contracts', contractTemplates, {
      templates: ({ query }, context) => listTemplates(query, context),
      addTemplate: ({ body }, context) => addTemplate(body, context),
      template: async ({ params }, { tx, user }) => ({ value: await templateDetail(tx, user, params.id) }),
      changeTemplate: ({ params, body }, context) => changeTemplate(params.id, body, context),
      removeTemplate: ({ params }, context) => removeTemplate(params.id, context),
      templateOptions: ({ query }, { tx }) => templateOptions(tx, query.category_id),
      templateHtml: ({ params, query }, { tx, user }) => templateHtml(tx, user, params.id, query.no),
    }),
    implement('contracts', contractParties, {
      parties: ({ query }, context) => listParties(query, context),
      partyOptions: ({ query }, context) => partyOptions(query, context),
      party: async ({ params, query }, context) => ({
        value: await partyDetail(params.id, query.bank === true, context),
      }),
      saveParty: ({ params, body }, context) => saveParty(params.id, body, context),
    }),
    implement('contracts', { statistics: contractStatistics.call }, { statistics }),
    implement('contracts', contractNumbers, { numberBook: ({ query }, { tx, user }) => numberBook(query, tx, user) }),
    implement('contracts', contractTexts, {
      html: async ({ params }, { tx, user }) => contractHtml(tx, await seen(tx, user, params.id), user),
      versions: async ({ params }, { tx, user }) => textVersions(tx, (await seen(tx, user, params.id)).id, user),
      pdf: staged(contractTexts.pdf, {
        async before({ params }, { read, user }) {
          const row = await seen(read, user, params.id);
          const file = row.file === null ? undefined : await fileById(read, row.file);
          if (file)
            return (
              (await stampedFile(read, { fileStore, toPdf }, row, {
                file,
                watermark: await watermarkOf(read, row),
                by: user.id,
              })) ?? previewOf(fileStore, toPdf, file, user.id)
            );
          const { html } = await wordsOf(read, row);
          if (html === '') throw noContent();
          return paper(
            await contractPdf(
              await paperInputOf(read, row, { html, watermark: await watermarkOf(read, row) }),
              user.id,
            ),
          );
        },
        run: ({ prepared }) => prepared,
      }),
      sheet: staged(contractTexts.sheet, {
        async before({ params }, { read, user }) {
          const row = await seen(read, user, params.id);
          return paper(await processingSheetPdf(await sheetInputOf(read, fileStore, row), user.id));
        },
        run: ({ prepared }) => prepared,
      }),
      async qrcode({ query }, { tx, user }) {
        const row = await seen(tx, user, query.contract_id);
        const code = await codeOf(tx, { module: 'contracts', id: row.id });
        if (code === null) throw noContractCode();
        const origin = publicUrl();
        if (origin === null) throw noPublicAddress();
        return { verify_code: code, ...(await codePicture(origin, code)) };
      },
    }),
  ];
}
