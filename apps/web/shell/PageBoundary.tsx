import { Component } from 'react';
import type { ReactNode } from 'react';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { fetchAnew } from '#kernel/web/later.tsx';

/** Keeps a page that breaks from taking the frame with it. */
export class PageBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (!this.state.error) return this.props.children;
    const retry = () => {
      fetchAnew();
      this.setState({ error: null });
    };
    return <FailedState error={this.state.error} retry={retry} />;
  }
}
