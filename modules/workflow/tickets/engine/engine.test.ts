import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { distributeType, rejectRule } from '#modules/workflow/workflows/engine/codes.ts';
import { leave } from '#modules/workflow/workflows/engine/gallery/leave.ts';
import { itService } from '#modules/workflow/workflows/engine/gallery/it-service.ts';
import type { Command } from './decide.ts';
import { visibleFields } from './fields.ts';
import { noRights, offered } from './ways/offers.ts';
import { outcome, type Vote } from '#modules/workflow/workflows/engine/votes/outcome.ts';
import { dutiesOf, mainStateId, newTicket, type TicketState } from './state.ts';
import { distribution } from './testing/definitions.ts';
import { passed, refused, run, type Organisation } from './testing/run.ts';

const say = { suggestion: '好', fields: {}, choose: {} };

describe('a service order', () => {
  const [creator, head, leader, worker, other] = [1, 2, 3, 4, 5];
  const app: Organisation = ({ kind, of }) => {
    if (kind === 'user') return [Number(of)];
    if (kind === 'dept_fzr') return [head];
    if (kind === 'dept_ld' || kind === 'superior') return [leader];
    return kind === 'role' && of === 'order_handler' ? [worker, other] : [];
  };
  const form = {
    title: '漏水',
    category: 'network',
    place: '一号楼 301',
    urgency: 'urgent',
    description: '洗手池漏水',
  };
  const definition = itService.definition;
  const started = (fields: Record<string, unknown>, by = creator, organisation = app) =>
    passed(
      run(definition, newTicket(by, 2), { type: 'create', actor: by, transition_id: 2, ...say, fields }, organisation),
    );
  const does = (state: TicketState, actor: number, transition_id: number, fields = {}, suggestion = '好') =>
    run(definition, state, { type: 'handle', actor, transition_id, ...say, fields, suggestion }, app);

  test('goes from the head straight to the handlers when it is cheap, is claimed, and ends', () => {
    let ticket = started({ ...form, amount: 300 });
    expect([ticket.title, ticket.act_state, mainStateId(ticket)]).toEqual(['漏水', 1, 2]);
    ticket = passed(does(ticket, head, 3));
    expect(mainStateId(ticket)).toBe(4);
    expect(offered(definition, ticket, worker, noRights).map((offer) => offer.code)).toEqual(['accept', 'comment']);
    expect(refused(does(ticket, worker, 7, { result: '已修好' }))).toBe('这张工单需要先接单');
    ticket = passed(run(definition, ticket, { type: 'accept', actor: worker }, app));
    expect(dutiesOf(ticket, other)).toEqual([]);
    expect(refused(does(ticket, worker, 7, { result: ' ' }))).toBe('处理结果：请填写');
    ticket = passed(does(ticket, worker, 7, { result: '已修好', actual_amount: '120.50' }));
    expect([ticket.act_state, ticket.form['actual_amount']]).toEqual([4, 120.5]);
    expect(refused(does(ticket, worker, 7))).toBe('工单已通过，不能再处理');
  });

  test('above 5000 yuan goes to the leader in charge, who for the head’s own order decides once in the head’s place', () => {
    expect(mainStateId(passed(does(started({ ...form, amount: 5000.01 }), head, 3)))).toBe(3);
    expect(mainStateId(passed(does(started({ ...form, amount: 5000 }), head, 3)))).toBe(4);
    const own = started({ ...form, amount: 9000 }, head);
    expect([mainStateId(own), dutiesOf(own, leader).length, dutiesOf(own, head).length]).toEqual([2, 1, 0]);
    expect(mainStateId(passed(does(own, leader, 3)))).toBe(4);
  });

  test('comes back to the creator on a refusal, which needs words, and starts a new round', () => {
    const ticket = started({ ...form, amount: 300 });
    expect(refused(does(ticket, head, 4, {}, '  '))).toBe('意见：“拒绝”需要填写意见');
    const back = passed(does(ticket, head, 4, {}, '地点不清楚'));
    expect([back.act_state, mainStateId(back), back.tokens[0]?.returned]).toEqual([2, 1, true]);
    expect(offered(definition, back, creator, noRights).map((offer) => offer.code)).toEqual([
      'save',
      'submit',
      'close',
      'cc',
      'comment',
    ]);
    const again = passed(does(back, creator, 2, { place: '一号楼 302' }));
    expect([again.act_state, again.round, again.form['place']]).toEqual([1, 2, '一号楼 302']);
    expect(refused(run(definition, back, { type: 'delete', actor: creator }, app))).toMatch(/^提交过的工单不能删除/);
  });

  test('is saved as a draft without its required fields, keeps its default values, and is submitted later', () => {
    const draft = passed(
      run(definition, newTicket(creator, 2), { type: 'create', actor: creator, transition_id: 1, ...say }, app),
    );
    expect([draft.act_state, draft.title, draft.form['urgency']]).toEqual([0, '信息化服务', 'normal']);
    expect(refused(does(draft, creator, 2))).toContain('标题：请填写');
    expect(passed(does(draft, creator, 2, form)).act_state).toBe(1);
    const deleted = passed(run(definition, draft, { type: 'delete', actor: creator }, app));
    expect([deleted.deleted, dutiesOf(deleted, creator)]).toEqual([true, []]);
  });

  test('refuses values for unknown, hidden or read-only fields', () => {
    const ticket = started({ ...form, amount: 300 });
    expect(refused(does(ticket, head, 3, { amount: 1 }))).toBe('预计金额：在当前环节不能修改');
    expect(passed(does(ticket, head, 3, { amount: 300 })).form['amount']).toBe(300);
    expect(refused(does(ticket, head, 3, { result: '' }))).toBe('result：当前环节没有这个字段');
    expect(refused(does(ticket, head, 3, { act_state: 4 }))).toBe('act_state：当前环节没有这个字段');
    expect(visibleFields(definition, ticket, head).get('result')?.access).toBe(1);
    expect(visibleFields(definition, ticket, other).has('amount')).toBe(false);
  });

  test('refuses values of the wrong kind with a sentence for each field', () => {
    const bad = { ...form, category: 'x', amount: 'many', photos: ['a'], title: '长'.repeat(81) };
    const refusal = refused(
      run(
        definition,
        newTicket(creator, 2),
        { type: 'create', actor: creator, transition_id: 2, ...say, fields: bad },
        app,
      ),
    );
    expect(refusal).toBe(
      '标题：最多 80 个字，现在有 81 个；服务类别：请从选项中选择；预计金额：请输入数字；图片：请重新上传附件',
    );
  });

  test('is not started while nobody could handle it', () => {
    const alone: Organisation = () => [];
    const decision = run(
      definition,
      newTicket(creator, 2),
      { type: 'create', actor: creator, transition_id: 2, ...say, fields: form },
      alone,
    );
    expect(refused(decision)).toBe('下一环节“部门负责人审批”找不到办理人，请联系流程管理员设置后再提交');
  });

  test('leave of a department’s head goes to the superior, who is not asked twice', () => {
    const app: Organisation = ({ kind }) =>
      kind === 'dept_fzr' ? [head] : kind === 'superior' || kind === 'dept_ld' ? [leader] : [];
    const fields = { kind: 'sick', from: '2026-03-02', to: '2026-03-06', days: 5, reason: '感冒' };
    const create: Command = { type: 'create', actor: head, transition_id: 2, ...say, fields };
    const ticket = passed(run(leave.definition, newTicket(head, 2), create, app));
    expect([ticket.title, dutiesOf(ticket, leader).length]).toEqual(['张三 病假 5 天', 1]);
    const agreed = passed(
      run(leave.definition, ticket, { type: 'handle', actor: leader, transition_id: 3, ...say }, app),
    );
    expect([agreed.act_state, agreed.seq]).toEqual([4, 3]);
  });
});

describe('joint votes', () => {
  test('lead to one transition or leave somebody who can act, for every set of votes (I10)', () => {
    const [agree, refuse] = itService.definition.transitions.filter((transition) => transition.source === 2);
    const exits = [agree!, refuse!, { ...agree!, id: 99, attribute: 3 as const }];
    const vote = fc.record({
      status: fc.constantFrom('todo', 'waiting', 'agree', 'refuse', 'other'),
      group_seq: fc.nat(9),
    });
    fc.assert(
      fc.property(distribution, fc.array(vote, { minLength: 1, maxLength: 8 }), (rule, raw) => {
        const attribute = { agree: 1, refuse: 2, other: 3 } as const;
        const votes = raw.map(({ status, group_seq }, index): Vote => {
          const cast = status === 'todo' || status === 'waiting' ? null : attribute[status];
          return {
            no: index + 1,
            group_seq,
            status,
            transition_id: exits.find((exit) => exit.attribute === cast)?.id ?? null,
          };
        });
        const result = outcome(rule, votes, exits);
        if ('go' in result) {
          const chosen = exits.find((exit) => exit.id === result.go);
          expect(votes.some((vote) => vote.transition_id === chosen?.id)).toBe(true);
        } else if (result.wait === null) expect(votes.some((vote) => vote.status === 'todo')).toBe(true);
        else expect(votes[result.wait - 1]?.status).toBe('waiting');
        expect(outcome(rule, votes, exits)).toEqual(result);
      }),
      { numRuns: 2000 },
    );
  });

  test('count refusals by the state’s rule', () => {
    const exits = itService.definition.transitions.filter((transition) => transition.source === 2);
    const votes = (...said: Vote['status'][]): Vote[] =>
      said.map((status, index) => ({
        no: index + 1,
        group_seq: index,
        status,
        transition_id: status === 'agree' ? 3 : status === 'refuse' ? 4 : null,
      }));
    const all = (reject_rule: 1 | 2 | 3, pass_ratio = 100) => ({ type: distributeType.all, reject_rule, pass_ratio });
    expect(outcome(all(rejectRule.veto), votes('agree', 'refuse', 'todo'), exits)).toEqual({ go: 4 });
    expect(outcome(all(rejectRule.wait), votes('agree', 'refuse', 'todo'), exits)).toEqual({ wait: null });
    expect(outcome(all(rejectRule.wait), votes('agree', 'refuse', 'agree'), exits)).toEqual({ go: 4 });
    expect(outcome(all(rejectRule.ratio, 60), votes('agree', 'agree', 'todo'), exits)).toEqual({ go: 3 });
    expect(outcome(all(rejectRule.ratio, 60), votes('refuse', 'refuse', 'todo'), exits)).toEqual({ go: 4 });
    const first = (reject_rule: 1 | 3) => ({ type: distributeType.direct, reject_rule });
    expect(outcome(first(rejectRule.wait), votes('refuse', 'todo'), exits)).toEqual({ wait: null });
    expect(outcome(first(rejectRule.veto), votes('refuse', 'todo'), exits)).toEqual({ go: 4 });
    expect(outcome({ type: distributeType.sequential }, votes('agree', 'waiting', 'waiting'), exits)).toEqual({
      wait: 2,
    });
  });
});
