import { Button, Input, Radio } from 'antd';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import type { Question } from '../../contract/papers.ts';

const max = 3;
const fresh: Question = { question: '', options: ['', '', ''], answer: 0 };

/** Up to three questions, each with three options of which one is right. */
export function QuizInput({ control }: { control: FieldControl }) {
  const quiz = (control.value as Question[] | undefined) ?? [];
  const change = (at: number, part: Partial<Question>) =>
    control.onChange?.(quiz.map((one, index) => (index === at ? { ...one, ...part } : one)));
  return (
    <div className="kit-stack" id={control.id}>
      {quiz.map((one, at) => (
        <fieldset key={at} className="kit-stack folder-question" disabled={control.disabled}>
          <div className="kit-row">
            <Input
              className="kit-grow"
              aria-label={`第 ${at + 1} 题`}
              placeholder={`第 ${at + 1} 题`}
              value={one.question}
              onChange={(event) => change(at, { question: event.target.value })}
            />
            <Button onClick={() => control.onChange?.(quiz.filter((_one, index) => index !== at))}>删除</Button>
          </div>
          <Radio.Group
            aria-label={`第 ${at + 1} 题的正确选项`}
            className="kit-stack"
            value={one.answer}
            onChange={(event) => change(at, { answer: event.target.value as number })}
          >
            {one.options.map((option, index) => (
              <div key={index} className="kit-row">
                <Radio value={index} aria-label={`选项 ${index + 1} 正确`} />
                <Input
                  className="kit-grow"
                  aria-label={`第 ${at + 1} 题选项 ${index + 1}`}
                  placeholder={`选项 ${index + 1}`}
                  value={option}
                  onChange={(event) =>
                    change(at, { options: one.options.map((each, i) => (i === index ? event.target.value : each)) })
                  }
                />
              </div>
            ))}
          </Radio.Group>
        </fieldset>
      ))}
      {quiz.length < max && (
        <Button disabled={control.disabled ?? false} onClick={() => control.onChange?.([...quiz, fresh])}>
          添加题目
        </Button>
      )}
    </div>
  );
}
