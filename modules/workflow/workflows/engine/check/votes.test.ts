import { describe, expect, test } from 'vitest';
import { outcome } from '../votes/outcome.ts';
import { leave } from '../../engine/gallery/leave.ts';
import { itService } from '../../engine/gallery/it-service.ts';
import { voteProblems, type Decide } from './votes.ts';

describe('voting rules that can leave a ticket stuck', () => {
  // The rule of the older engine: while people differ, the ticket stays, and nobody is left to act.
  const unanimous: Decide = (_distribution, votes) => {
    const said = new Set(votes.map((vote) => vote.transition_id));
    const open = votes.some((vote) => vote.status === 'todo');
    return open || said.size > 1 ? { wait: null } : { go: votes[0]!.transition_id! };
  };
  test('are reported together with the votes that do so', () => {
    const found = voteProblems(itService.definition, unanimous);
    expect(found[0]).toEqual({
      kind: 'state',
      key: 'dept_fzr',
      msg: '两人会签，一人同意、一人拒绝，工单会停在环节“部门负责人审批”，请调整会签规则',
    });
    const evenOnly: Decide = (distribution, votes, exits) =>
      votes.length < 3 ? outcome(distribution, votes, exits) : unanimous(distribution, votes, exits);
    expect(voteProblems(leave.definition, evenOnly)[0]?.msg).toBe(
      '三人会签，两人同意、一人拒绝，工单会停在环节“部门负责人审批”，请调整会签规则',
    );
  });
});
