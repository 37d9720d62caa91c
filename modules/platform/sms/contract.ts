import { logs } from './contract/logs.ts';
import { replies } from './contract/replies.ts';
import { sending } from './contract/sending.ts';
import { smsRuleCalls } from './contract/rules.ts';
import { statistics } from './contract/statistics.ts';
import { templates } from './contract/templates.ts';

export const sms = { ...sending, ...logs, ...replies, ...statistics, ...templates, ...smsRuleCalls };
