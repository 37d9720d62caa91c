import { Button } from 'antd';
import { useCall, useSend } from '#kernel/web/calls.ts';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { seeingCalls } from '#modules/platform/accounts/contract/seeing.ts';

/** Shows a super administrator the product as a role or a person has it, until they end it above all pages. */
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
