import { implement } from '#kernel/server/http/implement.ts';
import { codeOf, codePicture } from '#modules/platform/verification/service.ts';
import { documentCode, noCodeYet, noPublicAddress, secretHasNoCode } from '../contract/qrcode.ts';
import { secretLevel } from '../contract/shapes.ts';
import { seen } from '../visibility/visibility.ts';

/** The code with which a printed document is verified. */
export const documentCodeModule = implement('documents', documentCode, {
  async qrcode({ query }, { tx, user, services }) {
    const { doc } = await seen(tx, user, query.document_id);
    if (doc.secret_level > secretLevel.none) throw secretHasNoCode();
    const code = await codeOf(tx, { module: 'documents', id: doc.id });
    if (code === null) throw noCodeYet();
    const origin = services.publicUrl();
    if (origin === null) throw noPublicAddress();
    return { verify_code: code, ...(await codePicture(origin, code)) };
  },
});
