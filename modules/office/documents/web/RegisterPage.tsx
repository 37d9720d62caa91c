import { Button } from 'antd';
import { useNavigate, useSearchParams } from 'react-router';
import { WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import type { ListColumn } from '#kernel/web/kit/list/columns/columns.ts';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { listColumns } from '#kernel/web/kit/list/columns/listColumns.ts';
import { approvalListColumns } from '#modules/workflow/records/widgets.tsx';
import { documents } from '../contract.ts';
import { DocumentRow } from '../contract/shapes.ts';
import { docKind } from '../contract/shapes.ts';
import { columns } from './columns.tsx';
import { documentFilters } from './DocumentListPage.tsx';
import { NewDocument } from './edit/NewDocument.tsx';

const own = (key: string) => columns.filter((column) => column.key === key);
const shown: ListColumn<DocumentRow>[] = [
  ...listColumns(DocumentRow, {
    receipt_no: { width: 132 },
  }),
  ...own('title').map((column) => ({ ...column, note: undefined })),
  ...listColumns(DocumentRow, {
    from_org: { heading: '来文单位与字号', whole: true, width: 170, note: (row) => row.from_number },
    from_number: { hidden: true, width: 150 },
    received_date: { sort: true, width: 110 },
  }),
  ...approvalListColumns<DocumentRow>(),
  ...own('due_at'),
];

/** The register of incoming letters; the same address opens the form of a new one. */
export default function RegisterPage() {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  if (search.has('new')) return <NewDocument kind={2} back="/document/register" />;
  return (
    <ListPage
      card={['act_state', 'from_org', 'received_date']}
      name="document/register"
      title="收文登记簿"
      call={documents.list}
      query={{ category: 'all', doc_kind: docKind.receiving }}
      columns={shown}
      filters={documentFilters.filter(({ key }) => key !== 'doc_kind')}
      numbered
      primary={
        <WithCode code="Create">
          <Button type="primary" onClick={() => void navigate('?new=1')}>
            收文登记
          </Button>
        </WithCode>
      }
      to={(row) => `/document/detail/${row.id}`}
      empty={{ why: '还没有登记来文' }}
    />
  );
}
