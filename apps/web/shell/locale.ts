import type { ConfigProviderProps } from 'antd';
import * as module from 'antd/es/locale/zh_CN.js';

// The declaration says CommonJS, the file is a module: the bundler hands out the locale itself, Node one level deeper.
const given = (module as { default: unknown }).default as { default?: unknown };
export const chinese = (given.default ?? given) as NonNullable<ConfigProviderProps['locale']>;
