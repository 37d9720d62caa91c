import { codes, refusal } from './refusal.ts';

/** Kinds of file that a plain upload may accept, by the ending of the name (`jpeg` counts as `jpg`). */
export const imageKinds = ['png', 'jpg', 'webp', 'gif'] as const;
export const officeKinds = ['docx', 'xlsx', 'pptx', 'doc', 'xls', 'ppt', 'wps'] as const;
export const fileKinds = [...imageKinds, 'pdf', 'ofd', ...officeKinds, 'txt', 'csv', 'zip'] as const;
/** Picture formats of cameras and phones, for code that redraws them with `takePicture`. */
export const photoKinds = [...imageKinds, 'heic', 'heif'] as const;
export type FileKind = (typeof fileKinds)[number] | (typeof photoKinds)[number];

export const fileTooBig = refusal(codes.refused, (max: number) => `文件超过 ${sizeText(max)}，请缩小后再上传`);
export const fileEmpty = refusal(codes.refused, () => '文件是空的，请重新选择');
export const fileNotAllowed = refusal(
  codes.refused,
  (name: string, allow: readonly string[]) => `不能上传“${name}”，只接受 ${allow.join('、')} 文件`,
);
export const fileMismatch = refusal(
  codes.refused,
  (name: string) => `“${name}”的内容与扩展名不符，请用对应的软件重新保存后再上传`,
);
export const archiveTooBig = refusal(
  codes.refused,
  (name: string) => `“${name}”解开后过大或文件过多，请拆成几个文件后再上传`,
);
export const archiveUnsafe = refusal(
  codes.refused,
  (name: string) => `“${name}”内含宏或不安全的路径，请去掉后重新保存再上传`,
);
export const imageNotAllowed = refusal(codes.refused, () => '图片只接受 png、jpg、webp、gif 格式，请转换后再上传');
export const photoNotAllowed = refusal(
  codes.refused,
  () => '照片只接受 jpg、png、webp、gif、heic 格式，请导出为 JPEG 后再上传',
);
export const photoNotReadable = refusal(codes.refused, () => '这张 HEIC 照片无法读取，请导出为 JPEG 后再上传');
export const imageTooLarge = refusal(
  codes.refused,
  (max: number) => `图片尺寸过大，宽乘高不能超过 ${Math.round(max / 10_000)} 万像素，请缩小后再上传`,
);
export const imageDamaged = refusal(codes.refused, () => '图片已损坏，无法读取，请换一张图片');

/** Formats a number of bytes for people. */
export function sizeText(bytes: number): string {
  if (bytes >= 2 ** 30) return `${+(bytes / 2 ** 30).toFixed(2)} GB`;
  return bytes >= 2 ** 20 ? `${+(bytes / 2 ** 20).toFixed(1)} MB` : `${Math.ceil(bytes / 1024)} KB`;
}
