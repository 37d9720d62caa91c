/** The drawing library's texts for screen readers and buttons. */
export const graphWords = {
  'node.a11yDescription.default': '按 Enter 选中环节，按方向键到相邻的环节',
  'node.a11yDescription.keyboardDisabled': '按 Enter 选中环节',
  'node.a11yDescription.ariaLiveMessage': () => '环节已移动',
  'edge.a11yDescription.default': '按 Enter 选中流转',
  'controls.ariaLabel': '画布操作',
  'controls.zoomIn.ariaLabel': '放大',
  'controls.zoomOut.ariaLabel': '缩小',
  'controls.fitView.ariaLabel': '显示全部',
  'controls.interactive.ariaLabel': '锁定画布',
  'minimap.ariaLabel': '缩略图',
  'handle.ariaLabel': '从这里拉出流转',
};
