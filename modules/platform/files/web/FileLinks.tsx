import type { FileCard } from '../contract.ts';
import { FileName } from './FileName.tsx';
import { rememberedFile } from './remembered.ts';
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

/** Files of input that was not sent, of which only the ids are kept, as links. */
export function KeptFiles({ ids }: { ids: readonly number[] }) {
  return (
    <ul className="file-links">
      {ids.map((id) => (
        <li key={id}>
          <FileName file={rememberedFile(id)} />
        </li>
      ))}
    </ul>
  );
}
