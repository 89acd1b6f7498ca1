import { brokenFile } from './broken';

/** A part of an XML document. Names have no namespace prefix. */
export type Token =
  | { kind: 'open'; name: string; attributes: Readonly<Record<string, string>> }
  | { kind: 'close'; name: string }
  | { kind: 'text'; text: string };

const tag = /<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const attribute = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Parts without content of their own: the declaration, comments, and their ends. */
const ignored = [
  ['<?', '?>'],
  ['<!--', '-->'],
] as const;

/**
 * Reads the XML of a workbook part by part. Workbooks need no document type, and one could define entities that grow without end, so it is refused
 * like everything else that is malformed.
 * @throws Problem `bad_request`
 */
export function* tokensOf(xml: string): Generator<Token> {
  let at = xml.startsWith('\uFEFF') ? 1 : 0;
  while (at < xml.length) {
    if (xml[at] !== '<') {
      const end = xml.indexOf('<', at);
      yield { kind: 'text', text: decoded(xml.slice(at, end === -1 ? undefined : end)) };
      if (end === -1) return;
      at = end;
      continue;
    }
    const skipped = ignored.find(([start]) => xml.startsWith(start, at));
    if (skipped) {
      at = after(xml, skipped[1], at + skipped[0].length);
      continue;
    }
    if (xml.startsWith('<![CDATA[', at)) {
      const end = after(xml, ']]>', at);
      yield { kind: 'text', text: xml.slice(at + 9, end - 3) };
      at = end;
      continue;
    }
    tag.lastIndex = at;
    const match = tag.exec(xml);
    if (!match) throw brokenFile();
    const [whole, closing, prefixed = '', attributes = '', selfClosing] = match;
    const name = localName(prefixed);
    if (closing === '') yield { kind: 'open', name, attributes: attributesOf(attributes) };
    if (closing !== '' || selfClosing !== '') yield { kind: 'close', name };
    at += whole.length;
  }
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

function after(xml: string, end: string, from: number): number {
  const at = xml.indexOf(end, from);
  if (at === -1) throw brokenFile();
  return at + end.length;
}

/** `r:id` stays apart from `id`, which has another meaning. */
const attributesOf = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(attribute)].map(([, name = '', double, single]) => [name, decoded(double ?? single ?? '')]));

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const decoded = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (_, hex?: string, decimal?: string, name?: string) => {
        if (name !== undefined) return Object.hasOwn(entities, name) ? (entities[name] ?? '') : broken();
        const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
        return code <= 0x10ffff ? String.fromCodePoint(code) : broken();
      })
    : text;

function broken(): never {
  throw brokenFile();
}
