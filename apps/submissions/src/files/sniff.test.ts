import { accepts, sniff } from './sniff';

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const zip = Buffer.from('504b0304140000000800000021000000000000000000000000000800000061', 'hex');
const oldOffice = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';

describe('the type of a file', () => {
  it.each<[string, Buffer | string, declared: string, name: string, type: string]>([
    ['is what its first bytes say', png, 'image/png', 'a.png', 'image/png'],
    ['is that too when something else was declared', png, 'text/plain', 'a.txt', 'image/png'],
    [
      'is that too when it is dangerous',
      Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]),
      'image/png',
      'a.png',
      'application/x-msdownload',
    ],
    ['is found in a single line as well', '%PDF-1.7\n', 'application/octet-stream', '', 'application/pdf'],
    ['may be one that is made inside another', zip, docx, 'a.docx', docx],
    ['is the outer one when what was declared is not made in it', zip, 'image/png', 'a.png', 'application/zip'],
    ['may be one of the old Office', oldOffice, 'application/msword', 'a.doc', 'application/msword'],
    ['of a text is what was declared', 'a,b\n1,2\n', 'text/csv', 'a.csv', 'text/csv'],
    ['is declared without parameters, in lower case', 'a,b\n1,2\n', 'Text/CSV; charset=utf-8', 'a.csv', 'text/csv'],
    ['of a text is what its name says, where nothing was declared', 'a,b\n1,2\n', 'application/octet-stream', 'A.CSV', 'text/csv'],
    ['of a table is not that of the program which opens tables', 'a,b\n1,2\n', 'application/vnd.ms-excel', 'a.csv', 'text/csv'],
    ['of a text in an old encoding is a text', Buffer.from('Gr\xfc\xdfe\n', 'latin1'), 'text/plain', 'a.txt', 'text/plain'],
    ['of a text in UTF-16 is a text', Buffer.from('\ufeffGruß', 'utf16le'), 'text/plain', 'a.txt', 'text/plain'],
    ['of a text is not that of a picture which begins alike', 'BMW,Audi\n', 'text/csv', 'a.csv', 'text/csv'],
    ['of a text that claims to be a picture is a text', 'hello', 'image/png', 'a.png', 'text/plain'],
    ['of a text that claims to be a drawing is a text', '<script>alert(1)</script>', 'image/svg+xml', 'a.svg', 'text/plain'],
    ['of a drawing is a drawing', svg, 'image/svg+xml', 'a.svg', 'image/svg+xml'],
    ['of a drawing with its XML declaration too', `<?xml version="1.0"?>${svg}`, 'image/svg+xml', 'a.svg', 'image/svg+xml'],
    ['of XML that claims to be a drawing is XML', '<?xml version="1.0"?><a/>', 'image/svg+xml', 'a.svg', 'application/xml'],
    ['is what was declared where nobody can know', Buffer.from([1, 2, 3, 4]), 'application/vnd.acme', 'a.acme', 'application/vnd.acme'],
    ['is unknown where one that can be known was declared', Buffer.from([1, 2, 3, 4]), 'image/png', 'a.png', 'application/octet-stream'],
    ['is unknown where a text was declared and is none', Buffer.from([1, 2, 3, 4]), 'text/plain', 'a.txt', 'application/octet-stream'],
    ['is unknown where a document was declared and is none', Buffer.from([1, 2, 3, 4]), docx, 'a.docx', 'application/octet-stream'],
    ['is unknown where nonsense was declared', Buffer.from([1]), 'a/b\r\nSet-Cookie: x', 'a', 'application/octet-stream'],
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
  ])('that accepts %j takes %s: %s', (accept, type, taken) => {
    expect(accepts(accept, type)).toBe(taken);
  });
});
