import { CloseOutlined, ReloadOutlined } from '@ant-design/icons';
import { Button, Progress } from 'antd';
import type { Coming } from './useTransfers.ts';

/** A file being uploaded: its progress, its error, and the available actions. */
export function ComingFile({ file, onRetry, onCancel }: { file: Coming; onRetry: () => void; onCancel: () => void }) {
  const failed = file.state === 'failed';
  return (
    <li className="file-coming" data-state={file.state}>
      <div>
        <span className="file-coming-name">{file.name}</span>
        {failed ? (
          <span role="alert" className="file-coming-failed">
            {file.reason.includes(file.name) ? file.reason : `“${file.name}”上传失败：${file.reason}`}
          </span>
        ) : (
          <Progress
            percent={Math.round(file.share * 100)}
            size="small"
            aria-label={`${file.name}的上传进度`}
            status={file.state === 'paused' ? 'exception' : 'active'}
            format={(percent) => `${percent}%`}
          />
        )}
        {file.state === 'waiting' && <span className="kit-muted">等待上传</span>}
        {file.state === 'paused' && <span className="kit-muted">{file.reason}</span>}
      </div>
      {failed && (
        <Button type="text" icon={<ReloadOutlined />} aria-label={`重新上传${file.name}`} onClick={onRetry}>
          重试
        </Button>
      )}
      <Button
        type="text"
        icon={<CloseOutlined />}
        aria-label={`${failed ? '移除' : '取消上传'}${file.name}`}
        onClick={onCancel}
      />
    </li>
  );
}
