import { messageLevels, messageTypes } from '../contract.ts';

const shown = (labels: Record<number, string>) => (key: number) => labels[key] ?? String(key);

export const typeLabel = shown(messageTypes);
export const levelLabel = shown(messageLevels);
export const typeOptions = Object.entries(messageTypes).map(([value, label]) => ({ value, label }));
export const levelOptions = Object.entries(messageLevels).map(([value, label]) => ({ value: Number(value), label }));
/** Colours of the levels; the label says it too. */
export const levelColour: Record<number, string> = { 0: 'default', 1: 'warning', 2: 'error' };
