import { accepts, sniff } from './sniff';

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const zip = Buffer.from('504b0304140000000800000021000000000000000000000000000800000061', 'hex');
const oldOffice = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';

describe('the media type of a file', () => {
  it.each<[string, Buffer | string, declared: string, name: string, type: string]>([
    ['is determined by its first bytes', png, 'image/png', 'a.png', 'image/png'],
    ['is determined by its first bytes even if another type was declared', png, 'text/plain', 'a.txt', 'image/png'],
    [
      'is determined by its first bytes even if it is dangerous',
      Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]),
      'image/png',
      'a.png',
      'application/x-msdownload',
    ],
    ['is recognized in a single line too', '%PDF-1.7\n', 'application/octet-stream', '', 'application/pdf'],
    ['may be a format built on a container', zip, docx, 'a.docx', docx],
    ['is the container if the declared type is not built on it', zip, 'image/png', 'a.png', 'application/zip'],
    ['may be an old Office format', oldOffice, 'application/msword', 'a.doc', 'application/msword'],
    ['of text is the declared one', 'a,b\n1,2\n', 'text/csv', 'a.csv', 'text/csv'],
    ['is declared without parameters, in lower case', 'a,b\n1,2\n', 'Text/CSV; charset=utf-8', 'a.csv', 'text/csv'],
    ['of text follows from its extension if none was declared', 'a,b\n1,2\n', 'application/octet-stream', 'A.CSV', 'text/csv'],
    ['of a CSV file is not that of a spreadsheet program', 'a,b\n1,2\n', 'application/vnd.ms-excel', 'a.csv', 'text/csv'],
    ['of text in a legacy encoding is text', Buffer.from('Gr\xfc\xdfe\n', 'latin1'), 'text/plain', 'a.txt', 'text/plain'],
    ['of text in UTF-16 is text', Buffer.from('\ufeffGruß', 'utf16le'), 'text/plain', 'a.txt', 'text/plain'],
    ['of text is not that of an image with the same first letters', 'BMW,Audi\n', 'text/csv', 'a.csv', 'text/csv'],
    ['of text declared as an image is text', 'hello', 'image/png', 'a.png', 'text/plain'],
    ['of text declared as SVG is text', '<script>alert(1)</script>', 'image/svg+xml', 'a.svg', 'text/plain'],
    ['of SVG is SVG', svg, 'image/svg+xml', 'a.svg', 'image/svg+xml'],
    ['of SVG with an XML declaration is SVG', `<?xml version="1.0"?>${svg}`, 'image/svg+xml', 'a.svg', 'image/svg+xml'],
    ['of XML declared as SVG is XML', '<?xml version="1.0"?><a/>', 'image/svg+xml', 'a.svg', 'application/xml'],
    [
      'is the declared one if it has no known signature',
      Buffer.from([1, 2, 3, 4]),
      'application/vnd.acme',
      'a.acme',
      'application/vnd.acme',
    ],
    [
      'is unknown if the declared type has a signature that is missing',
      Buffer.from([1, 2, 3, 4]),
      'image/png',
      'a.png',
      'application/octet-stream',
    ],
    [
      'is unknown if text was declared but the bytes are not text',
      Buffer.from([1, 2, 3, 4]),
      'text/plain',
      'a.txt',
      'application/octet-stream',
    ],
    [
      'is unknown if a document was declared but the bytes are not one',
      Buffer.from([1, 2, 3, 4]),
      docx,
      'a.docx',
      'application/octet-stream',
    ],
    ['is unknown if the declared type is malformed', Buffer.from([1]), 'a/b\r\nSet-Cookie: x', 'a', 'application/octet-stream'],
  ])('%s', async (_, bytes, declared, name, type) => {
    expect(await sniff(Buffer.from(bytes as string), declared, name)).toBe(type);
  });
});

describe('a field', () => {
  it.each([
    [undefined, 'application/x-msdownload', true],
    [['image/png', 'application/pdf'], 'application/pdf', true],
    [['image/*'], 'image/png', true],
    [['image/*'], 'imagery/png', false],
    [['image/png'], 'image/jpeg', false],
  ])('that accepts %j accepts %s: %s', (accept, type, taken) => {
    expect(accepts(accept, type)).toBe(taken);
  });
});
