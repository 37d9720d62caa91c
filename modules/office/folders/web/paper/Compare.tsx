import { Modal, Skeleton } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { TextChanges } from '#kernel/web/kit/reading/TextChanges.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { FileLinks } from '#modules/platform/files/widgets.tsx';
import { folders } from '../../contract.ts';
import type { PaperDetail } from '../../contract/papers.ts';

const named = ({ version_no, publish_date }: PaperDetail) => `第 ${version_no} 版（${publish_date}）`;

/** Changes between two versions of a paper. */
export function Compare({ paper, other, onClose }: { paper: PaperDetail; other: number; onClose: () => void }) {
  const { data, error, refetch } = useCall(folders.paper, { params: { id: other } });
  const [before, after] = data && data.version_no < paper.version_no ? [data, paper] : [paper, data];
  const files = [before, after].flatMap((one) => one?.file_info ?? []);
  return (
    <Modal open width={960} title="版本对比" footer={null} onCancel={onClose}>
      {error && <FailedState error={error} retry={() => void refetch()} />}
      {before && after ? (
        <div className="kit-stack">
          {files.length > 0 && <FileLinks files={files} />}
          <TextChanges before={before.content} after={after.content} said={`${named(before)}与${named(after)}`} />
        </div>
      ) : (
        !error && <Skeleton active paragraph={{ rows: 8 }} />
      )}
    </Modal>
  );
}
