import { PageBoundary } from '../shell/PageBoundary.tsx';
import { Waiting } from './Waiting.tsx';
import './home.css';

/** On a phone what waits for me has a page of its own, without the day beside it. */
export default function Todo() {
  return (
    <div className="home">
      <h1>待办</h1>
      <section className="kit-panel" aria-label="等我处理">
        <PageBoundary>
          <Waiting whole />
        </PageBoundary>
      </section>
    </div>
  );
}
