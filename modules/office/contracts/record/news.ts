import { newsLevel, newsType } from '#modules/platform/messages/contract.ts';
import { newsKinds } from '#modules/platform/messages/contract/kinds.ts';
import type { Stored } from './record.ts';

/** The news about contracts. */
export const contractNews = newsKinds({
  module: 'contracts',
  type: newsType.contract,
  group: '合同',
  page: (id) => `/contract/detail/${id}`,
  of: ({ id, name }: Pick<Stored, 'id' | 'name'>) => ({ id, title: name }),
  kinds: {
    CONTRACT_TO_SIGN: { name: '合同待签订', head: '合同待签订' },
    CONTRACT_NODE: { name: '合同履约节点临近', head: '合同履约节点' },
    CONTRACT_OVERDUE: {
      name: '合同履约节点逾期',
      head: '合同节点逾期',
      level: newsLevel.important,
      ways: ['sms', 'push'],
    },
    CONTRACT_EXPIRE: { name: '合同到期', head: '合同到期' },
    CONTRACT_NOTICE: { name: '合同到期通知期限临近', head: '合同到期通知期限' },
    CONTRACT_RENEWED: { name: '合同自动顺延', head: '合同自动顺延', ways: [] },
    CONTRACT_CHANGED: { name: '合同有变动', head: '合同有变动' },
    CONTRACT_TO_FINISH: { name: '合同待办结', head: '合同待办结' },
  },
});

/** The managers of contracts. */
export const managers = { role: 'contract_manager' } as const;
export const finance = { role: 'finance' } as const;
export const lawyers = { role: 'legal' } as const;
export const headOfDept = ({ dept_id }: Pick<Stored, 'dept_id'>) => ({ dept: dept_id, part: 'leader' }) as const;
export const leaderOfDept = ({ dept_id }: Pick<Stored, 'dept_id'>) => ({ dept: dept_id, part: 'dept_ld' }) as const;

/** The name of a contract in messages. */
export const calledIn = ({ contract_no, name }: Pick<Stored, 'contract_no' | 'name'>) =>
  `${contract_no ? `${contract_no} ` : ''}《${name}》`;
