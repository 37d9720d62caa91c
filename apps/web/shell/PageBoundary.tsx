import { Component } from 'react';
import type { ReactNode } from 'react';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { CallFailed } from '#kernel/web/failure.ts';
import { fetchAnew } from '#kernel/web/later.tsx';

interface State {
  error: unknown;
  /** The error's number in the server's log. */
  number: string;
}
const whole: State = { error: null, number: '' };

/** Keeps a page that fails from taking the frame with it, and reports the error to the server. */
export class PageBoundary extends Component<{ children: ReactNode }, State> {
  override state = whole;

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error };
  }

  override componentDidCatch(error: unknown) {
    if (error instanceof CallFailed) return;
    void this.note(error);
  }

  private async note(broken: unknown) {
    try {
      const number = await import('./broken.ts').then(({ noteBroken }) => noteBroken(broken));
      this.setState(({ error }) => (error === broken ? { number } : null));
    } catch {
      // Without a network there is no number, and the page shows what it can.
    }
  }

  override render() {
    const { error, number } = this.state;
    if (!error) return this.props.children;
    const retry = () => {
      fetchAnew();
      this.setState(whole);
    };
    return <FailedState error={error} retry={retry} number={number} />;
  }
}
