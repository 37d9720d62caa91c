import { logs } from './contract/logs.ts';
import { sending } from './contract/sending.ts';
import { statistics } from './contract/statistics.ts';
import { templates } from './contract/templates.ts';

export const sms = { ...sending, ...logs, ...statistics, ...templates };
