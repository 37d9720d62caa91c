import { z, type core } from 'zod';
import { fileReply, protocolReply, type Call } from '#kernel/contract/call.ts';
import { isWholeList } from '../list/whole-list.ts';
import type { Mounted, ServerModule } from './implement.ts';

type Json = Record<string, unknown>;

/** OpenAPI 3.1 of every mounted call, generated from the contracts. `version` is the product's. */
export function openApi(title: string, version: string, modules: readonly ServerModule[]): Json {
  const paths: Record<string, Json> = {};
  for (const mounted of modules.flatMap((module) => module.calls)) {
    for (const path of [mounted.call.path, ...(mounted.call.aliases ?? [])])
      (paths[path] ??= {})[mounted.call.method.toLowerCase()] = operation(mounted, path);
  }
  return {
    openapi: '3.1.0',
    info: { title, version },
    paths,
    tags: modules.filter((module) => module.calls.length > 0).map((module) => ({ name: module.name })),
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`JWT <登录得到的令牌>`' },
      },
    },
  };
}

function operation({ module, call }: Mounted, path: string): Json {
  const body = call.body && schemaOf(call.body, 'input');
  return {
    operationId: `${call.method.toLowerCase()}${path.replace(/[^\w]+/g, '_').replace(/_$/, '')}`,
    tags: [module],
    summary: call.summary,
    description: accessText(call),
    security: call.access.kind === 'public' || call.access.kind === 'protocol' ? [] : [{ session: [] }],
    'x-access': call.access,
    parameters: [
      ...parametersOf(call.params, 'path'),
      ...parametersOf(call.query, 'query'),
      ...(isWholeList(call) ? [wholeSearch] : []),
    ],
    requestBody: call.upload
      ? { required: true, content: fileContent(call, body, call.upload) }
      : body && { required: true, content: { 'application/json': { schema: body } } },
    responses: { 200: { description: call.message ?? '成功', content: replyOf(call) } },
  };
}

const wholeSearch = {
  name: 'search_value',
  in: 'query',
  required: false,
  description: '只要名称、标题或代码中有这些词的',
  schema: { type: 'string' },
};

function accessText({ access }: Call): string {
  if (access.kind === 'public') return '无需登录';
  if (access.kind === 'grant') {
    const scope = access.whole ? '，数据范围须为“全部”' : '';
    return `需要 ${access.pages.join('、')} 的 ${access.code} 权限${scope}`;
  }
  if (access.kind === 'protocol') return `${access.name.toUpperCase()} 协议的访问令牌（access_token）`;
  if ('token' in access) return '需要登录，或有效的访问令牌（access_token）';
  return 'address' in access ? '需要登录，或有效的签名地址' : '需要登录';
}

function replyOf(call: Call): Json {
  if (call.reply === fileReply || call.reply === protocolReply)
    return { '*/*': { schema: { type: 'string', format: 'binary' } } };
  const data = schemaOf(call.reply as core.$ZodType, 'output');
  const properties = { code: { type: 'integer' }, msg: { type: 'string' }, data };
  return { 'application/json': { schema: { type: 'object', properties, required: ['code', 'msg', 'data'] } } };
}

function fileContent(call: Call, body: Json | undefined, maxBytes: number): Json {
  return call.stream === 'body'
    ? { 'application/octet-stream': { schema: { type: 'string', format: 'binary', maxLength: maxBytes } } }
    : { 'multipart/form-data': { schema: withFile(body, maxBytes) } };
}

function withFile(body: Json | undefined, maxBytes: number): Json {
  const fields = (body?.['properties'] ?? {}) as Json;
  const file = { type: 'string', format: 'binary', description: `最多 ${maxBytes} 字节` };
  const required = [...((body?.['required'] as string[] | undefined) ?? []), 'file'];
  return { type: 'object', properties: { ...fields, file }, required };
}

function parametersOf(schema: core.$ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, part]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    description: part['title'],
    schema: part,
  }));
}

/** JSON Schema of the data on the wire; constraints that JSON Schema cannot express are left out. */
function schemaOf(schema: core.$ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', cycles: 'ref' });
  return rest;
}
