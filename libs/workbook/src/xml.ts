import sax from 'sax';
import { brokenFile } from './broken';

/** A part of an XML document. Names have no namespace prefix. */
export type Token =
  | { kind: 'open'; name: string; attributes: Readonly<Record<string, string>> }
  | { kind: 'close'; name: string }
  | { kind: 'text'; text: string };

/** An XML document while it is read. Tokens come many at a time, because waiting for each one would take longer than reading it. */
export type Part = AsyncIterable<readonly Token[]>;

/** The XML of a workbook is about ten levels deep. The parser remembers every level. */
const maxDepth = 100;

/** The parser bounds the length of names and attributes only while it knows its position. Only the five entities of XML are known. */
const options = { position: true, strictEntities: true };

/**
 * Reads the XML of a workbook while it arrives. Workbooks need no document type, and one could define entities that grow without end, so it is
 * refused like everything else that is malformed.
 * @throws Problem `bad_request`
 */
export async function* tokensOf(chunks: AsyncIterable<string>): AsyncGenerator<Token[]> {
  const parser = sax.parser(true, options);
  let tokens: Token[] = [];
  let depth = 0;
  const take = (token: Token) => void tokens.push(token);
  parser.onopentag = ({ name, attributes }) => {
    depth += 1;
    if (depth > maxDepth) throw brokenFile();
    // Without namespaces, attributes are texts. `r:id` stays apart from `id`, which has another meaning.
    take({ kind: 'open', name: localName(name), attributes: attributes as Record<string, string> });
  };
  parser.onclosetag = (name) => {
    depth -= 1;
    take({ kind: 'close', name: localName(name) });
  };
  parser.ontext = parser.oncdata = (text) => take({ kind: 'text', text });
  parser.ondoctype = () => {
    throw brokenFile();
  };
  parser.onerror = (error) => {
    throw brokenFile(error);
  };
  for await (const chunk of chunks) {
    parser.write(chunk);
    yield tokens;
    tokens = [];
  }
  parser.close();
  yield tokens;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
