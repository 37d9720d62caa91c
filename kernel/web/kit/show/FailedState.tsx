import { Button } from 'antd';
import { Link } from 'react-router';
import { codes } from '#kernel/contract/refusal.ts';
import { CallFailed, quoting } from '../../failure.ts';
import { CopyText } from './CopyText.tsx';
import '../kit.css';

/** Says what failed, offers another try, and the identifier to give to whoever looks into it. */
export function FailedState({ error, retry }: { error: unknown; retry?: () => void }) {
  const failed = error instanceof CallFailed ? error : null;
  return (
    <div className="kit-state" role="alert">
      <p>{failed?.msg.split(quoting)[0] ?? '页面出了问题，请重试'}</p>
      {retry && <Button onClick={retry}>重试</Button>}
      {(failed?.code === codes.absent || failed?.code === codes.forbidden) && <Link to="/index">返回首页</Link>}
      {failed?.trace && (
        <p className="kit-muted">
          问题编号：
          <CopyText text={failed.trace} />
        </p>
      )}
    </div>
  );
}
