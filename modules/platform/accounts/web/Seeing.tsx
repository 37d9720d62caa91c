import { Button } from 'antd';
import { useSend } from '#kernel/web/calls.ts';
import { seeingCalls } from '../contract/seeing.ts';

/** Shown above all pages while an administrator uses the rights of others. */
export default function Seeing({ whose }: { whose: string }) {
  const end = useSend(seeingCalls.endSeeing, { onSuccess: () => location.assign('/index') });
  return (
    <p className="saving" role="status">
      正在以{whose}的权限查看，不能修改或导出
      <Button size="small" loading={end.isPending} onClick={() => end.mutate({})}>
        结束查看
      </Button>
    </p>
  );
}
