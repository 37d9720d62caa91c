import type { ConfigProviderProps } from 'antd';
import * as module from 'antd/es/locale/zh_CN.js';

// The type declares CommonJS, the file is a module: the bundler exports the locale itself, Node one level deeper.
const given = (module as { default: unknown }).default as { default?: unknown };
export const chinese = (given.default ?? given) as NonNullable<ConfigProviderProps['locale']>;
