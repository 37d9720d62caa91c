import { implement, type ServerModule } from '#kernel/server/http/implement.ts';
import { openApi } from '#kernel/server/http/openapi.ts';
import { docs, type Operation } from './contract.ts';

export interface DocsOptions {
  version: string;
  /** The other modules; this one adds itself. */
  modules: readonly ServerModule[];
}

export function docsModule({ version, modules }: DocsOptions): ServerModule {
  let made: ReturnType<typeof openApi> | undefined;
  const self = implement('docs', docs, {
    openapi: () => {
      made ??= openApi('工单系统', version, [...modules, self]);
      return made as { openapi: string; info: { title: string; version: string }; paths: Paths };
    },
  });
  return self;
}

type Paths = Record<string, Record<string, Operation>>;
