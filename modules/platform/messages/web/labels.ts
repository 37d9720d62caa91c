import { newsLevel, newsType } from '../contract.ts';

export const typeOptions = Object.entries(newsType.names).map(([value, label]) => ({ value, label }));
export const levelOptions = Object.entries(newsLevel.names).map(([value, label]) => ({ value: Number(value), label }));
