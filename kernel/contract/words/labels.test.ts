import { expect, test } from 'vitest';
import { z } from 'zod';
import { labelOf } from './labels.ts';

const schema = z.looseObject({
  title: z.string(),
  values: z.record(z.string(), z.unknown()).meta({ title: '表单内容' }),
  turns: z.partialRecord(z.enum(['title', 'name']), z.string()),
  terms: z.record(z.string(), z.string().meta({ title: '条款' })),
});

test('a field’s label is its own title, else the product’s word for its name', () => {
  expect(labelOf(schema, ['values'])).toBe('表单内容');
  expect(labelOf(schema, ['title'])).toBe('标题');
  expect(labelOf(schema, ['turns', 'title'])).toBe('标题');
});

test('a value under a freely chosen key gets the label of its container, whatever the key', () => {
  for (const key of ['title', 'amount', 'constructor', '__proto__', 'toString']) {
    expect(labelOf(schema, ['values', key])).toBe('表单内容');
    expect(labelOf(schema, ['terms', key])).toBe('条款');
  }
});

test('a path that no schema names is labelled as submitted content, also for names of built-in members', () => {
  for (const key of ['constructor', '__proto__', 'toString'])
    for (const path of [[key], [key, 'a']]) expect(labelOf(schema, path)).toBe('提交的内容');
});
