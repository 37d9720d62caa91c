import { Progress } from 'antd';
import { sizeText } from '#kernel/contract/upload.ts';
import { useCall } from '#kernel/web/calls.ts';
import { files } from '../contract.ts';

/** The used share of the storage: one's own, or everybody's for people who see the site's settings. */
export function FileUsage({ of }: { of: 'own' | 'site' }) {
  const { data } = useCall(files.usage, {});
  const room = data?.[of];
  if (!room) return null;
  const { used, most } = room;
  const percent = most === null ? 0 : Math.min(100, Math.floor((used / most) * 100));
  const label = of === 'own' ? '个人文件空间' : '全站文件空间';
  return (
    <section className="kit-panel" aria-label={label}>
      <h2 style={{ marginTop: 0, fontSize: '1rem' }}>{label}</h2>
      <p>
        已用 {sizeText(used)}，{most === null ? '不限' : `上限 ${sizeText(most)}`}
      </p>
      {most !== null && (
        <Progress percent={percent} status={percent >= 95 ? 'exception' : 'normal'} aria-label={`${label}已用`} />
      )}
    </section>
  );
}
