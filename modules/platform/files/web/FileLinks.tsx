import type { FileCard } from '../contract.ts';
import { FileName } from './FileName.tsx';
import { sizeText } from './preview/shown-file.ts';
import './files.css';

/** Files of a record as links, with thumbnails of pictures; with `pictures` they are larger and side by side, with names as alternative text. */
export function FileLinks({ files, pictures = false }: { files: readonly FileCard[]; pictures?: boolean }) {
  return (
    <ul className={pictures ? 'file-links file-pictures' : 'file-links'}>
      {files.map((file) => (
        <li key={file.id}>
          <FileName file={file} />
          {!pictures && <span className="kit-muted">{sizeText(file.size)}</span>}
        </li>
      ))}
    </ul>
  );
}
