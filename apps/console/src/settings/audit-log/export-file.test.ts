import type { AuditEntry } from '@sheaf/client';
import { asCsv, asNdjson } from './export-file';

const entry = (name: string): AuditEntry => ({
  id: 'e',
  action: 'form.published',
  actor: { kind: 'user', id: 'u', name },
  target: { kind: 'form', id: 'f' },
  request_id: 'r',
  details: { version: 3 },
  occurred_at: '2026-11-24T08:00:00.000Z',
});
const rowOf = (name: string) => asCsv([entry(name)]).split('\r\n')[1];

describe('A file of the audit log', () => {
  it('has a line for each entry under the names of its columns', () => {
    const [head, row, end] = asCsv([entry('Ada')]).split('\r\n');
    expect(head).toMatch(/^\uFEFFoccurred_at,action,actor_kind,/);
    expect(row).toBe('2026-11-24T08:00:00.000Z,form.published,user,u,Ada,,,form,f,,,r,"{""version"":3}"');
    expect(end).toBe('');
  });

  it('keeps names with commas, quotes and lines in one cell', () => {
    expect(rowOf('Lovelace, "Ada"')).toContain(',"Lovelace, ""Ada""",');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)'])('gives no spreadsheet a formula to run: %s', (name) => {
    expect(rowOf(name)).toContain(`,'${name},`);
  });

  it('has every detail in NDJSON', () => {
    expect(
      asNdjson([entry('Ada'), entry('Ben')])
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as AuditEntry),
    ).toEqual([entry('Ada'), entry('Ben')]);
  });
});
