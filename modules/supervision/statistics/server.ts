export const moreModules = [];
