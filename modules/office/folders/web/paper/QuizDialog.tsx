import { App, Button, Modal, Radio } from 'antd';
import { useId, useState } from 'react';
import { useSend } from '#kernel/web/calls.ts';
import { folders } from '../../contract.ts';
import type { PaperDetail } from '../../contract/papers.ts';

/** Asks the paper's questions, and confirms the reading with the answers. */
export function QuizDialog({ paper }: { paper: PaperDetail }) {
  const [open, setOpen] = useState(false);
  const [answers, setAnswers] = useState<(number | undefined)[]>([]);
  const { message } = App.useApp();
  const head = useId();
  const sending = useSend(folders.answer, {
    onSuccess: () => {
      setOpen(false);
      void message.success('已确认');
    },
  });
  const given = paper.quiz.flatMap((_one, index) => answers[index] ?? []);
  return (
    <>
      <Button type="primary" onClick={() => setOpen(true)}>
        答题并确认已读
      </Button>
      <Modal
        open={open}
        title={`阅读小测，共 ${paper.quiz.length} 题`}
        okText="确认已读"
        cancelText="再看看正文"
        okButtonProps={{ disabled: given.length < paper.quiz.length, loading: sending.isPending }}
        onOk={() => sending.mutate({ body: { paper_id: paper.id, confirm: true, answers: given } })}
        onCancel={() => setOpen(false)}
      >
        <div className="kit-stack">
          {paper.quiz.map((one, index) => (
            <div key={index}>
              <p id={`${head}-${index}`}>
                {index + 1}．{one.question}
              </p>
              <Radio.Group
                aria-labelledby={`${head}-${index}`}
                vertical
                value={answers[index]}
                options={one.options.map((label, value) => ({ label, value }))}
                onChange={({ target }) =>
                  setAnswers(paper.quiz.map((_each, at) => (at === index ? (target.value as number) : answers[at])))
                }
              />
            </div>
          ))}
        </div>
      </Modal>
    </>
  );
}
