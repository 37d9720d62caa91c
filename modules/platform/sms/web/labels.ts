import { smsModules, smsStates, smsTypes } from '../contract/labels.ts';
import type { Withdrawn } from '../contract/sending.ts';

const optionsOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

export const stateLabel = (state: number) => smsStates[state as keyof typeof smsStates] ?? String(state);
export const typeLabel = (type: number) => smsTypes[type as keyof typeof smsTypes] ?? String(type);
export const stateOptions = optionsOf(smsStates);
export const moduleOptions = optionsOf(smsModules);
export const typeOptions = optionsOf(smsTypes);
/** Colours of the states; the label says it too. */
export const stateColour: Record<number, string> = {
  0: 'processing',
  1: 'success',
  2: 'success',
  3: 'error',
  4: 'default',
  5: 'warning',
};

/** What came of withdrawing a batch. */
export const withdrawnSays = ({ withdrawn, leaving }: Withdrawn) =>
  [
    withdrawn > 0 ? `已撤销 ${withdrawn} 个号码的短信` : '',
    leaving > 0 ? `${leaving} 个号码的短信正在发送，不能撤销，额度不退回` : '',
  ]
    .filter(Boolean)
    .join('；');
