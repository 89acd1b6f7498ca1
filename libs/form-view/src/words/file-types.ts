import { wordsOf } from './languages';
import type { FileKind } from './words';

/** The names by which people know types of files. They are the same in every language. */
const names: Readonly<Record<string, string>> = {
  'application/pdf': 'PDF',
  'application/zip': 'ZIP',
  'application/json': 'JSON',
  'application/rtf': 'RTF',
  'application/msword': 'DOC',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'DOCX',
  'application/vnd.ms-excel': 'XLS',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'XLSX',
  'application/vnd.ms-powerpoint': 'PPT',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'PPTX',
  'application/vnd.oasis.opendocument.text': 'ODT',
  'application/vnd.oasis.opendocument.spreadsheet': 'ODS',
  'application/vnd.oasis.opendocument.presentation': 'ODP',
  'image/svg+xml': 'SVG',
  'text/plain': 'TXT',
  'text/csv': 'CSV',
  'audio/mpeg': 'MP3',
};

/** The accepted media types of a field, as people call them: `image/*` is "images", `application/pdf` is "PDF". */
export function fileTypeNames(language: string, accept: readonly string[]): string[] {
  const { fileKinds } = wordsOf(language);
  return accept.map((type) => {
    const [kind = '', subtype = ''] = type.split('/');
    if (subtype === '*') return Object.hasOwn(fileKinds, kind) ? fileKinds[kind as FileKind] : type;
    if (Object.hasOwn(names, type)) return names[type] ?? type;
    // Short subtypes, such as `png`, are also the ends of file names.
    return /^[a-z0-9]{2,5}$/.test(subtype) && kind !== 'application' ? subtype.toUpperCase() : type;
  });
}
