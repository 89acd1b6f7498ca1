import { fileTypeFromBuffer, supportedMimeTypes } from 'file-type/core';

/** The number of bytes at the start of a file that determine its type. */
export const sampleBytes = 4_100;

const unknown = 'application/octet-stream';
const svg = 'image/svg+xml';

/**
 * Determines a file's media type. Its first bytes decide. The declared type (or, for text, the file extension) counts only where they are
 * ambiguous: text has no signature, and some formats are built on another one, such as documents in a zip.
 */
export async function sniff(sample: Buffer, declared: string, name: string): Promise<string> {
  const declaredType = normalized(declared);
  const isText = readsAsText(sample);
  // A file that was crafted to break the detector has an unknown type.
  const found = (await fileTypeFromBuffer(sample).catch(() => undefined))?.mime.split(';', 1)[0];

  // Some binary formats have a two-letter signature: a table that begins with BMW is not a picture.
  if (found !== undefined && (!isText || textWithSignature.test(found)))
    return isBuiltOn(found, declaredType, sample) ? declaredType : found;
  if (isText) return [declaredType, typeByExtension(name)].find((type) => type !== undefined && isTextual(type, sample)) ?? 'text/plain';
  // A file that declares a format the detector would have recognised is not in that format.
  return textual.test(declaredType) || supportedMimeTypes.has(declaredType) || containers.some(([, kinds]) => kinds.test(declaredType))
    ? unknown
    : declaredType;
}

/** Containers of which the first bytes do not tell whether there is a picture beside the sound. */
const soundOrPicture: readonly (readonly [shown: string, mayBe: readonly string[]])[] = [
  ['video/webm', ['audio/webm']],
  ['video/matroska', ['audio/matroska', 'audio/x-matroska', 'video/x-matroska']],
  ['video/mp4', ['audio/mp4', 'audio/x-m4a', 'audio/m4a']],
  ['video/x-m4v', ['video/mp4', 'audio/mp4']],
  ['audio/x-m4a', ['audio/mp4', 'audio/m4a', 'video/mp4']],
  ['audio/mp4', ['video/mp4', 'audio/x-m4a', 'audio/m4a']],
  ['video/quicktime', ['audio/quicktime', 'audio/mp4']],
  ['video/3gpp', ['audio/3gpp']],
  ['video/3gpp2', ['audio/3gpp2']],
  ['application/ogg', ['audio/ogg', 'video/ogg']],
  ['audio/ogg', ['video/ogg']],
  ['video/ogg', ['audio/ogg']],
  ['application/vnd.ms-asf', ['audio/x-ms-wma', 'video/x-ms-wmv', 'audio/x-ms-asf', 'video/x-ms-asf']],
  ['audio/x-ms-asf', ['audio/x-ms-wma', 'video/x-ms-wmv', 'video/x-ms-asf']],
  ['video/x-ms-asf', ['video/x-ms-wmv', 'audio/x-ms-wma', 'audio/x-ms-asf']],
];

const othersThan = (type: string): readonly string[] => soundOrPicture.find(([shown]) => shown === type)?.[1] ?? [];

/**
 * The type under which a field takes a file: its own, or another one that its container may have, such as a recording that the system takes for
 * a video by its extension. Undefined if the field does not take it.
 */
export const takenAs = (accept: readonly string[] | undefined, type: string): string | undefined =>
  [type, ...othersThan(type)].find((each) => accepts(accept, each));

/** Whether a field takes files of this type. */
export const accepts = (accept: readonly string[] | undefined, type: string): boolean =>
  accept === undefined || accept.some((taken) => taken === type || (taken.endsWith('/*') && type.startsWith(taken.slice(0, -1))));

function normalized(declared: string): string {
  const [first = ''] = declared.split(';', 1);
  const type = first.trim().toLowerCase();
  return /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/.test(type) && type.length <= 127 ? type : unknown;
}

/** Container formats: the type that the bytes show, and the types that the file may really have. */
const containers: readonly (readonly [container: string, kinds: RegExp])[] = [
  [
    'application/zip',
    /^application\/(?:vnd\.(?:openxmlformats-officedocument|oasis\.opendocument|ms-(?:word|excel|powerpoint))\.\S+|epub\+zip|java-archive)$/,
  ],
  ['application/x-cfb', /^application\/(?:msword|vnd\.ms-(?:excel|powerpoint|outlook|project))$/],
  ['application/xml', /^(?:text\/xml|[a-z]+\/\S+\+xml)$/],
];

function isBuiltOn(container: string, declaredType: string, sample: Buffer): boolean {
  if (declaredType === svg && !showsSvg(sample)) return false;
  if (othersThan(container).includes(declaredType)) return true;
  return containers.some(([type, kinds]) => type === container && kinds.test(declaredType));
}

/** Formats with a signature whose files may be plain text. */
const textWithSignature = /^(?:text\/\S+|application\/(?:pdf|rtf|xml|postscript|eps|pgp-encrypted)|\S+\+xml)$/;

const textual = /^(?:text\/\S+|application\/(?:json|xml|yaml|javascript|sql|\S+\+(?:json|xml))|image\/svg\+xml)$/;

const isTextual = (type: string, sample: Buffer): boolean => textual.test(type) && (type !== svg || showsSvg(sample));

const showsSvg = (sample: Buffer): boolean => /<svg[\s>]/i.test(sample.toString('latin1'));

/** Works for any encoding: text has no control characters, except in UTF-16, which starts with a byte order mark. */
function readsAsText(sample: Buffer): boolean {
  const mark = sample.length < 2 ? 0 : sample.readUInt16BE(0);
  // oxlint-disable-next-line no-control-regex -- it looks for control characters
  return mark === 0xfeff || mark === 0xfffe || !/[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/.test(sample.toString('latin1'));
}

const extensions: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  md: 'text/markdown',
  json: 'application/json',
  xml: 'application/xml',
  svg,
};

const typeByExtension = (name: string): string | undefined => extensions[/\.([a-z]{2,4})$/i.exec(name)?.[1]?.toLowerCase() ?? ''];
