import { send } from '#kernel/web/client.ts';
import type { Finder } from '#kernel/web/registry.ts';
import { documents } from '../../contract.ts';

const findDocuments: Finder = async (text, signal) => {
  const { value } = await send(documents.list, { query: { search_value: text, per_page: 8 } }, { signal, quiet: true });
  return value.map((row) => ({
    key: `document-${row.id}`,
    title: row.title,
    hint: `公文 ${row.doc_number || row.receipt_no || row.sn} · ${row.act_state_name}`,
    to: `/document/detail/${row.id}`,
  }));
};
export default findDocuments;
