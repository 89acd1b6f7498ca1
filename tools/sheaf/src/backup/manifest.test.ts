import { createHash } from 'node:crypto';
import { logFiles, parseManifest } from './manifest';

const sum = 'a'.repeat(64);

/** A list as PostgreSQL writes it. */
function manifestOf({ from = '0/2000028', to = '0/2000120', path = 'PG_VERSION' } = {}): string {
  const body = [
    '{ "PostgreSQL-Backup-Manifest-Version": 2,',
    '"System-Identifier": 7556743834892739823,',
    `"Files": [{ "Path": "${path}", "Size": 3, "Last-Modified": "2026-11-26 10:00:00 GMT", "Checksum-Algorithm": "SHA256", "Checksum": "${sum}" }],`,
    `"WAL-Ranges": [{ "Timeline": 1, "Start-LSN": "${from}", "End-LSN": "${to}" }],`,
    '',
  ].join('\n');
  return `${body}"Manifest-Checksum": "${createHash('sha256').update(body).digest('hex')}"}\n`;
}

it("PostgreSQL's list of a backup says which files it has, and which part of the log it needs", () => {
  const manifest = parseManifest(manifestOf());
  expect([...manifest.files]).toEqual([['PG_VERSION', { size: 3, sum }]]);
  expect(logFiles(manifest, 16 * 1024 * 1024)).toEqual(['000000010000000000000002']);
});

it('a part of the log has a file for each segment, across the numbers in their names', () => {
  const manifest = parseManifest(manifestOf({ from: '0/FF000028', to: '1/1000001' }));
  expect(logFiles(manifest, 16 * 1024 * 1024)).toEqual([
    '0000000100000000000000FF',
    '000000010000000100000000',
    '000000010000000100000001',
  ]);
});

it.each([
  ['no JSON', 'what', 'it is no list of the files'],
  ['with a byte that differs', manifestOf().replace('PG_VERSION', 'PG_VERSIOM'), 'it does not match its own checksum'],
  ['for all of the log', manifestOf({ from: '0/0', to: 'FFFFFFFF/FFFFFFFF' }), 'it names an impossible part of the log'],
  ['whose part of the log ends before it begins', manifestOf({ from: '0/4000000', to: '0/1' }), 'it names an impossible part of the log'],
])('a list %s is refused', (_, text, message) => {
  expect(() => logFiles(parseManifest(text), 16 * 1024 * 1024)).toThrow(message);
});
