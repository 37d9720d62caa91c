export const outcomeColors = { started: 'success', skipped: 'default', failed: 'error' } as const;
