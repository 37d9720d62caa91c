import { keepPreviousData } from '@tanstack/react-query';
import { Alert } from 'antd';
import { useEffect, useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { isNobody, nobody, type Audience } from '#modules/platform/people/contract/audience.ts';
import { sms } from '../../contract.ts';
import { confirmFrom } from '../../contract/labels.ts';
import type { Selection } from '../../contract/sending.ts';

const counts = [
  ['valid', '可以发送'],
  ['duplicate', '重复'],
  ['invalid', '无法发送'],
  ['blacklist', '已退订'],
  ['no_consent', '未同意'],
  ['busy', '今天已满'],
  ['segments_total', '短信条数'],
  ['quota_left', '剩余额度'],
] as const;

/** The effect of the selection, reloaded after a pause in typing. */
function useCounted(values: Record<string, unknown>) {
  const asked = useLate(selectionOf(values), 400);
  const anybody = ['recipients', 'mobiles', 'alumnus_ids', 'alumnus_filter'].some((name) => name in asked);
  const reading = useCall(
    sms.countLong,
    { body: asked },
    { quiet: true, enabled: anybody, placeholderData: keepPreviousData, retry: false },
  );
  return { anybody, ...reading };
}

/** The same in one line, for beside the button. */
export function SendSummary({ values }: { values: Record<string, unknown> }) {
  const { anybody, data } = useCounted(values);
  if (!anybody || !data) return null;
  return (
    <span className="kit-muted kit-figures" role="status">
      可以发送 {data.valid} 个号码，{data.segments_total} 条，剩余额度 {data.quota_left}
    </span>
  );
}

/** Counts while one types: recipients, parts, remaining quota, and the resulting text. */
export function SendCount({ values }: { values: Record<string, unknown> }) {
  const { anybody, data, error } = useCounted(values);
  if (!anybody) return <p className="kit-muted">选择接收人后，这里显示人数、条数和内容预览</p>;
  if (error) return <Alert type="warning" title={error.message} />;
  if (!data) return <p className="kit-muted">正在统计</p>;
  return (
    <div className="kit-stack">
      <dl className="sms-count">
        {counts.map(([key, label]) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>{data[key]}</dd>
          </div>
        ))}
      </dl>
      {data.preview && (
        <>
          <p className="sms-text">{data.preview}</p>
          <p className="kit-muted">
            {data.preview.length} 字，每个号码 {data.segments_each} 条
          </p>
        </>
      )}
      {data.segments_total > data.quota_left && <Alert type="error" title="超过剩余额度，请缩小范围或联系管理员" />}
      {data.needs_confirm && (
        <Alert
          type="info"
          title={`${data.said_today > 0 ? `同样的内容一天内已发给 ${data.said_today} 个号码，合计` : ''}超过 ${confirmFrom} 个号码，提交后须由另一位人员复核才会发出`}
        />
      )}
    </div>
  );
}

export function selectionOf(values: Record<string, unknown>): Selection {
  const { recipients, mobiles, alumnus_ids, alumnus_filter, template_id, content, params } = values;
  const given = {
    recipients: isNobody({ ...nobody, ...(recipients as Partial<Audience> | undefined) }) ? undefined : recipients,
    mobiles,
    alumnus_ids,
    alumnus_filter,
    template_id,
    params,
    ...(template_id ? {} : { content }),
  };
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value && !(Array.isArray(value) && value.length === 0)),
  );
}

/** The value after it has not changed for a while. */
function useLate<T>(value: T, milliseconds: number): T {
  const [late, setLate] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setLate(JSON.parse(text) as T), milliseconds);
    return () => clearTimeout(timer);
  }, [text, milliseconds]);
  return late;
}
