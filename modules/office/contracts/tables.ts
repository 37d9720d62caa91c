export * from './tables/categories.ts';
export * from './tables/core.ts';
export * from './tables/parties.ts';
export * from './tables/performing.ts';
export * from './tables/texts.ts';
