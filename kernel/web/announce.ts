import { codes } from '#kernel/contract/refusal.ts';
import type { CallFailed } from './failure.ts';

export interface SignInQuestion {
  title: string;
  content: string;
  okText: string;
  cancelText: string;
}

/** The ways to show failures: the office uses the component library's dialogs, the sign-in page its own. */
export interface Announcer {
  message(text: string, seconds: number): void;
  notification(title: string): void;
  confirm(question: SignInQuestion): Promise<boolean>;
  /** Ends the session and goes to the address the server answers. */
  leave(): Promise<void>;
}

const question: SignInQuestion = {
  title: '系统提示',
  content: '登录状态已过期，您可以继续留在该页面，或者重新登录',
  okText: '重新登录',
  cancelText: '取消',
};

let announcer: Announcer | null = null;
let asking = false;

/** Sets the announcer that shows failures from now on. */
export function announceWith(value: Announcer | null): void {
  announcer = value;
}

/** Shows a failure as the error catalogue says; it asks only once to sign in again, however many calls expire. */
export function announce(failure: CallFailed): void {
  if (!announcer) return;
  // A failure with a trace id stays longer, so that people can write it down.
  if (failure.kind !== 'refused') announcer.message(failure.msg, failure.trace ? 10 : 5);
  else if (failure.code === codes.signedOut) void ask(announcer);
  else if (failure.code === codes.refused) announcer.message(failure.msg, 5);
  else announcer.notification(failure.msg);
}

async function ask(shown: Announcer): Promise<void> {
  if (asking) return;
  asking = true;
  try {
    if (await shown.confirm(question)) await shown.leave();
  } finally {
    asking = false;
  }
}
