import { Modal, Skeleton } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { CopyText } from '#kernel/web/kit/show/CopyText.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { documentCode } from '../../contract/qrcode.ts';

/** The code printed on a document, as a picture and as letters. */
export function CodeDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const { data, error, refetch } = useCall(documentCode.qrcode, { query: { document_id: id } });
  return (
    <Modal open title="二维码" footer={null} width={400} onCancel={onClose}>
      {error ? (
        <FailedState error={error} retry={() => void refetch()} />
      ) : data ? (
        <div className="document-code">
          <img src={data.image} width={240} height={240} alt="核验二维码" />
          <p>
            核验码 <CopyText text={data.verify_code} />
          </p>
          <p className="kit-muted">任何人扫码即可核验真伪，并核对电子文件；只有主动公开的公文显示标题。</p>
          <p>
            <a href={data.url} target="_blank" rel="noreferrer">
              打开核验页
            </a>
          </p>
        </div>
      ) : (
        <Skeleton active paragraph={{ rows: 6 }} />
      )}
    </Modal>
  );
}
