import { Select } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { noticeCalls, noticeTypes } from '../../contract/notices.ts';

interface Props {
  id?: string;
  value: number | undefined;
  onChange: (hook: number) => void;
}

/** One of the web hooks that are stored with the notices, with their addresses and secrets. */
export function HookPicker({ id, value, onChange }: Props) {
  const { data } = useCall(noticeCalls.simpleNotices, {});
  return (
    <Select
      {...(id ? { id } : { 'aria-label': '网络钩子' })}
      className="kit-wide"
      placeholder="请选择网络钩子"
      notFoundContent="还没有网络钩子，请先到“通知方式”中添加"
      options={data?.value
        .filter(({ type_id }) => type_id === noticeTypes.hook)
        .map(({ id: hook, name }) => ({ value: hook, label: name }))}
      value={value || undefined}
      onChange={onChange}
    />
  );
}
