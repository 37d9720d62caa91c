import { describe, expect, test } from 'vitest';
import { itService } from '../../engine/gallery/it-service.ts';
import { Definition, exitsOf } from '../definition.ts';
import { publishProblems } from './publish-check.ts';

describe('publishing checks conditions: those', () => {
  const problemsWith = (conditions: object[], more: object = {}) => {
    const draft = structuredClone(itService.definition) as { -readonly [K in keyof Definition]: Definition[K] };
    draft.transitions = draft.transitions.map((one) =>
      one.key === 'fzr_agree' ? { ...one, conditions } : one,
    ) as never;
    draft.fields = draft.fields.map((one) => (one.key === 'amount' ? { ...one, ...more } : one));
    return publishProblems(Definition.parse(draft)).map((problem) => problem.msg);
  };
  const to = (expression: object, target_state_id = 3) => ({ expression, target_state_id });
  const over = (value: number) => to({ op: 'gt', field: 'amount', value });
  const where = '环节“部门负责人审批”的流转“同意”';

  test('that can never decide are named with the reason', () => {
    expect(problemsWith([over(5000)])).toEqual([]);
    expect(problemsWith([over(5000), over(9000)])).toEqual([
      `${where}的第 2 个条件（预计金额 大于 9000）永远轮不到，前面的条件已经包含了它`,
    ]);
    expect(problemsWith([over(9000), over(5000)])).toEqual([]);
    expect(problemsWith([over(5000)], { max: 3000 })).toContain(
      `${where}的第 1 个条件（预计金额 大于 5000）永远不会成立，请修改或删除`,
    );
    const never = { op: 'and', of: [over(5000).expression, { op: 'lt', field: 'amount', value: 100 }] };
    expect(problemsWith([to(never)]).join()).toMatch(/永远不会成立/);
  });

  test('that compare a field with a value it cannot hold are refused', () => {
    const wrong = (expression: object) => problemsWith([to(expression)])[0];
    expect(wrong({ op: 'gt', field: 'amount', value: '5000' })).toBe(
      `${where}的条件里，字段“预计金额”不能与“5000”比较，请填写数字`,
    );
    expect(wrong({ op: 'eq', field: 'category', value: 'garden' })).toBe(
      `${where}的条件里，“garden”不是字段“服务类别”的选项`,
    );
    expect(wrong({ op: 'gt', field: 'place', value: 'x' })).toBe(`${where}的条件不能比较字段“地点”的大小`);
    expect(wrong({ op: 'eq', field: 'photos', value: 'x' })).toBe(`${where}的条件只能判断字段“图片”是否为空`);
    expect(wrong({ op: 'contains', field: 'category', value: 'network' })).toBe(
      `${where}的条件里，字段“服务类别”不能用“包含”`,
    );
    expect(wrong({ op: 'eq', field: 'urgency', value: true })).toBe(`${where}的条件里，字段“紧急程度”不能与“true”比较`);
  });

  test('that always hold make the default unused and the states behind it unreachable', () => {
    const always = to(
      {
        op: 'or',
        of: [
          { op: 'empty', field: 'amount' },
          { op: 'not_empty', field: 'amount' },
        ],
      },
      1,
    );
    expect(problemsWith([always])).toContain('环节“服务处理”从开始环节走不到');
    expect(exitsOf(itService.definition, 2).length).toBe(2);
  });
});
