import { PaperClipOutlined } from '@ant-design/icons';
import type { FileCard } from '../contract.ts';
import { addressOfFile, isImage } from './shown-file.ts';
import './files.css';

/** Files of a record to open, pictures shown small. */
export function FileLinks({ files }: { files: readonly FileCard[] }) {
  return (
    <ul className="file-links">
      {files.map((file) => (
        <li key={file.id}>
          <a href={addressOfFile(file)} target="_blank" rel="noreferrer">
            {isImage(file.mime) ? <img src={file.url} alt="" loading="lazy" /> : <PaperClipOutlined />}
            <span>{file.name}</span>
          </a>
          <span className="kit-muted">{sizeText(file.size)}</span>
        </li>
      ))}
    </ul>
  );
}

function sizeText(bytes: number): string {
  return bytes >= 2 ** 20 ? `${(bytes / 2 ** 20).toFixed(1)} MB` : `${Math.ceil(bytes / 1024)} KB`;
}
