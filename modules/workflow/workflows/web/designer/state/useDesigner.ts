import { App } from 'antd';
import { useCallback, useEffect, useMemo, useReducer, useState } from 'react';
import { codes } from '#kernel/contract/refusal.ts';
import { useSend } from '#kernel/web/calls.ts';
import { useDraft } from '#kernel/web/kit/form/draft.ts';
import { useLeaveGuard } from '#kernel/web/kit/page.tsx';
import { designCalls, type Design } from '../../../contract/design.ts';
import { inputOf, nextIds, type Draft } from './draft.ts';
import { advance, begin, type History, type Step } from './history.ts';
import { problemsOf, unfinished } from './problems.ts';

/** The designer's state: the draft with its history, its problems, and saving. */
export function useDesigner(design: Design, initial: Draft) {
  const { message, notification } = App.useApp();
  const [history, dispatch] = useReducer(
    advance as (history: History<Draft>, step: Step<Draft>) => History<Draft>,
    initial,
    begin,
  );
  const [saved, setSaved] = useState(initial);
  const [version, setVersion] = useState(design.version);
  const [conflict, setConflict] = useState(false);
  const draft = history.present;
  const dirty = draft !== saved;
  const name = `workflow:${design.id}`;
  const kept = useDraft(name);
  useLeaveGuard(name, dirty);
  const { keep, drop } = kept;
  useEffect(() => {
    if (dirty) keep({ definition: draft });
  }, [dirty, draft, keep]);
  const problems = useMemo(() => problemsOf(draft), [draft]);
  const sending = useSend(designCalls.change, { quiet: true });

  /** Saves the draft; returns whether the server has it now. */
  const save = useCallback(
    async (over = version): Promise<boolean> => {
      if (draft === saved) return true;
      const [first] = unfinished(draft);
      if (first) {
        void message.warning(`${first.msg}，补全后才能保存`);
        return false;
      }
      try {
        const reply = await sending.mutateAsync({
          params: { id: design.id },
          body: { definition: inputOf(draft), version: over },
        });
        setSaved(draft);
        setVersion(reply.version);
        setConflict(false);
        drop();
        void message.success('已保存');
        return true;
      } catch (error) {
        const failure = error as { code?: number; msg?: string };
        if (failure.code === codes.stale) setConflict(true);
        else if (failure.code !== codes.signedOut) notification.error({ title: failure.msg ?? '保存失败，请重试' });
        return false;
      }
    },
    [version, draft, saved, message, notification, sending, design.id, drop],
  );
  const edit = useCallback(
    (change: (draft: Draft) => Draft, about?: string) =>
      dispatch(about === undefined ? { type: 'edit', change } : { type: 'edit', change, about }),
    [],
  );
  /** Replaces the local draft by the server's. */
  const take = useCallback(
    (fresh: Draft, freshVersion: number) => {
      dispatch({ type: 'begin', with: fresh });
      setSaved(fresh);
      setVersion(freshVersion);
      setConflict(false);
      drop();
    },
    [drop],
  );
  return {
    draft,
    edit,
    undo: () => dispatch({ type: 'undo' }),
    redo: () => dispatch({ type: 'redo' }),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    dirty,
    saving: sending.isPending,
    save,
    take,
    version,
    noteVersion: setVersion,
    /** Somebody else saved after this page read it. */
    behind: conflict || design.version > version,
    problems,
    ids: nextIds(draft, design.next_ids),
    /** An earlier draft kept by this browser, until it is used or discarded. */
    left: kept.found && { at: kept.found.at, definition: kept.found.values['definition'] as Draft },
    dismissLeft: kept.restore,
    dropLeft: kept.drop,
  };
}
export type Designer = ReturnType<typeof useDesigner>;
