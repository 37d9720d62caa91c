import { expect, test } from 'vitest';
import { memo } from '#modules/office/documents/seeds/memo.ts';
import { receiving } from '#modules/office/documents/seeds/receiving.ts';
import { sending } from '#modules/office/documents/seeds/sending.ts';
import { publishing } from '#modules/office/folders/seeds/publishing.ts';
import { isOver, newTicket } from '#modules/workflow/tickets/engine/state.ts';
import type { Organisation } from '#modules/workflow/tickets/engine/testing/run.ts';
import { passed, run } from '#modules/workflow/tickets/engine/testing/run.ts';
import { stateOf } from '#modules/workflow/workflows/engine/definition.ts';
import { leave } from '#modules/workflow/workflows/engine/gallery/leave.ts';
import { itService } from '#modules/workflow/workflows/engine/gallery/it-service.ts';

const [applicant, admin] = [1, 6];
/** An organisation in which the applicant holds every post, nobody is above them, and another person administers. */
const alone: Organisation = ({ kind }) => {
  if (kind === 'workflow_admins') return [admin];
  return kind === 'superior' ? [] : [applicant];
};
const form = {
  title: '采购空调',
  category: 'equipment',
  place: '信息楼',
  urgency: 'normal',
  description: '坏了',
  amount: 9000,
  kind: 'personal',
  from: '2026-03-02',
  to: '2026-03-09',
  days: 8,
  reason: '回家',
};

test.each([itService, leave, memo, sending, receiving, publishing])(
  'in the seeded $name nothing requested by the highest leader passes without another person’s approval',
  ({ definition }) => {
    const fields = Object.fromEntries(
      Object.entries(form).filter(([key]) => definition.fields.some((field) => field.key === key)),
    );
    const begin = { type: 'create', actor: applicant, transition_id: 2, suggestion: '', fields, choose: {} } as const;
    const state = passed(run(definition, newTicket(applicant, 2), begin, alone));
    expect(isOver(state)).toBe(false);
    const [task, ...more] = state.tasks.filter(({ status }) => status === 'todo');
    expect([task?.assignee, more]).toEqual([admin, []]);
    expect(stateOf(definition, task!.state_id).kind).toBe('approve');
  },
);
