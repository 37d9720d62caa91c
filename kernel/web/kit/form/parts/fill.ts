import { createContext, use } from 'react';

/** Fills fields of the surrounding form as if they had been typed, with all their effects. */
export type Fill = (values: Record<string, unknown>) => void;
export const FillContext = createContext<Fill>(() => undefined);

/** For a part of a form that suggests values for other fields. */
export const useFill = (): Fill => use(FillContext);
