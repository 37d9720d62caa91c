import { useSearchParams } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { RecordList } from '#modules/workflow/records/widgets.tsx';
import type { ApplicationRow } from '../../contract/application.ts';
import { applicationCalls as calls } from '../../contract/applications.ts';
import { ApplicationForm } from './ApplicationForm.tsx';
import { applicationColumns, applicationFilters } from './columns.tsx';
import '../stamps.css';

const tabs = [
  ['duty', '待办'],
  ['owner', '我申请'],
  ['worked', '已办'],
  ['desk', '待用印'],
  ['second', '待监印'],
  ['longer', '待决定延期'],
  ['cc', '抄送'],
  ['all', '全部'],
] as const;

/** Applications for seals, and the form of a new one, which another module's record may prefill. */
export default function ApplicationsPage() {
  const [address, setAddress] = useSearchParams();
  const { data: counts, isPending } = useCall(calls.counts, { query: { brief: true } }, { meta: { live: true } });
  const number: Partial<Record<string, number>> = {
    duty: counts?.duty ?? 0,
    desk: counts?.to_seal ?? 0,
    second: counts?.to_confirm ?? 0,
    longer: counts?.to_decide ?? 0,
  };
  // Few people confirm sealings or decide on loans, so these tabs are shown only if something waits or the address names them.
  const shown = tabs.filter(
    ([value]) => !['second', 'longer'].includes(value) || number[value] || address.get('category') === value,
  );
  const source = { module: address.get('module') ?? '', id: Number(address.get('source')) };
  const from = Number(address.get('again'));
  const leave = () => setAddress({}, { replace: true });
  if (source.module && source.id > 0) return <ApplicationForm kind="new" id={0} source={source} onClose={leave} />;
  if (from > 0) return <ApplicationForm kind="again_of" id={from} onClose={leave} />;
  return (
    <RecordList<ApplicationRow>
      card={['act_state', 'seal_status', 'lines']}
      name="stamp/application"
      title="用印申请"
      purpose="申请用印、预约时段，查看审批和用印进度"
      call={calls.list}
      query={{ category: 'duty' }}
      page="/stamp/detail"
      columns={applicationColumns}
      filters={applicationFilters}
      categories={shown.map(([value, label]) => ({
        value,
        label,
        ...(value in number ? { count: isPending ? null : counts && number[value] } : {}),
      }))}
      write="申请用印"
      form={({ kind, id }, close) => <ApplicationForm kind={kind as 'new'} id={id} onClose={close} />}
      opens={{ edit: '编辑' }}
      remove={{ call: calls.remove, what: '申请' }}
      empty={{ why: '还没有用印申请，点“申请用印”开始' }}
    />
  );
}
