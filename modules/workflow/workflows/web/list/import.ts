import { App } from 'antd';
import { createElement, useRef } from 'react';
import type { z } from 'zod';
import type { Design } from '../../contract/design.ts';
import { Draft } from '../../engine/definition.ts';

/** Identifies our files and their format. */
const format = 'workflow-definition/1';

/** A workflow as a file: its properties and its whole definition. People and departments stay as this organisation's numbers. */
export function fileOf({ name, description, icon, category, module, definition }: Design): string {
  return JSON.stringify({ format, name, description, icon, category, module, definition }, null, 2);
}

export interface Imported {
  name: string;
  description: string;
  icon: string;
  category: string;
  /** The module whose records it decides; null for plain tickets. */
  module: string | null;
  definition: z.output<typeof Draft>;
}

/** Reads such a file; a sentence if it cannot be used. */
export function readFile(text: string): Imported | string {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return '文件不是有效的 JSON，请选择从“流程管理”导出的文件';
  }
  const file = found as Partial<Record<string, unknown>> | null;
  if (file?.['format'] !== format) return '这不是流程文件，请选择从“流程管理”导出的文件';
  const definition = Draft.safeParse(file['definition']);
  if (!definition.success) {
    const [issue] = definition.error.issues;
    const where = issue?.path.join('.') ?? '';
    return issue?.code === 'unrecognized_keys'
      ? `流程文件${where === '' ? '' : ` ${where} `}里${issue.message}`
      : `流程文件的内容不完整：${where}，请重新导出后再试`;
  }
  const text50 = (key: string) => (typeof file[key] === 'string' ? file[key] : '');
  return {
    name: text50('name') || definition.data.name,
    description: text50('description'),
    icon: text50('icon'),
    category: text50('category'),
    module: text50('module') || null,
    definition: definition.data,
  };
}

/** Opens a file dialog and begins a new workflow with the file. */
export function useImport(onRead: (file: Imported) => void) {
  const { notification } = App.useApp();
  const field = useRef<HTMLInputElement>(null);
  const read = async (file: File | undefined) => {
    if (!file) return;
    const found = readFile(await file.text());
    if (typeof found === 'string') notification.error({ title: found });
    else onRead(found);
  };
  const input = createElement('input', {
    ref: field,
    type: 'file',
    accept: '.json,application/json',
    hidden: true,
    'aria-label': '流程文件',
    onChange: (event: { currentTarget: HTMLInputElement }) => {
      const { currentTarget } = event;
      void read(currentTarget.files?.[0]);
      currentTarget.value = '';
    },
  });
  return { input, choose: () => field.current?.click() };
}
