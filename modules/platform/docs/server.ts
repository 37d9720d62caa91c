import { implement, type ServerModule } from '#kernel/server/http/implement.ts';
import { openApi } from '#kernel/server/http/openapi.ts';
import { docs, type Operation } from './contract.ts';

/** `modules`: all that provide calls, once they are started. */
export function docsModule(version: string, modules: () => readonly ServerModule[]): ServerModule {
  let made: ReturnType<typeof openApi> | undefined;
  return implement('docs', docs, {
    openapi: () => {
      made ??= openApi('工单系统', version, modules());
      return made as { openapi: string; info: { title: string; version: string }; paths: Paths };
    },
  });
}

type Paths = Record<string, Record<string, Operation>>;
