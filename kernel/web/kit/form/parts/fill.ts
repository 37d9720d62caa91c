import { createContext, use } from 'react';

/** Fills fields of the form around as if they had been typed, so that what follows of them does. */
export type Fill = (values: Record<string, unknown>) => void;
export const FillContext = createContext<Fill>(() => undefined);

/** For a part of a form that offers what other fields may say. */
export const useFill = (): Fill => use(FillContext);
