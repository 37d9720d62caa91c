import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { useCodesAt } from '#kernel/web/kit/permission.tsx';
import { incidentCalls } from '../contract/incidents.ts';

/** Silences a project's alerts for an hour, or ends the silence. */
export function Silence({ id, until, small = false }: { id: number; until: string | null; small?: boolean }) {
  const may = useCodesAt()('/customer/record').includes('chuli');
  return (
    <CallButton
      call={incidentCalls.silence}
      asked={{ params: { id }, body: { minutes: until ? 0 : 60 } }}
      code={null}
      allowed={may}
      invalidates={['test', 'customer']}
      {...(small ? { size: 'small' as const } : {})}
    >
      {until ? `结束静默（至 ${until.slice(11, 16)}）` : '静默 1 小时'}
    </CallButton>
  );
}
