import { Alert, Skeleton } from 'antd';
import { codes } from '#kernel/contract/refusal.ts';
import { useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { documents } from '../../contract.ts';
import { DocumentFacts } from './DocumentFacts.tsx';
import '../documents.css';

/** The content of a document for reading, wherever it is shown. */
export function DocumentSheet({ id }: { id: number }) {
  const { data, error, refetch } = useCall(documents.get, { params: { id } }, { quiet: true, retry: false });
  if (error?.code === codes.absent) return <Alert type="info" title="这份公文现在不能查看，如有需要请联系分发人" />;
  if (error) return <FailedState error={error} retry={() => void refetch()} />;
  return data ? <DocumentFacts doc={data.value} /> : <Skeleton active className="kit-panel" paragraph={{ rows: 8 }} />;
}
