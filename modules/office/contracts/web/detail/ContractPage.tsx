import { Alert, Button, Dropdown, Tag } from 'antd';
import { useNavigate } from 'react-router';
import { useActs, type Act } from '#kernel/web/kit/press/acts.tsx';
import type { FileCard } from '#modules/platform/files/contract.ts';
import { FileLinks } from '#modules/platform/files/widgets.tsx';
import { headOf, RecordPage } from '#modules/workflow/records/widgets.tsx';
import { applyPath } from '#modules/office/stamps/contract/application.ts';
import { Sealed, useSource } from '#modules/office/stamps/widgets.tsx';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { nature, registrations, stage } from '../../contract/codes.ts';
import { contracts } from '../../contract/contracts.ts';
import type { ContractDetail } from '../../contract/shapes.ts';
import { registrable, type Registrable } from '../../engine/registering.ts';
import { EditContract } from '../draft/ContractForm.tsx';
import { ContractFlags, StageTag } from '../list/columns.tsx';
import { ContractTextPanel } from '../text/ContractTextPanel.tsx';
import { RegisterDrawer } from './RegisterDrawer.tsx';
import { AlikePanel, FactsPanel, PartiesPanel, StagePanel } from './Facts.tsx';
import { PerformancePanel } from './PerformancePanel.tsx';
import { Registrations } from './Registrations.tsx';

/** 合同详情: one contract from its first draft to the archive box. */
export default function ContractPage() {
  return (
    <RecordPage
      call={contracts.get}
      of={(reply) => reply.value}
      module="contracts"
      list="/contract/list"
      offers={(row) => row.stage < stage.running}
      head={(row) => {
        const head = headOf(row);
        return {
          ...head,
          sn: row.contract_no || row.sn,
          status: (
            <>
              <StageTag code={row.stage} />
              {row.stage === stage.drafting && head.status}
              <ContractFlags row={row} />
              {row.imported && <Tag>存量补录</Tag>}
            </>
          ),
          holder: holderOf(row) || head.holder,
        };
      }}
      form={(row, close) => <EditContract row={row} onClose={close} />}
      side={(row) => row.alike && <AlikePanel row={row} />}
      actions={(row) => <Registering row={row} />}
    >
      {(row, edit) => (
        <>
          {row.actions.includes('edit') && (
            <Alert
              type="info"
              title="合同还在您手中，可以修改后提交审批"
              action={<Button onClick={edit}>编辑合同</Button>}
            />
          )}
          <StagePanel row={row} />
          {row.stage === stage.toSign && <Sealed module="contracts" id={row.id} />}
          <FactsPanel row={row} />
          <ContractTextPanel id={row.id} name={row.name} version={row.version} />
          <PartiesPanel row={row} />
          <PerformancePanel row={row} />
          <Registrations id={row.id} version={row.version} />
          <Files
            files={[row.signed_file_info, ...row.attachments_info, row.packed_file_info].flatMap((one) => one ?? [])}
          />
        </>
      )}
    </RecordPage>
  );
}

const Files = ({ files }: { files: FileCard[] }) =>
  files.length > 0 && (
    <section className="kit-panel" aria-label="附件">
      <h2>附件</h2>
      <FileLinks files={files} />
    </section>
  );

/** After the signature: the undertaker, and the next due row. */
function holderOf(row: ContractDetail): string {
  if (row.stage < stage.toSign) return '';
  const left = row.days_left;
  return [
    `承办人 ${row.undertaker_alias}（${row.dept_name}）`,
    row.next_date && `下一节点 ${row.next_node} ${row.next_date}`,
    left !== null && (left < 0 ? `已到期 ${-left} 天` : `还有 ${left} 天到期`),
  ]
    .filter(Boolean)
    .join(' · ');
}

const likely: Partial<Record<number, Registrable>> = {
  [stage.toSign]: 'sign',
  [stage.running]: 'performance',
  [stage.expired]: 'finish',
  [stage.finished]: 'archive',
  [stage.terminated]: 'archive',
  [stage.suspended]: 'resume',
};

/** The likely next registration: after expiry, open rows are registered first, then it is finished. */
const likelyFor = (row: ContractDetail): Registrable | undefined =>
  row.stage === stage.expired && row.performance.some((one) => one.actions.includes('register'))
    ? 'performance'
    : likely[row.stage];

/** True if the seal can be applied for now and was not yet. */
function useSealing({ id, stage: at, stamp_application_id }: ContractDetail): boolean {
  const asks = at === stage.toSign && stamp_application_id === null;
  const data = useSource({ module: 'contracts', id }, asks);
  return asks && data?.offer != null && !data.applications.some((one) => one.act_state === actState.ongoing);
}

const acts = Object.fromEntries(
  (Object.keys(registrable) as Registrable[]).map((type): [string, Act<ContractDetail>] => [
    type,
    {
      label: registrations[type],
      opens: (row, close) => <RegisterDrawer row={row} type={type} onClose={close} />,
    },
  ]),
);

/** The button of the likely registration, and the others under 其他办理. */
function Registering({ row }: { row: ContractDetail }) {
  const navigate = useNavigate();
  const { buttons, open, drawer } = useActs('contract', acts);
  const offered = row.registrable.filter((name) => name !== 'reverse') as Registrable[];
  const first = offered.find((name) => name === likelyFor(row));
  const sealing = useSealing(row);
  const rest = offered.filter((name) => name !== first);
  const signed = row.stage === stage.running || row.stage === stage.expired;
  const more = [
    ...rest.map((name) => ({
      key: name as string,
      label: registrations[name],
      danger: name === 'terminate' || name === 'void',
    })),
    ...(signed && row.nature !== nature.supplement ? [{ key: 'supplement', label: '起草补充协议' }] : []),
    { key: 'copy', label: '复制为新合同' },
  ];
  return (
    <>
      {sealing && (
        <Button type="primary" onClick={() => void navigate(applyPath('contracts', row.id))}>
          申请用印
        </Button>
      )}
      {first && buttons(row, offered, { among: [first], first: sealing ? undefined : first })}
      <Dropdown
        trigger={['click']}
        menu={{
          items: more,
          onClick: ({ key }) => {
            if (key === 'copy') void navigate(`/contract/list?new=1&copy=${row.id}`);
            else if (key === 'supplement') void navigate(`/contract/list?new=1&of=${row.id}`);
            else open(key, row);
          },
        }}
      >
        <Button>其他办理</Button>
      </Dropdown>
      {drawer}
    </>
  );
}
