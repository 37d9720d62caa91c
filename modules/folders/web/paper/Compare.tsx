import { Modal, Skeleton } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { FileLinks } from '#modules/files/widgets.tsx';
import { folders } from '../../contract.ts';
import type { PaperDetail } from '../../contract/papers.ts';
import { compareTexts } from './compare.ts';
import '../folders.css';

/** What changed between two versions: line by line, or side by side where they are long. */
export function Compare({ paper, other, onClose }: { paper: PaperDetail; other: number; onClose: () => void }) {
  const { data, error, refetch } = useCall(folders.paper, { params: { id: other } });
  const pair = data && (data.version_no < paper.version_no ? ([data, paper] as const) : ([paper, data] as const));
  return (
    <Modal open width={960} title="版本对比" footer={null} onCancel={onClose}>
      {error ? (
        <FailedState error={error} retry={() => void refetch()} />
      ) : pair ? (
        <Changes before={pair[0]} after={pair[1]} />
      ) : (
        <Skeleton active paragraph={{ rows: 8 }} />
      )}
    </Modal>
  );
}

function Changes({ before, after }: { before: PaperDetail; after: PaperDetail }) {
  const found = compareTexts(before.content, after.content);
  const changed = found?.filter((one) => one.kind !== 'same').length;
  const files = [before, after].flatMap((one) => one.file_info ?? []);
  return (
    <div className="kit-stack">
      <p role="status" className="kit-muted">
        第 {before.version_no} 版（{before.publish_date}）与第 {after.version_no} 版（{after.publish_date}）
        {changed === undefined ? '：正文较长，请左右对照' : changed === 0 ? '：正文相同' : `：${changed} 处不同`}
      </p>
      {files.length > 0 && <FileLinks files={files} />}
      {found ? (
        <div className="folder-lines">
          {found.map(({ kind, text }, index) => (
            <p key={index}>{kind === 'same' ? text : kind === 'gone' ? <del>{text}</del> : <ins>{text}</ins>}</p>
          ))}
        </div>
      ) : (
        <div className="folder-both">
          {[before, after].map((one) => (
            <div key={one.id} className="folder-lines">
              {one.content.split('\n').map((line, index) => (
                <p key={index}>{line}</p>
              ))}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
