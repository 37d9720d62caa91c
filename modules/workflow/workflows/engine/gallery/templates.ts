import { itService } from './it-service.ts';
import { leave } from './leave.ts';
import { moneyFlows } from './money.ts';
import { officeFlows } from './office.ts';
import { peopleFlows } from './people.ts';
import { propertyFlows } from './property.ts';
import type { Template } from './vocabulary.ts';

/** Common requests of an organisation: each may be the start of a workflow, and all of it can be changed. */
export const templates: readonly Template[] = [
  {
    ...leave,
    name: '请假',
    about: '3 天以内部门负责人审批，超过 3 天再报分管领导；按工作日计天数，可请半天',
  },
  ...peopleFlows,
  ...moneyFlows,
  ...officeFlows,
  ...propertyFlows,
  { ...itService, name: '服务申请', about: '账号、网络、设备与软件的服务，审批后由办理人员领取、处理' },
];
