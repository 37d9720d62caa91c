import { Button } from 'antd';
import { useCall, useSend } from '#kernel/web/calls.ts';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { seeingCalls } from '#modules/platform/accounts/contract/seeing.ts';

/** Shows a super administrator the product with a role's or a person's rights, until they end it at the top of any page. */
export function SeeAs({ asked, children }: { asked: { role: number } | { user: number }; children: string }) {
  const { data: me } = useCall(accounts.me, {});
  // Every node hears of it a moment later.
  const see = useSend(seeingCalls.see, { onSuccess: () => void setTimeout(() => location.assign('/index'), 300) });
  if (!me?.is_super) return null;
  return (
    <Button loading={see.isPending} onClick={() => see.mutate({ body: asked })}>
      {children}
    </Button>
  );
}
