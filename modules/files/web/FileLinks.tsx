import type { FileCard } from '../contract.ts';
import { FileName } from './FileName.tsx';
import { sizeText } from './preview/shown-file.ts';
import './files.css';

/** Files of a record to open, pictures shown small. */
export function FileLinks({ files }: { files: readonly FileCard[] }) {
  return (
    <ul className="file-links">
      {files.map((file) => (
        <li key={file.id}>
          <FileName file={file} />
          <span className="kit-muted">{sizeText(file.size)}</span>
        </li>
      ))}
    </ul>
  );
}
