import { accepts, sniff, takenAs } from './sniff';

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

describe('a recording in a container that may have pictures or not', () => {
  /** The beginnings of recordings by Chrome, an old telephone, an iPhone, and Firefox. */
  const ebml = (docType: string) =>
    Buffer.concat([
      Buffer.from('1a45dfa3', 'hex'),
      Buffer.from([0x80 | (3 + docType.length), 0x42, 0x82, 0x80 | docType.length]),
      Buffer.from(docType),
      Buffer.from('18538067ff', 'hex'),
    ]);
  const ftyp = (brand: string) =>
    Buffer.concat([Buffer.from('0000001866747970', 'hex'), Buffer.from(`${brand}\0\0\0\0${brand}isom`), Buffer.alloc(40)]);
  const ogg = (codec: string) => Buffer.concat([Buffer.from('OggS\0\x02'), Buffer.alloc(22), Buffer.from(codec.padEnd(40, '\0'))]);

  it.each([
    ['audio/webm', ebml('webm')],
    ['video/webm', ebml('webm')],
    ['audio/x-matroska', ebml('matroska')],
    ['audio/3gpp', ftyp('3gp5')],
    ['audio/3gpp2', ftyp('3g2a')],
    ['audio/mp4', ftyp('isom')],
    ['audio/x-m4a', ftyp('M4A ')],
    ['video/mp4', ftyp('isom')],
    ['audio/ogg', ogg('OpusHead')],
    ['audio/ogg', ogg('\x01video')],
    ['video/ogg', ogg('\x01video')],
  ])('has the declared type %s', async (declared, bytes) => {
    expect(await sniff(bytes, declared, 'recording')).toBe(declared);
    expect(takenAs([declared.replace(/\/.*/, '/*')], declared)).toBe(declared);
  });

  it('is taken as sound where the system calls it a video', async () => {
    const type = await sniff(ebml('webm'), 'video/webm', 'recording.webm');
    expect([takenAs(['audio/*'], type), takenAs(['video/*'], type), takenAs(['image/*'], type), takenAs(undefined, type)]).toEqual([
      'audio/webm',
      'video/webm',
      undefined,
      'video/webm',
    ]);
  });

  it('is nothing that such a container cannot have', async () => {
    expect(await sniff(ebml('webm'), 'image/png', 'a.png')).toBe('video/webm');
    expect(takenAs(['audio/*'], 'video/mpeg')).toBeUndefined();
  });
});
