import { useEffect } from 'react';
import { send } from '#kernel/web/client.ts';
import { useSaving } from '#kernel/web/saving.ts';
import { messages } from '#modules/platform/messages/contract.ts';

const askAgainMs = 10_000;
const texts = {
  waits: '数据库正在恢复：现在可以查看，暂时不能保存',
  older: '数据库的内容比最后保存的旧：现在可以查看，为免丢失已保存的内容，不能保存，请通知系统管理员',
  held: '数据库正在恢复：提交的内容已留在本页，恢复后自动提交，请不要关闭页面',
};

/** Announces once, above all pages, that saving waits for the database; asks at intervals whether it still does. */
export function Saving() {
  const saving = useSaving();
  const waits = saving !== 'saves';
  useEffect(() => {
    if (!waits) return;
    const asking = setInterval(() => void send(messages.count, {}, { quiet: true }).catch(() => undefined), askAgainMs);
    return () => clearInterval(asking);
  }, [waits]);
  return waits ? (
    <p className="saving" role="alert">
      {texts[saving]}
    </p>
  ) : null;
}
