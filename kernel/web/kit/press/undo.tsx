import { useQueryClient, type QueryFilters } from '@tanstack/react-query';
import { App, Button } from 'antd';
import { useCallback, useContext, useSyncExternalStore, type ReactNode } from 'react';
import { messageOf, type Asked, type Calls, type PermissionCode, type ReplyOf } from '#kernel/contract/call.ts';
import { isOfAny, moduleOf } from '../../calls.ts';
import { putOff, undoSeconds } from '../../putOff.ts';
import { grantedCode, type Look } from './CallButton.tsx';
import { usePermission } from '../permission.tsx';
import { PreferencesContext } from '../preferences.tsx';

type AnyCall = Calls[string];

/** Rows that leave the named list at once; they come back if the action is undone or refused. */
export interface Leaving {
  list: string;
  ids: readonly (number | string)[];
}
interface Putting {
  /** A description of the action: 删除“301 会议室”. */
  says: string;
  leaving: Leaving;
  /** Modules besides the call's own whose cached answers become stale. */
  stale?: readonly string[];
}

const none: ReadonlySet<number | string> = new Set();
const left = new Map<string, ReadonlySet<number | string>>();
const listeners = new Set<() => void>();
let turn = 0;
function setLeft({ list, ids }: Leaving, leaves: boolean): void {
  const others = [...(left.get(list) ?? none)].filter((id) => !ids.includes(id));
  left.set(list, new Set(leaves ? [...others, ...ids] : others));
  turn += 1;
  for (const listener of listeners) listener();
}
const listen = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Rows of a list that are about to leave, and are hidden unless the action is undone. */
export const useLeft = (list: string) => useSyncExternalStore(listen, () => left.get(list) ?? none);

/**
 * Performs an action that can be undone for some seconds: rows leave their list at once, and the call is sent afterwards. Returns the reply, null if
 * it was undone, and undefined if it was refused, which was shown by then.
 */
export function useUndoable() {
  const { message } = App.useApp();
  const client = useQueryClient();
  return useCallback(
    async <C extends AnyCall>(call: C, asked: Asked<C>, { says, leaving, stale = [] }: Putting) => {
      const sending = putOff(call, asked);
      setLeft(leaving, true);
      const key = `undo-${leaving.list}-${leaving.ids.join()}`;
      void message.open({
        key,
        type: 'info',
        duration: undoSeconds,
        content: (
          <>
            {says}，{undoSeconds} 秒后提交
            <Button type="link" size="small" onClick={sending.undo}>
              撤销
            </Button>
            <Button type="link" size="small" onClick={sending.now}>
              立即提交
            </Button>
          </>
        ),
      });
      const reply: ReplyOf<C> | null | undefined = await sending.done.catch(() => undefined);
      message.destroy(key);
      const modules: readonly unknown[] = [moduleOf(call), ...stale];
      const isStale: QueryFilters['predicate'] = ({ meta, queryKey }) =>
        modules.includes(queryKey[0]) || !!meta?.['live'] || isOfAny(meta);
      await client.invalidateQueries({ predicate: isStale });
      setLeft(leaving, false);
      if (reply === null) void message.info('已撤销，没有提交');
      return reply;
    },
    [client, message],
  );
}

/** True if a row of any list is about to leave. */
export function useIsLeaving(): (list: string, id: number | string) => boolean {
  useSyncExternalStore(listen, () => turn);
  return (list, id) => left.get(list)?.has(id) ?? false;
}

/** Removes an entry from a list in the person's preferences at once, and offers for some seconds to put it back in its place. */
export function useTakingOut<T>(key: string) {
  const { message } = App.useApp();
  const preferences = useContext(PreferencesContext);
  return (from: readonly T[], one: T, says: string) => {
    const at = from.indexOf(one);
    preferences.save(key, from.toSpliced(at, 1));
    const shown = `undo-${key}-${says}`;
    const putBack = () => {
      message.destroy(shown);
      preferences.save(key, ((preferences.get(key) ?? []) as T[]).toSpliced(at, 0, one));
    };
    void message.open({
      key: shown,
      type: 'success',
      duration: undoSeconds,
      content: (
        <>
          {says}
          <Button type="link" size="small" onClick={putBack}>
            撤销
          </Button>
        </>
      ),
    });
  };
}

interface UndoButtonProps<C extends AnyCall> extends Putting {
  call: C;
  asked: Asked<C>;
  children: ReactNode;
  /** Code that shows the button; the call's own grant unless given, `null` for none. */
  code?: PermissionCode | null;
  /** True if the record allows the action now. */
  allowed?: boolean;
  danger?: boolean;
  size?: Look['size'];
  /** Called at once: for example to leave the page of a record that goes, or to clear a selection. */
  onPress?: () => void;
  /** Called when the call was sent. */
  onDone?: () => void;
}

/** A button whose call is sent after some seconds in which it can be undone; for actions that are seldom refused and need no further input. */
export function UndoButton<C extends AnyCall>(props: UndoButtonProps<C>) {
  const { call, asked, children, danger, size, says, leaving, onPress, onDone } = props;
  const may = usePermission();
  const { message } = App.useApp();
  const undoably = useUndoable();
  const gone = useLeft(leaving.list);
  const code = props.code === undefined ? grantedCode(call) : props.code;
  if ((code && !may(code)) || props.allowed === false) return null;
  const act = async () => {
    const answered = undoably(call, asked, { says, leaving });
    onPress?.();
    const reply = await answered;
    if (reply === null || reply === undefined) return;
    void message.success(messageOf(call, reply) ?? '操作成功');
    onDone?.();
  };
  return (
    <Button danger={danger} size={size} disabled={leaving.ids.some((id) => gone.has(id))} onClick={() => void act()}>
      {children}
    </Button>
  );
}
