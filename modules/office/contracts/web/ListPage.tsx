import { Button } from 'antd';
import { useNavigate, useSearchParams } from 'react-router';
import { WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { approvalListColumns } from '#modules/workflow/records/widgets.tsx';
import { useWaits } from '#modules/platform/waits/widgets.tsx';
import { contracts } from '../contract/contracts.ts';
import type { ContractRow } from '../contract/shapes.ts';
import { ContractForm } from './draft/ContractForm.tsx';
import { contractColumns, useContractFilters } from './list/columns.tsx';

const tabs = [
  ['duty', '待办'],
  ['mine', '待我签订、履行'],
  ['owner', '我起草'],
  ['worked', '已办'],
  ['cc', '抄送我'],
  ['all', '全部'],
] as const;

// The approval comes first; other columns can be switched on.
const seldom = ['category_name', 'dept_name', 'term_end'];
const columns = [
  ...contractColumns.map((column) => (seldom.includes(column.key) ? { ...column, hidden: true } : column)),
  ...approvalListColumns<ContractRow>(),
];

/** 合同申请: waiting for me, drafted by me, decided by me. */
export default function ContractListPage() {
  const [asked] = useSearchParams();
  const navigate = useNavigate();
  const filters = useContractFilters();
  const { data: waits } = useWaits();
  const mine = waits?.value.find((kind) => kind.page === 'contract/list')?.count ?? 0;
  if (asked.get('new') !== null) return <ContractForm onClose={() => void navigate('/contract/list')} />;
  return (
    <ListPage<ContractRow>
      card={['act_state', 'amount', 'party_names']}
      name="contract/list"
      title="合同申请"
      purpose="起草合同、提交审批，办理等我处理的合同"
      call={contracts.list}
      columns={columns}
      filters={filters}
      categories={tabs.map(([value, label]) => ({ value, label, ...(value === 'mine' ? { count: mine } : {}) }))}
      to={(row) => `/contract/detail/${row.id}`}
      primary={
        <WithCode code="Create">
          <Button type="primary" onClick={() => void navigate('/contract/list?new=1')}>
            起草合同
          </Button>
        </WithCode>
      }
      empty={{ why: '还没有合同，点“起草合同”开始' }}
    />
  );
}
