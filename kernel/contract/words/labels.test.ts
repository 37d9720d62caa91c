import { expect, test } from 'vitest';
import { z } from 'zod';
import { labelOf } from './labels.ts';

const schema = z.looseObject({
  title: z.string(),
  values: z.record(z.string(), z.unknown()).meta({ title: '表单内容' }),
  turns: z.partialRecord(z.enum(['title', 'name']), z.string()),
  terms: z.record(z.string(), z.string().meta({ title: '条款' })),
});

test('a field is called by its own title, else by the product’s word for its name', () => {
  expect(labelOf(schema, ['values'])).toBe('表单内容');
  expect(labelOf(schema, ['title'])).toBe('标题');
  expect(labelOf(schema, ['turns', 'title'])).toBe('标题');
});

test('a key that anybody may choose lends its value no word of the product’s, however it is called', () => {
  for (const key of ['title', 'amount', 'constructor', '__proto__', 'toString']) {
    expect(labelOf(schema, ['values', key])).toBe('表单内容');
    expect(labelOf(schema, ['terms', key])).toBe('条款');
  }
});

test('what no schema names is what was sent, also where every object has such a member', () => {
  for (const key of ['constructor', '__proto__', 'toString'])
    for (const path of [[key], [key, 'a']]) expect(labelOf(schema, path)).toBe('提交的内容');
});
