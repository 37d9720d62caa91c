import { smsModules, smsState, smsType } from '../contract/labels.ts';
import type { Withdrawn } from '../contract/sending.ts';

const optionsOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

export const stateOptions = optionsOf(smsState.names);
export const moduleOptions = optionsOf(smsModules);
export const typeOptions = optionsOf(smsType.names);

/** The result of withdrawing a batch. */
export const withdrawnSays = ({ withdrawn, leaving }: Withdrawn) =>
  [
    withdrawn > 0 ? `已撤销 ${withdrawn} 个号码的短信` : '',
    leaving > 0 ? `${leaving} 个号码的短信正在发送，不能撤销，额度不退回` : '',
  ]
    .filter(Boolean)
    .join('；');
