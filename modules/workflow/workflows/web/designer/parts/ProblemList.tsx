import type { Problem } from '../../../contract/shapes.ts';

/** Problems that keep the workflow from being published; each line leads to the place to correct. */
export function ProblemList({ problems, onGo }: { problems: readonly Problem[]; onGo: (problem: Problem) => void }) {
  return (
    <section className="designer-problems" aria-label="发布前检查" aria-live="polite">
      {problems.length === 0 ? (
        <p className="kit-muted">没有发现问题；人员和业务模块的要求在发布时核对</p>
      ) : (
        <>
          <strong>有 {problems.length} 个问题，解决后才能发布</strong>
          <ul className="designer-plain">
            {problems.map((problem) => (
              <li key={`${problem.kind}${problem.key}${problem.msg}`}>
                <button type="button" className="kit-link" onClick={() => onGo(problem)}>
                  {problem.msg}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
