import { Skeleton, Tag } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { secondCalls } from '../contract/second.ts';

/** The state of this organisation against the requirements of protection level assessment. */
export function ProtectionReport() {
  const { data, error, refetch } = useCall(secondCalls.protection, {});
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active className="kit-panel" paragraph={{ rows: 8 }} />;
  const missing = data.value.filter((one) => !one.met).length;
  return (
    <section className="kit-panel" aria-label="等保自查">
      <h2>等保自查</h2>
      <p className="kit-muted">
        等保模式{data.on ? '已开启' : '未开启'}，{missing === 0 ? '各项都已达到' : `有 ${missing} 项没有达到`}
        。按当前实际情况检查，与开关无关。
      </p>
      <ul className="kit-lines">
        {data.value.map(({ title, demand, now, met }) => (
          <li key={title}>
            <Tag color={met ? 'success' : 'warning'}>{met ? '达到' : '未达到'}</Tag>
            <strong>{title}</strong>
            <span>
              {demand}；现为：{now}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
