import { z } from 'zod';
import { name } from '#kernel/contract/shapes.ts';

const option = z.int().min(0).max(3);
/** A question about a paper with its right option, from 0. */
export const Question = z
  .object({
    question: name(200).meta({ title: '题目' }),
    options: z.array(name(100)).min(2, '至少 2 个选项').max(4, '最多 4 个选项').meta({ title: '选项' }),
    answer: option.meta({ title: '正确选项' }),
  })
  .refine((one) => one.answer < one.options.length, { path: ['answer'], message: '请选出正确选项' });
export type Question = z.output<typeof Question>;

export const Quiz = z.array(Question).max(3, '最多 3 题').meta({ title: '阅读小测' });
export const Answers = z.array(option).max(3).optional().meta({ title: '小测答案' });

/** As a reader is asked; the right option is told to those who manage the paper. */
export const Asked = z.object({
  question: z.string(),
  options: z.array(z.string()),
  answer: z.number().int().nullable(),
});
