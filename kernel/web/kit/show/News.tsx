/** Marks an item that is new to the person. */
export function News({ what = '您上次查看后的新动态' }: { what?: string }) {
  return (
    <span className="kit-news-mark" title={what}>
      新
    </span>
  );
}
