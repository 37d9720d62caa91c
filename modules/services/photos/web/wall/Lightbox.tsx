import YetAnother from 'yet-another-react-lightbox';
import Captions from 'yet-another-react-lightbox/plugins/captions';
import Zoom from 'yet-another-react-lightbox/plugins/zoom';
import 'yet-another-react-lightbox/styles.css';
import 'yet-another-react-lightbox/plugins/captions.css';
import type { PhotoRow } from '../../contract/shapes.ts';

interface Props {
  photos: readonly PhotoRow[];
  at: number;
  onView: (at: number) => void;
  onDetail: (photo: PhotoRow) => void;
  onClose: () => void;
}
const labels = {
  Next: '下一张',
  Previous: '上一张',
  Close: '关闭',
  'Zoom in': '放大',
  'Zoom out': '缩小',
  Lightbox: '看大图',
  'Photo gallery': '照片',
};

/** Photos one by one in the whole window: medium size first, then large if there is room, by keyboard and swiping. */
export default function Lightbox({ photos, at, onView, onDetail, onClose }: Props) {
  const sized = ({ width, height }: PhotoRow, most: number) => {
    const scale = Math.min(1, most / Math.max(width, height));
    return { width: Math.round(width * scale), height: Math.round(height * scale) };
  };
  return (
    <YetAnother
      open
      index={at}
      close={onClose}
      labels={labels}
      plugins={[Captions, Zoom]}
      carousel={{ preload: 2, finite: true }}
      controller={{ closeOnPullDown: true }}
      captions={{ descriptionMaxLines: 2 }}
      on={{ view: ({ index }) => onView(index) }}
      toolbar={{
        buttons: [
          <button key="detail" type="button" className="yarl__button" onClick={() => onDetail(photos[at]!)}>
            详情
          </button>,
          'close',
        ],
      }}
      slides={photos.map((photo) => ({
        src: `${photo.url}&size=large`,
        alt: photo.title,
        title: photo.title,
        description: [photo.photographer, photo.shot_at.slice(0, 10), photo.place, photo.category_name]
          .filter(Boolean)
          .join(' · '),
        ...sized(photo, 2048),
        srcSet: [
          { src: `${photo.url}&size=medium`, ...sized(photo, 1024) },
          { src: `${photo.url}&size=large`, ...sized(photo, 2048) },
        ],
      }))}
    />
  );
}
