import { createContext } from 'react';

/** Whether this is shown beside a list: keys belong to that list. */
export const BesideContext = createContext(false);
