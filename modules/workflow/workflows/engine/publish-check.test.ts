import { describe, expect, test } from 'vitest';
import { onEmpty, onSelf, timeoutAction } from './codes.ts';
import type { DefinitionInput } from './definition.ts';
import { Definition } from './definition.ts';
import { publishProblems } from './check/publish-check.ts';
import { itService } from './gallery/it-service.ts';
import { templates } from './gallery/templates.ts';

function problemsOf(change: (draft: DefinitionInput) => void): string[] {
  const draft = structuredClone(itService.definition) as DefinitionInput;
  change(draft);
  return publishProblems(Definition.parse(draft)).map((problem) => problem.msg);
}

describe('publishing', () => {
  test.each(templates)('accepts the template $name as it is', ({ definition }) => {
    expect(publishProblems(definition)).toEqual([]);
  });

  test('names a state without an exit, and states that can no longer be reached', () => {
    const found = problemsOf((draft) => (draft.transitions = draft.transitions.filter((t) => t.source !== 2)));
    expect(found).toContain('环节“部门负责人审批”没有出口，工单会停在这里');
    expect(found).toContain('环节“分管领导审批”从开始环节走不到');
  });

  test('requires exactly one start and at least one end', () => {
    expect(problemsOf((draft) => (draft.states[1]!.kind = 'start'))).toContain('必须有且只有一个开始环节，现在有 2 个');
    expect(problemsOf((draft) => (draft.states[4]!.kind = 'handle'))).toContain('至少要有一个结束环节');
  });

  test('finds conditions and participants that name what does not exist', () => {
    const found = problemsOf((draft) => {
      draft.transitions[2]!.conditions = [{ expression: { op: 'gt', field: 'cost', value: 1 }, target_state_id: 3 }];
      draft.states[3]!.participants = [{ type: 7, field: 'worker' }];
    });
    expect(found).toContain('环节“部门负责人审批”的流转“同意”的条件用了不存在的字段“cost”');
    expect(found).toContain('环节“服务处理”的办理人字段“worker”不存在');
  });

  test('refuses a timeout that approves a state requiring a signature', () => {
    const found = (actions: ('sign' | 'batch')[]) =>
      problemsOf((draft) =>
        Object.assign(draft.states[1]!, { actions, timeout: { hours: 4, action: timeoutAction.agree } }),
      );
    expect(found(['sign'])).toEqual(['环节“部门负责人审批”需要手写签名，超时后不能自动同意，请改成提醒、退回或转上级']);
    expect(found(['batch'])).toEqual([]);
  });

  test.each([
    ['不再询问本轮已同意过的人', '去掉这一项', { dedupe: 'round' }],
    ['办理人就是发起人时自动跳过', '改成照常处理或转上级处理', { on_self: onSelf.skip }],
    ['找不到办理人时直接通过', '改成由指定人员或流程管理员处理', { on_empty: onEmpty.pass }],
  ] as const)(
    'refuses to skip a person (%s) if the next transition is ambiguous or a required field stays empty',
    (how, instead, skips) => {
      const passing = (change: (draft: DefinitionInput) => void = () => undefined) =>
        problemsOf((draft) => {
          Object.assign(draft.states[1]!, skips);
          change(draft);
        });
      expect(passing()).toEqual([]);
      const said = `环节“部门负责人审批”${how}，但`;
      const twice = passing((draft) =>
        draft.transitions.splice(2, 0, { ...draft.transitions[2]!, id: 40, key: 'more', name: '同意并办结' }),
      );
      expect(twice).toEqual([`${said}“同意并办结”、“同意”都可以走，不知道走哪一个，请只留一个，或${instead}`]);
      const open = passing((draft) => (draft.states[1]!.access = { ...draft.states[1]!.access, amount: 2 }));
      expect(open).toEqual([`${said}必填的“预计金额”这时没有人填写，请不要求必填，或${instead}`]);
      const refusing = passing((draft) => (draft.transitions = draft.transitions.filter(({ id }) => id !== 3)));
      expect(refusing).toContain(`${said}除“拒绝”外没有别的流转可走，请加上，或${instead}`);
    },
  );

  test('refuses a timeout action whose transition is ambiguous or cannot be taken', () => {
    const late = (action: number, change: (draft: DefinitionInput) => void = () => undefined, more: object = {}) =>
      problemsOf((draft) => {
        Object.assign(draft.states[1]!, { timeout: { hours: 4, action, ...more } });
        change(draft);
      });
    const { agree, giveBack, transfer } = timeoutAction;
    const said = '环节“部门负责人审批”超过时限要';
    expect([late(agree), late(giveBack)]).toEqual([[], []]);
    const twice = late(agree, (draft) =>
      draft.transitions.push({ ...draft.transitions[2]!, id: 40, key: 'more', name: '同意并办结' }),
    );
    expect(twice).toEqual([
      `${said}自动同意，但“同意”、“同意并办结”都是同意，不知道走哪一个，请改成别的处理，或只留一个`,
    ]);
    const noWay = late(giveBack, (draft) => (draft.transitions = draft.transitions.filter(({ id }) => id !== 4)));
    expect(noWay).toEqual([`${said}自动退回，但没有“拒绝”的流转，请加上，或改成别的处理`]);
    const open = late(agree, (draft) => (draft.states[1]!.access = { ...draft.states[1]!.access, amount: 2 }));
    expect(open).toEqual([`${said}自动同意，但必填的“预计金额”没有人填写，请改成别的处理，或不要求必填`]);
    const filledBefore = problemsOf((draft) => {
      const [, head, leader] = draft.states;
      head!.access = { ...head!.access, amount: 2 };
      leader!.access = { ...leader!.access, amount: 2 };
      leader!.timeout = { hours: 4, action: agree };
    });
    expect(filledBefore, 'whoever decides before fills it in').toEqual([]);
    const only = late(transfer, (draft) => (draft.states[1]!.participants = [{ type: 1, user: 7 }]), { users: [7] });
    expect(only).toEqual([`${said}转给的人就是这里的办理人，没有别人可转，请另选他人`]);
    const atStart = problemsOf((draft) =>
      [draft.states[0]!, draft.states.at(-1)!].forEach((state) =>
        Object.assign(state, { timeout: { hours: 4, action: timeoutAction.remind } }),
      ),
    );
    expect(atStart).toHaveLength(2);
  });

  test('finds defaults that do not fit, checks that never hold, and fields that only show each other', () => {
    const found = problemsOf((draft) => {
      const named = (key: string) => draft.fields.find((field) => field.key === key)!;
      Object.assign(named('urgency'), { default_value: 'nothing' });
      Object.assign(named('amount'), { max: 10, default_value: 11 });
      Object.assign(named('place'), { shown_when: { op: 'not_empty', field: 'description' } });
      Object.assign(named('description'), { shown_when: { op: 'eq', field: 'place', value: '一号楼' } });
      const amount = { op: 'field' as const, field: 'amount' };
      draft.states[0]!.access = { ...draft.states[0]!.access, amount: 2 };
      draft.settings!.checks = [
        { left: amount, op: 'gt', right: { op: 'value', value: 10 }, message: '要多于十元' },
        { left: amount, op: 'lte', right: { op: 'value', value: 10 }, message: '不超过十元' },
      ];
    });
    expect(found).toEqual(
      expect.arrayContaining([
        expect.stringContaining('的默认值“nothing”不是它的选项'),
        expect.stringContaining('的默认值 11 大于最大值 10'),
        '表单校验“要多于十元”怎么填都不成立，谁也提交不了，请修改',
      ]),
    );
    expect(found.filter((msg) => msg.includes('两个都不会显示'))).toHaveLength(2);
    const leftEmpty = problemsOf((draft) => {
      const left = { op: 'field' as const, field: 'amount' };
      draft.settings!.checks = [{ left, op: 'lt', right: { op: 'value', value: 0 }, message: '不到零元' }];
    });
    expect(leftEmpty, 'a form without the amount passes').toEqual([]);
    expect(found.join()).not.toContain('不超过十元');
  });

  test('a state that asks another system and goes up if it names nobody still needs a rule, as nobody may be found above', () => {
    const found = problemsOf((draft) => {
      draft.states[1]!.participants = [{ type: 11, hook: 1 }];
      draft.states[1]!.on_empty = onEmpty.up;
    });
    expect(found).toContain('环节“部门负责人审批”由外部系统给出办理人，请设置它没有给出时由谁处理');
  });

  test('names the settings that states asking another system for people, and calls, still need', () => {
    const found = problemsOf((draft) => {
      draft.states[1]!.participants = [11, 11].map((type) => ({ type: type as 11, hook: 1 }));
      draft.states[1]!.on_empty = 2;
      draft.states[2]!.participants = [{ type: 10, hook: 1 }];
      draft.states[3]!.kind = 'hook';
    });
    expect(found).toContain('环节“部门负责人审批”只能向一个外部系统要办理人');
    expect(found).toContain('环节“部门负责人审批”由外部系统给出办理人，请设置它没有给出时由谁处理');
    expect(found).toContain('环节“分管领导审批”的办理人不能是外部调用，请改用“外部调用”环节，或由外部系统给出办理人');
    expect(found).toContain('环节“服务处理”要选择一个调用的通知方式');
  });

  test('requires a waiting call to have a transition for success, one for failure, and a timeout', () => {
    const waiting = (ways: (exits: DefinitionInput['transitions']) => void) =>
      problemsOf((draft) => {
        const state = draft.states[1]!;
        Object.assign(state, { kind: 'hook', waits: true, participants: [{ type: 10, hook: 1 }], timeout: null });
        ways(draft.transitions.filter((exit) => exit.source === state.id));
      });
    expect(waiting(() => undefined)).toEqual([
      '环节“部门负责人审批”要给其中一个流转设置时间，外部系统一直不回答时走它',
    ]);
    expect(waiting(([_done, failed]) => void (failed!.attribute = 1))).toContain(
      '环节“部门负责人审批”等外部系统回答，要有两个流转：办成时走的，和办不成时走的“拒绝”',
    );
    expect(waiting(([done]) => void (done!.timer = 3600))).toEqual([]);
  });

  test('finds duplicate and reserved field keys, and dangling references', () => {
    const found = problemsOf((draft) => {
      draft.fields[1]!.key = 'title';
      draft.fields[2]!.key = 'creator';
      draft.transitions[4]!.destination = 99;
    });
    expect(found).toContain('字段标识“title”重复，请改成不同的');
    expect(found).toContain('字段“地点”的标识“creator”是系统保留字，请换一个');
    expect(found).toContain('流转“同意”指向的环节 99 不存在');
  });

  test('finds automatic states that form a loop', () => {
    const found = problemsOf((draft) => {
      draft.states[1]!.kind = 'condition';
      draft.states[2]!.kind = 'condition';
      draft.transitions = draft.transitions.filter((t) => t.id !== 4 && t.id !== 6);
      draft.transitions.find((t) => t.id === 5)!.conditions = [
        { expression: { op: 'empty', field: 'amount' }, target_state_id: 2 },
      ];
    });
    expect(found).toContain('环节“部门负责人审批”会自动绕回自己，工单会停不下来');
  });
});
