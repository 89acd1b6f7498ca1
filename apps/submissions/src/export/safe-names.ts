/** Names longer than this do not fit into the paths of Windows, or beside their folder into those of older archivers. */
const maxNameBytes = 150;
const maxExtensionBytes = 20;

// What Windows refuses in names, separators of paths, and marks of direction, which make a name end in what it does not.
// oxlint-disable-next-line no-control-regex -- the pattern is about control characters
const refused = /[<>:"/\\|?*\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF\uFFFE\uFFFF]/g;

/** Devices of Windows, whatever extension follows. */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)$/i;

/**
 * The name of an uploaded file as every system can store it, with its extension. It comes from whoever uploaded the file, so it must not
 * lead out of its folder, hide, or stand for something else.
 */
export function safeName(name: string): string {
  const allowed = withoutEnd(name.toWellFormed().normalize('NFC').replace(refused, '_').trimStart());
  // A file that begins with a dot is hidden.
  const plain = allowed.replace(/^\.+/, '_');
  const { stem, extension } = partsOf(plain === '' ? 'file' : plain);
  const begin = device.test((stem.split('.')[0] ?? '').trimEnd()) ? `_${stem}` : stem;
  return `${shortened(begin, maxNameBytes - Buffer.byteLength(extension))}${extension}`;
}

/** Gives each name once in a folder. Windows and macOS take names for the same that differ in case only. */
export class UniqueNames {
  private readonly taken = new Set<string>();

  of(name: string): string {
    const { stem, extension } = partsOf(name);
    for (let number = 1; ; number++) {
      const suffix = number === 1 ? extension : ` (${number})${extension}`;
      const unique = `${shortened(stem, maxNameBytes - Buffer.byteLength(suffix))}${suffix}`;
      const folded = unique.normalize('NFKC').toUpperCase().toLowerCase();
      if (this.taken.has(folded)) continue;
      this.taken.add(folded);
      return unique;
    }
  }
}

/** Windows drops spaces and dots at the end of a name. */
function withoutEnd(name: string): string {
  let end = name.length;
  while (end > 0 && /[\s.]/.test(name.charAt(end - 1))) end -= 1;
  return name.slice(0, end);
}

/** The text after the last dot is an extension if it is short, and there is something before it. */
function partsOf(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? name.slice(dot) : '';
  const isExtension = Buffer.byteLength(extension) <= maxExtensionBytes && !/\s/.test(extension);
  return isExtension ? { stem: name.slice(0, name.length - extension.length), extension } : { stem: name, extension: '' };
}

/** As many whole characters as fit. One that does not fit by itself, such as a letter with a hundred accents, is cut: without a name it would be a folder. */
function shortened(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const characters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  return withoutEnd(fitting(characters, maxBytes)) || withoutEnd(fitting(Array.from(text), maxBytes));
}

function fitting(parts: readonly string[], maxBytes: number): string {
  let bytes = 0;
  let kept = '';
  for (const part of parts) {
    bytes += Buffer.byteLength(part);
    if (bytes > maxBytes) break;
    kept += part;
  }
  return kept;
}
