import { Alert, Spin } from 'antd';
import { useQuery } from '@tanstack/react-query';
import { send } from '#kernel/web/client.ts';
import { CallFailed } from '#kernel/web/failure.ts';
import { fieldErrors } from '#kernel/web/client.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { FilesField } from '#modules/platform/files/widgets.tsx';
import { bodyKinds, bodyWay, documentBodies } from '../contract/files/body.ts';
import type { DocumentDetail } from '../contract/shapes.ts';

const accept = bodyKinds.map((kind) => `.${kind}`).join(',');

/** Takes the body as a file, and shows before sending how it will be set and what will be lost. */
export function BodyFile({ control, known }: { control: FieldControl; known: DocumentDetail['body_file'] }) {
  const file = typeof control.value === 'number' ? control.value : null;
  return (
    <div className="kit-stack">
      <FilesField
        control={control}
        label="正文文件"
        module="documents"
        accept={accept}
        known={known ? [known] : []}
        one
      />
      {file !== null && file !== known?.id && <HowItIsSet file={file} />}
    </div>
  );
}

function HowItIsSet({ file }: { file: number }) {
  const { data, error } = useQuery({
    queryKey: ['document-body', file],
    queryFn: ({ signal }) => send(documentBodies.read, { body: { file } }, { signal, quiet: true }),
    retry: false,
    staleTime: Infinity,
  });
  if (error)
    return <Alert role="alert" type="error" showIcon title="这个文件不能作为正文" description={whyNot(error)} />;
  if (!data) return <Spin size="small" aria-label="正在读取正文文件" />;
  const { way, way_name, characters, pages, losses } = data.value;
  const size = way === bodyWay.text ? `共 ${characters} 字` : `共 ${pages} 页`;
  const kept = way === bodyWay.text ? '；文件里与公文一致的红头、标题、主送、署名和日期不重复排' : '';
  return (
    <Alert
      role="status"
      aria-label="正文文件的排版"
      type={losses.length > 0 || way === bodyWay.apart ? 'warning' : 'info'}
      showIcon
      title={`${way_name}（${size}）${kept}`}
      description={
        losses.length > 0 && (
          <>
            提交之前请核对，下列内容与原文件不同：
            <ul className="document-losses">
              {losses.map((loss) => (
                <li key={loss}>{loss}</li>
              ))}
            </ul>
            {way === bodyWay.text && '需要原样保留的，请另存为 PDF 后上传。'}
          </>
        )
      }
    />
  );
}

function whyNot(error: Error): string {
  if (!(error instanceof CallFailed)) return '读取失败，请稍后重新选择';
  return fieldErrors(error)[0]?.msg ?? error.msg;
}
